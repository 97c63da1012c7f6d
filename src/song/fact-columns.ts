import type { Layout } from '../kernel/database/columns.ts'
import {
  ANALYZED,
  type AnalyzedFact,
  eachFact,
  type FactName,
  factOf,
  isNamed,
  RECORDED,
  SEARCHED,
  type SearchedFact,
  SUMMARIZED,
  snake,
} from './facts.ts'

/** What statements call the tables of facts. */
const ALIAS = { analyses: 'a', tracks: 't', song_summaries: 'm', songs: 's' } as const

const columnOf = (name: FactName) => `"${snake(name)}"`
const listed = (columns: readonly string[]) => columns.join(', ')
const inTable = (table: keyof typeof ALIAS | undefined, name: FactName) =>
  table === undefined ? [] : [`${ALIAS[table]}.${columnOf(name)}`]

/** The facts of a track, of `analyses a` and `tracks t`, to be selected by their names. */
export const TRACK_FACTS = listed(
  ANALYZED.flatMap((name) =>
    inTable(factOf(name).analysis, name).map((column) => `${column} AS "${name}"`),
  ),
)

/** The facts of a song, of its first analysed track or an import, to be selected by their names. */
export const SONG_FACTS = listed(RECORDED.map((name) => ofSong(name, (column) => column)))

/** The same of those that songs are searched by: a 0 that means "not known" is `NULL`. */
export const SEARCHED_FACTS = listed(
  SEARCHED.map((name) =>
    ofSong(name, (column) => (factOf(name).positive ? `nullif(${column}, 0)` : column)),
  ),
)

function ofSong(name: FactName, read: (column: string) => string): string {
  const { analysis, imports } = factOf(name)
  const columns = [...inTable(analysis, name).map(read), ...inTable(imports, name)]
  return `${columns.length > 1 ? `coalesce(${listed(columns)})` : columns[0]} AS "${name}"`
}

/** What inserts facts of an analysis into `analyses`. */
export const INSERT_ANALYZED = inserting(
  ANALYZED.filter((name: AnalyzedFact) => factOf(name).analysis === 'analyses'),
)

/** What inserts facts into `song_summaries`; a row that is there keeps what is not given. */
export const INSERT_SUMMARIZED = {
  ...inserting(SUMMARIZED),
  update: listed(
    SUMMARIZED.map(columnOf).map((column) => `${column} = coalesce(excluded.${column}, ${column})`),
  ),
}

function inserting(names: readonly FactName[]): { columns: string; values: string } {
  return { columns: listed(names.map(columnOf)), values: listed(names.map((name) => `@${name}`)) }
}

/** A column of the search index of songs. */
export type SongColumn = SearchedFact | 'hotttnesss' | 'artist' | 'words' | 'artistWords'

/**
 * The columns by which songs are filtered, sorted and ranked. A number that is not known is NaN, a
 * value with a name 255. `words` counts the words of the title, at least 1: 0 where there is no
 * song; `artistWords` counts those of the artists as credited.
 */
export const SONG_COLUMNS: Layout<SongColumn> = Object.freeze({
  ...eachFact(SEARCHED, (name) => (isNamed(name) ? 'u8' : 'f64')),
  hotttnesss: 'f64',
  artist: 'i32',
  words: 'u8',
  artistWords: 'u8',
})

const UNKNOWN = 255

/** The value of a column that is not known. */
export function unknownSongValue(column: SongColumn): number {
  if (column === 'artist' || column === 'words' || column === 'artistWords') return 0
  return column !== 'hotttnesss' && isNamed(column) ? UNKNOWN : Number.NaN
}
