import type { ColumnLayout } from '../kernel/database/columns.ts'
import {
  ANALYZED,
  eachFact,
  FACT_NAMES,
  type FactName,
  factOf,
  HEARD_FACTS,
  IMPORT_ONLY,
  isNamed,
  SEARCHED,
  type SearchedFact,
  SUMMARIZED,
  toSnakeCase,
} from './facts.ts'

const TABLE_ALIAS = { analyses: 'a', tracks: 't', song_summaries: 'm', songs: 's' } as const

const columnOf = (name: FactName) => `"${toSnakeCase(name)}"`
const joinColumns = (columns: readonly string[]) => columns.join(', ')
const inTable = (table: keyof typeof TABLE_ALIAS, name: FactName) =>
  `${TABLE_ALIAS[table]}.${columnOf(name)}`

const heardColumn = (name: FactName) => `"heard_${toSnakeCase(name)}"`

/** `analyses` also has the fields that only imports and networks give. */
function trackColumn(name: FactName): string {
  const { analysis, imports, heard } = factOf(name)
  const own = inTable(analysis ?? 'analyses', name)
  if (!heard) return own
  const column = `${TABLE_ALIAS.analyses}.${heardColumn(name)}`
  return imports ? `coalesce(${column}, ${own})` : column
}

/** From `analyses a` and `tracks t`. */
export const TRACK_FACTS = joinColumns(
  FACT_NAMES.map((name) => `${trackColumn(name)} AS "${name}"`),
)

/** Of a song's first analysed track, else of an import. */
export const SONG_FACTS = joinColumns(
  FACT_NAMES.map((name) => songColumn(name, (column) => column)),
)

/** A 0 that means "not known" becomes `NULL`. */
export const SEARCHED_FACTS = joinColumns(
  SEARCHED.map((name) =>
    songColumn(name, (column) => (factOf(name).positive ? `nullif(${column}, 0)` : column)),
  ),
)

function songColumn(name: FactName, wrap: (column: string) => string): string {
  const { imports } = factOf(name)
  const trackValue = wrap(trackColumn(name))
  return `${imports ? `coalesce(${trackValue}, ${inTable(imports, name)})` : trackValue} AS "${name}"`
}

const ANALYSES_FACTS = ANALYZED.filter((name) => factOf(name).analysis === 'analyses')

/** The parts of a statement that inserts or replaces the facts in `analyses`. */
export const INSERT_ANALYZED = {
  ...insertParts(ANALYSES_FACTS),
  update: joinColumns(
    ANALYSES_FACTS.map(columnOf).map((column) => `${column} = excluded.${column}`),
  ),
}

/** Facts that only imports have; `NULL` changes nothing. */
export const SET_IMPORT_ONLY = joinColumns(
  IMPORT_ONLY.map((name) => `${columnOf(name)} = coalesce(@${name}, ${columnOf(name)})`),
)

const HEARD_ELSEWHERE = HEARD_FACTS.filter((name) => factOf(name).imports !== undefined)

/** From `analyses a`, what a network hears too, as documents and imports give it. */
export const UNHEARD_FACTS = joinColumns(
  HEARD_ELSEWHERE.map((name) => `${inTable('analyses', name)} AS "${name}"`),
)

/** From `song_summaries m`, what a network hears too, as imports give it. */
export const IMPORTED_FACTS = joinColumns(
  HEARD_ELSEWHERE.map((name) => `${inTable('song_summaries', name)} AS "${name}"`),
)

/** Facts in `analyses` that a network heard. */
export const SET_HEARD = joinColumns(HEARD_FACTS.map((name) => `${heardColumn(name)} = @${name}`))

/** Facts that a document contains. */
export const SET_SUMMARY = joinColumns(
  ANALYSES_FACTS.map((name) => {
    const [column, parameter] = [columnOf(name), `@${name}`]
    if (!factOf(name).isImpression) return `${column} = ${parameter}`
    return `${column} = iif(published = 1, coalesce(${column}, ${parameter}), ${parameter})`
  }),
)

/** The parts of a statement that inserts or updates `song_summaries`; `NULL` changes nothing. */
export const INSERT_SUMMARIZED = {
  ...insertParts(SUMMARIZED),
  update: joinColumns(
    SUMMARIZED.map(columnOf).map((column) => `${column} = coalesce(excluded.${column}, ${column})`),
  ),
}

function insertParts(names: readonly FactName[]): { columns: string; values: string } {
  return {
    columns: joinColumns(names.map(columnOf)),
    values: joinColumns(names.map((name) => `@${name}`)),
  }
}

export type SongColumn = SearchedFact | 'hotttnesss' | 'artist' | 'words' | 'artistWords'

/**
 * An unknown number is NaN, an unknown named value 255; `words` is at least 1 where there is a
 * song.
 */
export const SONG_COLUMNS: ColumnLayout<SongColumn> = Object.freeze({
  ...eachFact(SEARCHED, (name) => (isNamed(name) ? 'u8' : 'f64')),
  hotttnesss: 'f64',
  artist: 'i32',
  words: 'u8',
  artistWords: 'u8',
})

export const UNKNOWN_SONG: Readonly<Record<SongColumn, number>> = Object.freeze({
  ...eachFact(SEARCHED, (name) => (isNamed(name) ? 255 : Number.NaN)),
  hotttnesss: Number.NaN,
  artist: 0,
  words: 0,
  artistWords: 0,
})
