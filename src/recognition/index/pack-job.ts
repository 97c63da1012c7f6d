import type { Handler, Running } from '../../kernel/jobs/handler.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { isBudgetSpent, jobTurn } from '../../kernel/scheduler.ts'
import type { RecordingStore } from '../recording-store.ts'
import type { Family } from '../systems/version.ts'
import { type IndexState, isDoing, NO_TASK, type Task } from './index-store.ts'
import { chunkOfStep, STEPS } from './layout.ts'
import { addHead, type Column, packChunk, purgeChunk } from './pack-chunk.ts'
import { ChunkPostings } from './rows.ts'

const PACK_JOB = 'recording/pack'

/**
 * Packing begins at this number of unpacked recordings. It writes nearly every row of the index, so
 * more recordings at once take less time each: songs of four minutes take 7.3 ms each with 256, 5.2
 * ms with 1,024. They cost memory: see {@link PACK_MOST}.
 */
export const PACK_AT = 512
/** In a large index, where packing writes more: this share of all recordings, at most `LATEST`. */
const PACK_SHARE = 1 / 8
const LATEST = 1024
/** Recordings packed at once at most: each hundred takes 8 MB of memory, and 12 MB if it is searched. */
const PACK_MOST = 2048
/** Removed recordings are purged when there are this many, and this share of all. */
const PURGE_AT = 64
const PURGE_SHARE = 0.1

/** Starts packing if there is enough to do; inside the transaction that adds or removes some. */
export function packSoon({
  recordings,
  enqueue,
}: Pick<Kernel, 'enqueue'> & { recordings: RecordingStore }): void {
  if (needsPacking(recordings)) enqueue({ kind: PACK_JOB, subject: 'index' })
}

export function needsPacking(store: RecordingStore): boolean {
  const { index } = store
  return (
    index.state().task !== null || (index.countHead() ?? 0) >= packAt(store) || needsPurge(store)
  )
}

function packAt(store: RecordingStore): number {
  return Math.max(PACK_AT, Math.min(LATEST, PACK_SHARE * store.lastId()))
}

function needsPurge(store: RecordingStore): boolean {
  const removed = store.index.removed().length
  return removed >= PURGE_AT && removed >= PURGE_SHARE * store.count()
}

/** Lets calls run between two steps; throws when the job must stop. */
type Turn = () => Promise<void>

/**
 * The job that moves the newest recordings into the packed postings, and takes removed ones out.
 * It works in steps of a few milliseconds, each a transaction that also records the progress: a
 * crash or a close loses nothing and repeats nothing, and calls run in between.
 *
 * While a recording is being packed it is in both places; the index ignores one of them.
 *
 * Two engines may run it at once, if one seemed dead and was only asleep. So every transaction
 * checks that the task is still the same.
 */
export function packJob(store: RecordingStore, turnOf = jobTurn): Handler {
  async function run(_job: unknown, { signal }: Running): Promise<() => void> {
    const turn: Turn = () => turnOf(signal)
    for (;;) {
      const state = store.atomically(() => begin(store))
      if (state.task === null) {
        await shrink(store, turn)
        return () => {}
      }
      await (state.task === 'pack' ? pack(store, state, turn) : purge(store, state, turn))
    }
  }
  return {
    kind: PACK_JOB,
    concurrency: 1,
    run,
    failed() {},
  }
}

/** Continues the current task, or starts a new one. */
function begin(store: RecordingStore): IndexState {
  const { index } = store
  if (index.state().task !== null) return index.state()
  const ids = index.headIds()
  const last = ids.length >= packAt(store) ? ids[Math.min(PACK_MOST, ids.length) - 1] : undefined
  const lastRemoved = index.removed().at(-1)
  if (last !== undefined) index.setTask({ task: 'pack', upto: last, step: 0 })
  else if (lastRemoved !== undefined && needsPurge(store)) {
    index.beginPurge()
    index.setTask({ task: 'purge', upto: lastRemoved, step: 0 })
  }
  return index.state()
}

async function pack(store: RecordingStore, task: Task, turn: Turn): Promise<void> {
  const { index } = store
  const columns = new Map<Family, Column[]>()
  const ids = index.headIds().filter((id) => id <= task.upto)
  for (const [i, id] of ids.entries()) {
    addHead(columns, index, id)
    if (i % 16 === 15) await turn()
  }
  const rooms = new Map<Family, ChunkPostings>()
  await inSteps(store, task, turn, (family, chunk) => {
    const layout = index.layout()[family]
    const own = columns.get(family)
    if (!own) return
    const room = rooms.get(family) ?? new ChunkPostings(layout, chunk)
    rooms.set(family, room)
    packChunk(index, layout, chunk, own, room)
  })
  store.atomically(() => {
    if (!isDoing(index.state(), task)) return
    index.dropHead(task.upto)
    index.setTask(NO_TASK)
  })
}

async function purge(store: RecordingStore, task: Task, turn: Turn): Promise<void> {
  const { index } = store
  const gone = new Set(index.purging())
  await inSteps(store, task, turn, (family, chunk) => {
    purgeChunk(index, index.layout()[family], chunk, gone)
  })
  store.atomically(() => {
    if (!isDoing(index.state(), task)) return
    index.endPurge()
    index.setTask(NO_TASK)
  })
}

/** Free pages kept for new recordings, and how many of the others are given back at a time. */
const SPARE = 2048
const PAGES = 256

/** Gives back the pages that packing and purging have emptied. */
async function shrink({ index }: RecordingStore, turn: Turn): Promise<void> {
  for (let free = index.freePages(); free > SPARE; ) {
    index.releasePages(Math.min(PAGES, free - SPARE))
    const left = index.freePages()
    // A file whose auto_vacuum a user has changed does not shrink.
    if (left >= free) return
    free = left
    await turn()
  }
}

/** Works on the remaining chunks, as many in a transaction as the budget allows. */
async function inSteps(
  store: RecordingStore,
  { task, upto }: Task,
  turn: Turn,
  work: (family: Family, chunk: number) => void,
): Promise<void> {
  for (;;) {
    const done = store.atomically.step(() => {
      const state = store.index.state()
      // Another engine has taken the job over and finished it.
      if (!isDoing(state, { task, upto })) return true
      let { step } = state
      while (step < STEPS) {
        const { family, chunk } = chunkOfStep(step)
        work(family, chunk)
        step++
        if (isBudgetSpent()) break
      }
      store.index.setTask({ task, upto, step })
      return step === STEPS
    })
    if (done) return
    await turn()
  }
}
