import { all, storeOf } from '../kernel/database/statements.ts'

/** An item as its plays and its song tell of a taste. */
export interface TasteRow {
  playCount: number
  song: number | null
  artist: number | null
  artistName: string | null
  year: number | null
  /** The packed times of its plays. */
  times: Uint8Array | null
}

/** What a catalog tells of the taste of its owner. Banned items tell nothing. */
export class TasteStore extends storeOf({
  items: all<[catalog: number], TasteRow>(
    `SELECT coalesce(i.play_count, 0) AS playCount, i.song, i.artist, s.year, p.times,
       coalesce(a.name, json_extract(i.identity, '$.artistName')) AS artistName
     FROM catalog_items i
       LEFT JOIN songs s ON s.num = i.song
       LEFT JOIN artists a ON a.num = i.artist
       LEFT JOIN catalog_plays p ON p.item = i.num
     WHERE i.catalog = ? AND i.banned IS NOT 1`,
  ),
  terms: all<[catalog: number, most: number], { name: string; items: number; plays: number }>(
    `SELECT t.name, sum(c.items) AS items, sum(c.plays) AS plays
     FROM (SELECT artist, count(*) AS items, sum(coalesce(play_count, 0)) AS plays
       FROM catalog_items WHERE catalog = ? AND artist IS NOT NULL AND banned IS NOT 1
       GROUP BY artist) c
       JOIN artist_terms at ON at.artist = c.artist JOIN terms t ON t.num = at.term
     GROUP BY t.num ORDER BY plays DESC, items DESC, t.name LIMIT ?`,
  ),
}) {}
