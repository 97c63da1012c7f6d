import { all, run, storeOf, value } from '../kernel/database/statements.ts'
import { packedTimes, unpackedTimes } from './play-times.ts'

/** When the items of catalogs were played. */
export class PlayStore extends storeOf({
  packed: value<[item: number], Uint8Array>('SELECT times FROM catalog_plays WHERE item = ?'),
  writePacked: run<[item: number, times: Uint8Array]>(
    'INSERT OR REPLACE INTO catalog_plays (item, times) VALUES (?, ?)',
  ),
  remove: run<[item: number]>('DELETE FROM catalog_plays WHERE item = ?'),
  ofCatalog: all<[catalog: number], { item: number; times: Uint8Array }>(
    `SELECT p.item, p.times FROM catalog_items i JOIN catalog_plays p ON p.item = i.num
     WHERE i.catalog = ?`,
  ),
}) {
  /** The times at which an item was played, ascending. */
  timesOf(item: number): number[] {
    const packed = this.packed(item)
    return packed === undefined ? [] : unpackedTimes(packed)
  }

  /** Replaces the times of an item by these, which ascend. */
  write(item: number, times: readonly number[]): void {
    if (times.length === 0) this.remove(item)
    else this.writePacked(item, packedTimes(times))
  }
}
