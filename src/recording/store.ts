import type { Database } from 'better-sqlite3'

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

/** The tables `recordings`, `recording_codes`, `postings`, `code_frequencies` and their state. */
export class RecordingStore {
  readonly #db: Database
  readonly #insert
  readonly #insertHead
  readonly #byId
  readonly #byTrack
  readonly #holds
  readonly #lastUsed
  readonly #hasImported
  readonly #hasKeysAfter
  /** Whether codes of system A were seen among the imported recordings up to a number. */
  #keys = { seen: false, upto: 0 }
  readonly #removeByTrack
  readonly #state
  readonly #setTask
  readonly #postings
  readonly #append
  readonly #replace
  readonly #drop
  readonly #counts
  readonly #setCounts

  constructor(db: Database) {
    this.#db = db
    const columns =
      'id, song_id AS songId, track_id AS trackId, duration, fingerprint_version AS fingerprintVersion, code_md5 AS codeMd5'
    this.#insert = db.prepare<Omit<RecordingRow, 'id'>>(
      `INSERT INTO recordings (song_id, track_id, duration, fingerprint_version, code_md5)
       VALUES (@songId, @trackId, @duration, @fingerprintVersion, @codeMd5)`,
    )
    this.#insertHead = db.prepare<HeadRow>(
      'INSERT INTO recording_codes (recording_id, family, codes) VALUES (@recordingId, @family, @codes)',
    )
    this.#byId = db.prepare<[number], RecordingRow>(
      `SELECT ${columns} FROM recordings WHERE id = ?`,
    )
    this.#byTrack = db.prepare<[string], RecordingRow>(
      `SELECT ${columns} FROM recordings WHERE track_id = ? ORDER BY id`,
    )
    this.#holds = db
      .prepare<[string, string], number>(
        'SELECT 1 FROM recordings WHERE song_id = ? AND code_md5 = ?',
      )
      .pluck()
    this.#lastUsed = db
      .prepare<[], number>("SELECT seq FROM sqlite_sequence WHERE name = 'recordings'")
      .pluck()
    this.#hasImported = db
      .prepare<[], number>('SELECT 1 FROM recordings WHERE track_id IS NULL LIMIT 1')
      .pluck()
    this.#hasKeysAfter = db
      .prepare<[number], number>(
        `SELECT 1 FROM recordings WHERE track_id IS NULL AND id > ?
         AND CAST(fingerprint_version AS REAL) < 4 LIMIT 1`,
      )
      .pluck()
    this.#removeByTrack = db.prepare<[string]>('DELETE FROM recordings WHERE track_id = ?')
    this.#state = db.prepare<[], IndexState>(
      'SELECT generation, packs, task, upto, step FROM index_state WHERE id = 1',
    )
    this.#setTask = db.prepare<Task>(
      `UPDATE index_state SET generation = generation + 1, packs = packs + 1, task = @task, upto = @upto, step = @step`,
    )
    this.#postings = db.prepare<[number, number], PostingsRow>(
      'SELECT id, postings FROM postings WHERE id BETWEEN ? AND ? ORDER BY id',
    )
    this.#append = db.prepare<[number, Uint8Array]>(
      `INSERT INTO postings (id, postings) VALUES (?, ?)
       ON CONFLICT (id) DO UPDATE SET postings = CAST(postings || excluded.postings AS BLOB)`,
    )
    this.#replace = db.prepare<[Uint8Array, number]>(
      'UPDATE postings SET postings = ? WHERE id = ?',
    )
    this.#drop = db.prepare<[number]>('DELETE FROM postings WHERE id = ?')
    this.#counts = db
      .prepare<[number], Buffer>('SELECT counts FROM code_frequencies WHERE id = ?')
      .pluck()
    this.#setCounts = db.prepare<[number, Uint8Array]>(
      'INSERT OR REPLACE INTO code_frequencies (id, counts) VALUES (?, ?)',
    )
  }

  /** Runs `work` in one write transaction. */
  atomically<T>(work: () => T): T {
    return this.#db.transaction(work).immediate()
  }

  /** Runs `work` on one state of the database, whatever other processes write meanwhile. */
  consistently<T>(work: () => T): T {
    return this.#db.transaction(work).deferred()
  }

  /** Adds a recording; its number. */
  add(recording: Omit<RecordingRow, 'id'>): number {
    return Number(this.#insert.run(recording).lastInsertRowid)
  }

  addCodes(head: HeadRow): void {
    this.#insertHead.run(head)
  }

  byId(id: number): RecordingRow | undefined {
    return this.#byId.get(id)
  }

  /** Whether any recording of a song is known. */
  holdsAny(songId: string): boolean {
    const found = this.#db
      .prepare<[string], number>('SELECT 1 FROM recordings WHERE song_id = ? LIMIT 1')
      .pluck()
      .get(songId)
    return found === 1
  }

  /** Whether a song has this code string already. */
  holds(songId: string, codeMd5: string): boolean {
    return this.#holds.get(songId, codeMd5) === 1
  }

  byTrack(trackId: string): RecordingRow[] {
    return this.#byTrack.all(trackId)
  }

  /** Whether there are recordings without a track: of imported code strings. */
  hasImported(): boolean {
    return this.#hasImported.get() === 1
  }

  /** Whether code strings of system A, versions 3.13 and 3.15, were ever imported. */
  hasImportedKeys(): boolean {
    if (this.#keys.seen) return true
    // Numbers only grow: each recording is looked at once, however often this is asked.
    const upto = this.lastId()
    this.#keys = { seen: this.#hasKeysAfter.get(this.#keys.upto) === 1, upto }
    return this.#keys.seen
  }

  /** Removes the recordings of a track; their postings are purged later. */
  removeByTrack(trackId: string): void {
    this.#removeByTrack.run(trackId)
  }

  /** Moves the recordings of one song to another. */
  reassign(fromSong: string, toSong: string): void {
    this.#db.prepare('UPDATE recordings SET song_id = ? WHERE song_id = ?').run(toSong, fromSong)
  }

  count(): number {
    return this.#db.prepare<[], number>('SELECT count(*) FROM recordings').pluck().get() as number
  }

  /** The highest number that a recording has. */
  lastId(): number {
    return this.#db
      .prepare<[], number>('SELECT coalesce(max(id), 0) FROM recordings')
      .pluck()
      .get() as number
  }

  /** The highest number that a recording ever had. */
  lastUsed(): number {
    return this.#lastUsed.get() ?? 0
  }

  state(): IndexState {
    return this.#state.get() as IndexState
  }

  setTask(task: Task): void {
    this.#setTask.run(task)
  }

  /** How many recordings wait to be packed. */
  countHead(): number {
    return this.#db
      .prepare<[], number>('SELECT count(DISTINCT recording_id) FROM recording_codes')
      .pluck()
      .get() as number
  }

  /** The numbers of recordings that are not packed, ascending. */
  headIds(): number[] {
    return this.#db
      .prepare<[], number>(
        'SELECT DISTINCT recording_id FROM recording_codes ORDER BY recording_id',
      )
      .pluck()
      .all()
  }

  /** What is not packed of a recording. */
  headOf(recordingId: number): HeadRow[] {
    return this.#db
      .prepare<[number], HeadRow>(
        `SELECT recording_id AS recordingId, family, codes FROM recording_codes
         WHERE recording_id = ? ORDER BY family`,
      )
      .all(recordingId)
  }

  /** Forgets the unpacked codes up to a recording: they are in the postings. */
  dropHead(upto: number): void {
    this.#db.prepare('DELETE FROM recording_codes WHERE recording_id <= ?').run(upto)
  }

  /** The rows from one id to another. */
  postings(first: number, last: number): PostingsRow[] {
    return this.#postings.all(first, last)
  }

  /** Appends a run to a row, making the row when it is not there. */
  append(id: number, run: Uint8Array): void {
    this.#append.run(id, run)
  }

  /** Writes a row anew; without postings it is removed. */
  replace(id: number, postings: Uint8Array): void {
    if (postings.length > 0) this.#replace.run(postings, id)
    else this.#drop.run(id)
  }

  /** The frequencies of a chunk of slots. */
  counts(id: number): Buffer | undefined {
    return this.#counts.get(id)
  }

  /** The frequencies of the chunks from one id to another, as far as there are any. */
  countsOf(first: number, last: number): IterableIterator<{ id: number; counts: Buffer }> {
    return this.#db
      .prepare<[number, number], { id: number; counts: Buffer }>(
        'SELECT id, counts FROM code_frequencies WHERE id BETWEEN ? AND ?',
      )
      .iterate(first, last)
  }

  setCounts(id: number, counts: Uint8Array): void {
    this.#setCounts.run(id, counts)
  }

  /** The recordings that are gone but still named in postings, ascending. */
  removed(): number[] {
    return this.#db
      .prepare<[], number>('SELECT id FROM removed_recordings ORDER BY id')
      .pluck()
      .all()
  }

  /** Fixes which of the removed recordings the purge that begins now takes out. */
  beginPurge(): void {
    this.#db.prepare('UPDATE removed_recordings SET purging = 1').run()
  }

  purging(): number[] {
    return this.#db
      .prepare<[], number>('SELECT id FROM removed_recordings WHERE purging = 1 ORDER BY id')
      .pluck()
      .all()
  }

  endPurge(): void {
    this.#db.prepare('DELETE FROM removed_recordings WHERE purging = 1').run()
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
