import type { Database } from 'better-sqlite3'
import { all, count, exists, one, run, storeOf, value } from '../kernel/database/statements.ts'
import { ParameterError } from '../values/errors.ts'
import { type IndexStore, openIndex } from './index/index-store.ts'
import { type FamilyLayout, MAX_RECORDINGS } from './index/layout.ts'
import type { Codes } from './systems/codes.ts'
import { orderByKey } from './systems/key-order.ts'
import { type KeyTimes, PostingsReader, PostingsWriter } from './systems/postings.ts'
import { ECHOPRINT_SYSTEM, FAMILIES, type Family } from './systems/version.ts'

interface RecordingRow {
  id: number
  songId: string
  trackId: string | null
  /** Seconds. */
  duration: number | null
  fingerprintVersion: string
  /** MD5 of an imported code string. */
  codeMd5: string | null
}

const RECORDING_COLUMNS = `id, song_id AS songId, track_id AS trackId, duration,
       fingerprint_version AS fingerprintVersion, code_md5 AS codeMd5`

export class RecordingStore extends storeOf({
  insert: run<Omit<RecordingRow, 'id'>>(
    `INSERT INTO recordings (song_id, track_id, duration, fingerprint_version, code_md5)
       VALUES (@songId, @trackId, @duration, @fingerprintVersion, @codeMd5)`,
  ),
  addAs: run<RecordingRow>(
    `INSERT INTO recordings (id, song_id, track_id, duration, fingerprint_version, code_md5)
       VALUES (@id, @songId, @trackId, @duration, @fingerprintVersion, @codeMd5)`,
  ),
  byId: one<[id: number], RecordingRow>(`SELECT ${RECORDING_COLUMNS} FROM recordings WHERE id = ?`),
  after: all<[number: number, most: number], RecordingRow>(
    `SELECT ${RECORDING_COLUMNS} FROM recordings WHERE id > ? ORDER BY id LIMIT ?`,
  ),
  countAfter: count<[number: number]>('SELECT count(*) FROM recordings WHERE id > ?'),
  ofTrack: value<[trackId: string], number>(
    'SELECT id FROM recordings WHERE track_id = ? ORDER BY id DESC LIMIT 1',
  ),
  holdsAny: exists<[songId: string]>('SELECT 1 FROM recordings WHERE song_id = ? LIMIT 1'),
  holds: exists<[songId: string, codeMd5: string]>(
    'SELECT 1 FROM recordings WHERE song_id = ? AND code_md5 = ?',
  ),
  /** Whether there are recordings of imported code strings; these have no track. */
  hasImported: exists<[]>('SELECT 1 FROM recordings WHERE track_id IS NULL LIMIT 1'),
  hasKeysAfter: exists<[number: number]>(
    `SELECT 1 FROM recordings WHERE track_id IS NULL AND id > ?
       AND CAST(fingerprint_version AS REAL) BETWEEN 3 AND 3.9 LIMIT 1`,
  ),
  /** Removes the recordings of a track; their postings are purged later. */
  removeByTrack: run<[trackId: string]>('DELETE FROM recordings WHERE track_id = ?'),
  count: count<[]>('SELECT count(*) FROM recordings'),
  lastId: count<[]>('SELECT coalesce(max(id), 0) FROM recordings'),
  /** The highest number that a recording ever had. */
  lastUsed: count<[]>(
    "SELECT coalesce(max(seq), 0) FROM sqlite_sequence WHERE name = 'recordings'",
  ),
}) {
  readonly index: IndexStore
  #importedKeys = { found: false, upto: 0 }

  constructor(db: Database) {
    super(db)
    this.index = openIndex(db)
  }

  /** Whether code strings of system A, versions 3.13 and 3.15, were ever imported. */
  hasImportedKeys(): boolean {
    if (this.#importedKeys.found) return true
    // Numbers only grow, so each recording is read once.
    const upto = this.lastId()
    this.#importedKeys = { found: this.hasKeysAfter(this.#importedKeys.upto), upto }
    return this.#importedKeys.found
  }
}

export type Fingerprints = Partial<Record<Family, Codes>>

export function indexRecording(
  store: RecordingStore,
  recording: Omit<RecordingRow, 'id'>,
  fingerprints: Fingerprints,
): number {
  if (store.lastUsed() >= MAX_RECORDINGS - 1) {
    const maxRecordings = (MAX_RECORDINGS - 1).toLocaleString('en')
    throw new ParameterError(
      'limit_exceeded',
      `The index of fingerprints is full: a database has room for ${maxRecordings} recordings, those that were removed among them. Open another one for more.`,
    )
  }
  const id = Number(store.insert(recording).lastInsertRowid)
  for (const [name, codes] of Object.entries(fingerprints) as [Family, Codes][]) {
    if (codes.codes.length === 0) continue
    const sortedCodes = sortByKeys(store.index.layout()[name], codes)
    store.index.addCodes({ recordingId: id, family: FAMILIES[name], codes: sortedCodes })
  }
  return id
}

/** Every song has these codes, so they do not distinguish songs. */
const STOP_CODES = new Set(ECHOPRINT_SYSTEM.stopCodes)
/** The codes in the form of postings, with keys in place of songs. */
function sortByKeys(layout: FamilyLayout, { codes, times }: Codes): Buffer {
  const stops = layout.family.startsWith('echoprint') ? STOP_CODES : new Set()
  const keys = codes.map((code) => layout.keyOf(code))
  const writer = new PostingsWriter()
  writer.beginRun()
  for (const i of orderByKey(keys, times)) {
    if (!stops.has(codes[i]!)) writer.addPosting(keys[i]!, times[i]!)
  }
  return Buffer.from(writer.endRun())
}

export function storedKeys(blob: Uint8Array): KeyTimes {
  const reader = new PostingsReader()
  reader.unpackRuns(blob, 0)
  return reader.toKeys()
}
