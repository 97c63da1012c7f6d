import { unknownArtistValue } from '../artist/artist-columns.ts'
import { TERM_KINDS, termKey } from '../artist/terms.ts'
import { nameKey, wordsOf } from '../naming/names.ts'
import { invalidParameter } from '../values/errors.ts'
import { UNKNOWN_SONG } from './fact-columns.ts'
import type { SongRoom } from './room.ts'
import type { SearchQuery, Sort } from './search-parameters.ts'

type Stores = Pick<SongRoom, 'store' | 'artists'>

const LAST = Number.POSITIVE_INFINITY

/** The keys by which a sort orders candidates. An unknown value comes last in both directions. */
export function sortKeys({ store, artists }: Stores, rows: Int32Array, sort: Sort): Float64Array {
  const ofSong = store.columns.readColumns().columns
  const ofArtist = artists.columns.readColumns().columns
  const [values, unknown] =
    sort.of === 'song'
      ? [ofSong[sort.column], UNKNOWN_SONG[sort.column]]
      : [ofArtist[sort.column], unknownArtistValue(sort.column)]
  const sign = sort.direction === 'asc' ? 1 : -1
  const keys = new Float64Array(rows.length)
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number
    const num = sort.of === 'song' ? row : (ofSong.artist[row] as number)
    // No artist has the number 0, which stands for a song without an artist.
    const value = num === 0 ? unknown : (values[num] ?? unknown)
    keys[i] = Object.is(value, unknown) ? LAST : sign * value
  }
  return keys
}

/**
 * The keys that order candidates when the query has no sort: by how well they match, then by
 * hotttnesss.
 *
 * Songs with exactly the names come first, then those with the larger share of words in the query.
 * Songs that match terms are ordered by the sum of boost times weight.
 */
export function relevanceKeys(
  stores: Stores,
  rows: Int32Array,
  query: SearchQuery,
  terms: TermScores | undefined,
): Float64Array {
  const { hotttnesss, artist } = stores.store.columns.readColumns().columns
  const { familiarity } = stores.artists.columns.readColumns().columns
  const matched = nameMatch(stores, query)
  const familiar = query.rankType === 'familiarity' && terms !== undefined
  const scores = new Float64Array(rows.length)
  let most = 1
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number
    const score = familiar
      ? (familiarity[artist[row] as number] ?? Number.NaN)
      : (terms?.of(row) ?? 0)
    scores[i] = score
    if (score > most) most = score
  }
  // A key is one number made of three: names, score, hotttnesss. A step in one is larger than the
  // whole range of the next. No range is wider than needed, so that enough digits remain for the
  // last.
  const steps = Math.min(matched ? 1e4 : 1e6, 1e7 / most)
  const width = Math.round(most * steps) + 2
  const keys = new Float64Array(rows.length)
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number
    const score = scores[i] as number
    const hot = hotttnesss[row] as number
    const names = Math.round((matched?.(row) ?? 0) * 1e4)
    const level = names * width + (Number.isNaN(score) ? 0 : 1 + Math.round(score * steps))
    keys[i] = -(level * 4 + (Number.isNaN(hot) ? 0 : 1 + hot))
  }
  return keys
}

/**
 * How well the names of a song match a query: 3 for exactly the title and artist; 2 for exactly the
 * title, or the artist in a query without title; otherwise the share of the song's words in the
 * query, 0…1.
 */
function nameMatch(
  { store, artists }: Stores,
  { title, artist, combined }: SearchQuery,
): ((row: number) => number) | undefined {
  if (title === undefined && artist === undefined && combined === undefined) return undefined
  const { words: titleWords, artistWords } = store.columns.readColumns().columns
  const whole = title ?? combined
  const titled = whole === undefined ? undefined : new Set(store.withTitle(nameKey(whole)))
  const theirs =
    artist === undefined
      ? undefined
      : new Set(artists.named(artist).flatMap(({ num }) => store.ofArtist(num)))
  const asked = [title, artist, combined]
    .flatMap((text) => (text === undefined ? [] : [new Set(wordsOf(nameKey(text))).size]))
    .reduce((sum, n) => sum + n, 0)
  // Words of `combined` count for both.
  const ofTitle = (title === undefined ? 0 : 1) + (combined === undefined ? 0 : 1)
  const ofArtist = (artist === undefined ? 0 : 1) + (combined === undefined ? 0 : 1)
  return (row) => {
    if (titled === undefined && theirs?.has(row)) return 2
    if (titled?.has(row)) return theirs?.has(row) ? 3 : 2
    const all = ofTitle * (titleWords[row] as number) + ofArtist * (artistWords[row] as number)
    return Math.min(asked / Math.max(all, 1), 1)
  }
}

const TERM_FIELDS = ['description', 'style', 'mood'] as const

interface TermScores {
  /** The sum of boost times weight of the matching terms. */
  of(row: number): number
  /**
   * Whether a song has all required terms, no prohibited term, and at least one term of each
   * parameter (description, style, mood) of the query.
   */
  passes(row: number): boolean
}

/** Applies the terms of a query to all songs. A song has its own terms and those of its artist. */
export function termScores(stores: Stores, query: SearchQuery): TermScores | undefined {
  const asked = TERM_FIELDS.flatMap((field) =>
    [query[field] ?? []].flat().map((text) => ({ field, ...parseTerm(field, text) })),
  )
  if (asked.length === 0) return undefined
  const { length, columns } = stores.store.columns.readColumns()
  const score = new Float64Array(length)
  const hits = new Uint8Array(length)
  const required = new Uint16Array(length)
  const prohibited = new Uint8Array(length)
  let needed = 0
  let fields = 0
  const artistOf = columns.artist
  for (const { role, boost, ...term } of asked) {
    if (role === 'required') needed++
    const bit = 1 << TERM_FIELDS.indexOf(term.field)
    if (role !== 'prohibited') fields |= bit
    const has = (row: number, weight: number) => {
      if (role === 'prohibited') {
        prohibited[row] = 1
        return
      }
      hits[row] = (hits[row] as number) | bit
      if (role === 'required') required[row] = (required[row] as number) + 1
      score[row] = (score[row] as number) + boost * weight
    }
    const { theirs, own } = weightsOf(stores, term)
    if (theirs) {
      for (let row = 0; row < length; row++) {
        const weight = theirs[artistOf[row] as number] as number
        if (weight > 0) has(row, weight)
      }
    }
    // The song's own weight counts if it is greater than the artist's.
    for (const { num: row, weight } of own) {
      const before = theirs?.[artistOf[row] as number] ?? 0
      if (before === 0) has(row, weight)
      else if (weight > before && role !== 'prohibited') {
        score[row] = (score[row] as number) + boost * (weight - before)
      }
    }
  }
  return {
    of: (row) => score[row] as number,
    passes: (row) => prohibited[row] === 0 && required[row] === needed && hits[row] === fields,
  }
}

function weightsOf(
  { artists }: Stores,
  { field, name }: { field: 'description' | 'style' | 'mood'; name: string },
): { theirs?: Float64Array; own: readonly { num: number; weight: number }[] } {
  const term = artists.terms.find(name)
  if (term === undefined) return { own: [] }
  // A description is any kind of term.
  const kinds =
    field === 'description'
      ? TERM_KINDS.style | TERM_KINDS.mood | TERM_KINDS.description
      : TERM_KINDS[field]
  // A weight of 0 is still a term.
  const least = (weight: number) => Math.max(weight, Number.MIN_VALUE)
  const derived = field === 'mood' ? artists.terms.derivedSongs(term) : []
  const own = [...artists.terms.songs(term, kinds), ...derived].map(({ num, weight }) => ({
    num,
    weight: least(weight),
  }))
  const described = artists.terms.artists(term, kinds)
  if (described.length === 0) return { own }
  const theirs = new Float64Array(artists.columns.readColumns().length)
  for (const { num, weight } of described) theirs[num] = least(weight)
  return { theirs, own }
}

/** A term of a query: `jazz`, `jazz^2`, `-jazz`, `+jazz` or `^jazz`. */
interface QueryTerm {
  name: string
  /** A wish only affects the order; a required term must match, a prohibited one must not. */
  role: 'wish' | 'required' | 'prohibited'
  boost: number
}

/**
 * Reads a term of a query. `+` or `^` before it makes it required, `-` prohibited; `^<number>`
 * after it is its boost.
 */
export function parseTerm(field: string, given: string): QueryTerm {
  const text = given.trim()
  const sign = /^[-+^]/.exec(text)?.[0]
  const rest = sign === undefined ? text : text.slice(1)
  const at = rest.lastIndexOf('^')
  const name = termKey(at < 0 ? rest : rest.slice(0, at))
  const boost = at < 0 ? 1 : Number(rest.slice(at + 1))
  if (name === '') throw invalidParameter(field, `${JSON.stringify(given)} names no term`)
  if (!(boost > 0) || !Number.isFinite(boost)) {
    const why = 'has a boost that is no number above 0, as in "jazz^2"'
    throw invalidParameter(field, `${JSON.stringify(given)} ${why}`)
  }
  const role = sign === undefined ? 'wish' : sign === '-' ? 'prohibited' : 'required'
  return { name, role, boost }
}
