import { createHash } from 'node:crypto'
import { hostname } from 'node:os'
import { AudileError, DecodeError, fromPlain, messageOf } from '../errors.ts'
import type { FleetDescription } from '../fleet-options.ts'
import { Deadline } from '../kernel/abort.ts'
import { Limiter } from '../kernel/limiter.ts'
import type { EngineServices } from '../kernel/open.ts'
import type { EngineConfig } from '../options.ts'
import type { Pool } from '../workers/pool.ts'
import type { TaskKind, Tasks } from '../workers/tasks.ts'
import type { FleetFigures, GivenTask, RunOptions, Workers } from '../workers/workers.ts'
import {
  type AudioBytes,
  audioBytesOf,
  audioName,
  type FleetKind,
  fleetTask,
  idOf,
  QUEUE_NAME,
  resultName,
  type Terms,
  termsOf,
} from './fleet-task.ts'
import { Leftovers } from './leftovers.ts'
import { Meter } from './meter.ts'
import { openQueue, openStore, tryBoth } from './open.ts'
import { Persistence, pausing } from './persistently.ts'
import type { Queue } from './queue.ts'
import { bytesFrom, DiskFault } from './read-object.ts'
import { decodeAnswer, type FleetAnswer, MOST_ANSWER_BYTES } from './result-code.ts'
import { type Errand, Sender } from './sender.ts'
import { watchStandstill } from './standstill.ts'
import type { Store } from './store.ts'
import { type Ended, Watch } from './watch.ts'

/** Files that are read and sent at once, and results that are fetched at once. */
const TRANSFERS = 8
/** Milliseconds before a job that vanished is put on the queue again. */
const AGAIN = 2_000
/** Results of a job that may be damaged or missing, one after the other. */
const MOST_DAMAGED = 5
/** Milliseconds that closing spends at most on removing what is not needed any more. */
const LAST_REMOVALS = 2_000

/** What an owner tells the application by. */
type Services = Pick<EngineServices, 'host' | 'emit'>

/** The workers of a fleet died of a file, or failed at it, too often. */
export class GivenUp extends DecodeError {}

/**
 * The workers of a fleet, as its owner sees them: audio goes into the store, a job on the queue, and the
 * result comes from the store. What takes milliseconds runs in threads of this machine.
 *
 * A job is known by its content. So after the death of the owner the same task finds the job that is
 * out, or its result; and whatever is lost on the queue or in the store is put there again.
 */
export class FleetWorkers implements Workers {
  readonly isolates = true
  readonly width: number
  readonly #local: Pool
  readonly #queue: Queue
  readonly #store: Store
  readonly #terms: Terms
  readonly #persistence: Persistence
  readonly #watch: Watch
  readonly #sender: Sender
  readonly #leftovers: Leftovers
  readonly #meter = new Meter()
  readonly #transfers = new Limiter(TRANSFERS)
  readonly #closing = new AbortController()
  /** Jobs whose outcome is not stored yet, by what they are for. */
  readonly #held = new Map<string, Errand>()

  constructor(
    local: Pool,
    parts: {
      queue: Queue
      store: Store
      owner: string
      terms: Terms
      fleet: FleetDescription
      persistence: Persistence
      services: Services
    },
  ) {
    const { queue, store, owner, terms, fleet, persistence, services } = parts
    const { signal } = this.#closing
    this.width = fleet.ahead
    this.#local = local
    this.#queue = queue
    this.#store = store
    this.#terms = terms
    this.#persistence = persistence
    this.#watch = new Watch((ids) => this.#persistence.call('queue', signal, () => queue.look(ids)))
    const shared = { queue, store, owner, persistence, signal }
    this.#sender = new Sender({ ...shared, transfers: this.#transfers })
    this.#leftovers = new Leftovers(shared)
    watchStandstill({
      ...{ queue, watch: this.#watch, persistence, signal },
      tell: (event) => {
        services.host.log('warn', event.message)
        services.emit('fleet', event)
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
    // The pool says why a file cannot be read.
    return this.#local.run(kind, given, options)
  }

  stored(subject: string): void {
    const errand = this.#held.get(subject)
    if (!errand) return
    this.#held.delete(subject)
    this.#letGo(errand)
  }

  async figures(): Promise<FleetFigures> {
    const asked = Promise.all([this.#queue.counts(), this.#queue.workers()])
    const [{ waiting, running, failed }, workers] = await asked.catch((error) => {
      const message = `The fleet's queue does not answer: ${messageOf(error)}`
      throw new AudileError('not_ready', message, { cause: error })
    })
    const { still: _still, ...own } = this.#watch.figures()
    const seen = { waiting, running, givenUp: failed, workers, own }
    return { ...seen, ...this.#meter.figures(this.#persistence.refused) }
  }

  /** Jobs that are out go on; their results are found when the same tasks come again. */
  async close(): Promise<void> {
    const deadline = new Deadline(LAST_REMOVALS)
    this.#watch.close()
    await deadline.settled(this.#leftovers.flush())
    this.#closing.abort(new AudileError('closed', 'The fleet is closed.'))
    await Promise.all([this.#local.close(), this.#queue.close()])
  }

  /** The sum of a file; `undefined` when it cannot be read. */
  async #read(path: string, signal: AbortSignal): Promise<AudioBytes | undefined> {
    try {
      return await this.#transfers.run(signal, () => audioBytesOf(path, signal))
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
    const task = fleetTask(kind, audio, given, this.#terms)
    const errand = { id: idOf(task), task, path: given.path }
    const watched = this.#watch.add(errand.id, onProgress)
    this.#leftovers.want(errand.id, audioName(task))
    try {
      const result = await this.#answered(errand, watched.ended, signal)
      this.#meter.done()
      if (subject === undefined) this.#letGo(errand)
      else this.#held.set(subject, errand)
      return result
    } catch (error) {
      // A job that nobody wants is withdrawn. That of a closing engine goes on: its track asks again.
      if (isClosing(signal)) this.#leftovers.keep(errand.id, audioName(task))
      else this.#letGo(errand)
      if (!signal.aborted) this.#meter.failed(error instanceof GivenUp)
      throw error
    } finally {
      watched.remove()
      this.#sender.forget(errand)
    }
  }

  async #answered(
    errand: Errand,
    ended: (signal: AbortSignal) => Promise<Ended>,
    signal: AbortSignal,
  ): Promise<Tasks[FleetKind]['result']> {
    let anew = false
    for (let damaged = 0; damaged < MOST_DAMAGED; ) {
      await this.#sender.send(errand, anew, signal)
      const end = await ended(signal)
      if (end.state === 'failed') {
        await this.#persistence.call('queue', signal, () => this.#queue.remove([errand.id]))
        throw new GivenUp(`The fleet gave this file up: ${end.reason}`)
      }
      const answer = end.state === 'done' ? await this.#collect(errand, signal) : undefined
      if (answer && 'error' in answer) throw fromPlain(answer.error)
      if (answer && 'result' in answer) return answer.result
      anew = answer !== undefined
      if (end.state === 'done') damaged++
      // Another owner of the same audio had it done and removed it, or a server lost it.
      await this.#persistence.call('queue', signal, () => this.#queue.remove([errand.id]))
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
    try {
      const bytes = await this.#transfers.run(signal, () =>
        this.#persistence.call('store', signal, async () => {
          const object = await this.#store.get(resultName(id))
          return object && bytesFrom(object, MOST_ANSWER_BYTES)
        }),
      )
      if (!bytes) return undefined
      return (await decodeAnswer(task.kind, bytes)) as FleetAnswer<FleetKind>
    } catch {
      signal.throwIfAborted()
      await this.#persistence.call('store', signal, () => this.#store.delete(resultName(id)))
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
 * @param config - by whose database the owner is known again after its death, and on whose terms files
 *   are analysed
 * @throws {ParameterError} when a package for the queue or the store is not installed, or one of them
 *   refuses for a reason that waiting does not mend
 */
export async function openFleetWorkers(
  fleet: FleetDescription,
  { database, limits, ffmpegPath }: Pick<EngineConfig, 'database' | 'limits' | 'ffmpegPath'>,
  local: Pool,
  services: Services,
): Promise<FleetWorkers> {
  const persistence = new Persistence((level, message, detail) =>
    services.host.log(level, message, detail),
  )
  const queue = await openQueue({
    url: fleet.queue,
    name: QUEUE_NAME,
    silence: fleet.silence,
    supervises: false,
    onError: persistence.heard,
  })
  const store = await openStore(fleet.store)
  await tryBoth(persistence, queue, () => queue.counts(), store)
  const own = { owner: ownerOf(database), terms: termsOf(limits, ffmpegPath), fleet, services }
  return new FleetWorkers(local, { queue, store, persistence, ...own })
}

/** Databases in memory, which are gone with their process, have the name of the process. */
function ownerOf(database: string): string {
  const name = database === ':memory:' ? `${process.pid}-${Date.now()}` : database
  return createHash('sha256').update(`${hostname()}\n${name}`).digest('hex').slice(0, 32)
}
