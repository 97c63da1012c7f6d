import { PostingsReader, PostingsWriter } from '../fingerprint/postings.ts'
import { FAMILIES, type Family } from '../fingerprint/version.ts'
import type { Handler, Running } from '../kernel/jobs/loop.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { isBudgetSpent, jobTurn } from '../kernel/scheduler.ts'
import { integersOf } from './code-index.ts'
import {
  baseOf,
  CHUNK,
  chunkOfStep,
  chunkRowOf,
  firstAt,
  lastRowOf,
  rowOf,
  SEGMENT,
  STEPS,
} from './index-layout.ts'
import { slotsOf } from './ingest.ts'
import type { IndexState, RecordingStore } from './store.ts'

/** The kind of the job that packs new recordings and purges removed ones. */
const PACK_JOB = 'recording/pack'

/** So many unpacked recordings are packed. Looking them up costs an identification about 5 ms. */
export const PACK_AT = 256
/** At most so many at once: 5 MB of memory for each hundred. */
const PACK_MOST = 2048
/** Removed recordings are purged when they are so many, and at least this share of all. */
const PURGE_AT = 64
const PURGE_SHARE = 0.1

const FAMILY_NAMES = Object.keys(FAMILIES) as Family[]

/** Has recordings packed, if there are enough; inside the transaction that adds or removes some. */
export function packSoon({
  recordings,
  enqueue,
}: Pick<Kernel, 'enqueue'> & { recordings: RecordingStore }): void {
  if (needsPacking(recordings)) enqueue({ kind: PACK_JOB, subject: 'index' })
}

/** Whether there is enough to do for a {@link packJob}. */
export function needsPacking(store: RecordingStore): boolean {
  return store.state().task !== null || store.countHead() >= PACK_AT || needsPurge(store)
}

function needsPurge(store: RecordingStore): boolean {
  const removed = store.removed().length
  return removed >= PURGE_AT && removed >= PURGE_SHARE * store.count()
}

/** Lets calls in between two steps. */
type Turn = () => Promise<void>

/**
 * The job that moves the newest recordings into the packed postings, and takes removed ones out.
 * In steps of a few milliseconds, each a transaction that also writes how far it came: a crash or
 * a close loses nothing, repeats nothing, and calls come between.
 *
 * While a recording is being packed it stands in both places; the index leaves out one of them.
 *
 * Two engines may be at it at once, if one was taken for dead and was only asleep. So every
 * transaction asks whether the task is still the one that was begun.
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

/** Takes up the task that was begun, or begins one. */
function begin(store: RecordingStore): IndexState {
  const state = store.state()
  if (state.task !== null) return state
  const ids = store.headIds()
  if (ids.length >= PACK_AT) {
    store.setTask({ task: 'pack', upto: ids[Math.min(PACK_MOST, ids.length) - 1]!, step: 0 })
  } else if (needsPurge(store)) {
    store.beginPurge()
    // The numbers of recordings are never used again: this one names this very purge.
    store.setTask({ task: 'purge', upto: store.removed().at(-1) ?? null, step: 0 })
  }
  return store.state()
}

const IDLE = { task: null, upto: null, step: null } as const

/** The unpacked codes of one family, recording by recording. */
interface Column {
  id: number
  slots: Uint32Array
  times: Uint32Array
  /** How far it is packed. */
  at: number
}

async function pack(store: RecordingStore, state: IndexState, turn: Turn): Promise<void> {
  const upto = state.upto as number
  const columns = new Map<Family, Column[]>(FAMILY_NAMES.map((name) => [name, []]))
  const ids = store.headIds().filter((id) => id <= upto)
  for (const [i, id] of ids.entries()) {
    for (const { family, codes } of store.headOf(id)) {
      const name = FAMILY_NAMES.find((name) => FAMILIES[name] === family)
      if (name) columns.get(name)?.push({ id, ...slotsOf(codes), at: 0 })
    }
    if (i % 16 === 15) await turn()
  }
  const writer = new PostingsWriter()
  await inSteps(store, 'pack', upto, turn, (family, chunk) => {
    packChunk(store, family, chunk, columns.get(family) as Column[], writer)
  })
  store.atomically(() => {
    if (!isAt(store.state(), 'pack', upto)) return
    store.dropHead(upto)
    store.setTask(IDLE)
  })
}

function packChunk(
  store: RecordingStore,
  family: Family,
  chunk: number,
  columns: Column[],
  writer: PostingsWriter,
): void {
  const first = chunk * CHUNK
  const heads = new Map<number, { counts: Uint32Array; order: Uint32Array; total: number }>()
  // Recordings of one segment make one run for each slot; a batch seldom spans more than two.
  for (const [segment, members] of bySegment(columns)) {
    const counts = new Uint32Array(CHUNK + 1)
    for (const column of members) {
      column.at = firstAt(column.slots, first)
      for (let i = column.at; i < column.slots.length; i++) {
        const slot = column.slots[i]! - first
        if (slot >= CHUNK) break
        counts[slot + 1] = counts[slot + 1]! + 1
      }
    }
    for (let slot = 0; slot < CHUNK; slot++) counts[slot + 1] = counts[slot + 1]! + counts[slot]!
    const total = counts[CHUNK]!
    if (total === 0) continue
    // A counting sort: recordings come in ascending order, and so they stay within a slot.
    const order = new Uint32Array(2 * total)
    const next = counts.slice(0, CHUNK)
    for (const { id, slots, times, at } of members) {
      for (let i = at; i < slots.length; i++) {
        const slot = slots[i]! - first
        if (slot >= CHUNK) break
        const to = 2 * next[slot]!
        next[slot] = next[slot]! + 1
        order[to] = id
        order[to + 1] = times[i]!
      }
    }
    heads.set(segment, { counts, order, total })
  }
  if (heads.size === 0) return
  const frequencies = new Uint32Array(CHUNK)
  const known = store.counts(chunkRowOf(family, chunk))
  if (known) frequencies.set(integersOf(known))
  for (const [segment, { counts, order }] of heads) {
    const base = segment * SEGMENT
    for (let slot = 0; slot < CHUNK; slot++) {
      const from = counts[slot]!
      const to = counts[slot + 1]!
      if (from === to) continue
      writer.begin()
      for (let i = from; i < to; i++) writer.add(order[2 * i]! - base, order[2 * i + 1]!)
      store.append(rowOf(family, first + slot, segment), writer.end())
      frequencies[slot] = frequencies[slot]! + to - from
    }
  }
  store.setCounts(chunkRowOf(family, chunk), new Uint8Array(frequencies.buffer))
}

function bySegment(columns: Column[]): Map<number, Column[]> {
  const segments = new Map<number, Column[]>()
  for (const column of columns) {
    const segment = Math.floor(column.id / SEGMENT)
    const members = segments.get(segment)
    if (members) members.push(column)
    else segments.set(segment, [column])
  }
  return segments
}

async function purge(store: RecordingStore, { upto }: IndexState, turn: Turn): Promise<void> {
  const gone = new Set(store.purging())
  const bases = new Set([...gone].map((id) => id - (id % SEGMENT)))
  const reader = new PostingsReader()
  const writer = new PostingsWriter()
  await inSteps(store, 'purge', upto, turn, (family, chunk) => {
    const row = chunkRowOf(family, chunk)
    const known = store.counts(row)
    if (!known) return
    const frequencies = integersOf(known)
    const first = chunk * CHUNK
    for (let slot = 0; slot < CHUNK; slot++) {
      if (frequencies[slot] === 0) continue
      const rows = store.postings(rowOf(family, first + slot), lastRowOf(family, first + slot))
      for (const { id, postings } of rows) {
        const base = baseOf(id)
        if (!bases.has(base)) continue
        reader.clear()
        reader.unpack(postings, 0)
        writer.begin()
        for (let i = 0; i < reader.length; i++) {
          if (!gone.has(base + reader.songs[i]!)) writer.add(reader.songs[i]!, reader.times[i]!)
        }
        if (writer.count === reader.length) continue
        frequencies[slot] = frequencies[slot]! - (reader.length - writer.count)
        store.replace(id, writer.count > 0 ? writer.end() : new Uint8Array(0))
      }
    }
    store.setCounts(row, new Uint8Array(frequencies.buffer, 0, 4 * CHUNK))
  })
  store.atomically(() => {
    if (!isAt(store.state(), 'purge', upto)) return
    store.endPurge()
    store.setTask(IDLE)
  })
}

/** Free pages that are kept for the recordings to come, and how many are given back at a time. */
const SPARE = 2048
const PAGES = 256

/** Gives the pages back that packing and purging have emptied. */
async function shrink(store: RecordingStore, turn: Turn): Promise<void> {
  for (let free = store.freePages(); free > SPARE; ) {
    store.releasePages(Math.min(PAGES, free - SPARE))
    const left = store.freePages()
    // A file of before, or another connection's, may not shrink.
    if (left >= free) return
    free = left
    await turn()
  }
}

/** Whether a task is still the one that is being done. */
function isAt(state: IndexState, task: 'pack' | 'purge', upto: number | null): boolean {
  return state.task === task && state.upto === upto
}

/** Does the chunks that are left, as many in a transaction as the budget allows. */
async function inSteps(
  store: RecordingStore,
  task: 'pack' | 'purge',
  upto: number | null,
  turn: Turn,
  work: (family: Family, chunk: number) => void,
): Promise<void> {
  for (;;) {
    const done = store.atomically(() => {
      const state = store.state()
      // Another engine took the job over and has finished it.
      if (!isAt(state, task, upto)) return true
      let step = state.step as number
      while (step < STEPS) {
        const { family, chunk } = chunkOfStep(step)
        work(family, chunk)
        step++
        if (isBudgetSpent()) break
      }
      store.setTask({ task, upto, step })
      return step === STEPS
    })
    if (done) return
    await turn()
  }
}
