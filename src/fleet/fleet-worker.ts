import { rm } from 'node:fs/promises'
import type { LocalHost } from '../host/host.ts'
import { CLOSE_PATIENCE, Deadline, onAbort } from '../kernel/abort.ts'
import { clearInterval, setInterval } from '../kernel/timers.ts'
import { AudileError, messageOf } from '../values/errors.ts'
import { counter, gauge } from './exposition.ts'
import { NoStore } from './job-objects.ts'
import { PRESENT_SECONDS, type TakenJob } from './queue.ts'
import { pauseUnrefed } from './retry.ts'
import { type JobOutcome, type WorkBench, workOn } from './work.ts'

/** On average, between two requests for jobs while there are none. */
const IDLE_MILLISECONDS = 500
/** Taken ahead, so that their audio is there when a thread becomes free. */
const JOBS_AHEAD = 1
/** In the time after which a worker counts as dead. */
const BEATS_PER_SILENCE = 4
const PRESENCE_MILLISECONDS = (PRESENT_SECONDS * 1000) / 4
/** Between two beats, which carry the progress. */
const MAX_BEAT_MILLISECONDS = 2_000
/** The store keeps unfetched objects for so long; milliseconds between two sweeps. */
const KEPT_SECONDS = 14 * 86_400
const STORE_SWEEP_MILLISECONDS = 6 * 3_600_000
/** Before more jobs are taken after one that this worker cannot do. */
const REST_MILLISECONDS = 10_000

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

interface JobInHand {
  job: TakenJob
  abort: AbortController
  progress: number
  /** Whether the result is in the store; then beats do not check the job. */
  hasResult: boolean
  done: Promise<void>
}

interface WorkerOptions {
  /** Owners count the worker by it. */
  id: string
  threads: number
  /** Seconds. */
  silence: number
  log: LocalHost['log']
}

/** Takes jobs from its creation on. */
export class FleetServer implements FleetWorker {
  readonly #bench: WorkBench
  readonly #options: WorkerOptions
  readonly #closing = new AbortController()
  readonly #jobsInHand = new Map<string, JobInHand>()
  readonly #endedJobs: Record<JobOutcome, number> = { done: 0, failed: 0, back: 0, missing: 0 }
  readonly #timers: NodeJS.Timeout[]
  #wakeLoop = () => {}
  readonly #loop: Promise<void>
  #restEnd: Promise<void> | undefined
  #closed: Promise<void> | undefined

  constructor(bench: WorkBench, options: WorkerOptions) {
    this.#bench = bench
    this.#options = options
    const beat = Math.min(MAX_BEAT_MILLISECONDS, (options.silence * 1000) / BEATS_PER_SILENCE)
    this.#timers = [
      setInterval(() => void this.#sendBeat(), beat),
      setInterval(() => void this.#sweepStore(), STORE_SWEEP_MILLISECONDS),
      // The next call that takes jobs reports a rejection.
      setInterval(() => void this.#reportPresence().catch(() => {}), PRESENCE_MILLISECONDS),
    ]
    this.#loop = this.#takeJobs()
    void this.#sweepStore()
  }

  status(): FleetWorkerStatus {
    const { queue, store } = this.#bench.persistence.refused
    const { done, failed, back, missing } = this.#endedJobs
    return {
      running: this.#jobsInHand.size,
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
    await persistence.callUntilDone('queue', signal, () => this.#reportPresence())
    if (store) await persistence.callUntilDone('store', signal, () => store.check())
  }

  close(): Promise<void> {
    this.#closed ??= this.#closeAll()
    return this.#closed
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  async #closeAll(): Promise<void> {
    const deadline = new Deadline(CLOSE_PATIENCE)
    const { pools, queue, folder } = this.#bench
    for (const timer of this.#timers) clearInterval(timer)
    this.#closing.abort(new AudileError('closed', 'The worker of the fleet is closed.'))
    // The loop may be about to start jobs.
    await deadline.settled(this.#loop)
    await deadline.settled(Promise.all([...this.#jobsInHand.values()].map((entry) => entry.done)))
    await deadline.settled(Promise.all([pools.close(), queue.close()]))
    await rm(folder, { recursive: true, force: true })
  }

  async #takeJobs(): Promise<void> {
    const { signal } = this.#closing
    const { queue, persistence } = this.#bench
    while (!signal.aborted) {
      await this.#restEnd
      const freeThreads = this.#options.threads + JOBS_AHEAD - this.#jobsInHand.size
      if (freeThreads <= 0) {
        await new Promise<void>((resolve) => {
          this.#wakeLoop = resolve
        })
        continue
      }
      try {
        const jobs = await persistence.callUntilDone('queue', signal, () => queue.take(freeThreads))
        for (const job of jobs) this.#beginJob(job)
        if (jobs.length === 0) await pauseUnrefed(IDLE_MILLISECONDS * (0.5 + Math.random()), signal)
      } catch {
        // The worker is closed.
      }
    }
  }

  /** The next job would be the one that was given back. */
  #rest({ message }: Error): void {
    if (this.#restEnd) return
    this.#options.log('error', message)
    this.#restEnd = pauseUnrefed(REST_MILLISECONDS, this.#closing.signal)
      .catch(() => {})
      .then(() => {
        this.#restEnd = undefined
      })
  }

  #beginJob(job: TakenJob): void {
    const abort = new AbortController()
    const entry: JobInHand = { job, abort, progress: 0, hasResult: false, done: Promise.resolve() }
    this.#jobsInHand.set(job.id, entry)
    entry.done = this.#workOnEntry(entry).finally(() => {
      if (this.#jobsInHand.get(job.id) === entry) this.#jobsInHand.delete(job.id)
      this.#wakeLoop()
    })
  }

  /** Never rejects. */
  async #workOnEntry(entry: JobInHand): Promise<void> {
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
      this.#endedJobs[outcome]++
    } catch (error) {
      this.#endedJobs.failed++
      // Withdrawn, or another worker has it; or this worker is closing; or its disk is full.
      const isClosing = this.#closing.signal.aborted
      if (!isClosing && signal.aborted) return
      const isForOthers = error instanceof NoStore
      if (isForOthers) this.#rest(error)
      else if (!isClosing) this.#options.log('warn', 'A job of the fleet failed here.', error)
      const leaving =
        isClosing || isForOthers ? queue.giveBack(job) : queue.fail(job, messageOf(error))
      // If this fails, the queue notices the missing beats.
      await leaving.catch(() => {})
    } finally {
      release()
    }
  }

  /** Once: with another store than its owner, the owner sends the job again forever. */
  #warnMissing(): void {
    if (this.#endedJobs.missing > 0) return
    this.#options.log(
      'warn',
      'The audio of a job is not in the store, and the job goes back to its owner. If no job gets done, ' +
        'this worker has another store than the owner: start it with the same (--store, or the option store).',
    )
  }

  #reportPresence(): Promise<void> {
    return this.#bench.queue.present(this.#options.id)
  }

  async #sendBeat(): Promise<void> {
    const entries = [...this.#jobsInHand.values()].filter(({ hasResult }) => !hasResult)
    if (entries.length === 0) return
    try {
      const ownIds = await this.#bench.queue.beat(entries)
      for (const { job, abort, hasResult } of entries) {
        if (ownIds.has(job.id) || hasResult) continue
        abort.abort(new AudileError('internal', 'The job was withdrawn.'))
      }
    } catch (error) {
      this.#options.log('debug', 'A beat did not reach the queue.', error)
    }
  }

  async #sweepStore(): Promise<void> {
    try {
      await this.#bench.store?.sweep?.(KEPT_SECONDS)
    } catch (error) {
      this.#options.log('warn', 'The store could not be swept.', error)
    }
  }
}
