import type { ColumnLayout } from '../kernel/database/columns.ts'
import {
  ALL,
  ANALYZED,
  eachFact,
  type FactName,
  factOf,
  isNamed,
  SEARCHED,
  type SearchedFact,
  SUMMARIZED,
  snake,
  TOLD,
} from './facts.ts'

const ALIAS = { analyses: 'a', tracks: 't', song_summaries: 'm', songs: 's' } as const

const columnOf = (name: FactName) => `"${snake(name)}"`
const listed = (columns: readonly string[]) => columns.join(', ')
const inTable = (table: keyof typeof ALIAS, name: FactName) => `${ALIAS[table]}.${columnOf(name)}`

/** The column with a track's value; `analyses` also has the fields that only imports have. */
const ofTrack = (name: FactName) => inTable(factOf(name).analysis ?? 'analyses', name)

/** Selects the facts of a track from `analyses a` and `tracks t`. */
export const TRACK_FACTS = listed(ALL.map((name) => `${ofTrack(name)} AS "${name}"`))

/** Selects the facts of a song: those of its first analysed track, else of an import. */
export const SONG_FACTS = listed(ALL.map((name) => ofSong(name, (column) => column)))

/** Selects the searched facts of a song. A 0 that means "not known" becomes `NULL`. */
export const SEARCHED_FACTS = listed(
  SEARCHED.map((name) =>
    ofSong(name, (column) => (factOf(name).positive ? `nullif(${column}, 0)` : column)),
  ),
)

function ofSong(name: FactName, read: (column: string) => string): string {
  const { imports } = factOf(name)
  const own = read(ofTrack(name))
  return `${imports ? `coalesce(${own}, ${inTable(imports, name)})` : own} AS "${name}"`
}

const OF_ANALYSES = ANALYZED.filter((name) => factOf(name).analysis === 'analyses')

/** The parts of a statement that inserts the facts of an analysis into `analyses`, or replaces them. */
export const INSERT_ANALYZED = {
  ...inserting(OF_ANALYSES),
  update: listed(OF_ANALYSES.map(columnOf).map((column) => `${column} = excluded.${column}`)),
}

/** Sets the facts in `analyses` that only imports have; `NULL` changes nothing. */
export const SET_TOLD = listed(
  TOLD.map((name) => `${columnOf(name)} = coalesce(@${name}, ${columnOf(name)})`),
)

/** Sets the facts in `analyses` that a document contains. */
export const SET_SUMMARY = listed(
  OF_ANALYSES.map((name) => {
    const [column, given] = [columnOf(name), `@${name}`]
    if (!factOf(name).isImpression) return `${column} = ${given}`
    return `${column} = iif(published = 1, coalesce(${column}, ${given}), ${given})`
  }),
)

/** The parts of a statement that inserts or updates `song_summaries`; `NULL` changes nothing. */
export const INSERT_SUMMARIZED = {
  ...inserting(SUMMARIZED),
  update: listed(
    SUMMARIZED.map(columnOf).map((column) => `${column} = coalesce(excluded.${column}, ${column})`),
  ),
}

function inserting(names: readonly FactName[]): { columns: string; values: string } {
  return { columns: listed(names.map(columnOf)), values: listed(names.map((name) => `@${name}`)) }
}

export type SongColumn = SearchedFact | 'hotttnesss' | 'artist' | 'words' | 'artistWords'

/**
 * The columns by which songs are filtered, sorted and ranked. An unknown number is NaN, an unknown
 * named value 255. `words` counts the words of the title, at least 1; it is 0 where there is no song.
 * `artistWords` counts the words of the credited artists.
 */
export const SONG_COLUMNS: ColumnLayout<SongColumn> = Object.freeze({
  ...eachFact(SEARCHED, (name) => (isNamed(name) ? 'u8' : 'f64')),
  hotttnesss: 'f64',
  artist: 'i32',
  words: 'u8',
  artistWords: 'u8',
})

/** What the columns hold of a song of which nothing is known. */
export const UNKNOWN_SONG: Readonly<Record<SongColumn, number>> = Object.freeze({
  ...eachFact(SEARCHED, (name) => (isNamed(name) ? 255 : Number.NaN)),
  hotttnesss: Number.NaN,
  artist: 0,
  words: 0,
  artistWords: 0,
})
