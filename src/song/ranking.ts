import { nameKey, wordsOf } from '../artist/names.ts'
import { KIND } from '../artist/terms.ts'
import { UNKNOWN } from './columns.ts'
import type { SongContext } from './context.ts'
import type { Candidates } from './filters.ts'
import type { SearchQuery, SortField } from './search-parameters.ts'
import { parseTerm, type QueryTerm } from './terms.ts'

type Stores = Pick<SongContext, 'store' | 'artists'>

const LAST = Number.POSITIVE_INFINITY

/** The keys by which a sort orders candidates; what is not known comes last in both directions. */
export function sortKeys(
  { store, artists }: Stores,
  { rows, count }: Candidates,
  { by, direction }: { by: SortField; direction: 'asc' | 'desc' },
): Float64Array {
  const song = store.columns.read().columns
  const artist = artists.columns.read().columns
  const keys = new Float64Array(count)
  const sign = direction === 'asc' ? 1 : -1
  const own = ownColumn(song, by)
  const theirs = own ? undefined : artistColumn(artist, by)
  const unknown = by === 'key' || by === 'mode' ? UNKNOWN : undefined
  const never = by === 'artist_start_year' || by === 'artist_end_year' ? 0 : unknown
  for (let i = 0; i < count; i++) {
    const row = rows[i] as number
    const place = own ? row : (song.artist[row] as number)
    const value = own || place !== 0 ? ((own ?? theirs)?.[place] ?? Number.NaN) : Number.NaN
    keys[i] = Number.isNaN(value) || value === never ? LAST : sign * value
  }
  return keys
}

type Numbers = Float64Array | Int32Array | Int16Array | Uint8Array

function ownColumn(
  columns: ReturnType<SongContext['store']['columns']['read']>['columns'],
  by: SortField,
): Numbers | undefined {
  if (by === 'song_hotttnesss') return columns.hotttnesss
  return by in columns ? (columns as Record<string, Numbers>)[by] : undefined
}

function artistColumn(
  columns: ReturnType<SongContext['artists']['columns']['read']>['columns'],
  by: SortField,
): Numbers | undefined {
  const names: Partial<Record<SortField, keyof typeof columns>> = {
    artist_familiarity: 'familiarity',
    artist_hotttnesss: 'hotttnesss',
    artist_start_year: 'startYear',
    artist_end_year: 'endYear',
    latitude: 'latitude',
    longitude: 'longitude',
  }
  const name = names[by]
  return name === undefined ? undefined : columns[name]
}

/**
 * The keys by which candidates are ordered when no sort is asked for: first by how well they match,
 * then by how much the song is talked of.
 *
 * How well a song matches: of words, the very title (or artist, or both) comes before all others,
 * then the larger share of the words that the query covers; of terms, the sum of boost times weight.
 */
export function relevanceKeys(
  stores: Stores,
  { rows, count }: Candidates,
  query: SearchQuery,
  terms: TermScores | undefined,
): Float64Array {
  const song = stores.store.columns.read().columns
  const artist = stores.artists.columns.read().columns
  const exact = exactSongs(stores, query)
  const words = [query.title, query.artist, query.combined]
    .flatMap((text) => (text === undefined ? [] : [new Set(wordsOf(nameKey(text))).size]))
    .reduce((sum, n) => sum + n, 0)
  const familiar = query.rankType === 'familiarity' && terms !== undefined
  const keys = new Float64Array(count)
  for (let i = 0; i < count; i++) {
    const row = rows[i] as number
    const length =
      (query.artist === undefined || query.title !== undefined ? (song.words[row] as number) : 0) +
      (query.title === undefined ? (song.artistWords[row] as number) : 0)
    const covered = words === 0 ? 0 : Math.min(words / Math.max(length, 1), 1)
    const text = exact?.has(row) ? 2 : covered
    const hot = song.hotttnesss[row] as number
    const by = familiar
      ? (artist.familiarity[song.artist[row] as number] ?? Number.NaN)
      : (terms?.of(row) ?? 0)
    // One number of three: a step of one level is more than the whole of the level below.
    const matched =
      Math.round(text * 1e4) * 1e7 +
      (Number.isNaN(by) ? 0 : Math.round((1 + Math.min(by, 900)) * 1e4))
    keys[i] = -(matched * 4 + (Number.isNaN(hot) ? 0 : 1 + hot))
  }
  return keys
}

/** The songs that are called exactly as the query says. */
function exactSongs({ store, artists }: Stores, query: SearchQuery): Set<number> | undefined {
  const { title, artist, combined } = query
  if (title !== undefined) return new Set(store.withTitle(nameKey(title)))
  if (combined !== undefined) return new Set(store.withTitle(nameKey(combined)))
  if (artist === undefined) return undefined
  return new Set(artists.named(artist).flatMap((num) => store.ofArtist(num)))
}

/** How well songs match terms, by their number. */
export interface TermScores {
  /** The sum of boost times weight over the terms that match. */
  of(row: number): number
  /** Whether a song matches: all that is required, nothing prohibited, at least one at all. */
  passes(row: number): boolean
}

/**
 * The terms of a query over all songs: a term is a song's when it, or its artist, has it.
 *
 * @throws {ParameterError} on a term that cannot be read
 */
export function termScores(stores: Stores, query: SearchQuery): TermScores | undefined {
  const asked = (['description', 'style', 'mood'] as const).flatMap((field) =>
    [query[field] ?? []].flat().map((text) => ({ field, ...parseTerm(field, text) })),
  )
  if (asked.length === 0) return undefined
  const { length, columns } = stores.store.columns.read()
  const score = new Float64Array(length)
  const hits = new Uint8Array(length)
  const required = new Uint8Array(length)
  const prohibited = new Uint8Array(length)
  let needed = 0
  let positive = 0
  for (const term of asked) {
    const weights = weightsOf(stores, term, length, columns.artist as Int32Array)
    if (term.role === 'required') needed++
    if (term.role !== 'prohibited') positive++
    if (!weights) continue
    for (let row = 0; row < length; row++) {
      const weight = weights[row] as number
      if (weight === 0) continue
      if (term.role === 'prohibited') {
        prohibited[row] = 1
        continue
      }
      hits[row] = 1
      if (term.role === 'required') required[row] = (required[row] as number) + 1
      score[row] = (score[row] as number) + term.boost * weight
    }
  }
  return {
    of: (row) => score[row] as number,
    passes: (row) =>
      prohibited[row] === 0 && required[row] === needed && (positive === 0 || hits[row] === 1),
  }
}

/** The weight of a term for each song; `undefined` when nobody has it. */
function weightsOf(
  { store, artists }: Stores,
  { field, name }: QueryTerm & { field: 'description' | 'style' | 'mood' },
  length: number,
  artistOf: Int32Array,
): Float64Array | undefined {
  const term = artists.knownTerm(name)
  if (term === undefined) return undefined
  // A description is any kind of term.
  const kinds = field === 'description' ? KIND.style | KIND.mood | KIND.description : KIND[field]
  const weights = new Float64Array(length)
  const theirs = artists.artistsOfTerm(term, kinds)
  if (theirs.length > 0) {
    const byArtist = new Float64Array(artists.columns.read().length)
    // A weight of 0 is still a term.
    for (const [artist, weight] of theirs) byArtist[artist] = Math.max(weight, Number.MIN_VALUE)
    for (let row = 0; row < length; row++) weights[row] = byArtist[artistOf[row] as number] ?? 0
  }
  for (const [song, weight] of store.songsOfTerm(term, kinds)) {
    weights[song] = Math.max(weights[song] ?? 0, weight, Number.MIN_VALUE)
  }
  return weights
}
