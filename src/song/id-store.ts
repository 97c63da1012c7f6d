import { all, one, run, statements, value, values } from '../kernel/database/statements.ts'

export interface ForeignTrack {
  catalog: string
  foreignId: string
  trackId: string
  foreignReleaseId: string | null
  previewUrl: string | null
  releaseImage: string | null
}

/** Named by an import, with the number of its song. */
type ImportedTrack = ForeignTrack & { song: number }

const TRACK_COLUMNS = `catalog, foreign_id AS foreignId, track_id AS trackId,
  foreign_release_id AS foreignReleaseId, preview_url AS previewUrl, release_image AS releaseImage`

/** Songs are named by their numbers. */
export const songIds = statements({
  add: run<[catalog: string, foreignId: string, song: number]>(
    'INSERT OR IGNORE INTO song_foreign_ids (catalog, foreign_id, song) VALUES (?, ?, ?)',
  ),
  addTrack: run<ImportedTrack>(
    `INSERT OR REPLACE INTO song_tracks (song, catalog, foreign_id, track_id, foreign_release_id,
       preview_url, release_image)
     VALUES (@song, @catalog, @foreignId, @trackId, @foreignReleaseId, @previewUrl, @releaseImage)`,
  ),
  ofSong: values<[song: number, catalog: string], string>(
    'SELECT foreign_id FROM song_foreign_ids WHERE song = ? AND catalog = ? ORDER BY foreign_id',
  ),
  allOfSong: all<[song: number], { catalog: string; foreignId: string }>(
    `SELECT catalog, foreign_id AS foreignId FROM song_foreign_ids WHERE song = ?
     ORDER BY catalog, foreign_id`,
  ),
  /** Imported tracks, then analysed tracks with such ids in their tags. */
  tracksOfSong: all<{ song: number; catalog: string }, ForeignTrack>(
    `SELECT ${TRACK_COLUMNS} FROM song_tracks WHERE song = @song AND catalog = @catalog
     UNION ALL
     SELECT f.catalog, f.foreign_id, t.id, (
         SELECT foreign_id FROM track_foreign_ids
         WHERE track_id = t.id AND catalog = @catalog AND type = 'release' LIMIT 1), NULL, NULL
     FROM songs s JOIN tracks t ON t.song_id = s.id
     JOIN track_foreign_ids f ON f.track_id = t.id AND f.type = 'track'
     WHERE s.num = @song AND f.catalog = @catalog`,
  ),
  trackSpaces: values<{ song: number }, string>(
    `SELECT catalog FROM song_tracks WHERE song = @song
     UNION
     SELECT f.catalog FROM songs s JOIN tracks t ON t.song_id = s.id
     JOIN track_foreign_ids f ON f.track_id = t.id AND f.type = 'track'
     WHERE s.num = @song ORDER BY 1`,
  ),
  /** Some songs come several times. */
  songsInSpace: values<{ catalog: string }, number>(
    `SELECT song FROM song_foreign_ids WHERE catalog = @catalog
     UNION ALL SELECT song FROM song_tracks INDEXED BY song_tracks_foreign WHERE catalog = @catalog
     UNION ALL SELECT s.num FROM track_foreign_ids f JOIN tracks t ON t.id = f.track_id
       JOIN songs s ON s.id = t.song_id WHERE f.catalog = @catalog AND f.type = 'track'`,
  ),
  song: value<[catalog: string, foreignId: string], number>(
    `SELECT song FROM song_foreign_ids WHERE catalog = ? AND foreign_id = ? ORDER BY song LIMIT 1`,
  ),
  /** Of an imported track, or of an analysed track with the id in its tags. */
  songOfForeignTrack: value<{ catalog: string; id: string }, number>(
    `SELECT song FROM song_tracks WHERE catalog = @catalog AND foreign_id = @id UNION ALL
     SELECT s.num FROM track_foreign_ids f JOIN tracks t ON t.id = f.track_id
       JOIN songs s ON s.id = t.song_id
     WHERE f.catalog = @catalog AND f.type = 'track' AND f.foreign_id = @id LIMIT 1`,
  ),
  songOfTrack: value<{ id: string }, number>(
    `SELECT s.num FROM tracks t JOIN songs s ON s.id = t.song_id WHERE t.id = @id UNION ALL
     SELECT song FROM song_tracks WHERE track_id = @id LIMIT 1`,
  ),
  importedTrack: one<[trackId: string], ImportedTrack>(
    `SELECT song, ${TRACK_COLUMNS} FROM song_tracks WHERE track_id = ? ORDER BY song LIMIT 1`,
  ),
  importedForeignTrack: one<[catalog: string, foreignId: string], ImportedTrack>(
    `SELECT song, ${TRACK_COLUMNS} FROM song_tracks WHERE catalog = ? AND foreign_id = ?
     ORDER BY song LIMIT 1`,
  ),
})
