import type { Database } from 'better-sqlite3'
import type { Tags } from '../audio/tags.ts'
import type { ForeignId } from '../ids.ts'
import { type Transaction, transaction } from '../kernel/database/transaction.ts'
import { INSERT_ANALYZED, TRACK_FACTS } from '../song/fact-columns.ts'
import type { Analyzed, AnalyzedFact, FactValues } from '../song/facts.ts'

/** The stored states; `unavailable` is not one of them but a complete track of an old analyzer. */
export type StoredStatus = 'unknown' | 'pending' | 'complete' | 'error'

/** A track as stored, with the summary of its analysis when it has one. */
export interface TrackRow extends FactValues<AnalyzedFact> {
  id: string
  md5: string | null
  status: StoredStatus
  error: string | null
  path: string | null
  spooled: 0 | 1
  url: string | null
  title: string | null
  artist: string | null
  release: string | null
  bitrate: number | null
  samplerate: number | null
  /** {@link Tags} as JSON. */
  tags: string
  createdAt: number
  updatedAt: number
  analyzerVersion: string | null
  /** The song that the track is a recording of. */
  songId: string | null
}

/** What an upload knows of a track before its analysis. */
export interface NewTrack {
  id: string
  md5: string
  /** A file of the user's; `undefined` when the bytes are kept in audile's own folder. */
  path: string | undefined
  url: string | undefined
  tags: Tags
  now: number
}

/** A finished analysis. */
export interface NewAnalysis extends Analyzed {
  trackId: string
  analyzerVersion: string
  samplerate: number
  bitrate: number | null
  document: Uint8Array
  now: number
}

/** What a track is compared with others by. */
export interface Sound {
  descriptor: Float32Array
  sketch: Uint16Array
}

/** A stored descriptor. Its id is higher than that of any that was stored before. */
export interface DescriptorRow {
  id: number
  trackId: string
  /** 32-bit floats. */
  descriptor: Buffer
}

/** A stored sketch, and what else tells that two tracks may be copies. */
export interface SketchRow {
  id: number
  trackId: string
  songId: string | null
  audioMd5: string | null
  /** Seconds. */
  duration: number
  /** 16-bit integers. */
  sketch: Buffer
  /** 32-bit floats. */
  descriptor: Buffer
}

/** How `track/list` can be sorted, with the column of each. */
export const TRACK_SORTS = Object.freeze({
  'created-asc': 't.created_at ASC',
  'created-desc': 't.created_at DESC',
  'title-asc': 't.title COLLATE NOCASE ASC NULLS LAST',
  'title-desc': 't.title COLLATE NOCASE DESC NULLS LAST',
  'artist-asc': 't.artist COLLATE NOCASE ASC NULLS LAST',
  'artist-desc': 't.artist COLLATE NOCASE DESC NULLS LAST',
  'tempo-asc': 'nullif(a.tempo, 0) ASC NULLS LAST',
  'tempo-desc': 'nullif(a.tempo, 0) DESC NULLS LAST',
  'duration-asc': 'a.duration ASC NULLS LAST',
  'duration-desc': 'a.duration DESC NULLS LAST',
  'loudness-asc': 'a.loudness ASC NULLS LAST',
  'loudness-desc': 'a.loudness DESC NULLS LAST',
} as const)

/** The values of `sort` in `track/list`. */
export type TrackSort = keyof typeof TRACK_SORTS

const SELECT = `
SELECT t.id, t.md5, t.status, t.error, t.path, t.spooled, t.url, t.title, t.artist, t.release,
  t.bitrate, t.samplerate, t.tags, t.created_at AS createdAt,
  t.updated_at AS updatedAt, t.song_id AS songId, a.analyzer_version AS analyzerVersion,
  ${TRACK_FACTS}
FROM tracks t LEFT JOIN analyses a ON a.track_id = t.id`

/** The tables `tracks`, `track_foreign_ids`, `analyses` and `track_sounds`. */
export class TrackStore {
  readonly atomically: Transaction
  readonly #db: Database
  readonly #byId
  readonly #byMd5
  readonly #byForeignId
  readonly #insert
  readonly #insertForeignId
  readonly #setPending
  readonly #setError
  readonly #setComplete
  readonly #insertAnalysis
  readonly #document
  readonly #insertSound
  readonly #countSounds
  readonly #descriptors
  readonly #sketches
  readonly #sound

  constructor(db: Database) {
    this.atomically = transaction(db)
    this.#db = db
    this.#byId = db.prepare<[string], TrackRow>(`${SELECT} WHERE t.id = ?`)
    this.#byMd5 = db.prepare<[string], TrackRow>(`${SELECT} WHERE t.md5 = ?`)
    this.#byForeignId = db.prepare<ForeignId, TrackRow>(
      `${SELECT} JOIN track_foreign_ids f ON f.track_id = t.id
       WHERE f.catalog = @catalog AND f.type = @type AND f.foreign_id = @id
       ORDER BY t.created_at, t.id LIMIT 1`,
    )
    this.#insert = db.prepare(
      `INSERT INTO tracks (id, md5, status, path, spooled, url, title, artist, release, bitrate,
         samplerate, tags, created_at, updated_at)
       VALUES (@id, @md5, 'pending', @path, @spooled, @url, @title, @artist, @release, @bitrate,
         @samplerate, @tags, @now, @now)
       ON CONFLICT (md5) DO NOTHING`,
    )
    this.#insertForeignId = db.prepare(
      `INSERT OR IGNORE INTO track_foreign_ids (track_id, catalog, type, foreign_id)
       VALUES (@trackId, @catalog, @type, @id)`,
    )
    this.#setPending = db.prepare<{ id: string; now: number }>(
      `UPDATE tracks SET status = 'pending', error = NULL, updated_at = @now WHERE id = @id`,
    )
    this.#setError = db.prepare<{ id: string; error: string; now: number }>(
      `UPDATE tracks SET status = 'error', error = @error, updated_at = @now WHERE id = @id`,
    )
    this.#setComplete = db.prepare<
      Pick<NewAnalysis, 'trackId' | 'audioMd5' | 'samplerate' | 'bitrate' | 'now'>
    >(
      `UPDATE tracks SET status = 'complete', error = NULL, audio_md5 = @audioMd5,
         samplerate = @samplerate, bitrate = coalesce(bitrate, @bitrate), updated_at = @now
       WHERE id = @trackId`,
    )
    this.#insertAnalysis = db.prepare<NewAnalysis>(
      `INSERT OR REPLACE INTO analyses (track_id, analyzer_version, analyzed_at, document,
         ${INSERT_ANALYZED.columns})
       VALUES (@trackId, @analyzerVersion, @now, @document, ${INSERT_ANALYZED.values})`,
    )
    this.#document = db
      .prepare<[string], Buffer>('SELECT document FROM analyses WHERE track_id = ?')
      .pluck()
    // Nothing to write when the track is gone, or analysed anew with the same version meanwhile.
    this.#insertSound = db.prepare<{
      trackId: string
      version: string
      descriptor: Uint8Array
      sketch: Uint8Array
    }>(
      `INSERT OR REPLACE INTO track_sounds (track_id, version, descriptor, sketch)
       SELECT @trackId, @version, @descriptor, @sketch
       WHERE EXISTS (SELECT 1 FROM analyses WHERE track_id = @trackId)`,
    )
    this.#countSounds = db.prepare<[string], { count: number; last: number }>(
      'SELECT count(*) AS count, coalesce(max(id), 0) AS last FROM track_sounds WHERE version = ?',
    )
    this.#descriptors = db.prepare<[string, number, number], DescriptorRow>(
      `SELECT id, track_id AS trackId, descriptor FROM track_sounds
       WHERE version = ? AND id > ? ORDER BY id LIMIT ?`,
    )
    this.#sketches = db.prepare<[string, number, number], SketchRow>(
      `SELECT d.id, d.track_id AS trackId, t.song_id AS songId, t.audio_md5 AS audioMd5,
         a.duration, d.sketch, d.descriptor
       FROM track_sounds d JOIN tracks t ON t.id = d.track_id JOIN analyses a ON a.track_id = t.id
       WHERE d.version = ? AND d.id > ? ORDER BY d.id LIMIT ?`,
    )
    this.#sound = db.prepare<[string, string], Pick<SketchRow, 'sketch' | 'descriptor'>>(
      'SELECT sketch, descriptor FROM track_sounds WHERE track_id = ? AND version = ?',
    )
  }

  byId(id: string): TrackRow | undefined {
    return this.#byId.get(id)
  }

  byMd5(md5: string): TrackRow | undefined {
    return this.#byMd5.get(md5)
  }

  byForeignId(id: ForeignId): TrackRow | undefined {
    return this.#byForeignId.get(id)
  }

  /** Adds a pending track; false when its md5 is there already. */
  add(track: NewTrack): boolean {
    const { title, artist, release, bitrate, samplerate, foreignIds, ...rest } = track.tags
    const added = this.#insert.run({
      id: track.id,
      md5: track.md5,
      path: track.path ?? null,
      spooled: track.path === undefined ? 1 : 0,
      url: track.url ?? null,
      title: title ?? null,
      artist: artist ?? null,
      release: release ?? null,
      bitrate: bitrate ?? null,
      samplerate: samplerate ?? null,
      tags: JSON.stringify(rest),
      now: track.now,
    }).changes
    if (added === 0) return false
    for (const id of foreignIds) this.#insertForeignId.run({ trackId: track.id, ...id })
    return true
  }

  foreignIds(trackId: string): ForeignId[] {
    return this.#db
      .prepare<[string], ForeignId>(
        `SELECT catalog, type, foreign_id AS id FROM track_foreign_ids
         WHERE track_id = ? ORDER BY catalog, type, foreign_id`,
      )
      .all(trackId)
  }

  /** Names another place where the same bytes are. */
  move(id: string, path: string | undefined): void {
    this.#db
      .prepare('UPDATE tracks SET path = ?, spooled = ? WHERE id = ?')
      .run(path ?? null, path === undefined ? 1 : 0, id)
  }

  /** Forgets where the bytes were: they are not kept. */
  forgetAudio(id: string): void {
    this.#db.prepare('UPDATE tracks SET path = NULL, spooled = 0 WHERE id = ?').run(id)
  }

  pend(id: string, now: number): void {
    this.#setPending.run({ id, now })
  }

  fail(id: string, error: string, now: number): void {
    this.#setError.run({ id, error, now })
  }

  complete(analysis: NewAnalysis): void {
    const { trackId, audioMd5, samplerate, bitrate, now } = analysis
    const changed = this.#setComplete.run({ trackId, audioMd5, samplerate, bitrate, now }).changes
    if (changed > 0) this.#insertAnalysis.run(analysis)
  }

  /** Says which song a track is a recording of. */
  setSong(id: string, songId: string): void {
    this.#db.prepare('UPDATE tracks SET song_id = ? WHERE id = ?').run(songId, id)
  }

  /** The analysis document, as raw deflate of its text. */
  document(id: string): Buffer | undefined {
    return this.#document.get(id)
  }

  /** Writes what an analysed track is compared with others by. */
  setSound(trackId: string, version: string, { descriptor, sketch }: Sound): void {
    this.#insertSound.run({
      trackId,
      version,
      descriptor: bytesOf(descriptor),
      sketch: bytesOf(sketch),
    })
  }

  /** How many sounds of a version there are, and the highest id of them: both alike, nothing changed. */
  countSounds(version: string): { count: number; last: number } {
    return this.#countSounds.get(version) as { count: number; last: number }
  }

  /** Descriptors of a version after an id, in the order of their ids. */
  descriptors(version: string, after: number, results: number): DescriptorRow[] {
    return this.#descriptors.all(version, after, results)
  }

  /** The ids of the sounds of a version after an id. */
  soundIds(version: string, after: number, results: number): number[] {
    return this.#db
      .prepare<[string, number, number], number>(
        'SELECT id FROM track_sounds WHERE version = ? AND id > ? ORDER BY id LIMIT ?',
      )
      .pluck()
      .all(version, after, results)
  }

  /** Sketches of a version after an id, in the order of their ids. */
  sketches(version: string, after: number, results: number): SketchRow[] {
    return this.#sketches.all(version, after, results)
  }

  sound(trackId: string, version: string): Pick<SketchRow, 'sketch' | 'descriptor'> | undefined {
    return this.#sound.get(trackId, version)
  }

  countAnalyses(): number {
    return this.#db.prepare<[], number>('SELECT count(*) FROM analyses').pluck().get() as number
  }

  /** The next analysed tracks after a track, in the order of their ids, and whether each has a sound. */
  analyzedAfter(
    trackId: string,
    version: string,
    results: number,
  ): { trackId: string; sounds: 0 | 1 }[] {
    return this.#db
      .prepare<[string, string, number], { trackId: string; sounds: 0 | 1 }>(
        `SELECT a.track_id AS trackId, EXISTS (
           SELECT 1 FROM track_sounds d WHERE d.track_id = a.track_id AND d.version = ?) AS sounds
         FROM analyses a WHERE a.track_id > ? ORDER BY a.track_id LIMIT ?`,
      )
      .all(version, trackId, results)
  }

  list(start: number, results: number, sort: TrackSort): TrackRow[] {
    return this.#db
      .prepare<[number, number], TrackRow>(
        `${SELECT} ORDER BY ${TRACK_SORTS[sort]}, t.created_at, t.id LIMIT ? OFFSET ?`,
      )
      .all(results, start)
  }

  count(): number {
    return this.#db.prepare<[], number>('SELECT count(*) FROM tracks').pluck().get() as number
  }

  remove(id: string): void {
    this.#db.prepare('DELETE FROM tracks WHERE id = ?').run(id)
  }

  /** Whether a track has the kept copy of these bytes. */
  spools(md5: string): boolean {
    return (
      this.#db
        .prepare<[string], number>('SELECT 1 FROM tracks WHERE md5 = ? AND spooled = 1')
        .pluck()
        .get(md5) === 1
    )
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: ArrayBufferView): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}
