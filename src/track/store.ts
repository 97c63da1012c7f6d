import type { Database } from 'better-sqlite3'
import type { Tags } from '../audio/tags.ts'
import type { ForeignId } from '../ids.ts'
import { all, count, exists, one, run, statements, storeOf } from '../kernel/database/statements.ts'
import { INSERT_ANALYZED, TRACK_FACTS } from '../song/fact-columns.ts'
import type { AnalyzedFact, FactValues } from '../song/facts.ts'

/** The stored states. A complete track of another analyser version is `unavailable` in answers. */
export type StoredStatus = 'unknown' | 'pending' | 'complete' | 'error'

/** A stored track, with the summary of its analysis if it has one. */
export interface TrackRow extends FactValues<AnalyzedFact> {
  id: string
  md5: string | null
  status: StoredStatus
  error: string | null
  path: string | null
  /** Whether its bytes are in the upload cache. */
  cached: 0 | 1
  url: string | null
  title: string | null
  artist: string | null
  release: string | null
  bitrate: number | null
  samplerate: number | null
  /** JSON; see {@link tagsOf}. */
  tags: string
  createdAt: number
  updatedAt: number
  analyzerVersion: string | null
  /** The song that the track is a recording of. */
  songId: string | null
}

/** The tags of a track, except those with their own column. */
export function tagsOf(row: TrackRow): Partial<Tags> {
  return JSON.parse(row.tags) as Partial<Tags>
}

/** A track before its analysis. */
export interface NewTrack {
  id: string
  md5: string
  /** A file of the user's; `undefined` when the bytes are in the upload cache. */
  path: string | undefined
  url: string | undefined
  tags: Tags
  now: number
}

/** A finished analysis. */
export interface NewAnalysis extends FactValues<AnalyzedFact> {
  trackId: string
  analyzerVersion: string
  samplerate: number
  bitrate: number | null
  document: Uint8Array
  now: number
}

const SELECT = `
SELECT t.id, t.md5, t.status, t.error, t.path, t.spooled AS cached, t.url, t.title, t.artist, t.release,
  t.bitrate, t.samplerate, t.tags, t.created_at AS createdAt,
  t.updated_at AS updatedAt, t.song_id AS songId, a.analyzer_version AS analyzerVersion,
  ${TRACK_FACTS}
FROM tracks t LEFT JOIN analyses a ON a.track_id = t.id`

/** A page of all tracks in an order. */
const page = (order: string) =>
  all<[results: number, start: number], TrackRow>(
    `${SELECT} ORDER BY ${order}, t.created_at, t.id LIMIT ? OFFSET ?`,
  )

const PAGES = {
  'created-asc': page('t.created_at ASC'),
  'created-desc': page('t.created_at DESC'),
  'title-asc': page('t.title COLLATE NOCASE ASC NULLS LAST'),
  'title-desc': page('t.title COLLATE NOCASE DESC NULLS LAST'),
  'artist-asc': page('t.artist COLLATE NOCASE ASC NULLS LAST'),
  'artist-desc': page('t.artist COLLATE NOCASE DESC NULLS LAST'),
  'tempo-asc': page('nullif(a.tempo, 0) ASC NULLS LAST'),
  'tempo-desc': page('nullif(a.tempo, 0) DESC NULLS LAST'),
  'duration-asc': page('a.duration ASC NULLS LAST'),
  'duration-desc': page('a.duration DESC NULLS LAST'),
  'loudness-asc': page('a.loudness ASC NULLS LAST'),
  'loudness-desc': page('a.loudness DESC NULLS LAST'),
}

/** The values of `sort` in `track/list`. */
export type TrackSort = keyof typeof PAGES

/** All values of {@link TrackSort}. */
export const TRACK_SORTS = Object.keys(PAGES) as TrackSort[]

const preparePages = statements(PAGES)

/** The tables `tracks` and `track_foreign_ids`, with the summaries in `analyses`. */
export class TrackStore extends storeOf({
  byId: one<[id: string], TrackRow>(`${SELECT} WHERE t.id = ?`),
  byMd5: one<[md5: string], TrackRow>(`${SELECT} WHERE t.md5 = ?`),
  byForeignId: one<ForeignId, TrackRow>(
    `${SELECT} JOIN track_foreign_ids f ON f.track_id = t.id
     WHERE f.catalog = @catalog AND f.type = @type AND f.foreign_id = @id
     ORDER BY t.created_at, t.id LIMIT 1`,
  ),
  count: count<[]>('SELECT count(*) FROM tracks'),
  insert: run<
    Pick<TrackRow, 'id' | 'path' | 'cached' | 'url' | 'tags'> & {
      md5: string
      title: string | null
      artist: string | null
      release: string | null
      bitrate: number | null
      samplerate: number | null
      now: number
    }
  >(
    `INSERT INTO tracks (id, md5, status, path, spooled, url, title, artist, release, bitrate,
       samplerate, tags, created_at, updated_at)
     VALUES (@id, @md5, 'pending', @path, @cached, @url, @title, @artist, @release, @bitrate,
       @samplerate, @tags, @now, @now)
     ON CONFLICT (md5) DO NOTHING`,
  ),
  insertForeignId: run<ForeignId & { trackId: string }>(
    `INSERT OR IGNORE INTO track_foreign_ids (track_id, catalog, type, foreign_id)
     VALUES (@trackId, @catalog, @type, @id)`,
  ),
  foreignIds: all<[trackId: string], ForeignId>(
    `SELECT catalog, type, foreign_id AS id FROM track_foreign_ids
     WHERE track_id = ? ORDER BY catalog, type, foreign_id`,
  ),
  setPath: run<{ id: string; path: string | null; cached: 0 | 1 }>(
    'UPDATE tracks SET path = @path, spooled = @cached WHERE id = @id',
  ),
  /** Whether the bytes of this md5 in the upload cache belong to a track. */
  isCached: exists<[md5: string]>('SELECT 1 FROM tracks WHERE md5 = ? AND spooled = 1'),
  setPending: run<{ id: string; now: number }>(
    `UPDATE tracks SET status = 'pending', error = NULL, updated_at = @now WHERE id = @id`,
  ),
  setError: run<{ id: string; error: string; now: number }>(
    `UPDATE tracks SET status = 'error', error = @error, updated_at = @now WHERE id = @id`,
  ),
  setComplete: run<Pick<NewAnalysis, 'trackId' | 'audioMd5' | 'samplerate' | 'bitrate' | 'now'>>(
    `UPDATE tracks SET status = 'complete', error = NULL, audio_md5 = @audioMd5,
       samplerate = @samplerate, bitrate = coalesce(bitrate, @bitrate), updated_at = @now
     WHERE id = @trackId`,
  ),
  insertAnalysis: run<NewAnalysis>(
    `INSERT OR REPLACE INTO analyses (track_id, analyzer_version, analyzed_at,
       ${INSERT_ANALYZED.columns})
     VALUES (@trackId, @analyzerVersion, @now, ${INSERT_ANALYZED.values})`,
  ),
  insertDocument: run<Pick<NewAnalysis, 'trackId' | 'document'>>(
    `INSERT OR REPLACE INTO analysis_documents (track_id, document) VALUES (@trackId, @document)`,
  ),
  /** Sets the song that a track is a recording of. */
  setSong: run<{ id: string; songId: string }>(
    'UPDATE tracks SET song_id = @songId WHERE id = @id',
  ),
  remove: run<[id: string]>('DELETE FROM tracks WHERE id = ?'),
}) {
  readonly #pages

  constructor(db: Database) {
    super(db)
    this.#pages = preparePages(db)
  }

  list(start: number, results: number, sort: TrackSort): TrackRow[] {
    return this.#pages[sort](results, start)
  }

  /** Adds a pending track; false when its md5 is there already. */
  add({ id, md5, path, url, tags, now }: NewTrack): boolean {
    const { title, artist, release, bitrate, samplerate, foreignIds, ...rest } = tags
    const added = this.insert({
      id,
      md5,
      path: path ?? null,
      cached: path === undefined ? 1 : 0,
      url: url ?? null,
      title: title ?? null,
      artist: artist ?? null,
      release: release ?? null,
      bitrate: bitrate ?? null,
      samplerate: samplerate ?? null,
      tags: JSON.stringify(rest),
      now,
    })
    if (added.changes === 0) return false
    for (const foreignId of foreignIds) this.insertForeignId({ trackId: id, ...foreignId })
    return true
  }

  /** Sets where the bytes are: at a path, or in the upload cache. */
  move(id: string, path: string | undefined): void {
    this.setPath({ id, path: path ?? null, cached: path === undefined ? 1 : 0 })
  }

  complete(analysis: NewAnalysis): void {
    const { trackId, audioMd5, samplerate, bitrate, document, now } = analysis
    const changed = this.setComplete({ trackId, audioMd5, samplerate, bitrate, now }).changes
    if (changed === 0) return
    this.insertAnalysis(analysis)
    this.insertDocument({ trackId, document })
  }
}
