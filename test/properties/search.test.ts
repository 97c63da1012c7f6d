import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { ArtistRecord, Audile, Params, SongRecord } from '../../src/index.ts'
import { type Random, seeded } from '../support/music.ts'
import { openInline } from '../support/open.ts'
import { nativeId } from '../support/reference-library.ts'
import { scratch } from '../support/scratch.ts'

// Random collections, random questions: what songs.search answers is what a plain loop over the same
// records gives. The collection changes all the time, through two connections to one file.

type Query = Params<'song/search'>
type Kind = 'style' | 'mood' | 'description'

interface ModelArtist {
  id: string
  /** The words of every name: its own is the last. */
  names: string[][]
  familiarity?: number
  hotttnesss?: number
  latitude?: number
  longitude?: number
  start?: number
  end?: number
  terms: Map<string, { kinds: Kind[]; weight: number }>
  foreign: string
}

interface ModelSong {
  id: string
  words: string[]
  artist: ModelArtist
  /** The words of the artists as credited, where that is not the artist's name. */
  credit: string[] | undefined
  tempo?: number
  duration?: number
  loudness?: number
  danceability?: number
  energy?: number
  hotttnesss?: number
  key?: number
  mode?: number
  spaces: Set<string>
}

// How a word is written, and the form in which all its spellings are one.
const WORDS = [
  ['Love', 'love'],
  ['ÉTÉ', 'ete'],
  ['Señor', 'senor'],
  ['rain', 'rain'],
  ["Don't", 'dont'],
  ['99', '99'],
  ['&', 'and'],
  ['Straße', 'straße'],
  ['夢', '夢'],
] as const
const ARTIST_WORDS = [
  ['Red', 'red'],
  ['Björk', 'bjork'],
  ['SUN', 'sun'],
  ['Trio', 'trio'],
  ['夢', '夢'],
] as const
const TERMS = ['rock', 'jazz', 'folk', 'drone', 'mellow', 'sad'] as const
const MOODS: readonly string[] = ['mellow', 'sad']
const SPACES = ['alpha', 'beta'] as const
const NOW = Date.UTC(2015, 3)

const pick = <T>(random: Random, list: readonly T[]): T =>
  list[Math.floor(random() * list.length)] as T
const maybe = (random: Random, chance: number) => random() < chance
/** A number of `count` evenly spaced ones, so that there are ties. */
const step = (random: Random, low: number, high: number, count: number) =>
  low + (Math.floor(random() * count) * (high - low)) / (count - 1)

function naming(random: Random, list: readonly (readonly [string, string])[], most: number) {
  const parts = Array.from({ length: 1 + Math.floor(random() * most) }, () => pick(random, list))
  const text = parts.map(([written]) => written).join(pick(random, [' ', ' - ', '  ', '! ', ', ']))
  return { text, words: parts.map(([, word]) => word) }
}

/** An artist record of random facts; the model is brought to what it says. */
function artistRecord(random: Random, artist: ModelArtist): ArtistRecord {
  const record: ArtistRecord = { id: artist.id, name: '' }
  if (artist.names.length === 0 || maybe(random, 0.3)) {
    const { text, words } = naming(random, ARTIST_WORDS, 2)
    record.name = text
    artist.names.push(words)
  } else {
    record.name = (artist.names.at(-1) as string[]).join(' ')
  }
  if (maybe(random, 0.2)) {
    const { text, words } = naming(random, ARTIST_WORDS, 2)
    record.aliases = [text]
    artist.names.unshift(words)
  }
  if (maybe(random, 0.6)) record.familiarity = artist.familiarity = step(random, 0, 1, 6)
  if (maybe(random, 0.6)) record.hotttnesss = artist.hotttnesss = step(random, 0, 1, 6)
  if (maybe(random, 0.5)) {
    artist.latitude = step(random, -80, 80, 5)
    artist.longitude = step(random, -160, 160, 5)
    record.location = { latitude: artist.latitude, longitude: artist.longitude }
  }
  if (maybe(random, 0.6)) {
    const starts = Array.from({ length: 1 + Math.floor(random() * 2) }, () =>
      step(random, 1960, 2015, 12),
    )
    record.yearsActive = [...new Set(starts)].map((start) =>
      maybe(random, 0.4) ? { start } : { start, end: start + 2 * Math.floor(random() * 5) },
    )
    artist.start = Math.min(...record.yearsActive.map(({ start }) => start))
    artist.end = Math.max(...record.yearsActive.map(({ end }) => end ?? Number.POSITIVE_INFINITY))
  }
  if (maybe(random, 0.6)) {
    artist.terms.clear()
    record.terms = TERMS.filter(() => maybe(random, 0.4)).map((name) => {
      const kind = pick(random, [undefined, 'style', 'mood', 'description'] as const)
      const weight = step(random, 0, 1, 5)
      const open: Kind[] = MOODS.includes(name) ? ['style', 'mood'] : ['style']
      artist.terms.set(name, { kinds: kind === undefined ? open : [kind], weight })
      return { name, weight, ...(kind !== undefined && { kind }) }
    })
  }
  record.foreignIds = [{ catalog: 'alpha', foreignId: artist.foreign }]
  return record
}

/** Likewise a song record. */
function songRecord(
  random: Random,
  song: Omit<ModelSong, 'artist'> & { artist?: ModelArtist },
  artists: readonly ModelArtist[],
): SongRecord {
  if (!song.artist || maybe(random, 0.1)) song.artist = pick(random, artists)
  const title = naming(random, WORDS, 4)
  song.words = title.words
  const name = song.artist.names.at(-1) as string[]
  const record: SongRecord = {
    id: song.id,
    title: title.text,
    artistId: song.artist.id,
    artistName: name.join(' '),
  }
  song.credit = undefined
  if (maybe(random, 0.2)) {
    const guest = pick(random, artists).names.at(-1) as string[]
    record.artistName += ` feat. ${guest.join(' ')}`
    song.credit = [...name, 'feat', ...guest]
  }
  if (maybe(random, 0.6)) record.songHotttnesss = song.hotttnesss = step(random, 0, 1, 8)
  if (maybe(random, 0.7)) record.duration = song.duration = step(random, 60, 360, 9)
  else if (maybe(random, 0.3)) record.duration = 0
  if (maybe(random, 0.8)) {
    record.audioSummary = {}
    const summary = record.audioSummary
    if (maybe(random, 0.8)) summary.tempo = song.tempo = step(random, 60, 180, 9)
    else if (maybe(random, 0.5)) summary.tempo = 0
    if (maybe(random, 0.7)) summary.loudness = song.loudness = step(random, -40, 0, 6)
    if (maybe(random, 0.7)) summary.danceability = song.danceability = step(random, 0, 1, 6)
    if (maybe(random, 0.7)) summary.energy = song.energy = step(random, 0, 1, 6)
    if (maybe(random, 0.7)) summary.key = song.key = Math.floor(random() * 12)
    else if (maybe(random, 0.5)) summary.key = -1
    if (maybe(random, 0.7)) summary.mode = song.mode = Math.floor(random() * 2)
  }
  for (const space of SPACES) {
    if (!maybe(random, 0.1)) continue
    song.spaces.add(space)
    const ref = { catalog: space, foreignId: song.id.toLowerCase() }
    if (maybe(random, 0.5)) record.foreignIds = [...(record.foreignIds ?? []), ref]
    else record.tracks = [...(record.tracks ?? []), ref]
  }
  return record
}

type Numbers = [min: keyof Query, max: keyof Query, bounds: [low: number, high: number, n: number]]
const RANGES: Record<string, Numbers> = {
  tempo: ['minTempo', 'maxTempo', [60, 180, 9]],
  duration: ['minDuration', 'maxDuration', [60, 360, 9]],
  loudness: ['minLoudness', 'maxLoudness', [-40, 0, 6]],
  danceability: ['minDanceability', 'maxDanceability', [0.2, 0.8, 4]],
  energy: ['minEnergy', 'maxEnergy', [0.2, 0.8, 4]],
  song_hotttnesss: ['songMinHotttnesss', 'songMaxHotttnesss', [0.2, 0.8, 5]],
  artist_familiarity: ['artistMinFamiliarity', 'artistMaxFamiliarity', [0.2, 0.8, 4]],
  artist_hotttnesss: ['artistMinHotttnesss', 'artistMaxHotttnesss', [0.2, 0.8, 4]],
  latitude: ['minLatitude', 'maxLatitude', [-80, 80, 5]],
  longitude: ['minLongitude', 'maxLongitude', [-160, 160, 5]],
}
const VALUES: Record<string, (song: ModelSong) => number | undefined> = {
  tempo: (song) => song.tempo,
  duration: (song) => song.duration,
  loudness: (song) => song.loudness,
  danceability: (song) => song.danceability,
  energy: (song) => song.energy,
  key: (song) => song.key,
  mode: (song) => song.mode,
  song_hotttnesss: (song) => song.hotttnesss,
  artist_familiarity: ({ artist }) => artist.familiarity,
  artist_hotttnesss: ({ artist }) => artist.hotttnesss,
  latitude: ({ artist }) => artist.latitude,
  longitude: ({ artist }) => artist.longitude,
  artist_start_year: ({ artist }) => artist.start,
  artist_end_year: ({ artist }) => artist.end,
}

const credited = ({ credit, artist }: ModelSong) => credit ?? (artist.names.at(-1) as string[])
const some = (random: Random, words: readonly string[]) => {
  const kept = words.filter(() => maybe(random, 0.6))
  return kept.length > 0 ? kept : [pick(random, words)]
}

/** A random question. Its words are a song's, so that there is no need to guess at what was meant. */
function questionOf(random: Random, songs: readonly ModelSong[]): Query {
  const query: Query = {}
  const meant = pick(random, songs)
  if (maybe(random, 0.25)) {
    const whole = maybe(random, 0.4)
    query.title = (whole ? meant.words : some(random, meant.words)).join(' ')
  }
  if (maybe(random, 0.2)) {
    const names = [credited(meant), pick(random, meant.artist.names)]
    query.artist = some(random, pick(random, names)).join(' ').toUpperCase()
  }
  if (maybe(random, 0.15)) {
    query.combined = maybe(random, 0.3)
      ? meant.words.join(' ')
      : some(random, [...credited(meant), ...meant.words]).join(', ')
  }
  if (maybe(random, 0.1)) {
    const { artist } = meant
    query.artistId = maybe(random, 0.5) ? artist.id : `alpha:artist:${artist.foreign}`
  }
  const named = ['title', 'artist', 'combined', 'artistId'].some((name) => name in query)
  for (const field of ['style', 'mood', ...(named ? [] : ['description'])] as Kind[]) {
    if (!maybe(random, 0.2)) continue
    query[field] = Array.from({ length: 1 + Math.floor(random() * 3) }, () => {
      const term = pick(random, [...TERMS, 'nobody says this'])
      return pick(random, ['', '', '', '+', '^', '-']) + term + pick(random, ['', '', '^2', '^.5'])
    })
  }
  if (maybe(random, 0.2)) query.rankType = pick(random, ['relevance', 'familiarity'] as const)
  for (const [min, max, bounds] of Object.values(RANGES)) {
    if (!maybe(random, 0.08)) continue
    const [low = 0, high = 0] = [step(random, ...bounds), step(random, ...bounds)].sort(
      (a, b) => a - b,
    )
    if (maybe(random, 0.7)) Object.assign(query, { [min]: low })
    if (maybe(random, 0.7)) Object.assign(query, { [max]: high })
  }
  const year = () => (maybe(random, 0.2) ? 'present' : step(random, 1960, 2015, 12))
  if (maybe(random, 0.05)) query.artistStartYearBefore = year()
  if (maybe(random, 0.05)) query.artistStartYearAfter = year()
  if (maybe(random, 0.05)) query.artistEndYearBefore = year()
  if (maybe(random, 0.05)) query.artistEndYearAfter = year()
  if (maybe(random, 0.06)) query.mode = Math.floor(random() * 2)
  if (maybe(random, 0.06)) query.key = Math.floor(random() * 12)
  if (maybe(random, 0.1)) {
    query.limit = true
    const spaces = SPACES.filter(() => maybe(random, 0.5)).map((space) => `id:${space}` as const)
    query.bucket = spaces.length === 0 ? 'id:alpha' : spaces
  }
  if (maybe(random, 0.55)) {
    const by = pick(random, Object.keys(VALUES))
    query.sort = `${by}-${pick(random, ['asc', 'desc'])}` as NonNullable<Query['sort']>
  }
  if (maybe(random, 0.5)) query.start = Math.floor(random() ** 3 * 60)
  if (maybe(random, 0.5)) query.results = Math.floor(random() * 101)
  return query
}

const wordsOf = (text: unknown) =>
  String(text)
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
const all = (asked: readonly string[], held: readonly string[]) =>
  asked.every((word) => held.includes(word))
const same = (a: readonly string[], b: readonly string[]) => a.join(' ') === b.join(' ')

/** The terms of a question over a song: undefined when it does not pass, else their score. */
function scoreOf(query: Query, { artist }: ModelSong): number | undefined {
  const asked = (['style', 'mood', 'description'] as const).flatMap((field) =>
    [query[field] ?? []].flat().map((text) => {
      const [, sign = '', name = '', boost = '1'] = /^([-+^]?)([^^]*)(?:\^(.*))?$/.exec(text) ?? []
      const held = artist.terms.get(name)
      const kinds: Kind[] = field === 'description' ? ['style', 'mood', 'description'] : [field]
      const weight = held?.kinds.some((kind) => kinds.includes(kind)) ? held.weight : undefined
      return { field, sign, weight, boost: Number(boost) }
    }),
  )
  if (asked.some(({ sign, weight }) => sign === '-' && weight !== undefined)) return undefined
  const wanted = asked.filter(({ sign }) => sign !== '-')
  if (wanted.some(({ sign, weight }) => sign !== '' && weight === undefined)) return undefined
  const found = wanted.filter(({ weight }) => weight !== undefined)
  const isFound = (field: string) => found.some((one) => one.field === field)
  if (!wanted.every(({ field }) => isFound(field))) return undefined
  return found.reduce((sum, { boost, weight = 0 }) => sum + boost * weight, 0)
}

function passes(query: Query, song: ModelSong): boolean {
  const { artist } = song
  const names = artist.names.flat()
  if (query.title !== undefined && !all(wordsOf(query.title), song.words)) return false
  if (query.artist !== undefined) {
    const words = wordsOf(query.artist)
    if (!all(words, names) && !all(words, credited(song))) return false
  }
  if (query.combined !== undefined) {
    if (!all(wordsOf(query.combined), [...song.words, ...credited(song)])) return false
  }
  if (query.artistId !== undefined) {
    if (![artist.id, `alpha:artist:${artist.foreign}`].includes(query.artistId)) return false
  }
  if (scoreOf(query, song) === undefined) return false
  for (const [name, [min, max]] of Object.entries(RANGES)) {
    if (query[min] === undefined && query[max] === undefined) continue
    const value = VALUES[name]?.(song)
    if (value === undefined) return false
    if (query[min] !== undefined && value < (query[min] as number)) return false
    if (query[max] !== undefined && value > (query[max] as number)) return false
  }
  const years = [
    [artist.start, query.artistStartYearBefore, query.artistStartYearAfter],
    [artist.end, query.artistEndYearBefore, query.artistEndYearAfter],
  ] as const
  for (const [value, before, after] of years) {
    const year = (given: string | number) => (given === 'present' ? 2015 : Number(given))
    if (before !== undefined && !(value !== undefined && value < year(before))) return false
    if (after !== undefined && !(value !== undefined && value > year(after))) return false
  }
  if (query.mode !== undefined && song.mode !== query.mode) return false
  if (query.key !== undefined && song.key !== query.key) return false
  if (query.limit !== true) return true
  return [query.bucket ?? []].flat().some((bucket) => song.spaces.has(bucket.slice(3)))
}

/** Greatest first, unknown last; of two that are alike the one that came first. */
const falling =
  (valueIn: (song: ModelSong) => number | undefined) => (a: ModelSong, b: ModelSong) =>
    (valueIn(b) ?? -1) - (valueIn(a) ?? -1)

function sortedBy(songs: readonly ModelSong[], sort: string): ModelSong[] {
  const [by = '', direction] = sort.split('-')
  const valueIn = VALUES[by] as (song: ModelSong) => number | undefined
  const known = songs.filter((song) => valueIn(song) !== undefined)
  const sign = direction === 'asc' ? 1 : -1
  const compare = (a: number, b: number) => (a === b ? 0 : a < b ? -sign : sign)
  known.sort((a, b) => compare(valueIn(a) as number, valueIn(b) as number))
  return [...known, ...songs.filter((song) => valueIn(song) === undefined)]
}

/**
 * What is known of the order when no sort is asked for: of terms, or nothing, all of it; of names,
 * that those who are called exactly so come first, and how they are ordered among themselves.
 */
function ranked(query: Query, songs: readonly ModelSong[]): ModelSong[] {
  const terms = [query.style, query.mood, query.description].flat().filter((one) => one)
  const familiar = query.rankType === 'familiarity' && terms.length > 0
  const score = (song: ModelSong) =>
    familiar ? song.artist.familiarity : Math.round((scoreOf(query, song) as number) * 1e4)
  const whole = query.title ?? query.combined
  const titled = (song: ModelSong) =>
    whole !== undefined && same(wordsOf(whole), song.words) ? 1 : 0
  const named = (song: ModelSong) =>
    query.artist !== undefined &&
    song.artist.names.some((words) => same(wordsOf(query.artist), words))
      ? 1
      : 0
  const orders = [
    falling(titled),
    falling((song) => (whole === undefined || titled(song) ? named(song) : 0)),
    falling(score),
    falling(({ hotttnesss }) => hotttnesss),
  ]
  const all = [...songs].sort((a, b) => orders.reduce((sum, by) => sum || by(a, b), 0))
  if (whole === undefined && query.artist === undefined) return all
  return all.filter((song) => (whole === undefined ? named(song) : titled(song)) === 1)
}

async function everyPage(music: Audile, query: Query): Promise<string[]> {
  const found: string[] = []
  for (;;) {
    const page = await music.songs.search({ ...query, start: found.length, results: 100 })
    found.push(...page.map(({ id }) => id))
    if (page.length < 100) return found
  }
}

const idsOf = (songs: readonly { id: string }[]) => songs.map(({ id }) => id)

async function check(music: Audile, query: Query, songs: readonly ModelSong[]): Promise<number> {
  const told = JSON.stringify(query)
  const expected = songs.filter((song) => passes(query, song))
  const { start = 0, results = 15 } = query as { start?: number; results?: number }
  const found = idsOf(await music.songs.search(query))
  if (query.sort !== undefined) {
    const order = sortedBy(expected, query.sort)
    if (order.length > 0) expect(found, told).toEqual(idsOf(order.slice(start, start + results)))
    return expected.length
  }
  const every = await everyPage(music, query)
  // Those with all the words are first; behind them come those that may have been meant.
  const typed = query.title !== undefined || query.combined !== undefined
  const all = every.slice(0, typed ? expected.length : every.length)
  expect(all.sort(), told).toEqual(idsOf(expected).sort())
  expect(new Set(every).size, told).toBe(every.length)
  expect(found, told).toEqual(every.slice(start, start + results))
  const first = idsOf(ranked(query, expected))
  expect(every.slice(0, first.length), told).toEqual(first)
  return expected.length
}

it.each([1, 2])('songs.search is what a loop over the records gives (seed %i)', async (seed) => {
  const random = seeded(seed)
  const database = join(scratch(), 'music.db')
  const now = () => NOW
  const pair = [await openInline({ database, now }), await openInline({ database, now })] as const
  const artists: ModelArtist[] = []
  const songs: ModelSong[] = []
  const change = async (
    music: Audile,
    count: { artists: number; songs: number; fresh: number },
  ) => {
    const artistRecords = Array.from({ length: count.artists }, () => {
      const artist = pick(random, artists)
      return artistRecord(random, artist)
    })
    const records = Array.from({ length: count.songs }, () =>
      songRecord(random, pick(random, songs), artists),
    )
    for (let i = 0; i < count.fresh; i++) {
      const fresh: Omit<ModelSong, 'artist'> = {
        id: nativeId('SO', songs.length),
        words: [],
        credit: undefined,
        spaces: new Set(),
      }
      records.push(songRecord(random, fresh, artists))
      songs.push(fresh as ModelSong)
    }
    // The records of songs name artists as they are called after those of artists came.
    expect((await music.artists.import(artistRecords)).rejected).toEqual([])
    const result = await music.songs.import(records)
    expect(result).toEqual({ imported: count.fresh, updated: count.songs, rejected: [] })
  }
  const made = Array.from({ length: 30 }, (_, i) => {
    const artist = { id: nativeId('AR', i), names: [], terms: new Map(), foreign: `person ${i}` }
    artists.push(artist)
    return artistRecord(random, artist)
  })
  expect((await pair[0].artists.import(made)).imported).toBe(30)
  await change(pair[0], { artists: 0, songs: 0, fresh: 250 })
  let matched = 0
  for (let round = 0; round < 500; round++) {
    if (round % 20 === 19) {
      await change(pick(random, pair), {
        artists: Math.floor(random() * 3),
        songs: Math.floor(random() * 6),
        fresh: Math.floor(random() * 3),
      })
    }
    const found = await check(pick(random, pair), questionOf(random, songs), songs)
    if (found > 0) matched++
  }
  // Questions that nothing answers show little.
  expect(matched).toBeGreaterThan(180)
})
