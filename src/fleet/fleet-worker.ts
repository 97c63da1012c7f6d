import { rm } from 'node:fs/promises'
import type { LocalHost } from '../host/host.ts'
import { CLOSE_PATIENCE, Deadline, onAbort } from '../kernel/abort.ts'
import { clearInterval, setInterval } from '../kernel/timers.ts'
import { AudileError, messageOf } from '../values/errors.ts'
import { counter, gauge } from './exposition.ts'
import { NoStore } from './job-objects.ts'
import { SEEN, type TakenJob } from './queue.ts'
import { pausing } from './retry.ts'
import { type Bench, type Outcome, workOn } from './work.ts'

/** Average milliseconds between two requests for jobs while there are none. */
const IDLE = 500
/** Jobs that are taken ahead, so that their audio is there when a thread becomes free. */
const SPARE = 1
/** Beats in the time after which a worker counts as dead. */
const BEATS = 4
/** Milliseconds between two signs that this worker is there. */
const PRESENT = (SEEN * 1000) / 4
/** The most milliseconds between two beats, which carry the progress. */
const LONGEST_BEAT = 2_000
/** Seconds that the store keeps unfetched objects, and milliseconds between two sweeps. */
const KEPT = 14 * 86_400
const SWEEP = 6 * 3_600_000
/** Milliseconds before more jobs are taken after one that this worker cannot do. */
const REST = 10_000

/** A running worker of a fleet. */
export interface FleetWorker {
  /** What it has done since it started. */
  status(): FleetWorkerStatus
  /** The same for Prometheus (text format 0.0.4). */
  metrics(): string
  /** Waits until queue and store have answered. @throws {AudileError} when it is closed before */
  reached(): Promise<void>
  /**
   * Stops taking jobs, and returns those in hand to the queue, within five seconds. Calling it
   * again does nothing.
   */
  close(): Promise<void>
  /** Closes it at the end of a block, with `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}

/** What a {@link FleetWorker} has done. */
export interface FleetWorkerStatus {
  /** Jobs in hand. */
  running: number
  /** Jobs whose result is in the store, including files that could not be decoded. */
  done: number
  /** Jobs that were given back for another attempt. */
  failed: number
  /** Calls that the queue's server refused, or did not answer. */
  queueRefused: number
  /** Calls that the store refused, or did not answer. */
  storeRefused: number
}

interface InHand {
  job: TakenJob
  abort: AbortController
  progress: number
  /** Whether the result is in the store; then beats do not check the job any more. */
  hasResult: boolean
  done: Promise<void>
}

interface Options {
  /** The id by which owners count this worker. */
  id: string
  threads: number
  /** Seconds. */
  silence: number
  log: LocalHost['log']
}

/** Takes jobs from its creation on. */
export class Server implements FleetWorker {
  readonly #bench: Bench
  readonly #options: Options
  readonly #closing = new AbortController()
  readonly #inHand = new Map<string, InHand>()
  readonly #ended: Record<Outcome, number> = { done: 0, failed: 0, back: 0, missing: 0 }
  readonly #timers: NodeJS.Timeout[]
  #freed = () => {}
  readonly #loop: Promise<void>
  #resting: Promise<void> | undefined
  #closed: Promise<void> | undefined

  constructor(bench: Bench, options: Options) {
    this.#bench = bench
    this.#options = options
    const beat = Math.min(LONGEST_BEAT, (options.silence * 1000) / BEATS)
    this.#timers = [
      setInterval(() => void this.#beat(), beat),
      setInterval(() => void this.#sweep(), SWEEP),
      // A rejection is ignored, because the next call that takes jobs reports it.
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
    const { running, done, failed, queueRefused, storeRefused } = this.status()
    return [
      gauge('worker_threads', 'Analyses that run at once at most.', { '': this.#options.threads }),
      gauge('worker_jobs', 'Jobs in hand.', { '': running }),
      counter('worker_ended_total', 'Jobs that ended, by how.', {
        '{outcome="done"}': done,
        '{outcome="given_back"}': failed,
      }),
      counter('worker_refused_total', 'Calls that were refused, and repeated.', {
        '{server="queue"}': queueRefused,
        '{server="store"}': storeRefused,
      }),
    ].join('')
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
    // The loop may be about to start jobs.
    await deadline.settled(this.#loop)
    await deadline.settled(Promise.all([...this.#inHand.values()].map((one) => one.done)))
    await deadline.settled(Promise.all([pools.close(), queue.close()]))
    await rm(folder, { recursive: true, force: true })
  }

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

  /** Takes no jobs for a while, because the next one would be the job that was given back. */
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
      // If this fails, the queue notices the missing beats.
      await leave.catch(() => {})
    } finally {
      release()
    }
  }

  /** Warns once: if this worker has another store, the owner sends the job again forever. */
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
