import type { Handler, Running } from '../../kernel/jobs/handler.ts'
import type { Kernel } from '../../kernel/kernel.ts'
import { isBudgetSpent, jobTurn } from '../../kernel/scheduler.ts'
import type { RecordingStore } from '../recording-store.ts'
import type { Family } from '../systems/version.ts'
import { type IndexState, type IndexTask, isDoing, NO_TASK } from './index-store.ts'
import { chunkOfStep, TASK_STEPS } from './layout.ts'
import { collectUnpacked, packChunk, purgeChunk, type UnpackedCodes } from './pack-chunk.ts'
import { ChunkPostings } from './rows.ts'

const PACK_JOB = 'recording/pack'

/** Packing writes nearly every row, so more recordings at once take less time each. */
export const PACK_THRESHOLD = 512
/** In a large index packing waits for this share of all recordings. */
const PACK_SHARE = 1 / 8
const MAX_PACK_THRESHOLD = 1024
/** Unpacked recordings cost memory. */
const MAX_PACKED_AT_ONCE = 2048
/** Removed recordings are purged when they are so many, and this share of all. */
const PURGE_THRESHOLD = 64
const PURGE_SHARE = 0.1

export function enqueuePacking({
  recordings,
  enqueue,
}: Pick<Kernel, 'enqueue'> & { recordings: RecordingStore }): void {
  if (needsPacking(recordings)) enqueue({ kind: PACK_JOB, subject: 'index' })
}

export function needsPacking(store: RecordingStore): boolean {
  const { index } = store
  return (
    index.state().task !== null ||
    (index.countHead() ?? 0) >= packThreshold(store) ||
    needsPurge(store)
  )
}

function packThreshold(store: RecordingStore): number {
  return Math.max(PACK_THRESHOLD, Math.min(MAX_PACK_THRESHOLD, PACK_SHARE * store.lastId()))
}

function needsPurge(store: RecordingStore): boolean {
  const removed = store.index.removed().length
  return removed >= PURGE_THRESHOLD && removed >= PURGE_SHARE * store.count()
}

/** Lets calls run between two steps; throws when the job must stop. */
type GiveTurn = () => Promise<void>

/**
 * Packs new recordings and purges removed ones, in steps that record their progress. Two engines
 * may run it, so every step checks the task.
 */
export function packJob(store: RecordingStore, turnOf = jobTurn): Handler {
  async function run(_job: unknown, { signal }: Running): Promise<() => void> {
    const giveTurn: GiveTurn = () => turnOf(signal)
    for (;;) {
      const state = store.atomically(() => beginTask(store))
      if (state.task === null) {
        await releaseFreePages(store, giveTurn)
        return () => {}
      }
      await (state.task === 'pack'
        ? packRecordings(store, state, giveTurn)
        : purgeRecordings(store, state, giveTurn))
    }
  }
  return {
    kind: PACK_JOB,
    concurrency: 1,
    run,
    failed() {},
  }
}

function beginTask(store: RecordingStore): IndexState {
  const { index } = store
  if (index.state().task !== null) return index.state()
  const ids = index.headIds()
  const last =
    ids.length >= packThreshold(store)
      ? ids[Math.min(MAX_PACKED_AT_ONCE, ids.length) - 1]
      : undefined
  const lastRemoved = index.removed().at(-1)
  if (last !== undefined) index.setTask({ task: 'pack', upto: last, step: 0 })
  else if (lastRemoved !== undefined && needsPurge(store)) {
    index.beginPurge()
    index.setTask({ task: 'purge', upto: lastRemoved, step: 0 })
  }
  return index.state()
}

async function packRecordings(
  store: RecordingStore,
  task: IndexTask,
  giveTurn: GiveTurn,
): Promise<void> {
  const { index } = store
  const columns = new Map<Family, UnpackedCodes[]>()
  const ids = index.headIds().filter((id) => id <= task.upto)
  for (const [i, id] of ids.entries()) {
    collectUnpacked(columns, index, id)
    if (i % 16 === 15) await giveTurn()
  }
  const buffers = new Map<Family, ChunkPostings>()
  await workInSteps(store, task, giveTurn, (family, chunk) => {
    const layout = index.layout()[family]
    const familyColumns = columns.get(family)
    if (!familyColumns) return
    const buffer = buffers.get(family) ?? new ChunkPostings(layout, chunk)
    buffers.set(family, buffer)
    packChunk(index, layout, chunk, familyColumns, buffer)
  })
  store.atomically(() => {
    if (!isDoing(index.state(), task)) return
    index.dropHead(task.upto)
    index.setTask(NO_TASK)
  })
}

async function purgeRecordings(
  store: RecordingStore,
  task: IndexTask,
  giveTurn: GiveTurn,
): Promise<void> {
  const { index } = store
  const purged = new Set(index.purging())
  await workInSteps(store, task, giveTurn, (family, chunk) => {
    purgeChunk(index, index.layout()[family], chunk, purged)
  })
  store.atomically(() => {
    if (!isDoing(index.state(), task)) return
    index.endPurge()
    index.setTask(NO_TASK)
  })
}

const KEPT_FREE_PAGES = 2048
const RELEASED_PAGES = 256

async function releaseFreePages({ index }: RecordingStore, giveTurn: GiveTurn): Promise<void> {
  for (let free = index.freePages(); free > KEPT_FREE_PAGES; ) {
    index.releasePages(Math.min(RELEASED_PAGES, free - KEPT_FREE_PAGES))
    const freeLeft = index.freePages()
    // A file whose auto_vacuum was changed does not shrink.
    if (freeLeft >= free) return
    free = freeLeft
    await giveTurn()
  }
}

async function workInSteps(
  store: RecordingStore,
  { task, upto }: IndexTask,
  giveTurn: GiveTurn,
  work: (family: Family, chunk: number) => void,
): Promise<void> {
  for (;;) {
    const done = store.atomically.step(() => {
      const state = store.index.state()
      // Another engine has finished it.
      if (!isDoing(state, { task, upto })) return true
      let { step } = state
      while (step < TASK_STEPS) {
        const { family, chunk } = chunkOfStep(step)
        work(family, chunk)
        step++
        if (isBudgetSpent()) break
      }
      store.index.setTask({ task, upto, step })
      return step === TASK_STEPS
    })
    if (done) return
    await giveTurn()
  }
}
