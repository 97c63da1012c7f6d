import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { attemptsFor } from '../kernel/jobs/retry.ts'
import type { Limiter } from '../kernel/limiter.ts'
import { AudileError, messageOf, type PlainError, toPlain } from '../values/errors.ts'
import { WorkerDied } from '../workers/pool.ts'
import { type FleetKind, type FleetTask, parseTask } from './fleet-task.ts'
import { type JobObjects, NoAccess, openJobObjects } from './job-objects.ts'
import type { Pools } from './pools.ts'
import type { Queue, TakenJob } from './queue.ts'
import { writeObject } from './read-object.ts'
import { encodeAnswer, type FleetAnswer } from './result-code.ts'
import type { Retries } from './retry.ts'
import type { Store } from './store.ts'

/** After so many attempts the death of the worker is the answer, as without a fleet. */
const MAX_DEATHS = 3

export interface WorkBench {
  pools: Pools
  queue: Queue
  /** `undefined`: the worker uses the signed addresses of jobs. */
  store: Store | undefined
  persistence: Retries
  folder: string
  /** As many at once as there are threads. */
  analysing: Limiter
}

interface JobCallbacks {
  signal: AbortSignal
  onProgress: (progress: number) => void
  onResult: () => void
}

/**
 * `back`: the owner stores the audio again or signs new addresses; `missing`: because it is not in
 * the store.
 */
export type JobOutcome = 'done' | 'back' | 'missing' | 'failed'

/**
 * A file that cannot be decoded is a result too.
 * @throws {NoStore} when the worker reaches neither audio nor result; the signal's reason on abort
 */
export async function workOn(
  job: TakenJob,
  bench: WorkBench,
  { signal, onProgress, onResult }: JobCallbacks,
): Promise<JobOutcome> {
  const { queue, persistence, folder } = bench
  const task = parseTask(job.task)
  const objects = openJobObjects(job, task, bench.store)
  const path = join(folder, `${job.id}-${job.attempt}`)
  const onQueue = <T>(work: () => Promise<T>) => persistence.callUntilDone('queue', signal, work)
  const inStore = <T>(work: () => Promise<T>) => persistence.callUntilDone('store', signal, work)
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
      : await answerTask(job, task, path, bench, signal, onProgress)
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

/** A text says why another worker may try. */
async function answerTask(
  job: TakenJob,
  task: FleetTask,
  path: string,
  { pools, analysing }: WorkBench,
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
    const isAnswer = error instanceof WorkerDied ? job.attempt >= MAX_DEATHS : isFinal(error)
    return isAnswer ? { error: toForeignError(error, path) } : messageOf(error)
  }
}

const NO_FFMPEG =
  'It needs ffmpeg, which its owner names and this worker does not: start workers with --ffmpeg, or the option ffmpegPath.'

function isFinal(error: unknown): boolean {
  const isClosed = error instanceof AudileError && error.code === 'closed'
  return error instanceof Error && !isClosed && attemptsFor(error) === 1
}

/** Without details that matter only on this machine. */
function toForeignError(error: unknown, path: string): PlainError {
  const { kind, code, name, message } = toPlain(error)
  return { kind, ...(code && { code }), name, message: message.replaceAll(path, 'The file') }
}
