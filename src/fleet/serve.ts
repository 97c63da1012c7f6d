import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { AudileError, messageOf } from '../errors.ts'
import { resolvePlaces } from '../fleet-options.ts'
import { LocalHost } from '../host.ts'
import { CLOSE_PATIENCE, Deadline, onAbort } from '../kernel/abort.ts'
import { Limiter } from '../kernel/limiter.ts'
import { clearInterval, setInterval } from '../kernel/timers.ts'
import { parseOptions } from '../validate.ts'
import { makeAudioFolder } from './audio-folder.ts'
import { workerMetrics } from './exposition.ts'
import { QUEUE_NAME } from './fleet-task.ts'
import type { FleetWorker, FleetWorkerStatus } from './fleet-worker.ts'
import { NoStore } from './job-objects.ts'
import { openQueue, openStore, tryBoth } from './open.ts'
import { Persistence, pausing } from './persistently.ts'
import { Pools } from './pools.ts'
import { SEEN, type TakenJob } from './queue.ts'
import { type ServeFleetOptions, serveOptions } from './serve-options.ts'
import { type Bench, type Outcome, workOn } from './work.ts'

/** Milliseconds between two questions for jobs while there are none, about. */
const IDLE = 500
/** Jobs beyond those that are analysed, so that their audio is there when a thread is free. */
const SPARE = 1
/** Beats in the time after which a worker counts as dead. */
const BEATS = 4
/** Milliseconds between two signs that this worker is there. */
const PRESENT = (SEEN * 1000) / 4
/** The most milliseconds between two beats, which carry the progress. */
const LONGEST_BEAT = 2_000
/** Seconds for which the store keeps what nobody fetches, and the milliseconds between two looks for it. */
const KEPT = 14 * 86_400
const SWEEP = 6 * 3_600_000
/** Milliseconds before more jobs are taken after one that this worker cannot do. */
const REST = 10_000

/**
 * Works for a fleet until it is closed: takes jobs from the queue, analyses their audio in threads, and
 * puts the results into the store. It needs no database; the limits are those of the owner of each job.
 * Any number of processes and machines may do so.
 *
 * When it ends without `close`, others do its jobs once they have not heard of it for `silence` seconds.
 *
 * @throws {ParameterError} on an unknown option or a value out of range, when a package for the queue
 *   or the store is not installed, or when one of them refuses for a reason that waiting does not mend
 *
 * @example
 * ```ts
 * import { serveFleet } from 'audile/fleet'
 *
 * const worker = await serveFleet({
 *   queue: 'postgres://audile@queue.example/audile',
 *   store: '/mnt/shared/audile',
 *   workers: 16,
 * })
 * process.once('SIGTERM', () => void worker.close())
 * ```
 */
export async function serveFleet(options: ServeFleetOptions): Promise<FleetWorker> {
  const given = parseOptions(serveOptions, options, 'serveFleet')
  const { queue: url, store: address, silence } = resolvePlaces(given)
  const host = new LocalHost({ fetch: globalThis.fetch, logger: given.logger ?? {} })
  const log = host.log.bind(host)
  const width = Math.max(1, given.workers)
  const persistence = new Persistence(log)
  const { heard: onError } = persistence
  const queue = await openQueue({ url, name: QUEUE_NAME, silence, supervises: true, onError })
  const store = address === undefined ? undefined : await openStore(address)
  const folder = await makeAudioFolder(given.temporary)
  const id = randomUUID()
  try {
    await tryBoth(persistence, queue, () => queue.present(id), store)
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
  const worker = new Server(
    {
      ...{ queue, store, folder, persistence, pools: new Pools(given) },
      analysing: new Limiter(width),
    },
    { id, threads: width, silence, log },
  )
  worker.start()
  return worker
}

interface InHand {
  job: TakenJob
  abort: AbortController
  progress: number
  /** The result is in the store, and no beat needs to find the job. */
  hasResult: boolean
  done: Promise<void>
}

interface ServerOptions {
  /** By which owners count this worker. */
  id: string
  threads: number
  /** Seconds. */
  silence: number
  log: LocalHost['log']
}

class Server implements FleetWorker {
  readonly #bench: Bench
  readonly #options: ServerOptions
  readonly #closing = new AbortController()
  readonly #inHand = new Map<string, InHand>()
  readonly #ended: Record<Outcome, number> = { done: 0, failed: 0, back: 0, missing: 0 }
  #timers: NodeJS.Timeout[] = []
  /** Called when a job has ended. */
  #freed = () => {}
  #loop = Promise.resolve()
  #resting: Promise<void> | undefined
  #closed: Promise<void> | undefined

  constructor(bench: Bench, options: ServerOptions) {
    this.#bench = bench
    this.#options = options
  }

  start(): void {
    const beat = Math.min(LONGEST_BEAT, (this.#options.silence * 1000) / BEATS)
    this.#timers = [
      setInterval(() => void this.#beat(), beat),
      setInterval(() => void this.#sweep(), SWEEP),
      // What it rejects with, the next call that takes jobs tells.
      setInterval(() => void this.#present().catch(() => {}), PRESENT),
    ]
    this.#loop = this.#take()
    void this.#sweep()
  }

  status(): FleetWorkerStatus {
    const { queue, store } = this.#bench.persistence.refused
    const { done, failed, back, missing } = this.#ended
    return {
      running: this.#inHand.size,
      done,
      failed: failed + back + missing,
      queueRefused: queue,
      storeRefused: store,
    }
  }

  metrics(): string {
    return workerMetrics(this.status(), this.#options.threads)
  }

  async reached(): Promise<void> {
    const { persistence, store } = this.#bench
    const { signal } = this.#closing
    await persistence.call('queue', signal, () => this.#present())
    if (store) await persistence.call('store', signal, () => store.check())
  }

  close(): Promise<void> {
    this.#closed ??= this.#close()
    return this.#closed
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #close(): Promise<void> {
    const deadline = new Deadline(CLOSE_PATIENCE)
    const { pools, queue, folder } = this.#bench
    for (const timer of this.#timers) clearInterval(timer)
    this.#closing.abort(new AudileError('closed', 'The worker of the fleet is closed.'))
    // It may be about to begin jobs.
    await deadline.settled(this.#loop)
    await deadline.settled(Promise.all([...this.#inHand.values()].map((one) => one.done)))
    await deadline.settled(Promise.all([pools.close(), queue.close()]))
    await rm(folder, { recursive: true, force: true })
  }

  /** Takes jobs as threads become free. */
  async #take(): Promise<void> {
    const { signal } = this.#closing
    const { queue, persistence } = this.#bench
    while (!signal.aborted) {
      await this.#resting
      const free = this.#options.threads + SPARE - this.#inHand.size
      if (free <= 0) {
        await new Promise<void>((resolve) => {
          this.#freed = resolve
        })
        continue
      }
      try {
        const jobs = await persistence.call('queue', signal, () => queue.take(free))
        for (const job of jobs) this.#begin(job)
        if (jobs.length === 0) await pausing(IDLE * (0.5 + Math.random()), signal)
      } catch {
        // The worker is closed.
      }
    }
  }

  /** Takes no jobs for a while, as the next would be the one that was given back. */
  #rest({ message }: Error): void {
    if (this.#resting) return
    this.#options.log('error', message)
    this.#resting = pausing(REST, this.#closing.signal)
      .catch(() => {})
      .then(() => {
        this.#resting = undefined
      })
  }

  #begin(job: TakenJob): void {
    const abort = new AbortController()
    const entry: InHand = { job, abort, progress: 0, hasResult: false, done: Promise.resolve() }
    this.#inHand.set(job.id, entry)
    entry.done = this.#work(entry).finally(() => {
      if (this.#inHand.get(job.id) === entry) this.#inHand.delete(job.id)
      this.#freed()
    })
  }

  /** Never rejects. */
  async #work(entry: InHand): Promise<void> {
    const { job, abort } = entry
    const { queue } = this.#bench
    const release = onAbort(this.#closing.signal, () => abort.abort(this.#closing.signal.reason))
    const { signal } = abort
    try {
      const outcome = await workOn(job, this.#bench, {
        signal,
        onProgress: (progress) => Object.assign(entry, { progress }),
        onResult: () => Object.assign(entry, { hasResult: true }),
      })
      if (outcome === 'missing') this.#warnMissing()
      this.#ended[outcome]++
    } catch (error) {
      this.#ended.failed++
      // Withdrawn, or another worker has it; or this worker is closing; or its disk is full.
      const isClosing = this.#closing.signal.aborted
      if (!isClosing && signal.aborted) return
      const isForOthers = error instanceof NoStore
      if (isForOthers) this.#rest(error)
      else if (!isClosing) this.#options.log('warn', 'A job of the fleet failed here.', error)
      const leave =
        isClosing || isForOthers ? queue.giveBack(job) : queue.fail(job, messageOf(error))
      // Otherwise its silence tells the queue.
      await leave.catch(() => {})
    } finally {
      release()
    }
  }

  /** Tells it once: the owner sends the job again, for ever if this worker looks elsewhere. */
  #warnMissing(): void {
    if (this.#ended.missing > 0) return
    this.#options.log(
      'warn',
      'The audio of a job is not in the store, and the job goes back to its owner. If no job gets done, ' +
        'this worker has another store than the owner: start it with the same (--store, or the option store).',
    )
  }

  #present(): Promise<void> {
    return this.#bench.queue.present(this.#options.id)
  }

  async #beat(): Promise<void> {
    const entries = [...this.#inHand.values()].filter(({ hasResult }) => !hasResult)
    if (entries.length === 0) return
    try {
      const own = await this.#bench.queue.beat(entries)
      for (const { job, abort, hasResult } of entries) {
        if (own.has(job.id) || hasResult) continue
        abort.abort(new AudileError('internal', 'The job was withdrawn.'))
      }
    } catch (error) {
      this.#options.log('debug', 'A beat did not reach the queue.', error)
    }
  }

  async #sweep(): Promise<void> {
    try {
      await this.#bench.store?.sweep?.(KEPT)
    } catch (error) {
      this.#options.log('warn', 'The store could not be swept.', error)
    }
  }
}
