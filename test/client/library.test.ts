import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  type Audile,
  type KeyText,
  parseKey,
  type Track,
  type TrackQuery,
} from '../../src/index.ts'
import { clip } from '../support/clips.ts'
import { failure } from '../support/failure.ts'
import { hearOnce } from '../support/heard-once.ts'
import { openInline } from '../support/open.ts'
import { scratch } from '../support/scratch.ts'
import { type Frames, taggedMp3 } from '../support/tagged-mp3.ts'

hearOnce()

/** A library of files with these tags, in this order. None is analysed yet. */
async function library(files: readonly Frames[]) {
  const music = await openInline()
  const tracks: Track[] = []
  for (const [i, frames] of files.entries()) {
    // Each file has other bytes, else two would be one track.
    const bytes = taggedMp3({ ...frames, 'TXXX:NUMBER': String(i) }, 0.1)
    // An analysis that ends later would write the names of its track anew.
    tracks.push(await music.tracks.upload({ bytes, wait: true }))
  }
  return { music, tracks, find: finder(music) }
}

/** The titles of what a query finds, in order. */
function finder(music: Audile) {
  return async (query: TrackQuery | string) => {
    const asked = typeof query === 'string' ? { text: query } : query
    const { total, tracks } = await music.tracks.search({ results: 100, ...asked })
    expect(tracks.length).toBe(Math.min(total, 100))
    return tracks.map(({ answer }) => answer.title)
  }
}

const song = (TIT2: string, TPE1: string, rest: Frames = {}): Frames => ({ TIT2, TPE1, ...rest })

describe('tracks.search, as people type', () => {
  it('finds beginnings, slips, other orders, title and artist alone or together', async () => {
    const { find } = await library([
      song('Hobo', 'The Wanderers'),
      song('Metal Rain', 'Metallophone'),
      song('Café Nocturne', 'Béla Kéler', { TALB: 'Evening Papers' }),
    ])
    expect(await find('hob')).toEqual(['Hobo'])
    expect(await find('HOBO')).toEqual(['Hobo'])
    expect(await find('hbo')).toEqual(['Hobo'])
    expect(await find('hoob')).toEqual(['Hobo'])
    expect(await find('wandrers')).toEqual(['Hobo'])
    expect(await find('wanedrers ho')).toEqual(['Hobo'])
    expect(await find('hobo wanderers')).toEqual(['Hobo'])
    expect(await find('wand')).toEqual(['Hobo'])
    expect(await find('metallofone')).toEqual(['Metal Rain'])
    expect(await find('metalophne rain')).toEqual(['Metal Rain'])
    expect(await find('metallaphoni')).toEqual(['Metal Rain'])
    expect(await find('cafe bela')).toEqual(['Café Nocturne'])
    expect(await find('even pap')).toEqual([])
    expect(await find('evening pap')).toEqual(['Café Nocturne'])
    expect(await find('rain hobo')).toEqual([])
  })

  it('forgives additions, guests and articles, typed or tagged', async () => {
    const { find } = await library([
      song('Paper Moon (Remastered 2011)', 'The Quarry'),
      song('Glass Bell feat. Nora V.', 'Quarry Men'),
      song('Stone', 'AC/DC'),
    ])
    expect(await find('paper moon')).toEqual(['Paper Moon (Remastered 2011)'])
    expect(await find('paper moon - 2009 Remaster')).toEqual(['Paper Moon (Remastered 2011)'])
    expect(await find('a paper moon quarry')).toEqual(['Paper Moon (Remastered 2011)'])
    expect(await find('glass bell (feat. Somebody Else)')).toEqual(['Glass Bell feat. Nora V.'])
    expect(await find('the glass bell')).toEqual(['Glass Bell feat. Nora V.'])
    expect(await find('glass bell [live]')).toEqual(['Glass Bell feat. Nora V.'])
    expect(await find('acdc')).toEqual(['Stone'])
    expect(await find('ac/dc stone')).toEqual(['Stone'])
  })

  it('finds names in any script, and inside words that have no spaces between them', async () => {
    const { find } = await library([
      song('東京の夜空', '山田太郎'),
      song('Подмосковные вечера', 'Владимир'),
      song('שלום עולם', 'דוד'),
      song('!!!', '!!!'),
      song('❤️', 'Heart'),
    ])
    expect(await find('夜空')).toEqual(['東京の夜空'])
    expect(await find('山田 東京')).toEqual(['東京の夜空'])
    expect(await find('вечера подмосковны')).toEqual(['Подмосковные вечера'])
    expect(await find('подмасковные')).toEqual(['Подмосковные вечера'])
    expect(await find('עולם')).toEqual(['שלום עולם'])
    expect(await find('!!!')).toEqual(['!!!'])
    expect(await find('❤')).toEqual(['❤️'])
  })

  it('ranks exact words before beginnings before slips, and whole titles before parts', async () => {
    const { find } = await library([
      song('Another', 'Somebody', { TALB: 'Raven' }),
      song('Ravenous', 'Somebody'),
      song('Night of the Raven', 'Somebody'),
      song('Haven', 'Somebody'),
      song('Morning', 'Raven'),
      song('Raven', 'Somebody'),
      song('The Raven (Live)', 'Somebody'),
      song('Raven Black', 'Somebody'),
    ])
    expect(await find('raven')).toEqual([
      'Raven',
      'The Raven (Live)',
      'Raven Black',
      'Night of the Raven',
      'Morning',
      'Another',
      'Ravenous',
      'Haven',
    ])
    // With a sort, the text only selects.
    expect((await find({ text: 'raven', sort: 'title-asc' })).slice(0, 2)).toEqual([
      'Another',
      'Haven',
    ])
  })

  it('forgives no slip in short words and numbers', async () => {
    const { find } = await library([song('Summer 1969', 'Cat'), song('1999', 'Kit')])
    expect(await find('1968')).toEqual([])
    expect(await find('summar 1969')).toEqual(['Summer 1969'])
    expect(await find('cut')).toEqual([])
  })

  it.each([
    ['64 kB', 'la '.repeat(22_000)],
    ['64 kB of one word', 'x'.repeat(65_536)],
    ['brackets', '([{'.repeat(170)],
    ['emoji', '🎵🎶'.repeat(100)],
    ['lone surrogates', '\ud800\udc00\udfff\ud83c'],
    ['NUL', 'sto\0ne'],
    ['operators', '"stone" OR title:* NEAR(a b) -stone AND \' -- ;'],
    ['quotes', `'"\`'"`],
    ['percent', '%_%'],
  ])('takes %s for what it is, in no time', async (_name, text) => {
    const { music } = await library([song('Stone', 'Quarry')])
    const begun = process.cpuUsage()
    const { total, tracks } = await music.tracks.search({ text })
    const { user, system } = process.cpuUsage(begun)
    expect((user + system) / 1e6).toBeLessThan(1)
    expect(tracks.length).toBe(total)
  })
})

describe('tracks.search by facts and tags', () => {
  const FILES = [
    song('One', 'Ada', { TALB: 'First', TCON: 'Hip-Hop', TDRC: '1999', TRCK: '2/9', TPOS: '1/2' }),
    song('Two', 'Ada feat. Bo', { TALB: 'First', TCON: 'Jazz', TDRC: '1999', TRCK: '1/9' }),
    song('Three', 'Cy', { TALB: 'Second', TPE2: 'Ada', TDRC: '2004' }),
    { TIT2: 'Four' },
  ]

  it('answers what the tags say', async () => {
    const { tracks } = await library(FILES)
    expect(tracks[0]?.answer).toMatchObject({
      ...{ title: 'One', artist: 'Ada', release: 'First', year: 1999, genres: ['Hip-Hop'] },
      ...{ trackNumber: 2, trackTotal: 9, discNumber: 1, discTotal: 2 },
    })
    expect(tracks[2]?.answer).toMatchObject({ albumArtist: 'Ada', year: 2004 })
    expect(tracks[3]?.answer).not.toHaveProperty('year')
  })

  it('filters by names, years and genres, and all must hold', async () => {
    const { find, tracks } = await library(FILES)
    expect(await find({ artist: 'ada' })).toEqual(['One', 'Two', 'Three'])
    expect(await find({ release: 'first' })).toEqual(['One', 'Two'])
    expect(await find({ genre: 'hip hop' })).toEqual(['One'])
    expect(await find({ year: 1999 })).toEqual(['One', 'Two'])
    expect(await find({ year: [2000, 2010] })).toEqual(['Three'])
    expect(await find({ artist: 'ada', genre: 'jazz', text: 'tw' })).toEqual(['Two'])
    expect(await find({ artist: 'ad' })).toEqual([])
    expect(await find({ text: '  ' })).toEqual(['One', 'Two', 'Three', 'Four'])
    expect(await find({ sort: 'year-desc' })).toEqual(['Three', 'One', 'Two', 'Four'])
    expect(await find({ sort: 'artist-asc', year: [1999, 2004] })).toEqual(['One', 'Two', 'Three'])
    expect(tracks).toHaveLength(4)
  })

  it('filters by what the analysis found, by its state, and by song', async () => {
    const music = await openInline()
    const track = await music.tracks.upload({ ...clip(), wait: true, bucket: ['audio_summary'] })
    const { audioSummary, songId } = track.answer
    if (!audioSummary || songId === undefined) throw new Error('It was not analysed.')
    const { loudness = 0, key, mode } = audioSummary
    const count = async (query: TrackQuery) => (await music.tracks.search(query)).total
    expect(await count({ loudness: [loudness - 1, loudness + 1] })).toBe(1)
    expect(await count({ loudness: [loudness + 1, 0] })).toBe(0)
    expect(await count({ duration: [2, 4], key, mode: mode === 1 ? 'major' : 'minor' })).toBe(1)
    expect(await count({ mode: mode === 1 ? 'minor' : 'major' })).toBe(0)
    expect(await count({ status: 'complete' })).toBe(1)
    expect(await count({ status: 'pending' })).toBe(0)
    expect(await count({ songId })).toBe(1)
    expect(await count({ songId: 'SOAAAAA12AAAAAAAAA' })).toBe(0)
    await expect(count({ tempo: [130, 120] })).rejects.toThrow(/lower value first/)
    // A correction is found at once.
    await music.tracks.get(track.id).then((one) => one.correct({ tempo: 'double' }))
    const { tempo } = audioSummary
    expect(await count({ tempo: [2 * tempo - 1, 2 * tempo + 1] })).toBe(1)
    await music.tracks.remove(track.id)
    expect(await count({})).toBe(0)
  })

  it('all: yields every track once, even if each is removed meanwhile', async () => {
    const music = await openInline()
    const songs = Array.from({ length: 205 }, (_, i) => {
      return { title: `Song ${i}`, artist: 'Ada', audioSummary: { tempo: 100 + i / 10 } }
    })
    await music.tracks.import(songs, { strict: true })
    const titles: (string | undefined)[] = []
    for await (const track of music.tracks.all({ artist: 'ada' })) {
      titles.push(track.answer.title)
      await music.tracks.remove(track.id)
    }
    expect(new Set(titles).size).toBe(205)
    expect((await music.tracks.list()).total).toBe(0)
  })
})

/** A library of tracks with these keys and tempi, without audio; the title is the tempo and the key. */
async function keyed(...tracks: [tempo: number, key: KeyText | undefined][]) {
  const music = await openInline()
  const records = tracks.map(([tempo, text]) => ({
    title: `${tempo} ${text ?? '–'}`,
    audioSummary: { tempo, ...(text && parseKey(text)) },
  }))
  await music.tracks.import(records, { strict: true })
  return { music, find: finder(music) }
}

describe('tracks.search by tempo and key', () => {
  it('takes several keys, of which one suffices', async () => {
    const { find } = await keyed(
      [100, '8A'],
      [101, '9A'],
      [102, '8B'],
      [103, 'C#'],
      [104, undefined],
    )
    expect(await find({ key: ['8A', '9A'] })).toEqual(['100 8A', '101 9A'])
    expect(await find({ key: [{ key: 9 }, 1] })).toEqual(['100 8A', '103 C#'])
    expect(await find({ key: ['8A', 'C'], mode: 'minor' })).toEqual(['100 8A'])
    expect(await find({ key: 'C' })).toEqual(['102 8B'])
    await expect(find({ key: ['8A', 'H'] as never })).rejects.toThrow(/key\.1.*"H" is no key, as/)
    await expect(find({ key: 'H' as never })).rejects.toThrow(/key.*"H" is no key, as/)
    await expect(find({ key: ['8A', '8B'], mode: 'minor' })).rejects.toThrow(/mode of the key/)
  })

  it('orders tracks that came in one millisecond as they were added', async () => {
    const tempi = Array.from({ length: 40 }, (_, i) => 100 + i)
    const { find } = await keyed(...tempi.map((tempo): [number, KeyText] => [tempo, '8A']))
    expect(await find({ results: 40 })).toEqual(tempi.map((tempo) => `${tempo} 8A`))
  })

  it('takes one tempo, and a range as a text', async () => {
    const { find } = await keyed([119.4, '8A'], [119.6, '8A'], [120.5, '8A'], [130, '8A'])
    expect(await find({ tempo: 120 })).toEqual(['119.6 8A', '120.5 8A'])
    expect(await find({ tempo: '120' })).toEqual(['119.6 8A', '120.5 8A'])
    expect(await find({ tempo: '119.5-130' })).toEqual(['119.6 8A', '120.5 8A', '130 8A'])
    expect(await find({ tempo: '120 – 125' })).toEqual(['120.5 8A'])
    expect(await find({ tempo: [130, 130] })).toEqual(['130 8A'])
    for (const wrong of ['fast', '-120', '120-', '130-120', '1-2-3', -1, 501, [1], [1, 2, 3]])
      await expect(find({ tempo: wrong as never }), String(wrong)).rejects.toThrow(
        /^tempo.*120-130/,
      )
  })

  it('finds what mixes with a track: a neighbouring key, and a tempo within 6 %, or half or double', async () => {
    const { music, find } = await keyed(
      ...([
        ...[
          [120, '8A'],
          [127, '8B'],
          [113, '9A'],
          [60, '7A'],
          [240, '8A'],
          [254, '8A'],
        ],
        ...[
          [128, '8A'],
          [112, '8A'],
          [90, '8A'],
          [120, '10A'],
          [120, '9B'],
          [120, undefined],
          [0, '8A'],
        ],
      ] as [number, KeyText][]),
    )
    const [first] = (await music.tracks.list()).tracks
    const mixing = ['60 7A', '113 9A', '127 8B', '240 8A', '254 8A']
    const sort = 'tempo-asc'
    expect(await find({ mixesWith: first, sort })).toEqual(mixing)
    expect(await find({ mixesWith: first?.id, sort, tempo: [100, 300] })).toEqual(mixing.slice(1))
    const all: (string | undefined)[] = []
    for await (const { answer } of music.tracks.all({ mixesWith: first, sort }))
      all.push(answer.title)
    expect(all).toEqual(mixing)
    for (const { id, answer } of (await music.tracks.search({ results: 100 })).tracks) {
      if (answer.title?.includes('–') || answer.title?.startsWith('0 '))
        expect(await find({ mixesWith: id })).toEqual([])
    }
  })

  it('finds what mixes with a key: tracks of any tempo in a neighbouring key', async () => {
    const { music, find } = await keyed(
      [120, '8A'],
      [60, '8B'],
      [200, '9A'],
      [90, '7A'],
      [120, '10A'],
      [120, '9B'],
      [120, '7B'],
      [120, '5A'],
      [120, undefined],
    )
    const mixing = ['120 8A', '60 8B', '200 9A', '90 7A']
    for (const key of ['8A', 'Am', 'a minor', '1m', { key: 9, mode: 0 }] as const)
      expect(await find({ mixesWith: key }), String(key)).toEqual(mixing)
    expect(await find({ mixesWith: '8A', tempo: [100, 300] })).toEqual(['120 8A', '200 9A'])
    const all: (string | undefined)[] = []
    for await (const { answer } of music.tracks.all({ mixesWith: '8A' })) all.push(answer.title)
    expect(all).toEqual(mixing)
    // A tonic without a mode is C minor (5A) or C major (8B).
    expect(await find({ mixesWith: 'C', sort: 'tempo-desc' })).toEqual([
      ...['120 8A', '120 9B', '120 7B', '120 5A', '60 8B'],
    ])
  })

  it.each([
    [{ file: '/music/a.mp3' }, 'the object { file }', 'invalid_parameter'],
    [{ key: '5A' }, 'the object { key }', 'invalid_parameter'],
    [{ key: 9, tempo: 120 }, 'the object { key, tempo }', 'invalid_parameter'],
    [{ id: undefined }, 'the object { id }', 'invalid_parameter'],
    [{}, 'the object {', 'invalid_parameter'],
    [[], 'the list', 'invalid_parameter'],
    [null, 'null', 'invalid_parameter'],
    [9, '9', 'invalid_parameter'],
    ['', '""', 'invalid_parameter'],
    ['TR7', '"TR7"', 'unknown_identifier'],
    ['H', '"H"', 'unknown_identifier'],
    ['/music/a.mp3', '"/music/a.mp3"', 'unknown_identifier'],
  ])('refuses to mix with %j, and names the remedy', async (given, shown, code) => {
    const { music, find } = await keyed([120, '8A'])
    const mixesWith = given as never
    const asked = [() => find({ mixesWith }), () => music.tracks.all({ mixesWith }).next()]
    for (const ask of asked) {
      const error = await failure(ask())
      expect(error).toMatchObject({ code })
      expect(String(error)).toContain(shown)
      expect(String(error)).toMatch(
        /^ParameterError \[\w+\]: mixesWith.* nor a key such as "8A" or "Am"/,
      )
      expect(String(error)).toContain('tracks.get({ file })')
    }
  })

  it('knows no key of silence', async () => {
    const music = await openInline()
    const samples = [new Float32Array(22_050)]
    const track = await music.tracks.upload({ samples, sampleRate: 22_050, wait: true })
    expect(await finder(music)({ key: 'C' })).toEqual([])
    expect((await music.tracks.search({ mixesWith: track })).total).toBe(0)
    expect((await music.tracks.list()).total).toBe(1)
  })
})

describe('tracks.albums and tracks.artists', () => {
  const numbered = (TIT2: string, TPE1: string, TALB: string, TRCK: string, rest: Frames = {}) =>
    song(TIT2, TPE1, { TALB, TRCK, ...rest })

  it('groups discs, guests and spellings, and keeps apart what two artists call alike', async () => {
    const { music } = await library([
      numbered('A', 'Ada', 'Live [Disc 1]', '1', { TPOS: '1', TDRC: '2001' }),
      numbered('B', 'ADA feat. Bo', 'Live (Disc 2)', '1', { TPOS: '2', TDRC: '2003' }),
      numbered('C', 'Cy', 'Live', '1'),
      numbered('D', 'Dee', 'Duets', '2', { TPE2: 'Cy' }),
      numbered('E', 'Cy', 'Duets', '1'),
      song('F', 'Cy'),
    ])
    const { albums, total } = await music.tracks.albums()
    expect(total).toBe(4)
    expect(
      albums.map(({ artist, title, tracks, discs }) => [
        artist?.toLowerCase(),
        title,
        tracks,
        discs,
      ]),
    ).toEqual([
      ['ada', 'Live [Disc 1]', 2, 2],
      ['cy', 'Duets', 2, 1],
      ['cy', 'Live', 1, 1],
      ['cy', 'unknown', 1, 1],
    ])
    expect(albums[0]).toMatchObject({ year: 2001, lastYear: 2003, compilation: false })
    const [, duets] = await music.tracks
      .albums({ artist: 'cy' })
      .then((page) => [page.total, page.albums[0]] as const)
    if (!duets) throw new Error('There is no such album.')
    const page = await music.tracks.search({ album: duets.id, sort: 'album-asc' })
    expect(page.tracks.map(({ answer }) => answer.title)).toEqual(['E', 'D'])
    expect(page.tracks[0]?.id).toBe(duets.trackId)
    expect((await music.tracks.albums({ title: 'du' })).albums).toEqual([duets])
  })

  it('knows compilations by their tags, or by numbers that complete each other', async () => {
    const { music } = await library([
      numbered('A', 'Ada', 'Hits', '1', { TPE2: 'Various Artists' }),
      numbered('B', 'Bo', 'Hits', '2', { TPE2: 'Various Artists' }),
      numbered('C', 'Cy', 'Summer', '1'),
      numbered('D', 'Dee', 'Summer', '2'),
      numbered('E', 'Eve', 'Summer', '3'),
      numbered('F', 'Cy', 'Best Of', '1'),
      numbered('G', 'Dee', 'Best Of', '1'),
      numbered('H', 'Eve', 'Best Of', '1'),
    ])
    const { albums } = await music.tracks.albums({ sort: 'title-asc' })
    expect(albums.map(({ title, artist, tracks }) => [title, artist, tracks])).toEqual([
      ['Best Of', 'Cy', 1],
      ['Best Of', 'Dee', 1],
      ['Best Of', 'Eve', 1],
      ['Hits', undefined, 2],
      ['Summer', undefined, 3],
    ])
    expect(albums.map(({ compilation }) => compilation)).toEqual([false, false, false, true, true])
    const summer = albums[4]
    if (!summer) throw new Error('There is no such album.')
    const page = await music.tracks.search({ album: summer.id, sort: 'album-asc' })
    expect(page.tracks.map(({ answer }) => answer.title)).toEqual(['C', 'D', 'E'])
  })

  it('puts what has no album into one of its artist, or of its folder', async () => {
    const music = await openInline()
    const folder = scratch()
    let number = 0
    const put = (path: string, frames: Frames) => {
      mkdirSync(join(folder, dirname(path)), { recursive: true })
      writeFileSync(join(folder, path), taggedMp3({ ...frames, 'TXXX:N': String(number++) }, 0.1))
    }
    // Their numbers complete each other, and still they are no compilation.
    put('one/a.mp3', song('A', 'Ada', { TRCK: '1' }))
    put('two/b.mp3', song('B', 'Ada feat. Bo', { TRCK: '1' }))
    put('one/c.mp3', song('C', 'Cy', { TRCK: '2' }))
    put('one/d.mp3', song('D', 'Dee', { TRCK: '3' }))
    put('one/e.mp3', song('E', 'Ada', { TALB: 'Unknown', TDRC: '2001' }))
    put('one/f.mp3', { TIT2: 'F' })
    put('one/g.mp3', { TIT2: 'G', TPE1: 'Unknown Artist' })
    put('two/h.mp3', { TIT2: 'H' })
    for await (const { error } of music.tracks.scan(folder)) expect(error).toBeUndefined()
    const listed = async () => {
      const found: (string | undefined)[][] = []
      for (const { id, artist, title } of (await music.tracks.albums()).albums) {
        const { tracks } = await music.tracks.search({ album: id, sort: 'created-asc' })
        found.push([artist, title, ...tracks.map(({ answer }) => answer.title).sort()])
      }
      return found
    }
    expect(await listed()).toEqual([
      ['Ada', 'Unknown', 'E'],
      ['Ada', 'unknown', 'A', 'B'],
      ['Cy', 'unknown', 'C'],
      ['Dee', 'unknown', 'D'],
      [undefined, 'unknown', 'F', 'G'],
      [undefined, 'unknown', 'H'],
    ])
    expect((await music.tracks.albums({ title: 'unkn' })).total).toBe(6)
    renameSync(join(folder, 'two/h.mp3'), join(folder, 'one/h.mp3'))
    for await (const { error } of music.tracks.scan(folder)) expect(error).toBeUndefined()
    expect((await listed()).at(-1)).toEqual([undefined, 'unknown', 'F', 'G', 'H'])
  })

  it('lists artists without guests and articles, as their first tracks write them', async () => {
    const { music, tracks } = await library([
      numbered('A', 'the quarry', 'One', '1'),
      numbered('B', 'The Quarry feat. Ada', 'Two', '1'),
      song('C', 'Ada'),
    ])
    const { artists } = await music.tracks.artists()
    expect(artists.map(({ name, tracks, albums }) => [name, tracks, albums])).toEqual([
      ['Ada', 1, 1],
      ['the quarry', 2, 2],
    ])
    expect((await music.tracks.artists({ name: 'quar' })).total).toBe(1)
    await music.tracks.remove(tracks[2]?.id ?? '')
    expect((await music.tracks.artists({ sort: 'tracks-desc' })).artists).toHaveLength(1)
  })

  it('are spelled as in their first tracks, whichever was indexed last', async () => {
    const music = await openInline()
    const record = (title: string, artist: string, release: string, trackNumber: number) => ({
      ...{ title, artist, release, trackNumber },
      audioSummary: { duration: 100, tempo: 120 },
    })
    const first = record('One', 'The Quarrymen', 'In Spite', 1)
    const second = record('Two', 'THE QUARRYMEN', 'IN SPITE', 2)
    const names = async () => [
      (await music.tracks.artists()).artists.map(({ name }) => name),
      (await music.tracks.albums()).albums.map(({ artist, title }) => ({ artist, title })),
    ]
    await music.tracks.import([first])
    await music.tracks.import([second])
    const spelled = [['The Quarrymen'], [{ artist: 'The Quarrymen', title: 'In Spite' }]]
    expect(await names()).toEqual(spelled)
    await music.tracks.import([{ ...second, audioSummary: { duration: 100, tempo: 90 } }])
    expect(await names()).toEqual(spelled)
  })
})

describe('track.cover', () => {
  const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 1, 2, 3])
  const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 9])
  /** An APIC frame: encoding, media type, kind, description, bytes. */
  const picture = (kind: number, bytes: Uint8Array) =>
    Buffer.concat([Buffer.from('\0image/jpeg\0', 'latin1'), Buffer.from([kind, 0]), bytes])

  it('gives the front cover before others, with the type of its bytes', async () => {
    const { music } = await library([])
    const bytes = taggedMp3({ TIT2: 'A' }, 0.1, [picture(0, JPEG), picture(3, PNG)])
    const track = await music.tracks.upload({ bytes, wait: true })
    expect(await track.cover()).toEqual({ type: 'image/png', bytes: new Uint8Array(PNG) })
    const plain = await music.tracks.upload({ bytes: taggedMp3({ TIT2: 'B' }, 0.1) })
    expect(await plain.cover()).toBeUndefined()
    const text = taggedMp3({ TIT2: 'C' }, 0.1, [picture(3, Buffer.from('<html>'))])
    expect(await (await music.tracks.upload({ bytes: text })).cover()).toBeUndefined()
  })

  it('takes an image beside the file, and none when the file is gone', async () => {
    const folder = scratch()
    mkdirSync(join(folder, 'front.jpg'))
    writeFileSync(join(folder, 'Folder.JPG'), JPEG)
    const file = join(folder, 'a.mp3')
    writeFileSync(file, taggedMp3({ TIT2: 'A' }, 0.1))
    const music = await openInline()
    const track = await music.tracks.upload({ file })
    expect((await track.cover())?.type).toBe('image/jpeg')
    writeFileSync(join(folder, 'Folder.JPG'), 'no image')
    expect(await track.cover()).toBeUndefined()
    await music.tracks.remove(track.id)
    await expect(track.cover()).rejects.toThrow(track.id)
  })
})
