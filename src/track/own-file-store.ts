import { storeOf, values } from '../kernel/database/statements.ts'

/** With a file or bytes, or at least no copy of an entry of a service. */
const IS_OWN_TRACK = `(t.md5 IS NOT NULL OR EXISTS (SELECT 1 FROM track_files f WHERE f.track_id = t.id)
  OR (t.url IS NULL
    AND NOT EXISTS (SELECT 1 FROM track_foreign_ids i WHERE i.track_id = t.id AND i.type = 'track')))`

export class OwnFileStore extends storeOf({
  songs: values<[], number>(
    `SELECT DISTINCT s.num FROM tracks t JOIN songs s ON s.id = t.song_id WHERE ${IS_OWN_TRACK}`,
  ),
  /** Those with a present file first, then the analysed ones. */
  tracksOfSong: values<[song: number], string>(
    `SELECT t.id FROM tracks t JOIN songs s ON s.id = t.song_id
     WHERE s.num = ? AND ${IS_OWN_TRACK}
     ORDER BY EXISTS (SELECT 1 FROM track_files f WHERE f.track_id = t.id AND f.present = 1) DESC,
       t.status = 'complete' DESC, t.created_at, t.id`,
  ),
  own: values<[track: string], string>(
    `SELECT t.id FROM tracks t WHERE t.id = ? AND ${IS_OWN_TRACK}`,
  ),
}) {}
