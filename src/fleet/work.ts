import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { AudileError, messageOf, type PlainError, toPlain } from '../errors.ts'
import { attemptsFor } from '../kernel/jobs/retry.ts'
import { type Pool, WorkerDied } from '../workers/pool.ts'
import { audioName, type FleetKind, type FleetTask, resultName, taskFrom } from './fleet-task.ts'
import type { Persistence } from './persistently.ts'
import type { Queue, TakenJob } from './queue.ts'
import { writeObject } from './read-object.ts'
import { encodeAnswer, type FleetAnswer } from './result-code.ts'
import type { Store } from './store.ts'

/** Attempts after which the death of its worker is an answer, as it is without a fleet. */
const DEATHS = 3

/** What a job is worked on with. */
export interface Bench {
  pool: Pool
  queue: Queue
  store: Store
  persistence: Persistence
  /** Where audio is while it is analysed. */
  folder: string
  /** Runs as many analyses at once as there are threads. */
  analysing: { run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> }
}

/** What is told of work on a job. */
interface JobCallbacks {
  signal: AbortSignal
  onProgress: (progress: number) => void
  /** The result is in the store. */
  onResult: () => void
}

/** How work on a job ended. `no audio`: its owner puts it into the store again. */
export type Outcome = 'done' | 'no audio' | 'failed'

/**
 * Works on one job: audio from the store, the result into the store. That a file cannot be decoded is a
 * result too.
 *
 * @throws the signal's reason on abort
 */
export async function workOn(
  job: TakenJob,
  bench: Bench,
  { signal, onProgress, onResult }: JobCallbacks,
): Promise<Outcome> {
  const { queue, store, persistence } = bench
  const task = taskFrom(job.task)
  const result = resultName(job.id)
  const isThere = await persistence.call('store', signal, () => store.has(result))
  if (!isThere) {
    const path = join(bench.folder, `${job.id}-${job.attempt}`)
    try {
      if (!(await fetchAudio(task, path, bench, signal))) {
        await persistence.call('queue', signal, () => queue.remove([job.id]))
        return 'no audio'
      }
      const answer = await answerOf(job, task, path, bench, { signal, onProgress })
      if (typeof answer === 'string') {
        await persistence.call('queue', signal, () => queue.fail(job, answer))
        return 'failed'
      }
      const bytes = await encodeAnswer(answer)
      await persistence.call('store', signal, () => store.put(result, bytes))
    } finally {
      await rm(path, { force: true })
    }
  }
  onResult()
  await persistence.call('queue', signal, () => queue.done(job))
  await removeUnwanted(job, bench, signal)
  return 'done'
}

/** A result whose job was withdrawn meanwhile has no owner who would remove it. */
async function removeUnwanted(
  { id }: TakenJob,
  { queue, store, persistence }: Bench,
  signal: AbortSignal,
): Promise<void> {
  const states = await persistence.call('queue', signal, () => queue.look([id]))
  if (!states.has(id)) await persistence.call('store', signal, () => store.delete(resultName(id)))
}

/** Whether the audio was in the store, whole. */
async function fetchAudio(
  task: FleetTask,
  path: string,
  { store, persistence }: Bench,
  signal: AbortSignal,
): Promise<boolean> {
  const name = audioName(task)
  return persistence.call('store', signal, async () => {
    const object = await store.get(name)
    if (!object) return false
    const { md5, bytes } = task.audio
    const written = await writeObject(object, path, bytes, signal)
    if (written === md5) return true
    await store.delete(name)
    return false
  })
}

/** The answer; a text says why another worker may try. */
async function answerOf(
  job: TakenJob,
  { kind, given }: FleetTask,
  path: string,
  { pool, analysing }: Bench,
  { signal, onProgress }: Omit<JobCallbacks, 'onResult'>,
): Promise<FleetAnswer<FleetKind> | string> {
  try {
    const task = { ...given, path } as Parameters<typeof pool.run<FleetKind>>[1]
    const isolated = job.attempt > 1
    const result = await analysing.run(signal, () =>
      pool.run(kind, task, { signal, onProgress, isolated }),
    )
    return { result } as FleetAnswer<FleetKind>
  } catch (error) {
    signal.throwIfAborted()
    const isAnswer = error instanceof WorkerDied ? job.attempt >= DEATHS : isFinal(error)
    return isAnswer ? { error: told(error, path) } : messageOf(error)
  }
}

function isFinal(error: unknown): boolean {
  const isClosed = error instanceof AudileError && error.code === 'closed'
  return error instanceof Error && !isClosed && attemptsFor(error) === 1
}

/** The error without what says something only on this machine. */
function told(error: unknown, path: string): PlainError {
  const { kind, code, name, message } = toPlain(error)
  return { kind, ...(code && { code }), name, message: message.replaceAll(path, 'The file') }
}
