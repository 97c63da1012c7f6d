import { describe, expect, it } from 'vitest'
import { matchArtist } from '../../src/artist/match.ts'
import { ArtistStore } from '../../src/artist/store.ts'
import { openDatabase } from '../../src/kernel/database/open.ts'
import { PENALTY_WEIGHTS, type Penalty } from '../../src/naming/distance.ts'
import { newId } from '../../src/values/ids.ts'
import { openInline } from '../support/open.ts'

const SONGS: readonly { artistName: string; title: string; duration?: number; release?: string }[] =
  [
    { artistName: 'The Iron Kettles', title: 'Iron Home Blues', duration: 200, release: 'Steam' },
    { artistName: 'Nora Vale', title: 'Cellar Door (Live at the Old Mill)' },
    { artistName: 'Nora Vale', title: 'Cellar Door - Yellow Kettle Remix' },
    { artistName: 'Nora Vale', title: 'Waltz No. 2 in B Minor' },
    { artistName: 'Nora Vale, Fats Casserole', title: 'Duet for Two' },
    { artistName: 'Fats Casserole', title: 'Gravy (Over Everything)' },
    { artistName: 'Fats Casserole', title: 'Sunday Roast and a Long Way to the Kitchen' },
    { artistName: 'Fats Casserole and the Sunday Roast Five', title: 'Overture to Supper' },
    { artistName: 'Rast', title: 'Seven Long Spoons Home' },
    { artistName: 'Gripe, Nora Vale, Zebra Crossing', title: 'Trio for Three' },
    { artistName: '5 Blind Boys', title: 'Ninety Nine Kettles' },
    { artistName: 'Сплин Город', title: 'Seven Spoons Down the Drain' },
    { artistName: 'Lidiya Samovar', title: 'Чайник кипит' },
    { artistName: 'Johann Kessel, Nora Vale', title: 'Sonata No. 4 in E Minor, Op. 12: II. Largo' },
    { artistName: 'Nora Vale', title: 'Soup' },
  ]

interface Asked {
  artist?: string
  title: string
  duration?: number
  release?: string
}

/** A question, and everything that speaks against the song that it is about. */
const CASES: readonly [asked: Asked, title: string, penalties: (keyof typeof PENALTY_WEIGHTS)[]][] =
  [
    [{ artist: 'Iron Kettles', title: 'iron home blues' }, 'Iron Home Blues', []],
    [{ artist: 'Iron Kettles', title: 'Iron Home Bluse' }, 'Iron Home Blues', ['title.letters']],
    [{ artist: 'Iron Ketles', title: 'Iron Home Blues' }, 'Iron Home Blues', ['artist.letters']],
    [{ artist: 'Iron Kettles', title: 'Iron Home, the Blues' }, 'Iron Home Blues', ['title.words']],
    [{ artist: 'A Iron Kettles', title: 'Iron Home Blues' }, 'Iron Home Blues', ['artist.words']],
    [
      { artist: 'Iron Kettles', title: 'Iron Home Blues Песня' },
      'Iron Home Blues',
      ['title.script'],
    ],
    [
      { artist: 'Iron Kettles 노래', title: 'Iron Home Blues' },
      'Iron Home Blues',
      ['artist.script'],
    ],
    [
      { artist: 'Lidiya Samovar', title: 'Chaynik kipit' },
      'Чайник кипит',
      ['title.transliterated'],
    ],
    [{ artist: 'Лидия Самовар', title: 'Чайник кипит' }, 'Чайник кипит', ['artist.transliterated']],
    [
      { artist: 'Kessel', title: 'Sonate Nr. 4 e-moll op.12 - 2. Largo' },
      'Sonata No. 4 in E Minor, Op. 12: II. Largo',
      ['title.work', 'artist.performer'],
    ],
    [{ artist: 'Iron Kettles', title: 'Iron HomeBlues' }, 'Iron Home Blues', ['title.spaces']],
    [{ artist: 'IronKettles', title: 'Iron Home Blues' }, 'Iron Home Blues', ['artist.spaces']],
    [{ artist: 'TheIronKettles', title: 'Iron Home Blues' }, 'Iron Home Blues', ['artist.spaces']],
    [
      { artist: 'Fats Casserole', title: 'Sunday Roast and a Long Way to' },
      'Sunday Roast and a Long Way to the Kitchen',
      ['title.cut'],
    ],
    [
      { artist: 'Fats Casserole and the Sunday ', title: 'Overture to Supper' },
      'Overture to Supper',
      ['artist.cut'],
    ],
    [
      { artist: 'Iron Kettles', title: 'Iron Home Blues (2009 Remaster)' },
      'Iron Home Blues',
      ['title.additions'],
    ],
    [{ artist: 'Fats Casserole', title: 'Gravy' }, 'Gravy (Over Everything)', ['title.shorter']],
    [
      { artist: 'Nora Vale', title: 'Cellar Door - Live' },
      'Cellar Door (Live at the Old Mill)',
      ['version.unsaid', 'title.additions'],
    ],
    [
      { artist: 'Nora Vale', title: 'Cellar Door Yellow Kettle Remxi' },
      'Cellar Door - Yellow Kettle Remix',
      ['title.letters', 'version.unread'],
    ],
    [
      { artist: 'Fats Casserole & Nora Vale', title: 'Duet for Two' },
      'Duet for Two',
      ['artist.order'],
    ],
    [
      { artist: 'Iron Kettles feat. Nora Vale', title: 'Iron Home Blues' },
      'Iron Home Blues',
      ['artist.guests'],
    ],
    [
      { artist: 'Rust', title: 'Seven Long Spoons Home' },
      'Seven Long Spoons Home',
      ['artist.letters', 'artist.short'],
    ],
    [{ artist: 'Nora Vale, Somebody', title: 'Duet for Two' }, 'Duet for Two', ['artist.others']],
    [
      { artist: 'Five Blind Boys', title: 'Ninety Nine Kettles' },
      'Ninety Nine Kettles',
      ['artist.numerals'],
    ],
    [{ title: 'Seven Spoons Down the Drain' }, 'Seven Spoons Down the Drain', ['artist.missing']],
    [
      { artist: 'Iron Kettles', title: 'Iron Home Blues.mp3' },
      'Iron Home Blues',
      ['reading.cleaned'],
    ],
    [
      { artist: 'Iron Kettles', title: '07 Iron Home Blues' },
      'Iron Home Blues',
      ['reading.bareNumber'],
    ],
    [{ title: 'Iron Kettles - Iron Home Blues' }, 'Iron Home Blues', ['reading.split']],
    [{ artist: 'Kettles, Iron', title: 'Iron Home Blues' }, 'Iron Home Blues', ['reading.sorted']],
    [{ artist: 'Iron Home Blues', title: 'Iron Kettles' }, 'Iron Home Blues', ['reading.swapped']],
    [{ title: 'Iron Kettles Iron Home Blues' }, 'Iron Home Blues', ['reading.unseparated']],
    [
      { artist: 'Iron Kettles', title: 'Iron Home Blues', duration: 220 },
      'Iron Home Blues',
      ['song.length'],
    ],
    [
      { artist: 'Iron Kettles', title: 'Iron Home Blues', release: 'Boiling' },
      'Iron Home Blues',
      ['song.release'],
    ],
  ]

/** A question about a song that is not there, and the penalty that refuses the one that is. */
const REFUSED: readonly [asked: Asked, title: string, penalty: keyof typeof PENALTY_WEIGHTS][] = [
  [{ artist: 'Iron Kettles', title: 'Iron Works Blues' }, 'Iron Home Blues', 'title.other'],
  [{ artist: 'Copper Spoons', title: 'Iron Home Blues' }, 'Iron Home Blues', 'artist.other'],
  [
    { artist: 'Nora Vale', title: 'Waltz No. 3 in B Minor' },
    'Waltz No. 2 in B Minor',
    'title.numbers',
  ],
  [
    { artist: '6 Blind Boys', title: 'Ninety Nine Kettles' },
    'Ninety Nine Kettles',
    'artist.numbers',
  ],
  [{ artist: 'Iron Kettles', title: 'Iron Home Blues (Live)' }, 'Iron Home Blues', 'version.other'],
  [
    { artist: 'Iron Kettles Tribute Band', title: 'Iron Home Blues' },
    'Iron Home Blues',
    'artist.tribute',
  ],
  [
    { artist: 'Iron Kettles', title: 'Iron Home Blues', duration: 60 },
    'Iron Home Blues',
    'song.otherLength',
  ],
]

/** What speaks against the names of an artist who is asked for alone. */
const ARTISTS: readonly [
  asked: string,
  name: string,
  penalties: (keyof typeof PENALTY_WEIGHTS)[],
][] = [
  ['Nora Valee', 'Nora Vale', ['artist.letters', 'artist.few']],
  ['Nola Merryweather', 'Nora Merryweather', ['artist.letters']],
  ['Soonmen', 'Spoonmen', ['artist.letters', 'artist.few']],
  ['Spoonmezn', 'Spoonmenn', ['artist.letters', 'artist.few', 'artist.letter']],
  ['Zpoonmenn', 'Spoonmenn', ['artist.letters', 'artist.few', 'artist.start', 'artist.letter']],
]

async function explained({ artist, ...asked }: Asked) {
  const music = await openInline()
  await music.songs.import([...SONGS])
  return music.songs.resolve(
    { ...asked, ...(artist !== undefined && { artist }) },
    { explain: true },
  )
}

const sumOf = (penalties: readonly Penalty[]) =>
  penalties.reduce((sum, { value, weight }) => sum + value * weight, 0)
const namesOf = (penalties: readonly Penalty[]) => penalties.map(({ name }) => name).sort()

describe('what speaks against a song', () => {
  it.each(CASES)('that is asked for as %j, %s, is %j', async (asked, title, names) => {
    const { song, distance, penalties = [], limit } = await explained(asked)
    expect(song?.title).toBe(title)
    expect(namesOf(penalties)).toEqual([...names].sort())
    expect(distance).toBeCloseTo(sumOf(penalties), 9)
    expect(distance).toBeLessThanOrEqual(limit as number)
    for (const { name, value, weight } of penalties) {
      expect(value * weight, name).toBeGreaterThan(0)
      expect(weight, name).toBe(PENALTY_WEIGHTS[name])
    }
  })

  it.each([
    [{ artist: 'Iron Kettles', title: 'Iron Home Blues' }, 0.015],
    [{ artist: 'Iron Kettles feat. Nora Vale', title: 'Iron Home Blues' }, 0.045],
    [{ artist: 'Fats Casserole', title: 'Gravy' }, 0.14],
    [{ artist: 'Iron Ketles', title: 'Iron Home Bluse' }, 0.28],
    [{ artist: 'Rust', title: 'Seven Long Spoons Home' }, 0.4],
  ])('of %j may be so much after the lookups that find it: %d', async (asked, most) => {
    const { song, distance, limit } = await explained(asked)
    expect(song).toBeDefined()
    expect(limit).toBe(most)
    expect(distance).toBeLessThanOrEqual(most)
  })

  it.each(REFUSED)('that is not %j but %s: %s', async (asked, title, name) => {
    const { song, refused, candidates = [] } = await explained(asked)
    expect(song).toBeUndefined()
    expect(refused).toBe('far')
    const other = candidates.find((one) => one.song.title === title)
    expect(namesOf(other?.penalties ?? [])).toContain(name)
    expect(other?.distance).toBeGreaterThanOrEqual(1)
  })

  it('is one letter of a title of four: Soap is not Soup', async () => {
    const { song, candidates = [] } = await explained({ artist: 'Nora Vale', title: 'Soap' })
    expect(song).toBeUndefined()
    expect(namesOf(candidates[0]?.penalties ?? [])).toEqual(['title.letters', 'title.short'])
  })

  it.each(ARTISTS)('or an artist: %s is %s with %j', (asked, name, names) => {
    const store = new ArtistStore(openDatabase(':memory:'))
    const { num } = store.addArtist({ id: newId('artist', 1), name, imported: true, now: 1 })
    store.updateIndex([num])
    const found = matchArtist(store, asked)
    if (names.includes('artist.start')) expect(found).toBeUndefined()
    else expect(namesOf(found?.distance.penalties ?? [])).toEqual([...names].sort())
    for (const { value, weight } of found?.distance.penalties ?? []) {
      expect(value * weight).toBeGreaterThan(0)
    }
  })

  it('is told of each name of the table', () => {
    const told = [
      ...CASES.flatMap(([, , names]) => names),
      ...REFUSED.map(([, , name]) => name),
      ...ARTISTS.flatMap(([, , names]) => names),
      'title.short',
    ]
    expect([...new Set(told)].sort()).toEqual(Object.keys(PENALTY_WEIGHTS).sort())
  })
})
