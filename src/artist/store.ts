import type { Database } from 'better-sqlite3'
import { artistKey } from './names.ts'

/** An artist as stored. */
export interface ArtistRow {
  id: string
  name: string
}

/** The table `artists`. */
export class ArtistStore {
  readonly #byId
  readonly #byKey
  readonly #insert
  readonly #removeUnused

  constructor(db: Database) {
    this.#byId = db.prepare<[string], ArtistRow>('SELECT id, name FROM artists WHERE id = ?')
    this.#byKey = db.prepare<[string], ArtistRow>(
      'SELECT id, name FROM artists WHERE name_key = ? ORDER BY imported DESC, created_at, id LIMIT 1',
    )
    this.#insert = db.prepare<{
      id: string
      name: string
      key: string
      imported: 0 | 1
      now: number
    }>(
      `INSERT INTO artists (id, name, name_key, imported, created_at)
       VALUES (@id, @name, @key, @imported, @now)`,
    )
    this.#removeUnused = db.prepare<[string]>(
      `DELETE FROM artists WHERE id = ? AND imported = 0
         AND NOT EXISTS (SELECT 1 FROM songs WHERE songs.artist_id = artists.id)`,
    )
  }

  byId(id: string): ArtistRow | undefined {
    return this.#byId.get(id)
  }

  /** The artist of that name, however it is spelt. */
  byName(name: string): ArtistRow | undefined {
    return this.#byKey.get(artistKey(name))
  }

  add(artist: ArtistRow & { imported: boolean; now: number }): void {
    const { id, name, imported, now } = artist
    this.#insert.run({ id, name, key: artistKey(name), imported: imported ? 1 : 0, now })
  }

  /** Removes an artist that came with a track of one's own, if no song of theirs is left. */
  removeUnused(id: string): void {
    this.#removeUnused.run(id)
  }
}
