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
  type AudioBytes,
  audioBytesOf,
  audioName,
  type FleetKind,
  fleetTask,
  idOf,
  ownerOf,
  QUEUE_NAME,
  resultName,
  type Terms,
  termsOf,
} from './fleet-task.ts'
import { Meter } from './meter.ts'
import { openQueue, openStore, tryBoth } from './open.ts'
import { bytesFrom, DiskFault } from './read-object.ts'
import { decodeAnswer, MOST_ANSWER_BYTES } from './result-code.ts'
import { pausing, Retries } from './retry.ts'
import { type Errand, type OwnerParts, Sender } from './sender.ts'
import { warnOfStall } from './stall-warning.ts'
import { Watch, type Watched } from './watch.ts'

/** Files that are read and sent at once, and results that are fetched at once. */
const TRANSFERS = 8
/** Milliseconds before a job that vanished is put on the queue again. */
const AGAIN = 2_000
/** Damaged or missing results after which a job is given up. */
const MOST_DAMAGED = 5
/** Milliseconds that closing spends at most on removing what is not needed any more. */
const LAST_REMOVALS = 2_000

type Services = Pick<EngineServices, 'host' | 'emit'>

interface Parts extends Omit<OwnerParts, 'signal'> {
  terms: Terms
}

/** The workers of a fleet died or failed on a file too often. */
class GivenUp extends DecodeError {}

/**
 * The workers of a fleet, as its owner sees them: audio goes into the store, a job on the queue, and the
 * result comes from the store. Short tasks run in threads of this machine.
 *
 * A job is identified by its content. So after a crash of the owner, the same task finds its job or
 * its result; and whatever the queue or the store loses is put there again.
 */
class FleetWorkers implements Workers {
  readonly isolates = true
  readonly width: number
  readonly #local: WorkerPool
  readonly #parts: Parts
  readonly #watch: Watch
  readonly #sender: Sender
  readonly #leftovers: Cleanup
  readonly #meter = new Meter()
  readonly #closing = new AbortController()
  /** Jobs whose outcome is not stored yet, by subject. */
  readonly #held = new Map<string, Errand>()

  constructor(local: WorkerPool, parts: Parts, ahead: number, { host, emit }: Services) {
    const { queue, persistence } = parts
    const { signal } = this.#closing
    this.width = ahead
    this.#local = local
    this.#parts = parts
    const look = (ids: string[]) => persistence.call('queue', signal, () => queue.look(ids))
    this.#watch = new Watch(look, signal)
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
    given: GivenTask<K>,
    options: RunOptions,
  ): Promise<Tasks[K]['result']> {
    if (kind !== 'analyze' && kind !== 'fingerprint') return this.#local.run(kind, given, options)
    const asked = given as GivenTask<FleetKind>
    const audio = options.audio ?? (await this.#read(asked.path, options.signal))
    try {
      if (audio) return (await this.#away(kind, asked, audio, options)) as Tasks[K]['result']
    } catch (error) {
      if (!(error instanceof DiskFault)) throw error
    }
    // The local pool reports why a file cannot be read.
    return this.#local.run(kind, given, options)
  }

  stored(subject: string): void {
    const errand = this.#held.get(subject)
    if (!errand) return
    this.#held.delete(subject)
    this.#letGo(errand)
  }

  async figures(): Promise<FleetFigures> {
    const { queue, persistence } = this.#parts
    const asked = Promise.all([queue.counts(), queue.workers()])
    const [{ waiting, running, failed }, workers] = await asked.catch((error) => {
      const message = `The fleet's queue does not answer: ${messageOf(error)}`
      throw new AudileError('not_ready', message, { cause: error })
    })
    const { still: _still, ...own } = this.#watch.figures()
    const seen = { waiting, running, givenUp: failed, workers, own }
    return { ...seen, ...this.#meter.figures(persistence.refused) }
  }

  /** Jobs on the queue continue; their results are found when the same tasks come again. */
  async close(): Promise<void> {
    const deadline = new Deadline(LAST_REMOVALS)
    await deadline.settled(this.#leftovers.flush())
    this.#closing.abort(new AudileError('closed', 'The fleet is closed.'))
    await Promise.all([this.#local.close(), this.#parts.queue.close()])
  }

  /** The MD5 and size of a file; `undefined` when it cannot be read. */
  async #read(path: string, signal: AbortSignal): Promise<AudioBytes | undefined> {
    try {
      return await this.#parts.transfers.run(signal, () => audioBytesOf(path, signal))
    } catch {
      signal.throwIfAborted()
      return undefined
    }
  }

  async #away(
    kind: FleetKind,
    given: GivenTask<FleetKind>,
    audio: AudioBytes,
    { signal, onProgress, subject }: RunOptions,
  ): Promise<Tasks[FleetKind]['result']> {
    const task = fleetTask(kind, audio, given, this.#parts.terms)
    const errand = { id: idOf(task), task, path: given.path }
    const watched = this.#watch.add(errand.id, onProgress)
    this.#leftovers.want(errand.id, audioName(task))
    try {
      const result = await this.#answered(errand, watched, signal)
      this.#meter.done()
      if (subject === undefined) this.#letGo(errand)
      else this.#held.set(subject, errand)
      return result
    } catch (error) {
      // An unwanted job is withdrawn. The job of a closing engine continues: its track asks again.
      if (isClosing(signal)) this.#leftovers.keep(errand.id, audioName(task))
      else this.#letGo(errand)
      if (!signal.aborted) this.#meter.failed(error instanceof GivenUp)
      throw error
    } finally {
      this.#watch.remove(watched)
      this.#sender.forget(errand)
    }
  }

  async #answered(
    errand: Errand,
    watched: Watched,
    signal: AbortSignal,
  ): Promise<Tasks[FleetKind]['result']> {
    const { queue, persistence } = this.#parts
    const remove = () => persistence.call('queue', signal, () => queue.remove([errand.id]))
    let anew = false
    for (let damaged = 0; damaged < MOST_DAMAGED; ) {
      await this.#sender.send(errand, anew, signal)
      const end = await this.#watch.ended(watched, signal)
      if (end.state === 'failed') {
        await remove()
        throw new GivenUp(`The fleet gave this file up: ${end.reason}`)
      }
      const answer = end.state === 'done' ? await this.#collect(errand, signal) : undefined
      if (answer && 'error' in answer) throw fromPlain(answer.error)
      if (answer && 'result' in answer) return answer.result
      anew = answer !== undefined
      if (end.state === 'done') damaged++
      // Another owner of the same audio removed the finished job, or a server lost it.
      await remove()
      await pausing(AGAIN * Math.random(), signal)
      await this.#requireSame(errand, signal)
    }
    throw new GivenUp('The fleet gave this file up: its results are damaged or lost.')
  }

  /** @throws {DecodeError} when the file has changed: its audio is then not that of the job */
  async #requireSame({ path, task }: Errand, signal: AbortSignal): Promise<void> {
    const audio = await this.#read(path, signal)
    if (!audio) throw new DiskFault(`${path} cannot be read.`)
    if (audio.md5 === task.audio.md5) return
    throw new DecodeError(`${path} has changed since its analysis began; upload it again.`)
  }

  /** The answer of a job that is done; `undefined` when it is not there, or damaged. */
  async #collect({ id, task }: Errand, signal: AbortSignal) {
    const { store, persistence, transfers } = this.#parts
    try {
      const bytes = await transfers.run(signal, () =>
        persistence.call('store', signal, async () => {
          const object = await store.get(resultName(id))
          return object && bytesFrom(object, MOST_ANSWER_BYTES)
        }),
      )
      if (!bytes) return undefined
      return await decodeAnswer(task.kind, bytes, task.limits, signal)
    } catch {
      signal.throwIfAborted()
      await persistence.call('store', signal, () => store.delete(resultName(id)))
      return undefined
    }
  }

  #letGo({ id, task }: Errand): void {
    this.#leftovers.remove(id, audioName(task))
  }
}

function isClosing({ aborted, reason }: AbortSignal): boolean {
  return aborted && reason instanceof AudileError && reason.code === 'closed'
}

/**
 * Opens the owner's side of a fleet.
 *
 * @param config - its database identifies the owner, also after a crash; the rest are the terms of
 *   analyses
 * @throws {ParameterError} when a package for the queue or the store is not installed, or one of them
 *   refuses for good
 */
export async function openFleetWorkers(
  fleet: FleetDescription,
  { database, limits, ffmpegPath }: Pick<EngineConfig, 'database' | 'limits' | 'ffmpegPath'>,
  local: WorkerPool,
  services: Services,
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
  const own = { owner: ownerOf(database), terms: termsOf(limits, ffmpegPath) }
  const shared = { persistence, transfers: new Limiter(TRANSFERS) }
  return new FleetWorkers(
    local,
    { queue, openNamed, store, ...own, ...shared },
    fleet.ahead,
    services,
  )
}
