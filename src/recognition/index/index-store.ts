import type { Database } from 'better-sqlite3'
import {
  all,
  each,
  only,
  run,
  statements,
  value,
  values,
} from '../../kernel/database/statements.ts'
import { type Layout, type LayoutChoice, layoutOf } from './layout.ts'

/** Codes of one family of a recording that is not packed yet. */
export interface HeadRow {
  recordingId: number
  family: number
  /** One run (see systems/postings.ts) of keys with their times. */
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

export interface PostingsRow {
  id: number
  postings: Buffer
}

const prepare = statements({
  layoutChoice: only<[], LayoutChoice>(
    'SELECT slot_bits AS slotBits, segment_bits AS segmentBits FROM index_state WHERE id = 1',
  ),
  putLayout: run<[LayoutChoice]>(
    'UPDATE index_state SET slot_bits = @slotBits, segment_bits = @segmentBits',
  ),
  /** How many steps of a merge are done; `null` if no merge was started. */
  mergeStep: value<[], number | null>('SELECT merge_step FROM index_state WHERE id = 1'),
  setMergeStep: run<[step: number]>(`UPDATE index_state SET generation = generation + 1,
         packs = packs + 1, merge_step = ?`),
  sizeBetween: only<[first: number, last: number], { rows: number; bytes: number }>(
    `SELECT count(*) AS rows, coalesce(sum(length(postings)), 0) AS bytes FROM postings
       WHERE id BETWEEN ? AND ?`,
  ),
  state: only<[], IndexState>(
    'SELECT generation, packs, task, upto, step FROM index_state WHERE id = 1',
  ),
  putTask: run<
    [Task | typeof NO_TASK]
  >(`UPDATE index_state SET generation = generation + 1, packs = packs + 1, task = @task,
         upto = @upto, step = @step`),
  addCodes: run<HeadRow>(`INSERT INTO recording_codes (recording_id, family, codes)
       VALUES (@recordingId, @family, @codes)`),
  /** What is not packed yet, by family. */
  headSizes: all<[], { family: number; rows: number; bytes: number }>(
    `SELECT family, count(*) AS rows, sum(length(codes)) AS bytes FROM recording_codes
       GROUP BY family`,
  ),
  countHead: value<[], number>('SELECT count(DISTINCT recording_id) FROM recording_codes'),
  headIds: values<[], number>(
    'SELECT DISTINCT recording_id FROM recording_codes ORDER BY recording_id',
  ),
  headOf: all<
    [recordingId: number],
    HeadRow
  >(`SELECT recording_id AS recordingId, family, codes FROM recording_codes
       WHERE recording_id = ? ORDER BY family`),
  headCodes: value<[recordingId: number, family: number], Buffer>(
    'SELECT codes FROM recording_codes WHERE recording_id = ? AND family = ?',
  ),
  dropHead: run<[upto: number]>('DELETE FROM recording_codes WHERE recording_id <= ?'),
  /** The rows from one id to another, both included. */
  postings: all<[first: number, last: number], PostingsRow>(
    'SELECT id, postings FROM postings WHERE id BETWEEN ? AND ? ORDER BY id',
  ),
  /** The same, but only the length of rows that have more than `longest` bytes. */
  shortPostings: all<
    [longest: number, first: number, last: number],
    { id: number; postings: Buffer | null; length: number }
  >(`SELECT id, iif(length(postings) <= ?, postings, NULL) AS postings,
         length(postings) AS length
       FROM postings WHERE id BETWEEN ? AND ? ORDER BY id`),
  /** The same for one row: its bytes, or its length. */
  shortRow: value<[longest: number, row: number], Buffer | number>(
    `SELECT iif(length(postings) <= ?, postings, length(postings)) FROM postings WHERE id = ?`,
  ),
  /** Appends a run to a row, which is made if there is none. */
  append: run<[id: number, run: Uint8Array]>(`INSERT INTO postings (id, postings) VALUES (?, ?)
       ON CONFLICT (id) DO UPDATE SET postings = CAST(postings || excluded.postings AS BLOB)`),
  replace: run<[postings: Uint8Array, id: number]>('UPDATE postings SET postings = ? WHERE id = ?'),
  drop: run<[id: number]>('DELETE FROM postings WHERE id = ?'),
  counts: value<[number], Buffer>('SELECT counts FROM code_frequencies WHERE id = ?'),
  countsBetween: each<[number, number], { id: number; counts: Buffer }>(
    'SELECT id, counts FROM code_frequencies WHERE id BETWEEN ? AND ?',
  ),
  setCounts: run<[number, Uint8Array]>(
    'INSERT OR REPLACE INTO code_frequencies (id, counts) VALUES (?, ?)',
  ),
  /** The recordings that are gone but still named in postings, ascending. */
  removed: values<[], number>('SELECT id FROM removed_recordings ORDER BY id'),
  /** Marks the recordings that were removed so far: the new purge takes these out. */
  beginPurge: run<[]>('UPDATE removed_recordings SET purging = 1'),
  purging: values<[], number>('SELECT id FROM removed_recordings WHERE purging = 1 ORDER BY id'),
  endPurge: run<[]>('DELETE FROM removed_recordings WHERE purging = 1'),
})

export type IndexStore = ReturnType<typeof openIndex>

/**
 * The tables `recording_codes` (the head: recordings not packed yet), `postings`, `code_frequencies`,
 * `removed_recordings` and `index_state`. Ids of rows are those of layout.ts.
 */
export function openIndex(db: Database) {
  const sql = prepare(db)
  let layout: Layout | undefined
  return Object.assign(sql, {
    layout: (): Layout => {
      if (layout) return layout
      layout = layoutOf(sql.layoutChoice())
      return layout
    },
    /** Chooses the layout of an index that holds nothing yet. */
    setLayout(choice: LayoutChoice): void {
      layout = undefined
      sql.putLayout(choice)
    },
    setTask: (task: Task | typeof NO_TASK) => void sql.putTask(task),
    frequencies(chunkRow: number): Uint32Array<ArrayBuffer> | undefined {
      const stored = sql.counts(chunkRow)
      return stored && integersOf(stored)
    },
    /** The frequencies of the chunks from one row to another that have any. */
    *allFrequencies(first: number, last: number): Generator<[row: number, counts: Uint32Array]> {
      for (const { id, counts } of sql.countsBetween(first, last)) yield [id, integersOf(counts)]
    },
    setFrequencies(chunkRow: number, counts: Uint32Array): void {
      sql.setCounts(chunkRow, new Uint8Array(counts.buffer, 0, counts.byteLength))
    },
    fileBytes: () =>
      Number(db.pragma('page_count', { simple: true })) *
      Number(db.pragma('page_size', { simple: true })),
    freePages: () => Number(db.pragma('freelist_count', { simple: true })),
    /** Gives up to this many unused pages back to the disk. */
    releasePages: (most: number) => void db.pragma(`incremental_vacuum(${most})`),
  })
}

/** Reads 32-bit little-endian integers; a copy, as a blob need not be aligned. */
function integersOf(blob: Uint8Array): Uint32Array<ArrayBuffer> {
  const copy = new Uint8Array(blob)
  return new Uint32Array(copy.buffer, 0, copy.length >> 2)
}
