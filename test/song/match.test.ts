import { describe, expect, it } from 'vitest'
import { matchSong, type SongQuery } from '../../src/song/match.ts'
import { CORRUPTIONS, JUNK, mistyped, tribute } from '../support/corruptions.ts'
import { type Random, seeded } from '../support/music.ts'
import { named } from '../support/named-songs.ts'
import { openInline } from '../support/open.ts'
import type { Named } from '../support/stored-songs.ts'

const SONGS: readonly (readonly [artist: string, title: string])[] = [
  ['The Iron Kettles', 'Iron Home Blues'],
  ['The Iron Kettles', 'The Boiling Point'],
  ['The Iron Kettles', 'Steam'],
  ['Nora Vale', 'Cellar Door'],
  ['Nora Vale', 'Nightingale, Sing'],
  ['Nora Vale', 'Waltz No. 2 in B Minor'],
  ['Nora Vale', 'Über den Dächern'],
  ['Nora Vale', 'Été à Paris'],
  ['Nora Vale, Fats Casserole', 'Duet for Two'],
  ['Fats Casserole', 'Gravy (Over Everything)'],
  ['Fats Casserole & His Orchestra', 'Sunday Roast'],
  ['Salt & Pepper', 'Rock & Roll Kitchen'],
  ['A.F.I.', 'Spoon'],
  ['5 Blind Boys', '99 Kettles'],
  ['Сплин Город', 'Песня окон и стен'],
  ['학교 밴드', '잠 못 드는 밤에'],
  ['!!!', '???'],
  ['Home', 'Spoon'],
  ['Rast', 'Home'],
]

/** What is found of a query in a list of songs. */
function asking(songs: readonly (Named | readonly [artist: string, title: string])[] = SONGS) {
  const library = named(songs)
  const match = (query: SongQuery) => matchSong(library.context, query)
  return {
    ...library,
    match,
    find: (artistName: string, songName: string, more: Partial<SongQuery> = {}) =>
      library.show(match({ songName, ...(artistName !== '' && { artistName }), ...more })),
  }
}

const found = (cases: [artist: string, title: string, song: string | undefined][]) => {
  const { find } = asking()
  for (const [artist, title, song] of cases) {
    expect(find(artist, title), `${artist} | ${title}`).toBe(song)
  }
}

const BLUES = 'The Iron Kettles – Iron Home Blues'
const GRAVY = 'Fats Casserole – Gravy (Over Everything)'
const DUET = 'Nora Vale, Fats Casserole – Duet for Two'
const STEAM = 'The Iron Kettles – Steam'
const DOOR = 'Nora Vale – Cellar Door'

describe('a song by its names', () => {
  it('is found as it is written, whatever the case, the spaces and the signs', () => {
    found([
      ['The Iron Kettles', 'Iron Home Blues', BLUES],
      ['tHE iRON kETTLES', 'IRON HOME BLUES', BLUES],
      ['  The  Iron Kettles ', ' Iron   Home Blues', BLUES],
      ['The Iron-Kettles', 'Iron/Home (Blues', BLUES],
      ['Nora Vale', 'Nightingale Sing', 'Nora Vale – Nightingale, Sing'],
      ['Salt and Pepper', 'Rock and Roll Kitchen', 'Salt & Pepper – Rock & Roll Kitchen'],
      ['Salt &amp; Pepper', 'Rock &amp; Roll Kitchen', 'Salt & Pepper – Rock & Roll Kitchen'],
      ['AFI', 'Spoon', 'A.F.I. – Spoon'],
      ['!!!', '???', '!!! – ???'],
    ])
  })

  it('is found with and without articles, and as the artist is sorted', () => {
    found([
      ['Iron Kettles', 'Boiling Point', 'The Iron Kettles – The Boiling Point'],
      ['Iron Kettles, The', 'The Iron Home Blues', BLUES],
      ['Vale, Nora', 'Cellar Door', DOOR],
      ['Casserole, Fats', 'Gravy', GRAVY],
      ['Teh Iron Kettles', 'Steam', STEAM],
    ])
  })

  it('is found in any script, and without its marks', () => {
    found([
      ['Nora Vale', 'Uber den Dachern', 'Nora Vale – Über den Dächern'],
      ['Nora Vale', 'U\u0308ber den Da\u0308chern', 'Nora Vale – Über den Dächern'],
      ['Nora Vale', 'Ãber den DÃ¤chern', 'Nora Vale – Über den Dächern'],
      ['Nora Vale', 'Été Ã Paris', 'Nora Vale – Été à Paris'],
      ['сплин город', 'ПЕСНЯ ОКОН И СТЕН', 'Сплин Город – Песня окон и стен'],
      ['학교밴드', '잠 못 드는 밤에 (Remastered)', '학교 밴드 – 잠 못 드는 밤에'],
    ])
  })

  it('is found with what says nothing of which song it is', () => {
    for (const more of [
      ' - 2011 Remaster',
      ' (Remastered 2009)',
      ' [Digitally Remastered]',
      ' (2015 - Remaster)',
      ' Remastered 2012',
      ' (Album Version)',
      ' - Single Version',
      ' (Radio Edit)',
      ' [Explicit]',
      ' - Mono',
      ' (Official Video)',
      ' (Bonus Track)',
      ' - From "Greatest Hits"',
      ' (feat. Nora Vale)',
      ' ft. Nora Vale',
      ' [with Somebody] - Remastered',
      ' (Part 1)',
      ' (1997)',
    ]) {
      const { find } = asking()
      expect(find('The Iron Kettles', `Steam${more}`), more).toBe(STEAM)
      const other = asking([['The Iron Kettles', `Steam${more}`]])
      expect(other.find('The Iron Kettles', 'Steam'), more).toBe(`The Iron Kettles – Steam${more}`)
    }
  })

  it('is found by some of its artists, if the main one is among them', () => {
    found([
      ['The Iron Kettles feat. Nora Vale', 'Steam', STEAM],
      ['The Iron Kettles x Nora Vale', 'Steam', STEAM],
      ['Nora Vale', 'Duet for Two', DUET],
      ['Fats Casserole, Nora Vale', 'Duet for Two', DUET],
      ['Nora Vale & Fats Casserole', 'Duet for Two', DUET],
      ['Nora Vale Featuring Fats Casserole', 'Duet for Two', DUET],
      ['Fats Casserole', 'Sunday Roast', 'Fats Casserole & His Orchestra – Sunday Roast'],
      ['Five Blind Boys', '99 Kettles', '5 Blind Boys – 99 Kettles'],
      // Of a guest it is another recording more often than not.
      ['Fats Casserole', 'Duet for Two', undefined],
      ['Nora Vale & His Orchestra', 'Sunday Roast', undefined],
    ])
  })

  it('is found under the name of a file', () => {
    found([
      ['The Iron Kettles', '07 - Steam', STEAM],
      ['The Iron Kettles', '1-07 Steam', STEAM],
      ['The Iron Kettles', '07. Steam.mp3', STEAM],
      ['The Iron Kettles', '07_Iron_Home_Blues', BLUES],
      ['The Iron Kettles', '07 - The Iron Kettles - Steam.flac', STEAM],
      ['The Iron Kettles', 'The Iron Kettles - 07 - Steam', STEAM],
      ['The Iron Kettles', 'The_Iron_Kettles-Iron_Home_Blues.mp3', BLUES],
      ['The Iron Kettles', 'Steam - The Iron Kettles', STEAM],
      ['5 Blind Boys', '99 Kettles', '5 Blind Boys – 99 Kettles'],
      ['5 Blind Boys', '03 99 Kettles.ogg', '5 Blind Boys – 99 Kettles'],
    ])
  })

  it('is found with both names in one field, and in each other’s', () => {
    found([
      ['', 'The Iron Kettles - Steam', STEAM],
      ['', 'The Iron Kettles – Iron Home Blues', BLUES],
      ['', 'Iron Home Blues - Iron Kettles', BLUES],
      ['', '03 - The Iron Kettles - Steam.mp3', STEAM],
      ['', 'Iron Kettles Iron Home Blues', BLUES],
      ['', 'Iron Kettles Iron Home Blues (Live)', undefined],
      ['', 'Iron Kettles - Iron Home Blues (Live)', undefined],
      ['', 'Iron Home Blues by The Iron Kettles', BLUES],
      ['Unknown Artist', 'The Iron Kettles - Steam', STEAM],
      ['Steam', 'The Iron Kettles', STEAM],
      ['Iron Home Blues (Remastered)', 'Iron Kettles', BLUES],
    ])
  })

  it('is found where old tags have cut names off', () => {
    const long: [string, string][] = [
      ['Nora Vale', 'The Long and Winding Staircase to the Cellar'],
      ['Fats Casserole and the Sunday Roast Five', 'Gravy'],
      ['Nora Vale', 'Nightingale of the Old Town (Live at the Cellar)'],
      ['Nora Vale', 'Nightingale of the Old Town (Remix)'],
      ['Nora Vale', 'Nightingales of the Old Town (Live at the Cellar)'],
      ['Nora Vale', 'Nightingales of the Old Town (Remix)'],
    ]
    const { find } = asking(long)
    const cut = (text: string) => text.slice(0, 30).trim()
    expect(find('Nora Vale', cut(long[0]?.[1] ?? ''))).toMatch(/to the Cellar$/)
    expect(find(cut(long[1]?.[0] ?? ''), 'Gravy')).toMatch(/^Fats Casserole and/)
    expect(find('Nora Vale', cut(long[2]?.[1] ?? ''))).toMatch(/Nightingale of .*Live/)
    expect(find('Nora Vale', cut(long[3]?.[1] ?? ''))).toMatch(/Nightingale of .*Remix/)
    // Of what begins with a bracket alone it may be either.
    expect(find('Nora Vale', cut(long[4]?.[1] ?? ''))).toBeUndefined()
  })

  it('is found by slips of the pen in the title, in the artist, in both', () => {
    found([
      ['The Iron Kettles', 'Iron Hmoe Blues', BLUES],
      ['The Iron Kettles', 'Irron Home Bluse', BLUES],
      ['The Iron Kettles', 'Iron HomeBlues', BLUES],
      ['The Iron Kettles', 'Seam', STEAM],
      ['The Iron Ketles', 'Iron Home Blues', BLUES],
      ['Iorn Kettles', 'Iron Home Bleus', BLUES],
      ['Nroa Vale', 'Celar Door', DOOR],
      ['Fats Casserole', 'Gravvy', GRAVY],
      ['Сплин Горд', 'Песня окн и стен', 'Сплин Город – Песня окон и стен'],
      ['학교 밴드', '잠 못못 드는 밤에', '학교 밴드 – 잠 못 드는 밤에'],
      ['The Iron Kettles', 'Steam (Albun Version)', STEAM],
    ])
  })

  it('of three words or more is found when one of them ends otherwise', () => {
    const { find } = asking([
      ['The Iron Kettles', 'Busy Aunt Lettie'],
      ['The Iron Kettles', 'Song for Marion'],
      ['Nora Vale', 'Lettie'],
    ])
    expect(find('The Iron Kettles', 'Busy Aunt Letty')).toBe('The Iron Kettles – Busy Aunt Lettie')
    expect(find('Iron Kettles', 'Busy Aunt Lettys')).toBe('The Iron Kettles – Busy Aunt Lettie')
    expect(find('The Iron Kettles', 'Busy Aunt Betty')).toBeUndefined()
    expect(find('The Iron Kettles', 'Song for Marvin')).toBeUndefined()
    expect(find('Nora Vale', 'Letty')).toBeUndefined()
    expect(find('Somebody Else', 'Busy Aunt Letty')).toBeUndefined()
  })

  it('is found without what is added in brackets, if nothing else is called so', () => {
    found([['Fats Casserole', 'Gravy', GRAVY]])
    const { find } = asking([
      ['Fats Casserole', 'Gravy (Over Everything)'],
      ['Fats Casserole', 'Gravy (Under Everything)'],
    ])
    expect(find('Fats Casserole', 'Gravy')).toBeUndefined()
    expect(find('Fats Casserole', 'Gravy Under Everything')).toMatch(/Under/)
  })

  it('is not guessed', () => {
    found([
      ['The Iron Kettles', 'Iron Works Blues', undefined],
      ['The Iron Kettles', 'Home', undefined],
      ['Nora Dale', 'Home', undefined],
      ['Nora Vale', 'Spoon', undefined],
      ['Rust', 'Home', undefined],
      ['Somebody', 'Cellar Door', undefined],
      ['Nora Vale', 'Cellar', undefined],
      ['Nora Vale', '', undefined],
      ['', 'Home', undefined],
      ['', 'Spoon', undefined],
      ['Nora Vale', 'Nora Vale', undefined],
    ])
    for (const { artist, title } of JUNK) found([[artist, title, undefined]])
  })

  it('of no artist is found by a title that few have, and only one', () => {
    const { find } = asking([
      ['Nora Vale', 'Seven Spoons Down the Drain'],
      ['Nora Vale', 'All the Kettles Sing'],
      ['Fats Casserole', 'All the Kettles Sing'],
    ])
    expect(find('', 'Seven Spoons down the drain')).toMatch(/^Nora/)
    expect(find('Various Artists', 'Seven Spoons Down the Drain')).toMatch(/^Nora/)
    expect(find('', 'All the Kettles Sing')).toBeUndefined()
  })
})

describe('versions', () => {
  const VERSIONS: [string, string][] = [
    ['Nora Vale', 'Cellar Door'],
    ['Nora Vale', 'Cellar Door (Live at the Old Mill)'],
    ['Nora Vale', 'Cellar Door - Kettle Remix'],
    ['Nora Vale', 'Cellar Door - Spoon Remix'],
    ['Nora Vale', 'Cellar Door (Acoustic)'],
    ['Nora Vale', 'Waltz, Pt. 1'],
    ['Nora Vale', 'Waltz, Pt. 2'],
    ['Nora Vale', 'Sonata in B Minor'],
  ]

  it('are songs of their own, however they are written', () => {
    const { find } = asking(VERSIONS)
    const ask = (title: string) => find('Nora Vale', title)?.slice('Nora Vale – '.length)
    expect(ask('Cellar Door')).toBe('Cellar Door')
    expect(ask('Cellar Door - Remastered 2010')).toBe('Cellar Door')
    expect(ask('cellar door [live at the old mill]')).toBe('Cellar Door (Live at the Old Mill)')
    expect(ask('Cellar Door - Live')).toBe('Cellar Door (Live at the Old Mill)')
    expect(ask('Cellar Door (Live at the Old Mill) [Remastered]')).toMatch(/Live/)
    expect(ask('Cellar Door (Kettle Remix)')).toBe('Cellar Door - Kettle Remix')
    expect(ask('Cellar Door (Spoon Rmx)')).toBe('Cellar Door - Spoon Remix')
    expect(ask('Cellar Door Spoon Remix')).toBe('Cellar Door - Spoon Remix')
    expect(ask('Cellar Door (Acoustic Version)')).toBe('Cellar Door (Acoustic)')
    expect(ask('Cellar Door (Acustic)')).toBe('Cellar Door (Acoustic)')
    expect(ask('Waltz Part II')).toBe('Waltz, Pt. 2')
    expect(ask('Waltz (Part Two)')).toBe('Waltz, Pt. 2')
  })

  it('are not taken for each other', () => {
    const { find } = asking(VERSIONS)
    for (const title of [
      'Cellar Door (Fork Remix)',
      'Cellar Door (Remix)',
      'Cellar Door (Demo)',
      'Cellar Door - Instrumental',
      'Cellar Door (Karaoke Version)',
      'Cellar Door (Sped Up)',
      "Cellar Door (Nora's Version)",
      'Cellar Door (Kitchen Session)',
      'Cellar Door, Pt. 2',
      'Waltz, Pt. 3',
      'Sonata in D Minor',
      'Sonata in B Major',
    ]) {
      expect(find('Nora Vale', title), title).toBeUndefined()
    }
    // Where only a version is known, none is meant by the song.
    for (const version of ['(Live)', '- Remix', '[Karaoke]', '(Instrumental)', '(Demo)']) {
      const other = asking([['Nora Vale', `Cellar Door ${version}`]])
      expect(other.find('Nora Vale', 'Cellar Door'), version).toBeUndefined()
    }
  })

  it('by those who play tributes are not the song', () => {
    const { find } = asking()
    for (const [artist, title] of [
      ['The Iron Kettles Tribute Band', 'Steam'],
      ['Karaoke Universe', 'Steam (Karaoke Version) [In the Style of The Iron Kettles]'],
      ['The Hit Crew', 'Steam (Made Famous by The Iron Kettles)'],
      ['The Iron Kettles', 'Steam (Originally Performed by Somebody)'],
      ['Lullaby Players', 'Steam'],
    ] as const) {
      expect(find(artist, title), `${artist} ${title}`).toBeUndefined()
    }
    const known = asking([['The Iron Kettles Tribute Band', 'Steam']])
    expect(known.find('Iron Kettles Tribute Band', 'Steam')).toBe(
      'The Iron Kettles Tribute Band – Steam',
    )
    expect(known.find('The Iron Kettles', 'Steam')).toBeUndefined()
  })
})

describe('evidence', () => {
  const MBID = 'b1a9c0e9-d987-4042-ae91-78d6a3267d69'

  it('of an id goes before all names', () => {
    const { match, find } = asking([
      { artist: 'Nora Vale', title: 'Cellar Door', isrc: 'GBAYE7700531', duration: 200 },
      { artist: 'Fats Casserole', title: 'Gravy', musicbrainzId: MBID },
    ])
    expect(find('Fats Casserole', 'Gravy', { isrc: ['gb-aye-77-00531'] })).toBe(DOOR)
    expect(find('Nora Vale', 'Cellar Door', { musicbrainzId: MBID.toUpperCase() })).toMatch(/Gravy/)
    expect(match({ isrc: ['USXXX0000000', 'GBAYE7700531'] })).toMatchObject({ by: 'id' })
    expect(match({ isrc: ['USXXX0000000'] })).toBeUndefined()
    expect(find('Nora Vale', 'Cellar Door', { isrc: ['USXXX0000000'] })).toBe(DOOR)
  })

  it('of an id that two songs have leaves it to names, then to length', () => {
    const { find } = asking([
      { artist: 'Nora Vale', title: 'Cellar Door', isrc: 'GBAYE7700531', duration: 200 },
      { artist: 'Fats Casserole', title: 'Gravy', isrc: 'GBAYE7700531', duration: 100 },
    ])
    const isrc = ['GBAYE7700531']
    expect(find('Fats Casserole', 'Gravy', { isrc })).toMatch(/Gravy/)
    expect(find('Nora Vale', 'Cellar Door', { isrc, duration: 100 })).toBe(DOOR)
    expect(find('', '', { isrc, duration: 101 })).toMatch(/Gravy/)
    expect(find('', '', { isrc })).toBe(DOOR)
  })

  it('of the artist’s id goes before the artist’s name', () => {
    const { context, find } = asking()
    const [kettles] = context.artists.findByName('The Iron Kettles')
    const artist = kettles?.num as number
    expect(find('', 'Steam', { artist })).toBe(STEAM)
    expect(find('', 'Iron Hmoe Blues', { artist })).toBe(BLUES)
    expect(find('Somebody', 'Steam', { artist })).toBe(STEAM)
    expect(find('', 'Cellar Door', { artist })).toBeUndefined()
  })

  it('of the length chooses among songs that are called alike', () => {
    const { match, context } = asking([
      { artist: 'Nora Vale', title: 'Cellar Door', duration: 180 },
      { artist: 'Nora Vale', title: 'Cellar Door', duration: 240 },
      { artist: 'Nora Vale', title: 'Cellar Door' },
    ])
    const length = (duration?: number) => {
      const found = match({
        songName: 'Cellar Door',
        artistName: 'Nora Vale',
        ...(duration !== undefined && { duration }),
      })
      return found && { ...found, duration: context.store.byNum(found.num)?.songDuration }
    }
    expect(length(181)?.duration).toBe(180)
    expect(length(235)?.duration).toBe(240)
    expect(length(208)?.duration).toBeNull()
    // Nothing tells: the first that came.
    expect(length()?.num).toBe(1)
    const far = asking([{ artist: 'Nora Vale', title: 'Cellar Door', duration: 180 }])
    const query = { songName: 'Cellar Door', artistName: 'Nora Vale' }
    expect(length(190)?.duration).toBe(180)
    expect(far.match({ ...query, duration: 220 })).toBeDefined()
    // Half the length is a piece of it, or something else.
    expect(far.match({ ...query, duration: 60 })).toBeUndefined()
    // With a slip as well it is too much.
    expect(far.match({ ...query, songName: 'Celllar Doro', duration: 180 })).toBeDefined()
    expect(far.match({ ...query, songName: 'Celllar Doro', duration: 300 })).toBeUndefined()
  })

  it('of the release chooses, too; then it is the imported one', () => {
    const songs = [
      { artist: 'Nora Vale', title: 'Cellar Door', own: true },
      { artist: 'Nora Vale', title: 'Cellar Door', release: 'Live Aid' },
      { artist: 'Nora Vale', title: 'Cellar Door (Remastered)', release: 'Cellar Songs' },
    ]
    const { match } = asking(songs)
    const query = { songName: 'Cellar Door', artistName: 'Nora Vale' }
    expect(match(query)?.num).toBe(2)
    expect(
      match({ ...query, songName: 'Cellar Door (Remaster)', release: 'cellar songs' })?.num,
    ).toBe(3)
  })
})

describe('what is found', () => {
  it('is what there is now', () => {
    const { find, add } = asking()
    expect(find('Zebra Crossing', 'Quagga Walk')).toBeUndefined()
    add([{ artist: 'Zebra Crossing, Fats Casserole', title: 'Quagga Walk (Main Theme)' }])
    expect(find('Zebra Crossing', 'Quagga Walk')).toMatch(/Quagga/)
    expect(find('Zebra Crosing', 'Quagga Walk')).toMatch(/Quagga/)
  })

  it('is found among many songs of the same words, with bounded work', () => {
    const words = ['love', 'you', 'me', 'the', 'night']
    const random = seeded(4)
    const pick = () => words[Math.floor(random() * words.length)] as string
    const many = Array.from({ length: 3000 }, (_, i): [string, string] => [
      `${pick()} ${pick()} ${i % 700}`,
      `${pick()} ${pick()} ${pick()}`,
    ])
    const { find } = asking([...many, ['Night of Love', 'Love You, Night']])
    expect(find('Night of Love', 'Love You Night')).toBe('Night of Love – Love You, Night')
    expect(find('Nigth of Love', 'Love You Night')).toBe('Night of Love – Love You, Night')
    expect(find('Night of Love', 'You the Me')).toBeUndefined()
  })

  it('is the song itself, of nearly all that are written otherwise; and nothing of what is not there', () => {
    const random = seeded(11)
    const songs = madeUp(random, 600)
    const there = songs.slice(0, 500)
    const { find } = asking(there.map(({ artist, title }) => [artist, title]))
    for (const [category, corrupt] of Object.entries(CORRUPTIONS)) {
      let asked = 0
      let right = 0
      for (const song of there) {
        const query = corrupt(random, song)
        if (!query) continue
        asked++
        const answer = find(query.artist, query.title)
        if (answer === `${song.artist} – ${song.title}`) right++
        else expect(answer, `${category}: ${query.artist} | ${query.title}`).toBeUndefined()
      }
      expect(right / Math.max(asked, 1), category).toBeGreaterThan(
        category === 'typo' ? 0.95 : 0.97,
      )
    }
    for (const song of songs.slice(500)) {
      expect(find(song.artist, song.title), song.title).toBeUndefined()
      expect(find(mistyped(random, song.artist), song.title)).toBeUndefined()
    }
    for (const song of there) {
      const query = tribute(random, song)
      expect(find(query.artist, query.title), `${query.artist} | ${query.title}`).toBeUndefined()
    }
  })

  it('is what a search with a slip means', async () => {
    const music = await openInline()
    await music.songs.import(SONGS.map(([artistName, title]) => ({ artistName, title })))
    const titles = async (query: { artist?: string; title?: string }) =>
      (await music.songs.search(query)).map(({ title }) => title)
    expect(await titles({ artist: 'Iron Ketles', title: 'Iron Hmoe Blues' })).toEqual([
      'Iron Home Blues',
    ])
    expect(await titles({ artist: 'Fats Caserole' })).toEqual(['Gravy (Over Everything)'])
    expect(await titles({ artist: 'Fats Cassandra', title: 'Gravity' })).toEqual([])
  })
})

/** Songs of words that are made up: no two are alike by chance. */
function madeUp(random: Random, count: number): { artist: string; title: string }[] {
  const syllables = [...'bdfgklmnprstvz'].flatMap((b) => [...'aeiou'].map((a) => b + a))
  const word = () => {
    const length = 2 + Math.floor(random() * 2)
    const parts = Array.from({ length }, () => syllables[Math.floor(random() * syllables.length)])
    const text = parts.join('')
    return `${text[0]?.toUpperCase()}${text.slice(1)}`
  }
  const words = (most: number) =>
    Array.from({ length: 2 + Math.floor(random() * (most - 1)) }, word).join(' ')
  const artists = Array.from({ length: count / 4 }, () => {
    const kind = random()
    if (kind < 0.15) return `The ${words(2)}`
    if (kind < 0.3) return `${words(2)}, ${words(2)}`
    if (kind < 0.4) return `${words(2)} & ${words(2)}`
    return words(3)
  })
  return Array.from({ length: count }, () => {
    const kind = random()
    const title =
      kind < 0.1 ? `The ${words(2)}` : kind < 0.2 ? `${words(2)} (${words(3)})` : `${words(4)}!`
    return { artist: artists[Math.floor(random() * artists.length)] as string, title }
  })
}
