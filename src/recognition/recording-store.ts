import type { Database } from 'better-sqlite3'
import { all, count, exists, one, run, storeOf, value } from '../kernel/database/statements.ts'
import { ParameterError } from '../values/errors.ts'
import { type IndexStore, openIndex } from './index/index-store.ts'
import { type FamilyLayout, MOST_RECORDINGS } from './index/layout.ts'
import type { Codes } from './systems/codes.ts'
import { keysByTime } from './systems/key-order.ts'
import { type Keys, PostingsReader, PostingsWriter } from './systems/postings.ts'
import { ECHOPRINT, FAMILIES, type Family } from './systems/version.ts'

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

const COLUMNS = `id, song_id AS songId, track_id AS trackId, duration,
       fingerprint_version AS fingerprintVersion, code_md5 AS codeMd5`

/** The table `recordings`, and the store of their index. */
export class RecordingStore extends storeOf({
  insert: run<Omit<RecordingRow, 'id'>>(
    `INSERT INTO recordings (song_id, track_id, duration, fingerprint_version, code_md5)
       VALUES (@songId, @trackId, @duration, @fingerprintVersion, @codeMd5)`,
  ),
  /** Adds a recording with a number that was never used. */
  addAs: run<RecordingRow>(
    `INSERT INTO recordings (id, song_id, track_id, duration, fingerprint_version, code_md5)
       VALUES (@id, @songId, @trackId, @duration, @fingerprintVersion, @codeMd5)`,
  ),
  byId: one<[id: number], RecordingRow>(`SELECT ${COLUMNS} FROM recordings WHERE id = ?`),
  /** The first recordings with higher numbers, by ascending number. */
  after: all<[number: number, most: number], RecordingRow>(
    `SELECT ${COLUMNS} FROM recordings WHERE id > ? ORDER BY id LIMIT ?`,
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
  /** Whether codes of system A were found among the imported recordings up to a number. */
  #keys = { found: false, upto: 0 }

  constructor(db: Database) {
    super(db)
    this.index = openIndex(db)
  }

  /** Whether code strings of system A, versions 3.13 and 3.15, were ever imported. */
  hasImportedKeys(): boolean {
    if (this.#keys.found) return true
    // Numbers only grow: each recording is read once, however often this is asked.
    const upto = this.lastId()
    this.#keys = { found: this.hasKeysAfter(this.#keys.upto), upto }
    return this.#keys.found
  }
}

export type Fingerprints = Partial<Record<Family, Codes>>

/**
 * Adds a recording and its codes to the index. Call it inside a transaction.
 *
 * @returns its number
 * @throws {ParameterError} `limit_exceeded` when all numbers have been used
 */
export function ingest(
  store: RecordingStore,
  recording: Omit<RecordingRow, 'id'>,
  fingerprints: Fingerprints,
): number {
  if (store.lastUsed() >= MOST_RECORDINGS - 1) {
    const most = (MOST_RECORDINGS - 1).toLocaleString('en')
    throw new ParameterError(
      'limit_exceeded',
      `The index of fingerprints is full: a database has room for ${most} recordings, those that were removed among them. Open another one for more.`,
    )
  }
  const id = Number(store.insert(recording).lastInsertRowid)
  for (const [name, codes] of Object.entries(fingerprints) as [Family, Codes][]) {
    if (codes.codes.length === 0) continue
    const sorted = byKeys(store.index.layout()[name], codes)
    store.index.addCodes({ recordingId: id, family: FAMILIES[name], codes: sorted })
  }
  return id
}

/** Every song has these codes, so they do not distinguish songs. */
const STOP_CODES = new Set(ECHOPRINT.stopCodes)
/** The codes as one run of keys and times: a key stands where a postings row has a song. */
function byKeys(layout: FamilyLayout, { codes, times }: Codes): Buffer {
  const stops = layout.family.startsWith('echoprint') ? STOP_CODES : new Set()
  const keys = codes.map((code) => layout.keyOf(code))
  const writer = new PostingsWriter()
  writer.begin()
  for (const i of keysByTime(keys, times)) {
    if (!stops.has(codes[i]!)) writer.add(keys[i]!, times[i]!)
  }
  return Buffer.from(writer.end())
}

/** Reads the codes of one family that {@link ingest} stored: ascending keys, and their times. */
export function keysOf(blob: Uint8Array): Keys {
  const reader = new PostingsReader()
  reader.unpack(blob, 0)
  return reader.copied()
}
