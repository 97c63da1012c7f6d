import { all, statements, value } from '../kernel/database/statements.ts'

export type Listened = 'artist' | 'song'

export interface ListeningRow {
  num: number
  /** The numbers of its catalogs, of its items in them, and of the plays of these items. */
  listeners: number
  items: number
  plays: number
  /** JSON: the value of each item's plays, and the time for which it holds. */
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

/** Reads how much artists and songs are played in all catalogs, in pages by ascending number. */
export const openListeningStore = statements({
  countListeners: value<[], number>('SELECT count(*) FROM catalogs WHERE total > 0'),
  artistListening: listening('artist'),
  songListening: listening('song'),
  /** Artists with a computed popularity, and whether they are still in a catalog; songs below. */
  artistComputed: computed('artist', 'artists', 'heard_familiarity'),
  songComputed: computed('song', 'songs', 'heard_hotttnesss'),
})

export type ListeningStore = ReturnType<typeof openListeningStore>
