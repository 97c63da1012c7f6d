import { all, statements, value } from '../kernel/database/statements.ts'

/** What popularity is computed for. */
export type Listened = 'artist' | 'song'

/** How much one artist or song is listened to. */
export interface ListeningRow {
  num: number
  /** Catalogs that it is in, items of them, and plays of those. */
  listeners: number
  items: number
  plays: number
  /** JSON: how much each item was played, as it stood at a time. */
  heats: string | null
}

const listening = (of: Listened) =>
  all<[after: number, most: number], ListeningRow>(
    `SELECT ${of} AS num, count(DISTINCT catalog) AS listeners, count(*) AS items,
       coalesce(sum(play_count), 0) AS plays,
       json_group_array(json_object('heat', heat, 'at', heat_at)) FILTER (WHERE heat > 0) AS heats
     FROM catalog_items WHERE ${of} > ? GROUP BY ${of} ORDER BY ${of} LIMIT ?`,
  )

const computed = (of: Listened, table: string, column: string) =>
  all<[after: number, most: number], { num: number; isListenedTo: 0 | 1 }>(
    `SELECT num, EXISTS (SELECT 1 FROM catalog_items WHERE ${of} = t.num) AS isListenedTo
     FROM ${table} AS t INDEXED BY ${table}_heard
     WHERE ${column} IS NOT NULL AND num > ? ORDER BY num LIMIT ?`,
  )

/** Opens how much artists and songs are listened to, over all catalogs; in pages by ascending number. */
export const openListeningStore = statements({
  /** Catalogs that hold anything. */
  countListeners: value<[], number>('SELECT count(*) FROM catalogs WHERE total > 0'),
  artistListening: listening('artist'),
  songListening: listening('song'),
  /** Those that have a computed popularity: whether they are still in a catalog. */
  artistComputed: computed('artist', 'artists', 'heard_familiarity'),
  songComputed: computed('song', 'songs', 'heard_hotttnesss'),
})

export type ListeningStore = ReturnType<typeof openListeningStore>
