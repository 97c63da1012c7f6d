import type { Database } from 'better-sqlite3'
import { ANALYZER_VERSION } from '../analysis/document.ts'
import type { Tags } from '../audio/tags.ts'
import type { ForeignId } from '../ids.ts'
import { FileStore } from '../input/file-store.ts'
import { all, count, exists, one, run, storeOf, values } from '../kernel/database/statements.ts'
import type { TrackStatus } from '../kernel/events.ts'
import { INSERT_ANALYZED, TRACK_FACTS } from '../song/fact-columns.ts'
import type { AnalyzedFact, FactValues } from '../song/facts.ts'
import type { StoredStatus } from '../song/track-status.ts'

/** A stored track, with the summary of its analysis if it has one. */
export interface TrackRow extends FactValues<AnalyzedFact> {
  id: string
  md5: string | null
  status: StoredStatus
  error: string | null
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
  /** 1 when the analysis came as a document, without audio. */
  importedAnalysis: 0 | 1 | null
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
  /** Whether its bytes are in the upload cache. */
  cached: boolean
  url: string | undefined
  tags: Tags
  now: number
}

/** A {@link NewTrack} as it is stored. */
interface NewRow
  extends Pick<
    TrackRow,
    'id' | 'cached' | 'url' | 'title' | 'artist' | 'release' | 'bitrate' | 'samplerate' | 'tags'
  > {
  /** Unknown of an imported track without a file. */
  md5: string | null
  now: number
}

/** A finished analysis. */
export interface NewAnalysis extends FactValues<AnalyzedFact> {
  trackId: string
  analyzerVersion: string
  /** Whether it came as a document, without audio. */
  imported: 0 | 1
  samplerate: number | null
  bitrate: number | null
  /** Raw deflate of its text; absent where only the summary is known. */
  document: Uint8Array | undefined
  now: number
}

const FROM = 'FROM tracks t LEFT JOIN analyses a ON a.track_id = t.id'

const SELECT = `
SELECT t.id, t.md5, t.status, t.error, t.spooled AS cached, t.url, t.title, t.artist, t.release,
  t.bitrate, t.samplerate, t.tags, t.created_at AS createdAt,
  t.updated_at AS updatedAt, t.song_id AS songId, a.analyzer_version AS analyzerVersion,
  a.imported AS importedAnalysis,
  ${TRACK_FACTS}
${FROM}`

/** Columns by which tracks are listed; tracks without a value come last. */
const COLUMNS = {
  created: 't.created_at',
  title: 't.title COLLATE NOCASE',
  artist: 't.artist COLLATE NOCASE',
  tempo: 'nullif(a.tempo, 0)',
  duration: 'a.duration',
  loudness: 'a.loudness',
} as const

/** The values of `sort` in `track/list`. */
export type TrackSort = `${keyof typeof COLUMNS}-${'asc' | 'desc'}`

/** All values of {@link TrackSort}. */
export const TRACK_SORTS = Object.keys(COLUMNS).flatMap((name) => [
  `${name}-asc`,
  `${name}-desc`,
]) as TrackSort[]

function orderOf(sort: TrackSort): string {
  const [name, direction] = sort.split('-') as [keyof typeof COLUMNS, string]
  return `${COLUMNS[name]} ${direction} NULLS LAST, t.created_at, t.id`
}

/** Tracks that are listed, and their order. */
export interface Selection {
  songId?: string | undefined
  statuses?: readonly TrackStatus[] | undefined
  missing?: boolean | undefined
  sort: TrackSort
}

/** As {@link statusOf} says. */
const STATUS = `CASE WHEN t.status = 'pending' OR a.analyzer_version IS NULL THEN t.status
  WHEN a.analyzer_version = '${ANALYZER_VERSION}' OR a.imported = 1 THEN 'complete' ELSE 'unavailable' END`
/** Whether no file of a track is present and no copy was kept. */
const MISSING = `(t.spooled = 0 AND NOT EXISTS (
  SELECT 1 FROM track_files f WHERE f.track_id = t.id AND f.present = 1))`

/** The condition of a selection, and the rest of the query behind it. */
function chosen({ songId, statuses, missing }: Selection): string {
  const conditions: string[] = []
  if (songId !== undefined) conditions.push('t.song_id = @songId')
  if (statuses) conditions.push(`${STATUS} IN (SELECT value FROM json_each(@statuses))`)
  if (missing !== undefined) conditions.push(missing ? MISSING : `NOT ${MISSING}`)
  return conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
}

/** The parameters of {@link chosen}. */
function bound({ songId, statuses }: Selection): object {
  return {
    ...(songId !== undefined && { songId }),
    ...(statuses && { statuses: JSON.stringify(statuses) }),
  }
}

/** The tables `tracks` and `track_foreign_ids`, with the summaries in `analyses`. */
export class TrackStore extends storeOf({
  byId: one<[id: string], TrackRow>(`${SELECT} WHERE t.id = ?`),
  byMd5: one<[md5: string], TrackRow>(`${SELECT} WHERE t.md5 = ?`),
  byForeignId: one<ForeignId, TrackRow>(
    `${SELECT} JOIN track_foreign_ids f ON f.track_id = t.id
     WHERE f.catalog = @catalog AND f.type = @type AND f.foreign_id = @id
     ORDER BY t.created_at, t.id LIMIT 1`,
  ),
  insert: run<NewRow>(
    `INSERT INTO tracks (id, md5, status, spooled, url, title, artist, release, bitrate,
       samplerate, tags, created_at, updated_at)
     VALUES (@id, @md5, 'pending', @cached, @url, @title, @artist, @release, @bitrate,
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
  setCached: run<{ id: string; cached: 0 | 1 }>(
    'UPDATE tracks SET spooled = @cached WHERE id = @id',
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
       samplerate = coalesce(@samplerate, samplerate), bitrate = coalesce(bitrate, @bitrate), updated_at = @now
     WHERE id = @trackId`,
  ),
  insertAnalysis: run<NewAnalysis>(
    `INSERT OR REPLACE INTO analyses (track_id, analyzer_version, imported, analyzed_at,
       ${INSERT_ANALYZED.columns})
     VALUES (@trackId, @analyzerVersion, @imported, @now, ${INSERT_ANALYZED.values})`,
  ),
  insertDocument: run<{ trackId: string; document: Uint8Array }>(
    `INSERT OR REPLACE INTO analysis_documents (track_id, document) VALUES (@trackId, @document)`,
  ),
  /** Sets the song that a track is a recording of. */
  setSong: run<{ id: string; songId: string }>(
    'UPDATE tracks SET song_id = @songId WHERE id = @id',
  ),
  setBytes: run<NewRow>(
    `UPDATE tracks SET md5 = @md5, url = @url, title = @title, artist = @artist,
       release = @release, bitrate = coalesce(@bitrate, bitrate),
       samplerate = coalesce(@samplerate, samplerate), tags = @tags, updated_at = @now
     WHERE id = @id`,
  ),
  removeForeignIds: run<[trackId: string]>('DELETE FROM track_foreign_ids WHERE track_id = ?'),
  /** Analysed tracks with the same decoded samples. */
  withSound: all<[audioMd5: string], TrackRow>(
    `${SELECT} WHERE t.audio_md5 = ? AND a.track_id IS NOT NULL ORDER BY t.created_at, t.id`,
  ),
  remove: run<[id: string]>('DELETE FROM tracks WHERE id = ?'),
}) {
  readonly files: FileStore
  readonly #db: Database

  constructor(db: Database) {
    super(db)
    this.files = new FileStore(db)
    this.#db = db
  }

  /** A page of the chosen tracks. */
  list(selection: Selection, start: number, results: number): TrackRow[] {
    const order = `ORDER BY ${orderOf(selection.sort)} LIMIT @results OFFSET @start`
    const page = all<object, TrackRow>(`${SELECT} ${chosen(selection)} ${order}`)
    return page(this.#db)({ ...bound(selection), start, results })
  }

  /** The ids of all chosen tracks. */
  ids(selection: Selection): string[] {
    const order = `ORDER BY ${orderOf(selection.sort)}`
    return values<object, string>(`SELECT t.id ${FROM} ${chosen(selection)} ${order}`)(this.#db)(
      bound(selection),
    )
  }

  /** How many tracks are chosen. */
  count(selection: Selection): number {
    return count<object>(`SELECT count(*) ${FROM} ${chosen(selection)}`)(this.#db)(bound(selection))
  }

  /** Adds a pending track; false when its md5 is there already. */
  add(track: NewTrack): boolean {
    if (this.insert(rowOf(track)).changes === 0) return false
    this.#addForeignIds(track)
    return true
  }

  /** Replaces the bytes and tags of a track; its analysis stays. */
  replaceBytes(track: NewTrack): void {
    this.setBytes(rowOf(track))
    this.removeForeignIds(track.id)
    this.#addForeignIds(track)
  }

  #addForeignIds({ id, tags }: NewTrack): void {
    for (const foreignId of tags.foreignIds) this.insertForeignId({ trackId: id, ...foreignId })
  }

  complete(analysis: NewAnalysis): void {
    const { trackId, audioMd5, samplerate, bitrate, document, now } = analysis
    const changed = this.setComplete({ trackId, audioMd5, samplerate, bitrate, now }).changes
    if (changed === 0) return
    this.insertAnalysis(analysis)
    if (document) this.insertDocument({ trackId, document })
  }
}

function rowOf({ id, md5, cached, url, tags, now }: NewTrack): NewRow {
  const { title, artist, release, bitrate, samplerate, foreignIds: _, ...rest } = tags
  return {
    id,
    md5,
    cached: cached ? 1 : 0,
    url: url ?? null,
    title: title ?? null,
    artist: artist ?? null,
    release: release ?? null,
    bitrate: bitrate ?? null,
    samplerate: samplerate ?? null,
    tags: JSON.stringify(rest),
    now,
  }
}
