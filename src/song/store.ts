import type { Database } from 'better-sqlite3'
import { nameKey } from '../artist/names.ts'
import type { SummaryRow } from './audio-summary.ts'

/** A song as stored, with the summary of its first analysed track when it has one. */
export interface SongRow extends SummaryRow {
  id: string
  title: string
  artistId: string | null
  artistName: string | null
  release: string | null
  year: number | null
  /** Seconds, as imported. */
  songDuration: number | null
  trackId: string | null
}

/** What is known of a new song. */
export interface NewSong {
  id: string
  title: string
  artistId: string | null
  release: string | null
  duration: number | null
  year: number | null
  imported: boolean
  now: number
}

const SELECT = `
SELECT s.id, s.title, s.artist_id AS artistId, r.name AS artistName, s.release, s.year,
  s.duration AS songDuration, t.id AS trackId, a.duration, a.tempo, a."key", a.mode,
  a.time_signature AS timeSignature, a.loudness, a.energy, a.danceability, a.speechiness
FROM songs s
LEFT JOIN artists r ON r.id = s.artist_id
LEFT JOIN tracks t ON t.id = (
  SELECT id FROM tracks WHERE song_id = s.id AND status = 'complete' ORDER BY created_at, id LIMIT 1)
LEFT JOIN analyses a ON a.track_id = t.id`

/** The table `songs`. */
export class SongStore {
  readonly #db: Database
  readonly #byId
  readonly #songOfTrack
  readonly #byForeignId
  readonly #insertForeignId
  readonly #insert
  readonly #fillIn
  readonly #update

  constructor(db: Database) {
    this.#db = db
    this.#byId = db.prepare<[string], SongRow>(`${SELECT} WHERE s.id = ?`)
    this.#songOfTrack = db
      .prepare<[string], string | null>('SELECT song_id FROM tracks WHERE id = ?')
      .pluck()
    this.#byForeignId = db
      .prepare<[string, string], string>(
        'SELECT song_id FROM song_foreign_ids WHERE catalog = ? AND foreign_id = ? LIMIT 1',
      )
      .pluck()
    this.#insertForeignId = db.prepare<{ songId: string; catalog: string; foreignId: string }>(
      `INSERT OR IGNORE INTO song_foreign_ids (song_id, catalog, foreign_id)
       VALUES (@songId, @catalog, @foreignId)`,
    )
    this.#insert = db.prepare(
      `INSERT INTO songs (id, title, title_key, artist_id, release, duration, year, imported, created_at)
       VALUES (@id, @title, @titleKey, @artistId, @release, @duration, @year, @imported, @now)`,
    )
    this.#update = db.prepare(
      `UPDATE songs SET title = @title, title_key = @titleKey, imported = 1,
         artist_id = coalesce(@artistId, artist_id),
         release = coalesce(@release, release),
         duration = coalesce(@duration, duration),
         year = coalesce(@year, year)
       WHERE id = @id`,
    )
    this.#fillIn = db.prepare(
      `UPDATE songs SET
         title = iif(title = '', @title, title),
         title_key = iif(title = '', @titleKey, title_key),
         artist_id = coalesce(artist_id, @artistId),
         release = coalesce(release, @release),
         duration = coalesce(duration, @duration),
         year = coalesce(year, @year)
       WHERE id = @id`,
    )
  }

  /** Runs `work` in one write transaction. */
  atomically<T>(work: () => T): T {
    return this.#db.transaction(work).immediate()
  }

  byId(id: string): SongRow | undefined {
    return this.#byId.get(id)
  }

  /** The song that has an id in another id space. */
  byForeignId(catalog: string, foreignId: string): string | undefined {
    return this.#byForeignId.get(catalog, foreignId)
  }

  addForeignId(songId: string, catalog: string, foreignId: string): void {
    this.#insertForeignId.run({ songId, catalog, foreignId })
  }

  /** The song that a track is a recording of. */
  songOfTrack(trackId: string): string | undefined {
    return this.#songOfTrack.get(trackId) ?? undefined
  }

  add(song: NewSong): void {
    this.#insert.run({
      ...song,
      titleKey: nameKey(song.title),
      imported: song.imported ? 1 : 0,
    })
  }

  /** Adds what was not known of a song; what is known stays. */
  fillIn(song: Omit<NewSong, 'imported' | 'now'>): void {
    this.#fillIn.run({ ...song, titleKey: nameKey(song.title) })
  }

  /** Writes what an import says of a song over what was known. */
  update(song: Omit<NewSong, 'imported' | 'now'>): void {
    this.#update.run({ ...song, titleKey: nameKey(song.title) })
  }

  /** Removes a song that came with a track of one's own, if it has none any more; its artist. */
  removeUnused(id: string): string | null {
    const row = this.#db
      .prepare<[string], { artistId: string | null }>(
        `DELETE FROM songs WHERE id = ? AND imported = 0
           AND NOT EXISTS (SELECT 1 FROM tracks WHERE tracks.song_id = songs.id)
         RETURNING artist_id AS artistId`,
      )
      .get(id)
    return row?.artistId ?? null
  }

  count(): number {
    return this.#db.prepare<[], number>('SELECT count(*) FROM songs').pluck().get() as number
  }
}
