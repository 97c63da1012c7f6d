import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { attemptsFor } from '../kernel/jobs/retry.ts'
import type { Limiter } from '../kernel/limiter.ts'
import { AudileError, messageOf, type PlainError, toPlain } from '../values/errors.ts'
import { WorkerDied } from '../workers/pool.ts'
import { type FleetKind, type FleetTask, taskFrom } from './fleet-task.ts'
import { type JobObjects, NoAccess, objectsOf } from './job-objects.ts'
import type { Pools } from './pools.ts'
import type { Queue, TakenJob } from './queue.ts'
import { writeObject } from './read-object.ts'
import { encodeAnswer, type FleetAnswer } from './result-code.ts'
import type { Retries } from './retry.ts'
import type { Store } from './store.ts'

/** Attempts after which the death of the worker is the answer, as it is without a fleet. */
const DEATHS = 3

export interface Bench {
  pools: Pools
  queue: Queue
  /** `undefined`: the worker uses the signed addresses of jobs. */
  store: Store | undefined
  persistence: Retries
  /** The folder for audio during analysis. */
  folder: string
  /** Runs as many analyses at once as there are threads. */
  analysing: Limiter
}

interface JobCallbacks {
  signal: AbortSignal
  onProgress: (progress: number) => void
  /** The result is in the store. */
  onResult: () => void
}

/**
 * How work on a job ended. `back`: it went back to its owner, who stores the audio again or signs
 * new addresses. `missing`: the same, because the audio is not in the store.
 */
export type Outcome = 'done' | 'back' | 'missing' | 'failed'

/**
 * Works on one job: reads the audio from the store, and puts the result there. A file that cannot
 * be decoded is a result too.
 *
 * @throws {NoStore} when the worker reaches neither audio nor result; the signal's reason on abort
 */
export async function workOn(
  job: TakenJob,
  bench: Bench,
  { signal, onProgress, onResult }: JobCallbacks,
): Promise<Outcome> {
  const { queue, persistence, folder } = bench
  const task = taskFrom(job.task)
  const objects = objectsOf(job, task, bench.store)
  const path = join(folder, `${job.id}-${job.attempt}`)
  const onQueue = <T>(work: () => Promise<T>) => persistence.call('queue', signal, work)
  const inStore = <T>(work: () => Promise<T>) => persistence.call('store', signal, work)
  // The owner puts a job that vanishes on the queue again.
  const sendBack = () => onQueue(() => queue.remove([job.id]))
  try {
    const audio = await inStore(() => fetchAudio(objects, task, path, signal))
    if (audio === 'missing') {
      await sendBack()
      return audio
    }
    const isDamaged = audio === 'damaged'
    const answer = isDamaged
      ? { audio }
      : await answerOf(job, task, path, bench, signal, onProgress)
    if (typeof answer === 'string') {
      await onQueue(() => queue.fail(job, answer))
      return 'failed'
    }
    const bytes = await encodeAnswer(answer)
    await inStore(() => objects.putResult(bytes))
    onResult()
    await onQueue(() => queue.done(job))
    // A result whose job was withdrawn meanwhile has no owner who would remove it.
    const states = await onQueue(() => queue.look([job.id]))
    if (!states.has(job.id)) await inStore(() => objects.deleteResult())
    return isDamaged ? 'back' : 'done'
  } catch (error) {
    if (!(error instanceof NoAccess)) throw error
    await sendBack()
    return 'back'
  } finally {
    await rm(path, { force: true })
  }
}

async function fetchAudio(
  objects: JobObjects,
  { audio: { md5, bytes } }: FleetTask,
  path: string,
  signal: AbortSignal,
): Promise<'whole' | 'damaged' | 'missing'> {
  const object = await objects.audio()
  if (!object) return 'missing'
  return (await writeObject(object, path, bytes, signal)) === md5 ? 'whole' : 'damaged'
}

/** The answer, or a text that says why another worker may try. */
async function answerOf(
  job: TakenJob,
  task: FleetTask,
  path: string,
  { pools, analysing }: Bench,
  signal: AbortSignal,
  onProgress: (progress: number) => void,
): Promise<FleetAnswer<FleetKind> | string> {
  try {
    const isolated = job.attempt > 1
    const result = await analysing.run(signal, () =>
      pools.run(task, path, { signal, onProgress, isolated }),
    )
    return { result } as FleetAnswer<FleetKind>
  } catch (error) {
    signal.throwIfAborted()
    // An error that names the option means that ffmpeg might read the file.
    if (task.ffmpeg && !pools.hasFfmpeg && messageOf(error).includes('ffmpegPath')) return NO_FFMPEG
    const isAnswer = error instanceof WorkerDied ? job.attempt >= DEATHS : isFinal(error)
    return isAnswer ? { error: told(error, path) } : messageOf(error)
  }
}

const NO_FFMPEG =
  'It needs ffmpeg, which its owner names and this worker does not: start workers with --ffmpeg, or the option ffmpegPath.'

function isFinal(error: unknown): boolean {
  const isClosed = error instanceof AudileError && error.code === 'closed'
  return error instanceof Error && !isClosed && attemptsFor(error) === 1
}

/** The error without details that matter only on this machine. */
function told(error: unknown, path: string): PlainError {
  const { kind, code, name, message } = toPlain(error)
  return { kind, ...(code && { code }), name, message: message.replaceAll(path, 'The file') }
}
