import { all, statements, value } from '../kernel/database/statements.ts'

export type ListenedKind = 'artist' | 'song'

export interface ListeningRow {
  num: number
  /** Numbers of its catalogs, of its items in them, and of their plays. */
  listeners: number
  items: number
  plays: number
  /** JSON: the value of each item's plays, and the time for which it holds. */
  heats: string | null
}

const listeningOf = (kind: ListenedKind) =>
  all<[after: number, most: number], ListeningRow>(
    `SELECT ${kind} AS num, count(DISTINCT catalog) AS listeners, count(*) AS items,
       coalesce(sum(play_count), 0) AS plays,
       json_group_array(json_object('heat', heat, 'at', heat_at)) FILTER (WHERE heat > 0) AS heats
     FROM catalog_items WHERE ${kind} > ? GROUP BY ${kind} ORDER BY ${kind} LIMIT ?`,
  )

const computedOf = (kind: ListenedKind, table: string, column: string) =>
  all<[after: number, most: number], { num: number; isListenedTo: 0 | 1 }>(
    `SELECT num, EXISTS (SELECT 1 FROM catalog_items WHERE ${kind} = t.num) AS isListenedTo
     FROM ${table} AS t INDEXED BY ${table}_heard
     WHERE ${column} IS NOT NULL AND num > ? ORDER BY num LIMIT ?`,
  )

/** In pages by ascending number. */
export const openListeningStore = statements({
  countListeners: value<[], number>('SELECT count(*) FROM catalogs WHERE total > 0'),
  artistListening: listeningOf('artist'),
  songListening: listeningOf('song'),
  /** Whether those with a computed popularity are still in a catalog. */
  artistComputed: computedOf('artist', 'artists', 'heard_familiarity'),
  songComputed: computedOf('song', 'songs', 'heard_hotttnesss'),
})

export type ListeningStore = ReturnType<typeof openListeningStore>
