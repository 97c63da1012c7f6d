import type { Typed } from '../naming/search-box.ts'
import { IN } from '../naming/text-fields.ts'
import type { Candidates } from './filters.ts'
import type { SongRoom } from './room.ts'
import type { SearchQuery } from './search-parameters.ts'

/** Songs that fit what was typed, and the key of each: the lower, the better it fits. */
export interface TypedSongs extends Candidates {
  keyOf: (row: number) => number
}

const NO_SONGS: TypedSongs = { rows: new Int32Array(0), count: 0, keyOf: () => 0 }

/**
 * The songs whose names fit the names of a query as people type them: the last word only begun, slips
 * forgiven, additions left out.
 *
 * @param without - songs that were found already
 */
export function typedSongs(
  { store }: Pick<SongRoom, 'store'>,
  { title, artist, combined }: SearchQuery,
  without: Int32Array,
): TypedSongs {
  const typed: Typed[] = []
  // The songs of an artist are found by the artist's names, which are more than those of credits.
  if (title === undefined && combined === undefined) return NO_SONGS
  if (title !== undefined) typed.push({ text: title, fields: IN.title })
  if (artist !== undefined) typed.push({ text: artist, fields: IN.artist })
  if (combined !== undefined) typed.push({ text: combined, fields: IN.title | IN.artist })
  const { rows, keys } = store.texts.box.find(typed)
  const known = new Set(without)
  const { hotttnesss } = store.columns.read().columns
  const of = new Map<number, number>()
  for (const [i, row] of rows.entries()) {
    if (!known.has(row)) of.set(row, (keys[i] as number) + coldness(hotttnesss[row]))
  }
  return {
    rows: Int32Array.from(of.keys()),
    count: of.size,
    keyOf: (row) => of.get(row) as number,
  }
}

/** What a hotttnesss adds to the key: 0…0.5 for a known one, the hottest first; more without one. */
export function coldness(hotttnesss: number | undefined): number {
  return hotttnesss === undefined || Number.isNaN(hotttnesss) ? 0.75 : (1 - hotttnesss) / 2
}
