import type { Database } from 'better-sqlite3'
import { all, each, one, run, statements, value, values } from '../kernel/database/statements.ts'

/** Codes of one family of a recording that is not packed yet. */
export interface HeadRow {
  recordingId: number
  family: number
  /** One run (see fingerprint/postings.ts) of slots with their times. */
  codes: Buffer
}

/** A task on the whole index: packing or purging. */
export interface Task {
  task: 'pack' | 'purge'
  /** The last recording that the task includes. */
  upto: number
  /** Steps that are done. */
  step: number
}

export const NO_TASK = Object.freeze({ task: null, upto: null, step: null })

/** The state of the index: its task, and counts that tell whether it has changed. */
export type IndexState = (Task | typeof NO_TASK) & {
  /** Grows with every change of the recordings or of their index. */
  generation: number
  /** Grows with every change of the postings. */
  packs: number
}

/** Whether a state is that of a task. Numbers of recordings are never reused: `upto` identifies it. */
export function isDoing(
  state: IndexState,
  { task, upto }: Pick<Task, 'task' | 'upto'>,
): state is IndexState & Task {
  return state.task === task && state.upto === upto
}

/** One row of postings. */
interface PostingsRow {
  id: number
  postings: Buffer
}

const prepare = statements({
  state: one<[], IndexState>(
    'SELECT generation, packs, task, upto, step FROM index_state WHERE id = 1',
  ),
  setTask: run<
    [Task | typeof NO_TASK]
  >(`UPDATE index_state SET generation = generation + 1, packs = packs + 1, task = @task,
         upto = @upto, step = @step`),
  addCodes: run<HeadRow>(`INSERT INTO recording_codes (recording_id, family, codes)
       VALUES (@recordingId, @family, @codes)`),
  countHead: value<[], number>('SELECT count(DISTINCT recording_id) FROM recording_codes'),
  headIds: values<[], number>(
    'SELECT DISTINCT recording_id FROM recording_codes ORDER BY recording_id',
  ),
  headOf: all<
    [number],
    HeadRow
  >(`SELECT recording_id AS recordingId, family, codes FROM recording_codes
       WHERE recording_id = ? ORDER BY family`),
  dropHead: run<[number]>('DELETE FROM recording_codes WHERE recording_id <= ?'),
  postings: all<[number, number], PostingsRow>(
    'SELECT id, postings FROM postings WHERE id BETWEEN ? AND ? ORDER BY id',
  ),
  append: run<[number, Uint8Array]>(`INSERT INTO postings (id, postings) VALUES (?, ?)
       ON CONFLICT (id) DO UPDATE SET postings = CAST(postings || excluded.postings AS BLOB)`),
  replace: run<[Uint8Array, number]>('UPDATE postings SET postings = ? WHERE id = ?'),
  drop: run<[number]>('DELETE FROM postings WHERE id = ?'),
  counts: value<[number], Buffer>('SELECT counts FROM code_frequencies WHERE id = ?'),
  countsBetween: each<[number, number], { id: number; counts: Buffer }>(
    'SELECT id, counts FROM code_frequencies WHERE id BETWEEN ? AND ?',
  ),
  setCounts: run<[number, Uint8Array]>(
    'INSERT OR REPLACE INTO code_frequencies (id, counts) VALUES (?, ?)',
  ),
  removed: values<[], number>('SELECT id FROM removed_recordings ORDER BY id'),
  beginPurge: run<[]>('UPDATE removed_recordings SET purging = 1'),
  purging: values<[], number>('SELECT id FROM removed_recordings WHERE purging = 1 ORDER BY id'),
  endPurge: run<[]>('DELETE FROM removed_recordings WHERE purging = 1'),
})

/**
 * The tables `recording_codes` (the head: recordings not packed yet), `postings`, `code_frequencies`,
 * `removed_recordings` and `index_state`. Ids of rows are those of index-layout.ts.
 */
export class IndexStore {
  readonly #db: Database
  readonly #sql

  constructor(db: Database) {
    this.#db = db
    this.#sql = prepare(db)
  }

  state(): IndexState {
    const state = this.#sql.state()
    if (!state) throw new Error('The table index_state has lost its row.')
    return state
  }

  setTask(task: Task | typeof NO_TASK): void {
    this.#sql.setTask(task)
  }

  addCodes(head: HeadRow): void {
    this.#sql.addCodes(head)
  }

  /** How many recordings wait to be packed. */
  countHead(): number {
    return this.#sql.countHead() ?? 0
  }

  /** The numbers of recordings that are not packed, ascending. */
  headIds(): number[] {
    return this.#sql.headIds()
  }

  /** The codes of a recording that is not packed. */
  headOf(recordingId: number): HeadRow[] {
    return this.#sql.headOf(recordingId)
  }

  /** Deletes the unpacked codes up to a recording, once they are in the postings. */
  dropHead(upto: number): void {
    this.#sql.dropHead(upto)
  }

  /** The rows from one id to another, both included. */
  postings(first: number, last: number): PostingsRow[] {
    return this.#sql.postings(first, last)
  }

  /** Appends a run to a row, which is made if there is none. */
  append(id: number, run: Uint8Array): void {
    this.#sql.append(id, run)
  }

  /** Replaces the postings of a row; without any the row is removed. */
  replace(id: number, postings: Uint8Array): void {
    if (postings.length > 0) this.#sql.replace(postings, id)
    else this.#sql.drop(id)
  }

  /** The frequencies of a chunk of slots. */
  frequencies(chunkRow: number): Uint32Array<ArrayBuffer> | undefined {
    const stored = this.#sql.counts(chunkRow)
    return stored && integersOf(stored)
  }

  /** The frequencies of the chunks from one row to another that have any. */
  *allFrequencies(first: number, last: number): Generator<[row: number, counts: Uint32Array]> {
    for (const { id, counts } of this.#sql.countsBetween(first, last)) {
      yield [id, integersOf(counts)]
    }
  }

  setFrequencies(chunkRow: number, counts: Uint32Array): void {
    this.#sql.setCounts(chunkRow, new Uint8Array(counts.buffer, 0, counts.byteLength))
  }

  /** The recordings that are gone but still named in postings, ascending. */
  removed(): number[] {
    return this.#sql.removed()
  }

  /** Marks the recordings that are removed by now: the purge that begins takes these out. */
  beginPurge(): void {
    this.#sql.beginPurge()
  }

  purging(): number[] {
    return this.#sql.purging()
  }

  endPurge(): void {
    this.#sql.endPurge()
  }

  /** Unused pages of the file. */
  freePages(): number {
    return Number(this.#db.pragma('freelist_count', { simple: true }))
  }

  /** Gives up to this many unused pages back to the disk. */
  releasePages(most: number): void {
    this.#db.pragma(`incremental_vacuum(${most})`)
  }
}

/** Reads 32-bit little-endian integers; a copy, as a blob need not be aligned. */
function integersOf(blob: Uint8Array): Uint32Array<ArrayBuffer> {
  const copy = new Uint8Array(blob)
  return new Uint32Array(copy.buffer, 0, copy.length >> 2)
}
