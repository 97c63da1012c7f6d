import type { Database } from 'better-sqlite3'
import { ParameterError } from '../errors.ts'
import { all, one, run, statements, value } from '../kernel/database/statements.ts'
import { type Transaction, transaction } from '../kernel/database/transaction.ts'
import { type IndexStore, openIndex } from './index/index-store.ts'
import { type FamilyLayout, MOST_RECORDINGS } from './index/layout.ts'
import type { Codes } from './systems/codes.ts'
import { keysByTime } from './systems/key-order.ts'
import { PostingsReader, PostingsWriter } from './systems/postings.ts'
import { ECHOPRINT, FAMILIES, type Family } from './systems/version.ts'

/** A recording that a fingerprint was taken of. */
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

const prepare = statements({
  insert: run<
    Omit<RecordingRow, 'id'>
  >(`INSERT INTO recordings (song_id, track_id, duration, fingerprint_version, code_md5)
       VALUES (@songId, @trackId, @duration, @fingerprintVersion, @codeMd5)`),
  insertAs:
    run<RecordingRow>(`INSERT INTO recordings (id, song_id, track_id, duration, fingerprint_version, code_md5)
       VALUES (@id, @songId, @trackId, @duration, @fingerprintVersion, @codeMd5)`),
  byId: one<[number], RecordingRow>(`SELECT id, song_id AS songId, track_id AS trackId, duration,
         fingerprint_version AS fingerprintVersion, code_md5 AS codeMd5
       FROM recordings WHERE id = ?`),
  after: all<[after: number, most: number], RecordingRow>(`SELECT id, song_id AS songId,
         track_id AS trackId, duration, fingerprint_version AS fingerprintVersion,
         code_md5 AS codeMd5
       FROM recordings WHERE id > ? ORDER BY id LIMIT ?`),
  countAfter: value<[after: number], number>('SELECT count(*) FROM recordings WHERE id > ?'),
  ofTrack: value<[string], number>('SELECT max(id) FROM recordings WHERE track_id = ?'),
  holdsAny: value<[string], number>('SELECT 1 FROM recordings WHERE song_id = ? LIMIT 1'),
  holds: value<[string, string], number>(
    'SELECT 1 FROM recordings WHERE song_id = ? AND code_md5 = ?',
  ),
  hasImported: value<[], number>('SELECT 1 FROM recordings WHERE track_id IS NULL LIMIT 1'),
  hasKeysAfter: value<[number], number>(`SELECT 1 FROM recordings WHERE track_id IS NULL AND id > ?
         AND CAST(fingerprint_version AS REAL) BETWEEN 3 AND 3.9 LIMIT 1`),
  removeByTrack: run<[string]>('DELETE FROM recordings WHERE track_id = ?'),
  count: value<[], number>('SELECT count(*) FROM recordings'),
  lastId: value<[], number>('SELECT coalesce(max(id), 0) FROM recordings'),
  lastUsed: value<[], number>("SELECT seq FROM sqlite_sequence WHERE name = 'recordings'"),
})

/** The table `recordings`, and the store of their index. */
export class RecordingStore {
  readonly atomically: Transaction
  readonly index: IndexStore
  readonly #sql
  /** Whether codes of system A were found among the imported recordings up to a number. */
  #keys = { found: false, upto: 0 }

  constructor(db: Database) {
    this.atomically = transaction(db)
    this.#sql = prepare(db)
    this.index = openIndex(db)
  }

  /** Adds a recording and returns its number. */
  add(recording: Omit<RecordingRow, 'id'>): number {
    return Number(this.#sql.insert(recording).lastInsertRowid)
  }

  /** Adds a recording with a number that none has had. */
  addAs(recording: RecordingRow): void {
    this.#sql.insertAs(recording)
  }

  byId(id: number): RecordingRow | undefined {
    return this.#sql.byId(id)
  }

  /** The first recordings with higher numbers, by ascending number. */
  after(number: number, most: number): RecordingRow[] {
    return this.#sql.after(number, most)
  }

  /** How many recordings have higher numbers. */
  countAfter(number: number): number {
    return this.#sql.countAfter(number) ?? 0
  }

  /** The number of a track's recording. */
  ofTrack(trackId: string): number | undefined {
    return this.#sql.ofTrack(trackId) ?? undefined
  }

  /** Whether any recording of a song is known. */
  holdsAny(songId: string): boolean {
    return this.#sql.holdsAny(songId) === 1
  }

  /** Whether a song has this code string already. */
  holds(songId: string, codeMd5: string): boolean {
    return this.#sql.holds(songId, codeMd5) === 1
  }

  /** Whether there are recordings of imported code strings; these have no track. */
  hasImported(): boolean {
    return this.#sql.hasImported() === 1
  }

  /** Whether code strings of system A, versions 3.13 and 3.15, were ever imported. */
  hasImportedKeys(): boolean {
    if (this.#keys.found) return true
    // Numbers only grow: each recording is read once, however often this is asked.
    const upto = this.lastId()
    this.#keys = { found: this.#sql.hasKeysAfter(this.#keys.upto) === 1, upto }
    return this.#keys.found
  }

  /** Removes the recordings of a track; their postings are purged later. */
  removeByTrack(trackId: string): void {
    this.#sql.removeByTrack(trackId)
  }

  count(): number {
    return this.#sql.count() ?? 0
  }

  /** The highest number that a recording has. */
  lastId(): number {
    return this.#sql.lastId() ?? 0
  }

  /** The highest number that a recording ever had. */
  lastUsed(): number {
    return this.#sql.lastUsed() ?? 0
  }
}

/** A recording's fingerprints, by family. */
export type Fingerprints = Partial<Record<Family, Codes>>

/**
 * Adds a recording and its codes to the index. To be called inside a transaction.
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
  const id = store.add(recording)
  for (const [name, codes] of Object.entries(fingerprints) as [Family, Codes][]) {
    if (codes.codes.length === 0) continue
    const sorted = byKeys(store.index.layout()[name], codes)
    store.index.addCodes({ recordingId: id, family: FAMILIES[name], codes: sorted })
  }
  return id
}

/** Every song has them, so they tell nothing. */
const STOP_CODES = new Set(ECHOPRINT.stopCodes)
/** The codes as one run of keys with their times, in which a postings row has songs. */
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
export function keysOf(blob: Uint8Array): { keys: Uint32Array; times: Uint32Array } {
  const reader = new PostingsReader()
  reader.unpack(blob, 0)
  return {
    keys: reader.songs.slice(0, reader.length),
    times: reader.times.slice(0, reader.length),
  }
}
