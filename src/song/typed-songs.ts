import type { Typed } from '../naming/search-box.ts'
import { IN } from '../naming/text-fields.ts'
import type { SongRoom } from './room.ts'
import type { SearchQuery } from './search-parameters.ts'

/**
 * The songs that match the typed names of a query: the last word may be incomplete, words misspelt,
 * additions left out. Each has a key: the lower, the better the match.
 *
 * @param without - songs that were found already
 */
export function typedSongs(
  { store }: Pick<SongRoom, 'store'>,
  { title, artist, combined }: SearchQuery,
  without: Int32Array,
): Map<number, number> {
  const typed: Typed[] = []
  // By artist alone, songs are found by the artist's names, which are more than those of credits.
  if (title === undefined && combined === undefined) return new Map()
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
  return of
}

/** The part of the key from hotttnesss: 0…0.5, the hottest lowest; 0.75 if it is unknown. */
export function coldness(hotttnesss: number | undefined): number {
  return hotttnesss === undefined || Number.isNaN(hotttnesss) ? 0.75 : (1 - hotttnesss) / 2
}
