import { unknownArtistValue } from '../artist/artist-columns.ts'
import { TERM_KINDS, termKey } from '../artist/terms.ts'
import { nameKey, wordsOfKey } from '../naming/names.ts'
import { invalidParameter } from '../values/errors.ts'
import { UNKNOWN_SONG } from './fact-columns.ts'
import type { SongRoom } from './room.ts'
import type { SearchQuery, Sort } from './search-parameters.ts'

type RankingStores = Pick<SongRoom, 'store' | 'artists'>

const LAST_KEY = Number.POSITIVE_INFINITY

/** An unknown value comes last in both directions. */
export function songSortKeys(
  { store, artists }: RankingStores,
  rows: Int32Array,
  sort: Sort,
): Float64Array {
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
    // 0 stands for a song without an artist.
    const value = num === 0 ? unknown : (values[num] ?? unknown)
    keys[i] = Object.is(value, unknown) ? LAST_KEY : sign * value
  }
  return keys
}

/** By names, then by the sum of boost times weight of terms, then by hotttnesss. */
export function relevanceKeys(
  stores: RankingStores,
  rows: Int32Array,
  query: SearchQuery,
  terms: TermScores | undefined,
): Float64Array {
  const { hotttnesss, artist } = stores.store.columns.readColumns().columns
  const { familiarity } = stores.artists.columns.readColumns().columns
  const matchOf = nameMatch(stores, query)
  const isByFamiliarity = query.rankType === 'familiarity' && terms !== undefined
  const scores = new Float64Array(rows.length)
  let highest = 1
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number
    const score = isByFamiliarity
      ? (familiarity[artist[row] as number] ?? Number.NaN)
      : (terms?.of(row) ?? 0)
    scores[i] = score
    if (score > highest) highest = score
  }
  // Three numbers in one key: no range is wider than needed, so that enough digits remain.
  const steps = Math.min(matchOf ? 1e4 : 1e6, 1e7 / highest)
  const width = Math.round(highest * steps) + 2
  const keys = new Float64Array(rows.length)
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as number
    const score = scores[i] as number
    const hot = hotttnesss[row] as number
    const names = Math.round((matchOf?.(row) ?? 0) * 1e4)
    const level = names * width + (Number.isNaN(score) ? 0 : 1 + Math.round(score * steps))
    keys[i] = -(level * 4 + (Number.isNaN(hot) ? 0 : 1 + hot))
  }
  return keys
}

/**
 * 3 for title and artist, 2 for the title (or the artist alone), otherwise the share of words
 * asked.
 */
function nameMatch(
  { store, artists }: RankingStores,
  { title, artist, combined }: SearchQuery,
): ((row: number) => number) | undefined {
  if (title === undefined && artist === undefined && combined === undefined) return undefined
  const { words: titleWords, artistWords } = store.columns.readColumns().columns
  const wholeTitle = title ?? combined
  const songsWithTitle =
    wholeTitle === undefined ? undefined : new Set(store.withTitle(nameKey(wholeTitle)))
  const songsOfArtist =
    artist === undefined
      ? undefined
      : new Set(artists.findByName(artist).flatMap(({ num }) => store.ofArtist(num)))
  const askedWords = [title, artist, combined]
    .flatMap((text) => (text === undefined ? [] : [new Set(wordsOfKey(nameKey(text))).size]))
    .reduce((sum, n) => sum + n, 0)
  // Words of `combined` count for both.
  const ofTitle = (title === undefined ? 0 : 1) + (combined === undefined ? 0 : 1)
  const ofArtist = (artist === undefined ? 0 : 1) + (combined === undefined ? 0 : 1)
  return (row) => {
    if (songsWithTitle === undefined && songsOfArtist?.has(row)) return 2
    if (songsWithTitle?.has(row)) return songsOfArtist?.has(row) ? 3 : 2
    const all = ofTitle * (titleWords[row] as number) + ofArtist * (artistWords[row] as number)
    return Math.min(askedWords / Math.max(all, 1), 1)
  }
}

const TERM_FIELDS = ['description', 'style', 'mood'] as const

interface TermScores {
  /** The sum of boost times weight of the matching terms. */
  of(row: number): number
  /** All required terms, no prohibited one, and one of each parameter of the query. */
  passes(row: number): boolean
}

/** A song has its own terms and those of its artist. */
export function termScores(stores: RankingStores, query: SearchQuery): TermScores | undefined {
  const askedTerms = TERM_FIELDS.flatMap((field) =>
    [query[field] ?? []].flat().map((text) => ({ field, ...parseTerm(field, text) })),
  )
  if (askedTerms.length === 0) return undefined
  const { length, columns } = stores.store.columns.readColumns()
  const score = new Float64Array(length)
  const hits = new Uint8Array(length)
  const required = new Uint16Array(length)
  const prohibited = new Uint8Array(length)
  let requiredCount = 0
  let askedFields = 0
  const artistOf = columns.artist
  for (const { role, boost, ...term } of askedTerms) {
    if (role === 'required') requiredCount++
    const bit = 1 << TERM_FIELDS.indexOf(term.field)
    if (role !== 'prohibited') askedFields |= bit
    const addHit = (row: number, weight: number) => {
      if (role === 'prohibited') {
        prohibited[row] = 1
        return
      }
      hits[row] = (hits[row] as number) | bit
      if (role === 'required') required[row] = (required[row] as number) + 1
      score[row] = (score[row] as number) + boost * weight
    }
    const { theirs: artistWeights, own: songWeights } = weightsOf(stores, term)
    if (artistWeights) {
      for (let row = 0; row < length; row++) {
        const weight = artistWeights[artistOf[row] as number] as number
        if (weight > 0) addHit(row, weight)
      }
    }
    // The song's own weight counts if it is greater than the artist's.
    for (const { num: row, weight } of songWeights) {
      const artistWeight = artistWeights?.[artistOf[row] as number] ?? 0
      if (artistWeight === 0) addHit(row, weight)
      else if (weight > artistWeight && role !== 'prohibited') {
        score[row] = (score[row] as number) + boost * (weight - artistWeight)
      }
    }
  }
  return {
    of: (row) => score[row] as number,
    passes: (row) =>
      prohibited[row] === 0 && required[row] === requiredCount && hits[row] === askedFields,
  }
}

function weightsOf(
  { artists }: RankingStores,
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
  const asHit = (weight: number) => Math.max(weight, Number.MIN_VALUE)
  const derivedMoods = field === 'mood' ? artists.terms.derivedSongs(term) : []
  const songWeights = [...artists.terms.songs(term, kinds), ...derivedMoods].map(
    ({ num, weight }) => ({
      num,
      weight: asHit(weight),
    }),
  )
  const describedArtists = artists.terms.artists(term, kinds)
  if (describedArtists.length === 0) return { own: songWeights }
  const artistWeights = new Float64Array(artists.columns.readColumns().length)
  for (const { num, weight } of describedArtists) artistWeights[num] = asHit(weight)
  return { theirs: artistWeights, own: songWeights }
}

/** A term of a query: `jazz`, `jazz^2`, `-jazz`, `+jazz` or `^jazz`. */
interface QueryTerm {
  name: string
  /** A wish only affects the order; a required term must match, a prohibited one must not. */
  role: 'wish' | 'required' | 'prohibited'
  boost: number
}

/**
 * `+` or `^` before a term makes it required, `-` prohibited; `^<number>` after it is its boost.
 */
export function parseTerm(field: string, term: string): QueryTerm {
  const text = term.trim()
  const sign = /^[-+^]/.exec(text)?.[0]
  const unsigned = sign === undefined ? text : text.slice(1)
  const boostIndex = unsigned.lastIndexOf('^')
  const name = termKey(boostIndex < 0 ? unsigned : unsigned.slice(0, boostIndex))
  const boost = boostIndex < 0 ? 1 : Number(unsigned.slice(boostIndex + 1))
  if (name === '') throw invalidParameter(field, `${JSON.stringify(term)} names no term`)
  if (!(boost > 0) || !Number.isFinite(boost)) {
    const reason = 'has a boost that is no number above 0, as in "jazz^2"'
    throw invalidParameter(field, `${JSON.stringify(term)} ${reason}`)
  }
  const role = sign === undefined ? 'wish' : sign === '-' ? 'prohibited' : 'required'
  return { name, role, boost }
}
