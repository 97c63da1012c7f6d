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
import { createLayout, type IndexLayout, type LayoutChoice } from './layout.ts'

export interface HeadRow {
  recordingId: number
  family: number
  /** One run (see systems/postings.ts) of keys with their times. */
  codes: Buffer
}

export interface IndexTask {
  task: 'pack' | 'purge'
  /** The last recording that the task includes. */
  upto: number
  step: number
}

export const NO_TASK = Object.freeze({ task: null, upto: null, step: null })

export type IndexState = (IndexTask | typeof NO_TASK) & {
  /** Grows with every change of the recordings or of their index. */
  generation: number
  /** Grows with every change of the postings. */
  packs: number
}

/** Whether a state is that of a task; `upto` identifies it, as numbers are never reused. */
export function isDoing(
  state: IndexState,
  { task, upto }: Pick<IndexTask, 'task' | 'upto'>,
): state is IndexState & IndexTask {
  return state.task === task && state.upto === upto
}

export interface PostingsRow {
  id: number
  postings: Buffer
}

const prepareIndex = statements({
  layoutChoice: only<[], LayoutChoice>(
    'SELECT slot_bits AS slotBits, segment_bits AS segmentBits FROM index_state WHERE id = 1',
  ),
  putLayout: run<[LayoutChoice]>(
    'UPDATE index_state SET slot_bits = @slotBits, segment_bits = @segmentBits',
  ),
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
    [IndexTask | typeof NO_TASK]
  >(`UPDATE index_state SET generation = generation + 1, packs = packs + 1, task = @task,
         upto = @upto, step = @step`),
  addCodes: run<HeadRow>(`INSERT INTO recording_codes (recording_id, family, codes)
       VALUES (@recordingId, @family, @codes)`),
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
  postings: all<[first: number, last: number], PostingsRow>(
    'SELECT id, postings FROM postings WHERE id BETWEEN ? AND ? ORDER BY id',
  ),
  /** Rows without the bytes of those longer than `longest`. */
  shortPostings: all<
    [longest: number, first: number, last: number],
    { id: number; postings: Buffer | null; length: number }
  >(`SELECT id, iif(length(postings) <= ?, postings, NULL) AS postings,
         length(postings) AS length
       FROM postings WHERE id BETWEEN ? AND ? ORDER BY id`),
  /** The bytes of one row, or its length. */
  shortRow: value<[longest: number, row: number], Buffer | number>(
    `SELECT iif(length(postings) <= ?, postings, length(postings)) FROM postings WHERE id = ?`,
  ),
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
  /** Recordings that are gone but still named in postings, ascending. */
  removed: values<[], number>('SELECT id FROM removed_recordings ORDER BY id'),
  /** Marks the recordings that the new purge takes out. */
  beginPurge: run<[]>('UPDATE removed_recordings SET purging = 1'),
  purging: values<[], number>('SELECT id FROM removed_recordings WHERE purging = 1 ORDER BY id'),
  endPurge: run<[]>('DELETE FROM removed_recordings WHERE purging = 1'),
})

export type IndexStore = ReturnType<typeof openIndex>

/**
 * The tables of the index: unpacked codes (the head), postings, frequencies, removed recordings,
 * state.
 */
export function openIndex(db: Database) {
  const sql = prepareIndex(db)
  let layout: IndexLayout | undefined
  return Object.assign(sql, {
    layout: (): IndexLayout => {
      if (layout) return layout
      layout = createLayout(sql.layoutChoice())
      return layout
    },
    setLayout(layoutChoice: LayoutChoice): void {
      layout = undefined
      sql.putLayout(layoutChoice)
    },
    setTask: (task: IndexTask | typeof NO_TASK) => void sql.putTask(task),
    readFrequencies(chunkRow: number): Uint32Array<ArrayBuffer> | undefined {
      const stored = sql.counts(chunkRow)
      return stored && integersOf(stored)
    },
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
    releasePages: (maxPages: number) => void db.pragma(`incremental_vacuum(${maxPages})`),
  })
}

/** Reads little-endian integers from a copy, as a blob need not be aligned. */
function integersOf(blob: Uint8Array): Uint32Array<ArrayBuffer> {
  const copy = new Uint8Array(blob)
  return new Uint32Array(copy.buffer, 0, copy.length >> 2)
}
