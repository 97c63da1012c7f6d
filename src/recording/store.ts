import type { Database } from 'better-sqlite3'
import {
  all,
  each,
  one,
  only,
  run,
  statements,
  value,
  values,
} from '../kernel/database/statements.ts'
import { type Transaction, transaction } from '../kernel/database/transaction.ts'

/** A recording that a fingerprint was taken of. */
export interface RecordingRow {
  id: number
  songId: string
  trackId: string | null
  /** Seconds. */
  duration: number | null
  fingerprintVersion: string
  /** Of an imported code string. */
  codeMd5: string | null
}

/** Codes of one family of a recording that is not packed yet. */
export interface HeadRow {
  recordingId: number
  family: number
  /** One run (see fingerprint/postings.ts) of slots with their times. */
  codes: Buffer
}

/** Where packing or purging has come to. */
export interface IndexState {
  /** Grows with every change of the recordings or of their index. */
  generation: number
  /** Grows with every change of the postings. */
  packs: number
  task: 'pack' | 'purge' | null
  /** The last recording that the task takes in. */
  upto: number | null
  /** Steps of the task that are done. */
  step: number | null
}

/** What of {@link IndexState} is set. */
export type Task = Pick<IndexState, 'task' | 'upto' | 'step'>

/** One row of postings. */
export interface PostingsRow {
  id: number
  postings: Buffer
}

const COLUMNS =
  'id, song_id AS songId, track_id AS trackId, duration, fingerprint_version AS fingerprintVersion, code_md5 AS codeMd5'

const prepare = statements({
  insert: run<Omit<RecordingRow, 'id'>>(
    `INSERT INTO recordings (song_id, track_id, duration, fingerprint_version, code_md5)
     VALUES (@songId, @trackId, @duration, @fingerprintVersion, @codeMd5)`,
  ),
  byId: one<[id: number], RecordingRow>(`SELECT ${COLUMNS} FROM recordings WHERE id = ?`),
  byTrack: all<[trackId: string], RecordingRow>(
    `SELECT ${COLUMNS} FROM recordings WHERE track_id = ? ORDER BY id`,
  ),
  holdsAny: value<[songId: string], 1>('SELECT 1 FROM recordings WHERE song_id = ? LIMIT 1'),
  holds: value<[songId: string, codeMd5: string], 1>(
    'SELECT 1 FROM recordings WHERE song_id = ? AND code_md5 = ?',
  ),
  hasImported: value<[], 1>('SELECT 1 FROM recordings WHERE track_id IS NULL LIMIT 1'),
  hasImportedKeys: value<[after: number], 1>(
    `SELECT 1 FROM recordings WHERE track_id IS NULL AND id > ?
     AND CAST(fingerprint_version AS REAL) < 4 LIMIT 1`,
  ),
  removeByTrack: run<[trackId: string]>('DELETE FROM recordings WHERE track_id = ?'),
  reassign: run<[toSong: string, fromSong: string]>(
    'UPDATE recordings SET song_id = ? WHERE song_id = ?',
  ),
  count: value<[], number>('SELECT count(*) FROM recordings'),
  lastId: value<[], number>('SELECT max(id) FROM recordings'),
  lastUsed: value<[], number>("SELECT seq FROM sqlite_sequence WHERE name = 'recordings'"),

  insertHead: run<HeadRow>(
    'INSERT INTO recording_codes (recording_id, family, codes) VALUES (@recordingId, @family, @codes)',
  ),
  countHead: value<[], number>('SELECT count(DISTINCT recording_id) FROM recording_codes'),
  headIds: values<[], number>(
    'SELECT DISTINCT recording_id FROM recording_codes ORDER BY recording_id',
  ),
  headOf: all<[recordingId: number], HeadRow>(
    `SELECT recording_id AS recordingId, family, codes FROM recording_codes
     WHERE recording_id = ? ORDER BY family`,
  ),
  dropHead: run<[upto: number]>('DELETE FROM recording_codes WHERE recording_id <= ?'),

  state: only<[], IndexState>(
    'SELECT generation, packs, task, upto, step FROM index_state WHERE id = 1',
  ),
  setTask: run<Task>(
    `UPDATE index_state SET generation = generation + 1, packs = packs + 1, task = @task, upto = @upto, step = @step`,
  ),

  postings: all<[first: number, last: number], PostingsRow>(
    'SELECT id, postings FROM postings WHERE id BETWEEN ? AND ? ORDER BY id',
  ),
  append: run<[id: number, run: Uint8Array]>(
    `INSERT INTO postings (id, postings) VALUES (?, ?)
     ON CONFLICT (id) DO UPDATE SET postings = CAST(postings || excluded.postings AS BLOB)`,
  ),
  replace: run<[postings: Uint8Array, id: number]>('UPDATE postings SET postings = ? WHERE id = ?'),
  drop: run<[id: number]>('DELETE FROM postings WHERE id = ?'),
  counts: value<[id: number], Buffer>('SELECT counts FROM code_frequencies WHERE id = ?'),
  countsOf: each<[first: number, last: number], { id: number; counts: Buffer }>(
    'SELECT id, counts FROM code_frequencies WHERE id BETWEEN ? AND ?',
  ),
  setCounts: run<[id: number, counts: Uint8Array]>(
    'INSERT OR REPLACE INTO code_frequencies (id, counts) VALUES (?, ?)',
  ),

  removed: values<[], number>('SELECT id FROM removed_recordings ORDER BY id'),
  beginPurge: run<[]>('UPDATE removed_recordings SET purging = 1'),
  purging: values<[], number>('SELECT id FROM removed_recordings WHERE purging = 1 ORDER BY id'),
  endPurge: run<[]>('DELETE FROM removed_recordings WHERE purging = 1'),
})

/** The tables `recordings`, `recording_codes`, `postings`, `code_frequencies` and their state. */
export class RecordingStore {
  readonly atomically: Transaction
  readonly #db: Database
  readonly #sql
  /** Whether codes of system A were seen among the imported recordings up to a number. */
  #keys = { seen: false, upto: 0 }

  constructor(db: Database) {
    this.#db = db
    this.#sql = prepare(db)
    this.atomically = transaction(db)
  }

  /** Adds a recording; its number. */
  add(recording: Omit<RecordingRow, 'id'>): number {
    return Number(this.#sql.insert(recording).lastInsertRowid)
  }

  addCodes(head: HeadRow): void {
    this.#sql.insertHead(head)
  }

  byId(id: number): RecordingRow | undefined {
    return this.#sql.byId(id)
  }

  /** Whether any recording of a song is known. */
  holdsAny(songId: string): boolean {
    return this.#sql.holdsAny(songId) === 1
  }

  /** Whether a song has this code string already. */
  holds(songId: string, codeMd5: string): boolean {
    return this.#sql.holds(songId, codeMd5) === 1
  }

  byTrack(trackId: string): RecordingRow[] {
    return this.#sql.byTrack(trackId)
  }

  /** Whether there are recordings without a track: of imported code strings. */
  hasImported(): boolean {
    return this.#sql.hasImported() === 1
  }

  /** Whether code strings of system A, versions 3.13 and 3.15, were ever imported. */
  hasImportedKeys(): boolean {
    if (this.#keys.seen) return true
    // Numbers only grow: each recording is looked at once, however often this is asked.
    const upto = this.lastId()
    this.#keys = { seen: this.#sql.hasImportedKeys(this.#keys.upto) === 1, upto }
    return this.#keys.seen
  }

  /** Removes the recordings of a track; their postings are purged later. */
  removeByTrack(trackId: string): void {
    this.#sql.removeByTrack(trackId)
  }

  /** Moves the recordings of one song to another. */
  reassign(fromSong: string, toSong: string): void {
    this.#sql.reassign(toSong, fromSong)
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

  state(): IndexState {
    return this.#sql.state()
  }

  setTask(task: Task): void {
    this.#sql.setTask(task)
  }

  /** How many recordings wait to be packed. */
  countHead(): number {
    return this.#sql.countHead() ?? 0
  }

  /** The numbers of recordings that are not packed, ascending. */
  headIds(): number[] {
    return this.#sql.headIds()
  }

  /** What is not packed of a recording. */
  headOf(recordingId: number): HeadRow[] {
    return this.#sql.headOf(recordingId)
  }

  /** Forgets the unpacked codes up to a recording: they are in the postings. */
  dropHead(upto: number): void {
    this.#sql.dropHead(upto)
  }

  /** The rows from one id to another. */
  postings(first: number, last: number): PostingsRow[] {
    return this.#sql.postings(first, last)
  }

  /** Appends a run to a row, making the row when it is not there. */
  append(id: number, run: Uint8Array): void {
    this.#sql.append(id, run)
  }

  /** Writes a row anew; without postings it is removed. */
  replace(id: number, postings: Uint8Array): void {
    if (postings.length > 0) this.#sql.replace(postings, id)
    else this.#sql.drop(id)
  }

  /** The frequencies of a chunk of slots. */
  counts(id: number): Buffer | undefined {
    return this.#sql.counts(id)
  }

  /** The frequencies of the chunks from one id to another, as far as there are any. */
  countsOf(first: number, last: number): IterableIterator<{ id: number; counts: Buffer }> {
    return this.#sql.countsOf(first, last)
  }

  setCounts(id: number, counts: Uint8Array): void {
    this.#sql.setCounts(id, counts)
  }

  /** The recordings that are gone but still named in postings, ascending. */
  removed(): number[] {
    return this.#sql.removed()
  }

  /** Fixes which of the removed recordings the purge that begins now takes out. */
  beginPurge(): void {
    this.#sql.beginPurge()
  }

  purging(): number[] {
    return this.#sql.purging()
  }

  endPurge(): void {
    this.#sql.endPurge()
  }

  /** Pages of the file that hold nothing. */
  freePages(): number {
    return this.#db.pragma('freelist_count', { simple: true }) as number
  }

  /** Gives up to so many of them back to the disk. */
  releasePages(most: number): void {
    this.#db.pragma(`incremental_vacuum(${most})`)
  }
}
