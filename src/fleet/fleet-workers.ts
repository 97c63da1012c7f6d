import { Deadline } from '../kernel/abort.ts'
import { Limiter } from '../kernel/limiter.ts'
import type { EngineServices } from '../kernel/open.ts'
import type { FleetDescription } from '../options/fleet-options.ts'
import type { EngineConfig } from '../options/options.ts'
import { AudileError, DecodeError, fromPlain, messageOf } from '../values/errors.ts'
import type { WorkerPool } from '../workers/pool.ts'
import type { TaskKind, Tasks } from '../workers/tasks.ts'
import type { FleetFigures, GivenTask, RunOptions, Workers } from '../workers/workers.ts'
import { Cleanup } from './cleanup.ts'
import {
  type AnalysisTerms,
  type AudioBytes,
  analysisTermsOf,
  audioName,
  type FleetKind,
  fleetTask,
  ownerOf,
  QUEUE_NAME,
  readAudioBytes,
  resultName,
  taskIdOf,
} from './fleet-task.ts'
import { Meter } from './meter.ts'
import { openQueue, openStore, tryBoth } from './open.ts'
import { collectBytes, DiskFault } from './read-object.ts'
import { decodeAnswer, MAX_ANSWER_BYTES } from './result-code.ts'
import { pauseUnrefed, Retries } from './retry.ts'
import { type Errand, type OwnerParts, Sender } from './sender.ts'
import { warnOfStall } from './stall-warning.ts'
import { Watch, type WatchedJob } from './watch.ts'

/** Files sent and results fetched at once. */
const CONCURRENT_TRANSFERS = 8
/** Before a job that vanished is put on the queue again. */
const RETRY_MILLISECONDS = 2_000
/** After so many damaged or missing results a job is given up. */
const MAX_DAMAGED_RESULTS = 5
/** That closing spends on removing what is not needed any more. */
const CLEANUP_MILLISECONDS = 2_000

type OwnerServices = Pick<EngineServices, 'host' | 'emit'>

interface FleetParts extends Omit<OwnerParts, 'signal'> {
  terms: AnalysisTerms
}

/** The workers died or failed on a file too often. */
class GivenUp extends DecodeError {}

/**
 * The owner's side: audio goes into the store, a job on the queue, the result comes from the store.
 * A job is identified by its content, so that after a crash the same task finds it again.
 */
class FleetWorkers implements Workers {
  readonly isolates = true
  readonly width: number
  readonly #local: WorkerPool
  readonly #parts: FleetParts
  readonly #watch: Watch
  readonly #sender: Sender
  readonly #leftovers: Cleanup
  readonly #meter = new Meter()
  readonly #closing = new AbortController()
  /** By subject: jobs whose outcome is not stored yet. */
  readonly #unstoredErrands = new Map<string, Errand>()

  constructor(local: WorkerPool, parts: FleetParts, ahead: number, { host, emit }: OwnerServices) {
    const { queue, persistence } = parts
    const { signal } = this.#closing
    this.width = ahead
    this.#local = local
    this.#parts = parts
    const lookUpJobs = (ids: string[]) =>
      persistence.callUntilDone('queue', signal, () => queue.look(ids))
    this.#watch = new Watch(lookUpJobs, signal)
    this.#sender = new Sender({ ...parts, signal })
    this.#leftovers = new Cleanup({ ...parts, signal })
    warnOfStall({
      queue,
      watch: this.#watch,
      persistence,
      signal,
      tell: (event) => {
        host.log('warn', event.message)
        emit('fleet', event)
      },
    })
  }

  async run<K extends TaskKind>(
    kind: K,
    task: GivenTask<K>,
    options: RunOptions,
  ): Promise<Tasks[K]['result']> {
    if (kind !== 'analyze' && kind !== 'fingerprint') return this.#local.run(kind, task, options)
    const fleetTask = task as GivenTask<FleetKind>
    const audio = options.audio ?? (await this.#readAudioBytes(fleetTask.path, options.signal))
    try {
      if (audio)
        return (await this.#runRemotely(kind, fleetTask, audio, options)) as Tasks[K]['result']
    } catch (error) {
      if (!(error instanceof DiskFault)) throw error
    }
    // The local pool reports why a file cannot be read.
    return this.#local.run(kind, task, options)
  }

  stored(subject: string): void {
    const errand = this.#unstoredErrands.get(subject)
    if (!errand) return
    this.#unstoredErrands.delete(subject)
    this.#removeObjects(errand)
  }

  async figures(): Promise<FleetFigures> {
    const { queue, persistence } = this.#parts
    const answers = Promise.all([queue.counts(), queue.workers()])
    const [{ waiting, running, failed }, workers] = await answers.catch((error) => {
      const message = `The fleet's queue does not answer: ${messageOf(error)}`
      throw new AudileError('not_ready', message, { cause: error })
    })
    const { still: _still, ...ownJobs } = this.#watch.countJobs()
    const counts = { waiting, running, givenUp: failed, workers, own: ownJobs }
    return { ...counts, ...this.#meter.readFigures(persistence.refused) }
  }

  /** Jobs on the queue continue; their results are found when the same tasks come again. */
  async close(): Promise<void> {
    const deadline = new Deadline(CLEANUP_MILLISECONDS)
    await deadline.settled(this.#leftovers.finishRemovals())
    this.#closing.abort(new AudileError('closed', 'The fleet is closed.'))
    await Promise.all([this.#local.close(), this.#parts.queue.close()])
  }

  /** `undefined` when the file cannot be read. */
  async #readAudioBytes(path: string, signal: AbortSignal): Promise<AudioBytes | undefined> {
    try {
      return await this.#parts.transfers.run(signal, () => readAudioBytes(path, signal))
    } catch {
      signal.throwIfAborted()
      return undefined
    }
  }

  async #runRemotely(
    kind: FleetKind,
    poolTask: GivenTask<FleetKind>,
    audio: AudioBytes,
    { signal, onProgress, subject }: RunOptions,
  ): Promise<Tasks[FleetKind]['result']> {
    const task = fleetTask(kind, audio, poolTask, this.#parts.terms)
    const errand = { id: taskIdOf(task), task, path: poolTask.path }
    const watched = this.#watch.addJob(errand.id, onProgress)
    this.#leftovers.needJob(errand.id, audioName(task))
    try {
      const result = await this.#awaitAnswer(errand, watched, signal)
      this.#meter.countResult()
      if (subject === undefined) this.#removeObjects(errand)
      else this.#unstoredErrands.set(subject, errand)
      return result
    } catch (error) {
      // The job of a closing engine continues: its track asks again.
      if (isClosing(signal)) this.#leftovers.keepJob(errand.id, audioName(task))
      else this.#removeObjects(errand)
      if (!signal.aborted) this.#meter.countFailure(error instanceof GivenUp)
      throw error
    } finally {
      this.#watch.removeJob(watched)
      this.#sender.forgetErrand(errand)
    }
  }

  async #awaitAnswer(
    errand: Errand,
    watched: WatchedJob,
    signal: AbortSignal,
  ): Promise<Tasks[FleetKind]['result']> {
    const { queue, persistence } = this.#parts
    const remove = () => persistence.callUntilDone('queue', signal, () => queue.remove([errand.id]))
    let isDamaged = false
    for (let damaged = 0; damaged < MAX_DAMAGED_RESULTS; ) {
      await this.#sender.sendErrand(errand, isDamaged, signal)
      const end = await this.#watch.awaitEnd(watched, signal)
      if (end.state === 'failed') {
        await remove()
        throw new GivenUp(`The fleet gave this file up: ${end.reason}`)
      }
      const answer = end.state === 'done' ? await this.#fetchAnswer(errand, signal) : undefined
      if (answer && 'error' in answer) throw fromPlain(answer.error)
      if (answer && 'result' in answer) return answer.result
      isDamaged = answer !== undefined
      if (end.state === 'done') damaged++
      // Another owner of the same audio removed the finished job, or a server lost it.
      await remove()
      await pauseUnrefed(RETRY_MILLISECONDS * Math.random(), signal)
      await this.#requireSame(errand, signal)
    }
    throw new GivenUp('The fleet gave this file up: its results are damaged or lost.')
  }

  /** @throws {DecodeError} when the file has changed: its audio is then not that of the job */
  async #requireSame({ path, task }: Errand, signal: AbortSignal): Promise<void> {
    const audio = await this.#readAudioBytes(path, signal)
    if (!audio) throw new DiskFault(`${path} cannot be read.`)
    if (audio.md5 === task.audio.md5) return
    throw new DecodeError(`${path} has changed since its analysis began; upload it again.`)
  }

  /** `undefined` when it is not there, or damaged. */
  async #fetchAnswer({ id, task }: Errand, signal: AbortSignal) {
    const { store, persistence, transfers } = this.#parts
    try {
      const bytes = await transfers.run(signal, () =>
        persistence.callUntilDone('store', signal, async () => {
          const object = await store.get(resultName(id))
          return object && collectBytes(object, MAX_ANSWER_BYTES)
        }),
      )
      if (!bytes) return undefined
      return await decodeAnswer(task.kind, bytes, task.limits, signal)
    } catch {
      signal.throwIfAborted()
      await persistence.callUntilDone('store', signal, () => store.delete(resultName(id)))
      return undefined
    }
  }

  #removeObjects({ id, task }: Errand): void {
    this.#leftovers.removeJob(id, audioName(task))
  }
}

function isClosing({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof AudileError && reason.code === 'closed'
}

/**
 * @param config - its database identifies the owner, also after a crash
 * @throws {ParameterError} when a package is not installed, or a server refuses for good
 */
export async function openFleetWorkers(
  fleet: FleetDescription,
  { database, limits, ffmpegPath }: Pick<EngineConfig, 'database' | 'limits' | 'ffmpegPath'>,
  local: WorkerPool,
  services: OwnerServices,
): Promise<FleetWorkers> {
  const persistence = new Retries((level, message, detail) =>
    services.host.log(level, message, detail),
  )
  const openNamed = (name: string) =>
    openQueue({
      url: fleet.queue,
      name,
      silence: fleet.silence,
      supervises: false,
      onError: persistence.heard,
    })
  const queue = await openNamed(QUEUE_NAME)
  const store = await openStore(fleet.store)
  await tryBoth(persistence, queue, () => queue.counts(), store)
  const ownerFields = { owner: ownerOf(database), terms: analysisTermsOf(limits, ffmpegPath) }
  const shared = { persistence, transfers: new Limiter(CONCURRENT_TRANSFERS) }
  return new FleetWorkers(
    local,
    { queue, openNamed, store, ...ownerFields, ...shared },
    fleet.ahead,
    services,
  )
}
