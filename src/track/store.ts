import type { Tags } from '../audio/tags.ts'
import { FileStore } from '../input/file-store.ts'
import {
  all,
  exists,
  one,
  run,
  statements,
  storeOf,
  values,
} from '../kernel/database/statements.ts'
import {
  IMPORTED_FACTS,
  INSERT_ANALYZED,
  SET_IMPORT_ONLY,
  TRACK_FACTS,
  UNHEARD_FACTS,
} from '../song/fact-columns.ts'
import type {
  AnalyzedFact,
  FactName,
  FactValues,
  HeardFact,
  ImportOnlyFact,
  RecordFact,
} from '../song/facts.ts'
import type { StoredStatus } from '../song/track-status.ts'
import type { ForeignId } from '../values/ids.ts'
import { known } from '../values/known.ts'
import type { CorrectionRow } from './correction-store.ts'
import { TEXT_SORTS, type TextSort } from './track-sorts.ts'

export interface TrackRow extends FactValues<FactName> {
  id: string
  md5: string | null
  status: StoredStatus
  error: string | null
  cached: 0 | 1
  url: string | null
  title: string | null
  artist: string | null
  release: string | null
  bitrate: number | null
  samplerate: number | null
  tags: string
  createdAt: number
  updatedAt: number
  analyzerVersion: string | null
  /** 1 when the analysis came as a document, without audio. */
  importedAnalysis: 0 | 1 | null
  /** Whether others published the impressions of the analysis. */
  published: 0 | 1 | null
  songId: string | null
  corrections: CorrectionRow['corrections'] | null
  heard: CorrectionRow['heard']
}

export function tagsOf(row: Pick<TrackRow, 'tags'>): Partial<Tags> {
  return JSON.parse(row.tags) as Partial<Tags>
}

/** With its names. */
export function namedTagsOf(row: TrackRow): Partial<Tags> {
  const { title, artist, release } = row
  return { ...tagsOf(row), ...known({ title, artist, release }) }
}

export interface NewTrack {
  id: string
  md5: string | null
  cached: boolean
  url: string | null
  tags: Tags
  now: number
}

type NewRow = ReturnType<typeof trackRow>

export interface NewAnalysis extends FactValues<AnalyzedFact> {
  trackId: string
  analyzerVersion: string
  imported: 0 | 1
  published: 0 | 1
  samplerate: number | null
  bitrate: number | null
  /** Raw deflate of its text; absent where only the summary is known. */
  document: Uint8Array | undefined
  now: number
}

const SELECT_TRACK = `
SELECT t.id, t.md5, t.status, t.error, t.spooled AS cached, t.url, t.title, t.artist, t.release,
  t.bitrate, t.samplerate, t.tags, t.created_at AS createdAt,
  t.updated_at AS updatedAt, t.song_id AS songId, a.analyzer_version AS analyzerVersion,
  a.imported AS importedAnalysis, a.published, c.corrections, c.heard,
  ${TRACK_FACTS}
FROM tracks t LEFT JOIN analyses a ON a.track_id = t.id
LEFT JOIN track_corrections c ON c.track_id = t.id`

const TEXT_ORDERS: Record<TextSort, string> = {
  'title-asc': 't.title COLLATE NOCASE ASC NULLS LAST',
  'title-desc': 't.title COLLATE NOCASE DESC NULLS LAST',
  'artist-asc': 't.artist COLLATE NOCASE ASC NULLS LAST',
  'artist-desc': 't.artist COLLATE NOCASE DESC NULLS LAST',
}

type PageOfIds = [results: number, start: number]
const idsInOrder = (sort: TextSort) =>
  values<PageOfIds, string>(
    `SELECT t.id FROM tracks t ORDER BY ${TEXT_ORDERS[sort]}, t.created_at, t.id LIMIT ? OFFSET ?`,
  )
const selectedIdsInOrder = (sort: TextSort) =>
  values<[nums: string, ...PageOfIds], string>(
    `SELECT t.id FROM json_each(?) j
     JOIN track_nums n ON n.num = j.value JOIN tracks t ON t.id = n.track_id
     ORDER BY ${TEXT_ORDERS[sort]}, t.created_at, t.id LIMIT ? OFFSET ?`,
  )
const eachOrder = <Call>(make: (sort: TextSort) => Call) =>
  Object.fromEntries(TEXT_SORTS.map((sort) => [sort, make(sort)])) as Record<TextSort, Call>

const prepareOrders = statements(eachOrder(idsInOrder))
const prepareAmong = statements(eachOrder(selectedIdsInOrder))

export class TrackStore extends storeOf({
  byId: one<[id: string], TrackRow>(`${SELECT_TRACK} WHERE t.id = ?`),
  byMd5: one<[md5: string], TrackRow>(`${SELECT_TRACK} WHERE t.md5 = ?`),
  byForeignId: one<ForeignId, TrackRow>(
    `${SELECT_TRACK} JOIN track_foreign_ids f ON f.track_id = t.id
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
  /** In the upload cache. */
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
    `INSERT INTO analyses (track_id, analyzer_version, imported, published, analyzed_at,
       ${INSERT_ANALYZED.columns})
     VALUES (@trackId, @analyzerVersion, @imported, @published, @now,
       ${INSERT_ANALYZED.values})
     ON CONFLICT (track_id) DO UPDATE SET analyzer_version = excluded.analyzer_version,
       imported = excluded.imported, published = excluded.published,
       analyzed_at = excluded.analyzed_at, ${INSERT_ANALYZED.update}`,
  ),
  /** Facts that only imports give. */
  tell: run<FactValues<ImportOnlyFact> & { trackId: string }>(
    `UPDATE analyses SET ${SET_IMPORT_ONLY} WHERE track_id = @trackId`,
  ),
  /** What documents and imports say of the facts that a network heard. */
  unheardFacts: one<[trackId: string], FactValues<HeardFact & RecordFact>>(
    `SELECT ${UNHEARD_FACTS} FROM analyses a WHERE a.track_id = ?`,
  ),
  /** What an import says of the song, for the facts that a network heard. */
  importedFacts: one<[trackId: string], FactValues<HeardFact & RecordFact>>(
    `SELECT ${IMPORTED_FACTS} FROM tracks t JOIN songs s ON s.id = t.song_id
     LEFT JOIN song_summaries m ON m.song = s.num WHERE t.id = ?`,
  ),
  insertDocument: run<{ trackId: string; document: Uint8Array }>(
    `INSERT OR REPLACE INTO analysis_documents (track_id, document) VALUES (@trackId, @document)`,
  ),
  setSong: run<{ id: string; songId: string }>(
    'UPDATE tracks SET song_id = @songId WHERE id = @id',
  ),
  setBytes: run<NewRow>(
    `UPDATE tracks SET md5 = @md5, url = @url, title = @title, artist = @artist,
       release = @release, bitrate = coalesce(@bitrate, bitrate),
       samplerate = coalesce(@samplerate, samplerate), tags = @tags, updated_at = @now
     WHERE id = @id`,
  ),
  /** Removes the ids that tags give; those of imports stay. */
  removeTaggedIds: run<[trackId: string]>(
    `DELETE FROM track_foreign_ids
     WHERE track_id = ? AND catalog IN ('musicbrainz', 'acoustid', 'isrc')`,
  ),
  /** Analysed tracks with the same decoded samples. */
  withSound: all<[audioMd5: string], TrackRow>(
    `${SELECT_TRACK} WHERE t.audio_md5 = ? AND a.track_id IS NOT NULL ORDER BY t.created_at, t.id`,
  ),
  remove: run<[id: string]>('DELETE FROM tracks WHERE id = ?'),
}) {
  readonly files = new FileStore(this.db)
  readonly #orders = prepareOrders(this.db)
  readonly #among = prepareAmong(this.db)

  inOrder(sort: TextSort, start: number, results: number): string[] {
    return this.#orders[sort](results, start)
  }

  amongInOrder(sort: TextSort, nums: Int32Array, start: number, results: number): string[] {
    return this.#among[sort](JSON.stringify([...nums]), results, start)
  }

  /** Returns false if its md5 already exists. */
  addTrack(track: NewTrack): boolean {
    if (this.insert(trackRow(track)).changes === 0) return false
    this.addForeignIds(track)
    return true
  }

  /** The analysis stays. */
  replaceBytes(track: NewTrack): void {
    this.removeTaggedIds(track.id)
    this.overwriteTrack(track)
  }

  /** As {@link replaceBytes}; the ids in other spaces stay too. */
  overwriteTrack(track: NewTrack): void {
    this.setBytes(trackRow(track))
    this.addForeignIds(track)
  }

  addForeignIds({ id, tags }: NewTrack): void {
    for (const foreignId of tags.foreignIds) this.insertForeignId({ trackId: id, ...foreignId })
  }

  completeAnalysis(analysis: NewAnalysis): void {
    const { trackId, audioMd5, samplerate, bitrate, document, now } = analysis
    const changed = this.setComplete({ trackId, audioMd5, samplerate, bitrate, now }).changes
    if (changed === 0) return
    this.insertAnalysis(analysis)
    // Without a new document, the old one stays.
    if (document) this.insertDocument({ trackId, document })
  }
}

function trackRow({ cached, tags, ...track }: NewTrack) {
  const { title = null, artist = null, release = null, foreignIds: _, ...others } = tags
  const { bitrate = null, samplerate = null, ...otherTags } = others
  const names = { title, artist, release }
  const stored = { cached: cached ? 1 : 0, tags: JSON.stringify(otherTags) }
  return { ...track, ...names, bitrate, samplerate, ...stored }
}
