import { run, statements, value, values } from '../kernel/database/statements.ts'

/** The ids of artists in other id spaces. Artists are named by their numbers. */
export const artistIds = statements({
  add: run<[catalog: string, foreignId: string, artist: number]>(
    'INSERT OR IGNORE INTO artist_foreign_ids (catalog, foreign_id, artist) VALUES (?, ?, ?)',
  ),
  ofArtist: values<[artist: number, catalog: string], string>(
    'SELECT foreign_id FROM artist_foreign_ids WHERE artist = ? AND catalog = ? ORDER BY foreign_id',
  ),
  artist: value<[catalog: string, foreignId: string], string>(
    `SELECT a.id FROM artist_foreign_ids f JOIN artists a ON a.num = f.artist
     WHERE f.catalog = ? AND f.foreign_id = ? ORDER BY a.num LIMIT 1`,
  ),
})
