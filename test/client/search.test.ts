import { describe, expect, it } from 'vitest'
import {
  type ArtistRecord,
  camelot,
  keyName,
  openKey,
  ParameterError,
  type Params,
  Song,
  type SongRecord,
} from '../../src/index.ts'
import { SONG_BUCKETS } from '../support/buckets.ts'
import { failure } from '../support/failure.ts'
import { openInline } from '../support/open.ts'
import {
  ARTISTS,
  labelsOf,
  nativeId,
  openLibrary,
  SONGS,
  type SongLabel,
} from '../support/reference-library.ts'

type Query = Params<'song/search'>

/** The library, and a search of it that answers what the tests call the songs. */
async function library(options: Parameters<typeof openLibrary>[0] = {}) {
  const music = await openLibrary(options)
  const find = async (query: Query) => labelsOf(await music.songs.search(query))
  const findSet = async (query: Query) => (await find(query)).sort()
  return { music, find, findSet }
}

const sorted = (...labels: SongLabel[]) => labels.sort()

describe('songs.search by names', () => {
  it('answers songs with id, title, artistId and artistName', async () => {
    const { music } = await library()
    const [song, ...others] = await music.songs.search({ title: 'iron home blues' })
    expect(others).toEqual([])
    expect(song).toBeInstanceOf(Song)
    expect({ ...song }).toEqual({
      id: SONGS.ironHome.id,
      title: 'Iron Home Blues',
      artistId: ARTISTS.kettles.id,
      artistName: 'The Iron Kettles',
    })
  })

  it('title: all words are in the title; that very title first, then the larger share', async () => {
    const { music, find } = await library()
    const record = { title: 'Oh Home', artistName: 'Nameless Four', id: nativeId('SO', 9) }
    await music.songs.import([record])
    const found = await music.songs.search({ title: 'home' })
    expect(found.map(({ id }) => id)).toEqual(
      [SONGS.soisHome, SONGS.noraHome, record, SONGS.ironHome, SONGS.helpMeHome].map(
        ({ id }) => id,
      ),
    )
    expect(await find({ title: 'blues iron' })).toEqual(['ironHome'])
    expect(await find({ title: 'home home blues' })).toEqual(['ironHome'])
    expect(await find({ title: 'xylophone quartet' })).toEqual([])
  })

  it.each([
    ['HOME!', ['soisHome', 'noraHome', 'ironHome', 'helpMeHome']],
    ['  manha ', ['manha']],
    ['MANHÃ', ['manha']],
    ['Manha\u0303', ['manha']],
    ['"rust"', ['rust', 'mellowRust']],
    ['rust OR home', []],
    ['title:rust', []],
    ['ru*', ['rust', 'mellowRust']],
    ['rus', ['rust', 'mellowRust']],
  ] as const)('title: reads %j as the name it spells', async (title, labels) => {
    const { music } = await library()
    const found = await music.songs.search({ title })
    // What no song holds to the letter may still be guessed, but never as one of several.
    if (labels.length > 0) expect(labelsOf(found)).toEqual(labels)
    else expect(found.length).toBeLessThanOrEqual(1)
  })

  it('title: finds names without words, and in any script', async () => {
    const music = await openInline()
    const titles = ['!!!', '日本語', 'नमस्ते', '①②', '𞤀𞤣𞤤𞤢𞤥', 'Ⅻ']
    await music.songs.import(titles.map((title) => ({ title, artistName: 'Polyglot' })))
    for (const title of titles) {
      expect((await music.songs.search({ title })).map((song) => song.title)).toEqual([title])
      expect((await music.songs.search({ combined: title })).map((song) => song.title)).toEqual([
        title,
      ])
    }
    expect((await music.songs.search({ title: '日語' })).map((song) => song.title)).toEqual([
      '日本語',
    ])
  })

  it('artist: the artist’s own songs first, then those that credit the name', async () => {
    const { find } = await library()
    expect(await find({ artist: 'nora vale' })).toEqual(['helpMeHome', 'noraHome', 'soisHome'])
    expect(await find({ artist: 'Iron Kettles' })).toEqual(['ironHome', 'rust'])
    expect(await find({ artist: 'the iron kettles' })).toEqual(['ironHome', 'rust'])
    expect(await find({ artist: 'kettles' })).toEqual(['ironHome', 'rust'])
    expect(await find({ artist: 'os sois' })).toEqual(['soisHome', 'manha'])
  })

  it('artist: knows the other names of an artist', async () => {
    const { find } = await library()
    expect(await find({ artist: 'nora v' })).toEqual(['helpMeHome', 'noraHome'])
    expect(await find({ artist: 'V. Nora' })).toEqual(['helpMeHome', 'noraHome'])
  })

  it('combined: all words are in artist and title together', async () => {
    const { find, findSet } = await library()
    expect(await find({ combined: 'nora vale - home' })).toEqual([
      'noraHome',
      'helpMeHome',
      'soisHome',
    ])
    expect(await find({ combined: 'Rust (Iron Kettles)' })).toEqual(['rust'])
    expect(await findSet({ combined: 'iron' })).toEqual(sorted('ironHome', 'rust'))
  })

  it('title and artist: the song whose names are both exactly so comes first', async () => {
    const { find } = await library()
    expect(await find({ title: 'home', artist: 'nora vale' })).toEqual([
      'noraHome',
      'soisHome',
      'helpMeHome',
    ])
    expect(await find({ title: 'home', artist: 'kettles' })).toEqual(['ironHome'])
    expect(await find({ title: 'home', artist: 'kettles', combined: 'iron blues' })).toEqual([
      'ironHome',
    ])
  })

  it('title and artist: of partial matches the larger share of the words comes first', async () => {
    const { music } = await library()
    const titles = ['Rust On The Old Long Road', 'Rust On Me', 'Oh Rust']
    await music.songs.import(
      titles.map((title, i) => ({ title, artistName: 'Nora Vale', songHotttnesss: 0.9 - i / 10 })),
    )
    const found = await music.songs.search({ title: 'rust', artist: 'nora vale' })
    expect(found.map(({ title }) => title)).toEqual([...titles].reverse())
  })

  it('orders songs that match alike by their hotttnesss, however little it differs', async () => {
    const music = await openInline()
    const heats = [0.500001, 0.500003, undefined, 0.500002, 0]
    await music.songs.import(
      heats.map((heat, i) => ({
        title: 'Twin',
        artistName: `Band ${i}`,
        ...(heat !== undefined && { songHotttnesss: heat }),
      })),
    )
    const found = await music.songs.search({ title: 'twin' })
    expect(found.map(({ artistName }) => artistName)).toEqual(
      [1, 3, 0, 4, 2].map((i) => `Band ${i}`),
    )
  })

  it('orders everything by hotttnesss, then as it came, when nothing is asked', async () => {
    const { find } = await library()
    const all = ['ironHome', 'soisHome', 'helpMeHome', 'noraHome', 'manha', 'rust'] as const
    expect(await find({})).toEqual([...all, 'untitled', 'mellowRust'])
  })
})

describe('songs.search by terms', () => {
  it('style: finds the songs of artists with the term, the weightiest first', async () => {
    const { find } = await library()
    expect(await find({ style: 'jazz' })).toEqual(['helpMeHome', 'noraHome', 'ironHome', 'rust'])
    expect(await find({ style: 'JAZZ ' })).toEqual(await find({ style: 'jazz' }))
    expect(await find({ style: 'cool  jazz' })).toEqual(['helpMeHome', 'noraHome'])
    expect(await find({ style: 'late night' })).toEqual([])
  })

  it('mood: finds moods, and terms without a kind that are in the list of moods', async () => {
    const { find } = await library()
    expect(await find({ mood: 'mellow' })).toEqual(['soisHome', 'manha', 'helpMeHome', 'noraHome'])
    expect(await find({ style: 'mellow' })).toEqual(['helpMeHome', 'noraHome'])
    expect(await find({ mood: 'jazz' })).toEqual([])
  })

  it('description: finds terms of any kind', async () => {
    const { find } = await library()
    expect(await find({ description: 'late night' })).toEqual(['soisHome', 'manha'])
    expect(await find({ description: 'sad' })).toEqual(['ironHome', 'rust'])
    expect(await find({ description: 'mellow' })).toEqual(await find({ mood: 'mellow' }))
  })

  it('rule 1: description goes with none of title, artist, combined, artistId', async () => {
    const { music, find } = await library()
    const others = { title: 'home', artist: 'nora', combined: 'home', artistId: ARTISTS.nora.id }
    for (const [name, value] of Object.entries(others)) {
      const error = await failure(music.songs.search({ description: 'jazz', [name]: value }))
      expect(error).toBeInstanceOf(ParameterError)
      expect(error).toMatchObject({ code: 'invalid_parameter', status: 5 })
      expect(error.message).toMatch(
        new RegExp(`^description - Invalid parameter: "jazz" cannot be combined with ${name}\\b`),
      )
    }
    expect(await find({ style: 'jazz', title: 'home' })).toEqual([
      'noraHome',
      'helpMeHome',
      'ironHome',
    ])
    expect(await find({ mood: 'sad', artistId: ARTISTS.kettles.id })).toEqual(['ironHome', 'rust'])
  })

  it('rule 2: one parameter is one term; of several in one field one must come true', async () => {
    const { find } = await library()
    expect(await find({ style: ['rock', 'jazz'] })).toEqual([
      'ironHome',
      'rust',
      'helpMeHome',
      'noraHome',
    ])
    expect(await find({ style: 'rock,jazz' })).toEqual([])
    expect(await find({ style: ['rock', 'no such term'] })).toEqual(['ironHome', 'rust'])
    expect(await find({ style: 'no such term' })).toEqual([])
    expect(await find({ style: [] })).toHaveLength(8)
  })

  it('style with mood and description: at least one of each must come true', async () => {
    const { find } = await library()
    expect(await find({ style: 'jazz', mood: 'sad' })).toEqual(['ironHome', 'rust'])
    expect(await find({ style: ['jazz', 'samba'], mood: 'mellow' })).toEqual([
      'soisHome',
      'manha',
      'helpMeHome',
      'noraHome',
    ])
    expect(await find({ style: 'jazz', mood: ['sad', 'mellow'], description: 'rock' })).toEqual([
      'ironHome',
      'rust',
    ])
    expect(await find({ style: 'samba', mood: 'sad', description: 'nothing' })).toEqual([])
    expect(await find({ style: 'rock', mood: '+mellow' })).toEqual([])
    // Nothing is asked for in a field of prohibitions alone.
    expect(await find({ style: 'jazz', mood: '-mellow' })).toEqual(['ironHome', 'rust'])
  })

  it('rule 3: ^<number> after a term boosts it', async () => {
    const { find } = await library()
    const [nora, kettles] = [
      ['helpMeHome', 'noraHome'],
      ['ironHome', 'rust'],
    ]
    expect(await find({ style: ['jazz^10', 'rock'] })).toEqual([...nora, ...kettles])
    expect(await find({ style: ['jazz^.5', 'rock'] })).toEqual([...kettles, ...nora])
    expect(await find({ style: ['cool jazz^1e2', 'rock'] })).toEqual([...nora, ...kettles])
    expect(await find({ style: 'jazz^0.001' })).toEqual([...nora, ...kettles])
  })

  it('rule 4: - before a term prohibits it', async () => {
    const { find, findSet } = await library()
    expect(await find({ style: ['jazz', '-rock'] })).toEqual(['helpMeHome', 'noraHome'])
    expect(await find({ style: 'jazz', mood: '-sad' })).toEqual(['helpMeHome', 'noraHome'])
    expect(await findSet({ style: '-jazz' })).toEqual(
      sorted('manha', 'soisHome', 'untitled', 'mellowRust'),
    )
    expect(await find({ style: ['-jazz', 'jazz'] })).toEqual([])
    expect(await find({ style: '-no such term' })).toHaveLength(8)
  })

  it.each(['+', '^'])('rule 5: %s before a term requires it', async (sign) => {
    const { find } = await library()
    expect(await find({ style: [`${sign}jazz`, 'rock'] })).toEqual([
      'ironHome',
      'rust',
      'helpMeHome',
      'noraHome',
    ])
    expect(await find({ style: `${sign}jazz`, mood: `${sign}sad` })).toEqual(['ironHome', 'rust'])
    expect(await find({ style: [`${sign}jazz^20`, `${sign}rock`] })).toEqual(['ironHome', 'rust'])
    expect(await find({ style: ['jazz', `${sign}no such term`] })).toEqual([])
  })

  it('tells terms that cannot be read', async () => {
    const { music } = await library()
    const wrong = ['jazz^', 'jazz^x', 'jazz^0', 'jazz^-2', 'jazz^Infinity', '-', '+', '^', '+^2']
    for (const field of ['style', 'mood', 'description']) {
      for (const term of wrong) {
        const error = await failure(music.songs.search({ [field]: ['rock', term] }))
        expect(error, term).toMatchObject({ code: 'invalid_parameter', status: 5 })
        expect(error.message).toContain(`${field} - Invalid parameter: ${JSON.stringify(term)}`)
      }
    }
  })

  it('rankType: relevance is the default, familiarity puts the better known artist first', async () => {
    const { find } = await library()
    const style = ['jazz', 'samba']
    const relevant = ['soisHome', 'helpMeHome', 'noraHome', 'manha', 'ironHome', 'rust']
    expect(await find({ style })).toEqual(relevant)
    expect(await find({ style, rankType: 'relevance' })).toEqual(relevant)
    expect(await find({ style, rankType: 'familiarity' })).toEqual([
      'helpMeHome',
      'noraHome',
      'ironHome',
      'rust',
      'soisHome',
      'manha',
    ])
  })

  it('rankType: familiarity tells artists apart who are almost as well known', async () => {
    const music = await openInline()
    const known = [0.700001, 0.700003, undefined, 0.700002]
    await music.artists.import(
      known.map((familiarity, i) => ({
        name: `Band ${i}`,
        terms: [{ name: 'drone' }],
        ...(familiarity !== undefined && { familiarity }),
      })),
    )
    await music.songs.import(
      known.map((_, i) => ({ title: 'Hum', artistName: `Band ${i}`, songHotttnesss: 1 - i / 10 })),
    )
    const found = await music.songs.search({ style: 'drone', rankType: 'familiarity' })
    expect(found.map(({ artistName }) => artistName)).toEqual([1, 3, 0, 2].map((i) => `Band ${i}`))
  })

  it('takes more terms than anyone needs', async () => {
    const { find } = await library()
    expect(await find({ style: Array(300).fill('+jazz') })).toHaveLength(4)
  })
})

describe('songs.search by artist', () => {
  it('artistId: by the service’s id, by foreign ids, by an id of no form', async () => {
    const { music, find } = await library()
    await music.songs.import([
      { title: 'One', artistName: 'Elsewhere', artistId: 'x-77', id: nativeId('SO', 20) },
    ])
    expect(await find({ artistId: ARTISTS.nora.id })).toEqual(['helpMeHome', 'noraHome'])
    expect(await find({ artistId: 'musicbrainz:artist:mb-nora' })).toEqual([
      'helpMeHome',
      'noraHome',
    ])
    for (const artistId of ['x-77', 'imported:artist:x-77']) {
      const found = await music.songs.search({ artistId })
      expect(found.map(({ title }) => title)).toEqual(['One'])
    }
  })

  it.each(['AR0000000000000000', 'musicbrainz:artist:nobody', 'nobody'])(
    'artistId: tells that there is no %s',
    async (artistId) => {
      const { music } = await library()
      const error = await failure(music.songs.search({ artistId }))
      expect(error).toBeInstanceOf(ParameterError)
      expect(error).toMatchObject({ code: 'unknown_identifier', status: 5 })
      expect(error.message).toBe(`The Identifier specified does not exist: ${artistId}`)
    },
  )

  it('by the first and the last year: before is <, after is >', async () => {
    const { findSet } = await library({ now: () => Date.UTC(2020, 5) })
    const nora: SongLabel[] = ['helpMeHome', 'noraHome']
    const kettles: SongLabel[] = ['ironHome', 'rust']
    const sois: SongLabel[] = ['manha', 'soisHome']
    const cases: [Query, SongLabel[]][] = [
      [{ artistStartYearBefore: 1990 }, nora],
      [{ artistStartYearBefore: 1991 }, [...nora, ...kettles]],
      [{ artistStartYearBefore: '1991' as never }, [...nora, ...kettles]],
      [{ artistStartYearAfter: 1990 }, sois],
      [{ artistStartYearAfter: 1989 }, [...kettles, ...sois]],
      [{ artistStartYearAfter: 1970, artistStartYearBefore: 2012 }, kettles],
      [{ artistStartYearBefore: 'present' }, [...nora, ...kettles, ...sois]],
      [{ artistStartYearAfter: 'present' }, []],
      [{ artistStartYearBefore: 0 }, []],
      [{ artistStartYearAfter: 0 }, [...nora, ...kettles, ...sois]],
      // Of several spans of years it is the last that ends last.
      [{ artistEndYearBefore: 1980 }, []],
      [{ artistEndYearBefore: 1981 }, nora],
      [{ artistEndYearBefore: 1996 }, nora],
      [{ artistEndYearAfter: 1980 }, [...kettles, ...sois]],
      [{ artistEndYearAfter: 2013 }, kettles],
      [{ artistEndYearBefore: 'present' }, [...nora, ...sois]],
      [{ artistEndYearAfter: 'present' }, kettles],
      [{ artistEndYearAfter: 'present', artistStartYearAfter: 1990 }, []],
    ]
    for (const [query, labels] of cases) {
      expect(await findSet(query), JSON.stringify(query)).toEqual([...labels].sort())
    }
  })

  it('by years: the present is the year that it is', async () => {
    const { findSet } = await library({ now: () => Date.UTC(2012, 11, 31) })
    expect(await findSet({ artistStartYearBefore: 'present' })).toEqual(
      sorted('helpMeHome', 'noraHome', 'ironHome', 'rust'),
    )
    expect(await findSet({ artistStartYearAfter: 'present' })).toEqual([])
    expect(await findSet({ artistEndYearAfter: 'present' })).toEqual(
      sorted('ironHome', 'rust', 'manha', 'soisHome'),
    )
  })
})

interface Range {
  min: keyof Query
  max: keyof Query
  /** The ends, which are not in the range. */
  ends: [number, number]
  valueIn(song: SongRecord, artist: ArtistRecord): number | undefined
}

const tempoOf = ({ audioSummary }: SongRecord) => audioSummary?.tempo || undefined
const durationOf = ({ duration }: SongRecord) => duration || undefined
const RANGES: Range[] = [
  { min: 'minTempo', max: 'maxTempo', ends: [0, 500], valueIn: tempoOf },
  { min: 'minDuration', max: 'maxDuration', ends: [0, 3600], valueIn: durationOf },
  {
    min: 'minLoudness',
    max: 'maxLoudness',
    ends: [-100, 100],
    valueIn: (song) => song.audioSummary?.loudness,
  },
  {
    min: 'artistMinFamiliarity',
    max: 'artistMaxFamiliarity',
    ends: [0, 1],
    valueIn: (_, artist) => artist.familiarity,
  },
  {
    min: 'songMinHotttnesss',
    max: 'songMaxHotttnesss',
    ends: [0, 1],
    valueIn: (song) => song.songHotttnesss,
  },
  {
    min: 'artistMinHotttnesss',
    max: 'artistMaxHotttnesss',
    ends: [0, 1],
    valueIn: (_, artist) => artist.hotttnesss,
  },
  {
    min: 'minLongitude',
    max: 'maxLongitude',
    ends: [-180, 180],
    valueIn: (_, artist) => artist.location?.longitude,
  },
  {
    min: 'minLatitude',
    max: 'maxLatitude',
    ends: [-90, 90],
    valueIn: (_, artist) => artist.location?.latitude,
  },
  {
    min: 'minDanceability',
    max: 'maxDanceability',
    ends: [0, 1],
    valueIn: (song) => song.audioSummary?.danceability,
  },
  {
    min: 'minEnergy',
    max: 'maxEnergy',
    ends: [0, 1],
    valueIn: (song) => song.audioSummary?.energy,
  },
]

const LIBRARY = Object.entries(SONGS).map(([label, song]) => ({
  label: label as SongLabel,
  song: song as SongRecord,
  artist: Object.values(ARTISTS).find(({ id }) => id === song.artistId) as ArtistRecord,
}))

describe.each(RANGES)('songs.search by $min and $max', ({ min, max, ends, valueIn }) => {
  const valued = LIBRARY.map(({ label, song, artist }) => ({
    label,
    value: valueIn(song, artist),
  }))
  const within = (low: number, high: number) =>
    valued
      .filter(({ value }) => value !== undefined && value >= low && value <= high)
      .map(({ label }) => label)
      .sort()
  const inside = (value: number) => value > ends[0] && value < ends[1]

  it('both bounds are in it, and what is not known is not', async () => {
    const { findSet } = await library()
    const known = valued.flatMap(({ value }) => (value === undefined ? [] : [value]))
    const bounds = [...new Set(known)].filter(inside)
    expect(bounds.length).toBeGreaterThan(1)
    for (const bound of bounds) {
      expect(await findSet({ [min]: bound })).toEqual(within(bound, Number.POSITIVE_INFINITY))
      expect(await findSet({ [max]: bound })).toEqual(within(Number.NEGATIVE_INFINITY, bound))
      expect(await findSet({ [min]: bound, [max]: bound })).toEqual(within(bound, bound))
      const above = bound + 1e-9
      expect(await findSet({ [min]: above })).toEqual(within(above, Number.POSITIVE_INFINITY))
      expect(await findSet({ [max]: String(bound - 1e-9) })).toEqual(
        within(Number.NEGATIVE_INFINITY, bound - 1e-9),
      )
    }
  })

  it('its ends are taken, as a slider has them', async () => {
    const { findSet } = await library()
    const [low, high] = ends
    const known = within(low, high)
    expect(await findSet({ [min]: low })).toEqual(known)
    expect(await findSet({ [max]: String(high) })).toEqual(known)
    expect(await findSet({ [min]: low, [max]: high })).toEqual(known)
  })

  it('what is beyond its ends is refused, and what is no number', async () => {
    const { music } = await library()
    const [low, high] = ends
    const beyond = high + 0.001
    const wrong = [
      low - 0.001,
      low - 1,
      high + 1,
      String(beyond),
      'many',
      '',
      Number.NaN,
      null,
      true,
    ]
    for (const name of [min, max]) {
      for (const value of wrong) {
        const error = await failure(music.songs.search({ [name]: value } as Query))
        expect(error, `${name} ${value}`).toBeInstanceOf(ParameterError)
        expect(error).toMatchObject({ code: 'invalid_parameter', status: 5 })
        const shown = typeof value === 'string' ? JSON.stringify(value) : String(value)
        expect(error.message.startsWith(`${name} - Invalid parameter: ${shown} must be`)).toBe(true)
      }
    }
  })

  it('a lower bound above the upper one is refused', async () => {
    const { music, findSet } = await library()
    const [low, high] = [ends[0] + (ends[1] - ends[0]) / 4, ends[1] - (ends[1] - ends[0]) / 4]
    const error = await failure(music.songs.search({ [min]: high, [max]: low }))
    expect(error).toMatchObject({ code: 'invalid_parameter', status: 5 })
    expect(error.message).toBe(`${min} - Invalid parameter: ${high} is above ${max} ${low}`)
    expect(await findSet({ [min]: low, [max]: low })).toEqual(within(low, low))
  })
})

describe('songs.search by mode and key', () => {
  it.each([
    ['minor', ['manha', 'noraHome']],
    ['major', ['helpMeHome', 'ironHome', 'rust']],
  ] as const)('mode %s, by name and by number', async (name, labels) => {
    const { findSet } = await library()
    const number = name === 'minor' ? 0 : 1
    for (const mode of [name, number, String(number), name.toUpperCase()]) {
      expect(await findSet({ mode: mode as 0 })).toEqual(labels)
    }
  })

  it('every key, by name and by number', async () => {
    const music = await openInline()
    const names = ['c', 'c-sharp', 'd', 'e-flat', 'e', 'f', 'f-sharp', 'g', 'a-flat', 'a', 'b-flat']
    names.push('b')
    await music.songs.import(
      [...names, 'none'].map((title, i) => ({
        title,
        artistName: 'Scales',
        audioSummary: { key: title === 'none' ? -1 : i },
      })),
    )
    for (const [i, name] of names.entries()) {
      for (const key of [name, i, String(i), name.toUpperCase()]) {
        expect((await music.songs.search({ key: key as 'A' })).map(({ title }) => title)).toEqual([
          name,
        ])
      }
    }
  })

  it('every key, as people and DJ programs write it, with its mode', async () => {
    const music = await openInline()
    const keys = Array.from({ length: 24 }, (_, i) => ({ key: i >> 1, mode: (i & 1) as 0 | 1 }))
    await music.songs.import(
      keys.map((audioSummary) => ({
        title: camelot(audioSummary.key, audioSummary.mode),
        artistName: 'Scales',
        audioSummary,
      })),
    )
    const titles = async (query: Query) =>
      (await music.songs.search(query)).map(({ title }) => title).sort()
    for (const { key, mode } of keys) {
      const name = keyName(key, mode)
      const spellings = [name, camelot(key, mode), openKey(key, mode), name.replace(' ', '')]
      if (mode === 0) spellings.push(keyName(key, mode, 'short'))
      const title = camelot(key, mode)
      for (const spelled of spellings)
        expect(await titles({ key: spelled as 'A' })).toEqual([title])
      expect(await titles({ key: name, mode })).toEqual([title])
    }
    expect(await titles({ key: 'C#' })).toEqual(['12A', '3B'])
    expect(await titles({ key: 'Db', mode: 'minor' })).toEqual(['12A'])
    const error = await failure(music.songs.search({ key: 'Am', mode: 'major' }))
    expect(error.message).toBe(
      'mode - Invalid parameter: "major" is not the mode of the key; leave one of them out',
    )
  })

  it.each([
    ['mode', 2],
    ['mode', 'dorian'],
    ['mode', -1],
    ['mode', 0.5],
    ['mode', null],
    ['key', 12],
    ['key', -1],
    ['key', 'h'],
    ['key', 'A#m#'],
    ['key', '13A'],
    ['key', ''],
    ['key', 1.5],
  ] as const)('%s %j is none', async (name, value) => {
    const { music } = await library()
    const error = await failure(music.songs.search({ [name]: value } as Query))
    expect(error).toMatchObject({ code: 'invalid_parameter', status: 5 })
    expect(error.message).toContain(`${name} - Invalid parameter: ${JSON.stringify(value)}`)
  })
})

const yearsOf = ({ yearsActive }: ArtistRecord) => ({
  start: yearsActive && Math.min(...yearsActive.map(({ start }) => start)),
  end: yearsActive && Math.max(...yearsActive.map(({ end }) => end ?? 9999)),
})
const SORTS: Record<string, Range['valueIn']> = {
  tempo: tempoOf,
  duration: durationOf,
  loudness: (song) => song.audioSummary?.loudness,
  artist_familiarity: (_, artist) => artist.familiarity,
  artist_hotttnesss: (_, artist) => artist.hotttnesss,
  artist_start_year: (_, artist) => yearsOf(artist).start,
  artist_end_year: (_, artist) => yearsOf(artist).end,
  song_hotttnesss: (song) => song.songHotttnesss,
  song_hotttness: (song) => song.songHotttnesss,
  latitude: (_, artist) => artist.location?.latitude,
  longitude: (_, artist) => artist.location?.longitude,
  mode: ({ audioSummary }) => (audioSummary?.mode === -1 ? undefined : audioSummary?.mode),
  key: ({ audioSummary }) => (audioSummary?.key === -1 ? undefined : audioSummary?.key),
  energy: (song) => song.audioSummary?.energy,
  danceability: (song) => song.audioSummary?.danceability,
}

describe('songs.search sorted', () => {
  it.each(
    Object.keys(SORTS).flatMap((by) => [
      [by, 'asc'],
      [by, 'desc'],
    ]),
  )('by %s-%s: what is not known last, what is alike as it came', async (by, direction) => {
    const { find } = await library()
    const valueIn = SORTS[by as keyof typeof SORTS] as Range['valueIn']
    const valued = LIBRARY.map(({ label, song, artist }) => ({
      label,
      value: valueIn(song, artist),
    }))
    const known = valued.filter(({ value }) => value !== undefined) as { value: number }[]
    const sign = direction === 'asc' ? 1 : -1
    // Array.sort is stable: ties stay in the order of import.
    known.sort((a, b) => sign * (a.value - b.value))
    const expected = [...known, ...valued.filter(({ value }) => value === undefined)]
    expect(known.length).toBeGreaterThan(3)
    expect(known.length).toBeLessThan(8)
    const sort = `${by}-${direction}` as NonNullable<Query['sort']>
    expect(await find({ sort })).toEqual(expected.map((one) => (one as { label: string }).label))
  })

  it('keeps its order page by page, and among filters', async () => {
    const { find } = await library()
    const all = await find({ sort: 'tempo-desc' })
    const pages = await Promise.all(
      [0, 3, 6, 9].map((start) => find({ sort: 'tempo-desc', start, results: 3 })),
    )
    expect(pages.flat()).toEqual(all)
    expect(await find({ sort: 'tempo-desc', title: 'home' })).toEqual(
      all.filter((label) => label?.toLowerCase().includes('home')),
    )
  })
})

describe('songs.search by page', () => {
  const many = Array.from({ length: 130 }, (_, i) => ({
    title: `Number ${i}`,
    artistName: 'Counters',
    id: nativeId('SO', i),
  }))

  it('results: 15 of them by default, 0 to 100 when asked', async () => {
    const music = await openInline()
    await music.songs.import(many)
    const idsOf = async (query: Query) => (await music.songs.search(query)).map(({ id }) => id)
    const ids = many.map(({ id }) => id)
    expect(await idsOf({})).toEqual(ids.slice(0, 15))
    expect(await idsOf({ results: 0 })).toEqual([])
    expect(await idsOf({ results: 1 })).toEqual(ids.slice(0, 1))
    expect(await idsOf({ results: 100 })).toEqual(ids.slice(0, 100))
    expect(await idsOf({ results: 20, start: 15 })).toEqual(ids.slice(15, 35))
  })

  it('start: from there on, and nothing past the end', async () => {
    const music = await openInline()
    await music.songs.import(many)
    const found = await music.songs.search({ start: 120, results: 100 })
    expect(found.map(({ id }) => id)).toEqual(many.slice(120).map(({ id }) => id))
    expect(await music.songs.search({ start: 130 })).toEqual([])
    expect(await music.songs.search({ start: 2 ** 53 - 1, results: 100 })).toEqual([])
  })

  it.each([
    ['results', -1],
    ['results', 101],
    ['results', 1.5],
    ['results', 'all'],
    ['results', '5'],
    ['start', -1],
    ['start', 0.5],
    ['start', 2 ** 53],
    ['start', 'first'],
    ['start', '5'],
  ] as const)('%s %j is refused', async (name, value) => {
    const music = await openInline()
    const error = await failure(music.songs.search({ [name]: value } as Query))
    expect(error).toMatchObject({ code: 'invalid_parameter', status: 5 })
    expect(error.message).toContain(`${name} - Invalid parameter: ${JSON.stringify(value)}`)
  })
})

describe('songs.search with buckets', () => {
  it.each([
    ['song_hotttnesss', { songHotttnesss: 0.5 }],
    ['artist_hotttnesss', { artistHotttnesss: 0.8 }],
    ['artist_familiarity', { artistFamiliarity: 0.9 }],
    [
      'artist_location',
      { artistLocation: { latitude: 48.85, longitude: 2.35, location: 'Paris, France' } },
    ],
    ['song_type', { songType: ['studio', 'acoustic'] }],
    [
      'audio_summary',
      {
        audioSummary: {
          duration: 200,
          tempo: 90,
          key: 0,
          mode: 1,
          timeSignature: 4,
          loudness: -20,
          energy: 0.2,
          danceability: 0.3,
        },
      },
    ],
  ] as const)('%s adds its field and no other', async (bucket, fields) => {
    const { music } = await library()
    const plain = { ...(await music.songs.search({ title: 'help me home' }))[0] }
    const [song] = await music.songs.search({ title: 'help me home', bucket })
    expect({ ...song }).toEqual({ ...plain, ...fields })
    const [again] = await music.songs.search({ title: 'help me home', bucket: [bucket, bucket] })
    expect({ ...again }).toEqual({ ...song })
  })

  it('leaves out what is not known', async () => {
    const { music } = await library()
    const [song] = await music.songs.search({
      title: 'untitled',
      // Of tracks there is nothing to answer without an id space.
      bucket: SONG_BUCKETS.filter((bucket) => bucket !== 'tracks'),
    })
    expect({ ...song }).toEqual({
      id: SONGS.untitled.id,
      title: 'Untitled',
      artistId: ARTISTS.nobody.id,
      artistName: 'Nameless Four',
    })
  })

  it('rule 6: tracks needs an id space', async () => {
    const { music } = await library()
    for (const bucket of ['tracks', ['tracks', 'audio_summary']] as const) {
      const error = await failure(music.songs.search({ bucket }))
      expect(error).toMatchObject({ code: 'invalid_parameter', status: 5 })
      expect(error.message).toMatch(/^bucket - Invalid parameter: "tracks" needs an id space/)
    }
  })

  it('rule 7: an id space gives foreign ids and tracks in that space', async () => {
    const { music } = await library()
    const query = { title: 'help me home' }
    const [lean] = await music.songs.search({ ...query, bucket: 'id:7digital-US' })
    expect(lean?.foreignIds).toEqual([])
    expect(lean?.tracks).toEqual([
      { catalog: '7digital-US', foreignId: '7digital-US:track:111', id: nativeId('TR', 1) },
    ])
    expect(lean?.artistForeignIds).toBeUndefined()
    const [full] = await music.songs.search({ ...query, bucket: ['tracks', 'id:7digital-US'] })
    expect(full?.tracks).toEqual([
      {
        catalog: '7digital-US',
        foreignId: '7digital-US:track:111',
        id: nativeId('TR', 1),
        foreignReleaseId: '7digital-US:release:9',
        previewUrl: 'http://example.org/111.mp3',
        releaseImage: 'http://example.org/9.jpg',
      },
    ])
    expect(full?.artistForeignIds).toEqual([])
    const [none] = await music.songs.search({ title: 'manha', bucket: ['tracks', 'id:spotify'] })
    expect(none).toMatchObject({ foreignIds: [], tracks: [], artistForeignIds: [] })
    const [two] = await music.songs.search({ ...query, bucket: ['id:spotify', 'id:7digital-US'] })
    expect(two?.foreignIds).toEqual([{ catalog: 'spotify', foreignId: 'spotify:song:sp1' }])
    expect(two?.tracks).toHaveLength(1)
  })

  it('limit: only songs that are known in one of the spaces', async () => {
    const { find, findSet } = await library()
    expect(await find({ bucket: 'id:spotify', limit: true })).toEqual(['helpMeHome'])
    expect(await findSet({ bucket: 'id:7digital-US', limit: true })).toEqual(
      sorted('helpMeHome', 'ironHome'),
    )
    expect(
      await find({ bucket: 'id:7digital-US', limit: 'true' as never, title: 'iron home' }),
    ).toEqual(['ironHome'])
    expect(await findSet({ bucket: ['id:spotify', 'id:7digital-US'], limit: true })).toEqual(
      sorted('helpMeHome', 'ironHome'),
    )
    expect(await find({ bucket: 'id:nowhere', limit: true })).toEqual([])
    expect(await find({ bucket: 'id:spotify', limit: false })).toHaveLength(8)
    expect(await find({ bucket: 'id:spotify', limit: 'false' as never })).toHaveLength(8)
  })

  it('limit: sees at once when a song comes into a space', async () => {
    const { music, find } = await library()
    const query: Query = { bucket: 'id:spotify', limit: true, sort: 'tempo-asc' }
    expect(await find(query)).toEqual(['helpMeHome'])
    const { id, title, artistName } = SONGS.manha
    await music.songs.import([
      { id, title, artistName, foreignIds: [{ catalog: 'spotify', foreignId: 'sp5' }] },
    ])
    expect(await find(query)).toEqual(['manha', 'helpMeHome'])
  })

  it('limit: needs a space', async () => {
    const { music } = await library()
    for (const bucket of [[], ['audio_summary']] as const) {
      const error = await failure(music.songs.search({ bucket, limit: true }))
      expect(error).toMatchObject({ code: 'invalid_parameter', status: 5 })
      expect(error.message).toMatch(/^limit - Invalid parameter: "true" needs an id space/)
    }
  })
})

describe('songs.search, asked wrongly', () => {
  it.each([
    [{ min_tempo: 90 }, /^min_tempo - Unknown parameter; did you mean "minTempo"\?/],
    [{ artist_id: 'AR1' }, /^artist_id - Unknown parameter; did you mean "artistId"\?/],
    [{ tempo: 90 }, /^tempo - Unknown parameter/],
    [{ titel: 'home' }, /^titel - Unknown parameter; did you mean "title"\?/],
    [{ title: '' }, /^title - Invalid parameter: ""/],
    [{ title: '  ' }, /^title - Invalid parameter: " {2}"/],
    [{ title: 5 }, /^title - Invalid parameter: 5 must be a string/],
    [{ artist: null }, /^artist - Invalid parameter: null/],
    [{ combined: '' }, /^combined - Invalid parameter: ""/],
    [{ artistId: '' }, /^artistId - Invalid parameter: ""/],
    [{ style: '' }, /^style - Invalid parameter: ""/],
    [{ style: ['rock', ' '] }, /^style\.1 - Invalid parameter: " "/],
    [{ mood: 7 }, /^mood - Invalid parameter: 7/],
    [{ rankType: 'popularity' }, /^rankType - Invalid parameter: "popularity" is not one of "rel/],
    [{ sort: 'tempo' }, /^sort - Invalid parameter: "tempo" is not one of "tempo-asc"/],
    [{ sort: 'tempo-up' }, /^sort - Invalid parameter: "tempo-up"/],
    [{ limit: 'yes' }, /^limit - Invalid parameter: "yes"/],
    [{ bucket: 'fakebucket' }, /^bucket - Invalid parameter: "fakebucket" is not one of "audio_/],
    [{ bucket: ['audio_summary', 'id:'] }, /^bucket\.1 - Invalid parameter: "id:" is not one of/],
    [{ artistStartYearBefore: 'soon' }, /^artistStartYearBefore - Invalid parameter: "soon" must/],
    [{ artistStartYearAfter: 1977.5 }, /^artistStartYearAfter - Invalid parameter: 1977.5 must be/],
    [{ artistEndYearBefore: -1 }, /^artistEndYearBefore - Invalid parameter: -1 must be/],
    [{ artistEndYearAfter: 10_000 }, /^artistEndYearAfter - Invalid parameter: 10000 must be/],
  ])('%j', async (query, message) => {
    const { music } = await library()
    const error = await failure(music.songs.search(query as Query))
    expect(error).toBeInstanceOf(ParameterError)
    expect(error).toMatchObject({ code: 'invalid_parameter', status: 5 })
    expect(error.message).toMatch(message)
  })

  it('rejects with the reason of its signal', async () => {
    const { music } = await library()
    const signal = AbortSignal.abort(new Error('enough'))
    expect((await failure(music.songs.search({}, { signal }))).message).toBe('enough')
  })

  it('answers nothing of an empty database', async () => {
    const music = await openInline()
    expect(await music.songs.search()).toEqual([])
    expect(await music.songs.search({ title: 'home', artist: 'nora', style: 'jazz' })).toEqual([])
    expect(await music.songs.search({ sort: 'artist_start_year-asc', minTempo: 1 })).toEqual([])
  })
})
