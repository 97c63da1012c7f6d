import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { AudileError, asDatabaseError, type PlainError, toPlain } from '../../errors.ts'
import { CLOSE_PATIENCE, Deadline } from '../abort.ts'
import type { Emit } from '../events.ts'
import { jobTurn } from '../scheduler.ts'
import { clearInterval, clearTimeout, setInterval, setTimeout } from '../timers.ts'
import { HEARTBEAT, isDead, PROCESS_STARTED } from './liveness.ts'
import { attemptsFor } from './retry.ts'
import type { Job, JobStore, NewJob } from './store.ts'

/** What a handler is told besides its job. */
export interface Running {
  /** Aborted when the engine closes, or when the job's claim is lost. */
  signal: AbortSignal
  /**
   * The process ended more than once while this job ran: a handler that {@link Handler.isolates}
   * does it where its end ends nothing else.
   */
  suspect: boolean
  /**
   * Says that a part of the work is written and will not be done again: the job is not what ended
   * the process before.
   */
  progressed(): void
}

/** The work of one kind of job. */
export interface Handler {
  kind: string
  /** How many may run at once. */
  concurrency: number
  /**
   * Whether it runs suspects in a process of their own. The end of this process then says nothing
   * against them, and they are never given up for it.
   */
  isolates?: boolean
  /** What to do when the job was given up though nothing may be wrong with it. */
  again?: string
  /**
   * Does the work and returns what writes its outcome. That runs synchronously, in the very
   * transaction that removes the job: both happen, or neither.
   */
  run(job: Job, running: Running): Promise<() => void>
  /** Writes that the job failed for good, in the transaction that ends it. */
  failed(job: Job, error: Error): void
  /** Called after the outcome is committed, to tell others. */
  settled?(job: Job): void
}

/**
 * After so many ends of the process a job is a suspect: it runs before the others and nothing is
 * started beside it, so that the next end, if there is one, is counted against no other job.
 */
const SUSPECT = 2
/**
 * A suspect that made no progress is given up after so many ends. Most often the process was merely
 * killed, so the number is large.
 */
const MAX_CRASHES = 10
/** Milliseconds before the second attempt; each further one waits four times as long. */
const FIRST_BACKOFF = 500
const LONGEST_BACKOFF = 60_000
/** How often other processes' writes are looked for, in milliseconds. */
const WATCH = 1_000

/**
 * Runs the jobs of a database: claims, starts, completes or fails them, and takes over those of
 * engines that died.
 *
 * Nothing polls while there is nothing to do but one `PRAGMA data_version` a second, by which the
 * work of other processes on the same file is noticed; work of this one nudges.
 */
export class JobLoop {
  readonly engineId = randomUUID()
  readonly #store: JobStore
  readonly #now: () => number
  readonly #emit: Emit
  readonly #onForeignWrite: () => void
  readonly #onWatch: () => void
  readonly #onFault: (error: unknown) => void
  readonly #onFailed: (job: Job, error: Error) => void
  readonly #handlers = new Map<string, Handler>()
  readonly #running = new Map<number, { job: Job; abort: AbortController; done: Promise<void> }>()
  #timers: NodeJS.Timeout[] = []
  #wake: NodeJS.Timeout | undefined
  /** A suspect is running, beside which nothing is started. */
  #alone = false
  #nudged = false
  #closed = false
  #dataVersion = 0

  constructor(options: {
    store: JobStore
    now: () => number
    emit: Emit
    /** Told that another process wrote to the database. */
    onForeignWrite: () => void
    /** Called once a second. */
    onWatch?: () => void
    /** Told what went wrong on a timer, where no caller could be: SQLite busy or full, say. */
    onFault: (error: unknown) => void
    /** Told of each job that failed for good, and why. */
    onFailed?: (job: Job, error: Error) => void
  }) {
    this.#store = options.store
    this.#now = options.now
    this.#emit = options.emit
    this.#onForeignWrite = options.onForeignWrite
    this.#onWatch = options.onWatch ?? (() => {})
    this.#onFault = options.onFault
    this.#onFailed = options.onFailed ?? (() => {})
  }

  /** Adds the handler of a kind; before {@link start}. */
  handle(handler: Handler): void {
    this.#handlers.set(handler.kind, handler)
  }

  /** Registers this engine, takes over what dead ones left, and begins. */
  start(): void {
    this.#beat()
    this.#reclaim()
    this.#dataVersion = this.#store.dataVersion()
    this.#timers = [
      setInterval(() => this.#guard(() => this.#live()), HEARTBEAT),
      setInterval(() => this.#guard(() => this.#watch()), WATCH),
    ]
    for (const timer of this.#timers) timer.unref()
    this.nudge()
  }

  /** Puts a job in the queue; to be called inside the transaction that makes it necessary. */
  enqueue(job: NewJob): void {
    const id = this.#store.add(job, this.#now())
    this.nudge()
    this.#emit('job', { id, kind: job.kind, subject: job.subject, state: 'queued' })
  }

  /** Removes the job of a subject, stopping it if it runs here. */
  cancel(kind: string, subject: string): void {
    this.#store.drop(kind, subject)
    for (const { job, abort } of this.#running.values()) {
      if (job.kind === kind && job.subject === subject) {
        abort.abort(new AudileError('internal', 'The job was cancelled.'))
      }
    }
  }

  /** Has the loop look for work, after what is running now has returned to it. */
  nudge(): void {
    if (this.#nudged || this.#closed) return
    this.#nudged = true
    void jobTurn().then(() => {
      this.#nudged = false
      this.#guard(() => this.#fill())
    })
  }

  /**
   * Stops the running jobs, returns them to the queue and strikes this engine off. Where that does
   * not succeed before the deadline, the next engine takes them over, as after a crash.
   *
   * @param beforeWrite - called before what is written last
   */
  async close(
    deadline = new Deadline(CLOSE_PATIENCE),
    beforeWrite: () => void = () => {},
  ): Promise<void> {
    if (this.#closed) return
    this.#closed = true
    for (const timer of this.#timers) clearInterval(timer)
    clearTimeout(this.#wake)
    for (const { abort } of this.#running.values()) {
      abort.abort(new AudileError('closed', 'The engine is closing.'))
    }
    await deadline.settled(Promise.all([...this.#running.values()].map(({ done }) => done)))
    this.#guard(beforeWrite)
    // On a full disk, say, the next engine takes them over, as after a crash.
    this.#guard(() =>
      this.#store.atomically(() => {
        this.#store.giveBack(this.engineId)
        this.#store.bury(this.engineId)
      }),
    )
  }

  #live(): void {
    this.#beat()
    this.#reclaim()
    // A full disk or a long lock can keep an outcome from being written: then the work is done anew.
    const released = this.#store.releaseOthers(this.engineId, [...this.#running.keys()])
    if (released > 0) this.nudge()
  }

  #beat(): void {
    this.#store.beat({
      id: this.engineId,
      pid: process.pid,
      processStarted: PROCESS_STARTED,
      host: hostname(),
      heartbeat: this.#now(),
    })
  }

  #reclaim(): void {
    const now = this.#now()
    const dead = this.#store
      .engines()
      .filter((engine) => engine.id !== this.engineId && isDead(engine, now))
      .map((engine) => engine.id)
    const gone = [...dead, ...this.#store.orphanClaims()]
    if (gone.length === 0) return
    const released = this.#store.atomically(() =>
      gone.reduce((sum, engine) => sum + this.#store.bury(engine), 0),
    )
    if (released > 0) this.nudge()
  }

  #watch(): void {
    this.#onWatch()
    const version = this.#store.dataVersion()
    if (version === this.#dataVersion) return
    this.#dataVersion = version
    this.#dropLostClaims()
    this.#onForeignWrite()
    this.nudge()
  }

  // Another engine may have taken this one for dead (a laptop that slept) or removed the subject:
  // then the result is not wanted any more.
  #dropLostClaims(): void {
    for (const { job, abort } of this.#running.values()) {
      if (!this.#store.holds(job.id, this.engineId)) {
        abort.abort(new AudileError('internal', 'Another engine took the job over.'))
      }
    }
  }

  #fill(): void {
    if (this.#closed || this.#alone) return
    let next = Number.POSITIVE_INFINITY
    const now = this.#now()
    for (const handler of this.#handlers.values()) {
      if (handler.isolates || handler.concurrency <= this.#countRunning(handler.kind)) continue
      const suspect = this.#store.claim(handler.kind, this.engineId, now, { from: SUSPECT })
      if (!suspect) continue
      this.#alone = true
      this.#start(handler, suspect)
      return
    }
    for (const handler of this.#handlers.values()) {
      let free = handler.concurrency - this.#countRunning(handler.kind)
      const crashes = handler.isolates ? {} : { below: SUSPECT }
      while (free > 0) {
        const job = this.#store.claim(handler.kind, this.engineId, now, crashes)
        if (!job) break
        this.#start(handler, job)
        free--
      }
      if (free > 0) next = Math.min(next, this.#store.nextRun(handler.kind) ?? next)
    }
    clearTimeout(this.#wake)
    if (next < Number.POSITIVE_INFINITY) {
      this.#wake = setTimeout(() => this.nudge(), Math.min(Math.max(next - now, 0), 3_600_000))
      this.#wake.unref()
    }
  }

  #countRunning(kind: string): number {
    let count = 0
    for (const { job } of this.#running.values()) if (job.kind === kind) count++
    return count
  }

  #start(handler: Handler, job: Job): void {
    const abort = new AbortController()
    const alone = this.#alone
    const done = this.#attempt(handler, job, abort.signal).finally(() => {
      this.#running.delete(job.id)
      if (alone) this.#alone = false
      this.nudge()
    })
    this.#running.set(job.id, { job, abort, done })
  }

  async #attempt(handler: Handler, job: Job, signal: AbortSignal): Promise<void> {
    try {
      if (job.crashes >= MAX_CRASHES && !handler.isolates) {
        this.#guard(() => this.#end(handler, job, givenUp(handler)))
        this.#guard(() => handler.settled?.(job))
        return
      }
      this.#tell(job, 'running')
      const commit = await handler.run(job, {
        signal,
        suspect: job.crashes >= SUSPECT,
        progressed: () => this.#clear(job),
      })
      const committed = this.#ending(job, () => {
        commit()
        this.#store.complete(job.id)
      })
      if (committed) this.#tell(job, 'complete')
    } catch (error) {
      // Returned to the queue by close(), or not ours any more.
      if (signal.aborted) return
      const reason = error instanceof Error ? error : new Error(String(error))
      this.#guard(() => this.#fail(handler, job, reason))
    }
    this.#guard(() => handler.settled?.(job))
  }

  #clear(job: Job): void {
    if (job.crashes === 0) return
    this.#guard(() => {
      this.#store.clearCrashes(job.id, this.engineId)
      job.crashes = 0
    })
  }

  #fail(handler: Handler, job: Job, error: Error): void {
    const most = attemptsFor(error)
    if (job.attempts - job.waits >= most) {
      this.#end(handler, job, error)
      return
    }
    const plain = toPlain(asDatabaseError(error))
    const backoff = Math.min(FIRST_BACKOFF * 4 ** (job.attempts - 1), LONGEST_BACKOFF)
    const runAt = this.#now() + backoff
    const waits = job.waits + (most === Number.POSITIVE_INFINITY ? 1 : 0)
    if (this.#ending(job, () => this.#store.retry(job.id, { runAt, error: plain, waits }))) {
      this.#tell(job, 'retry', plain)
    }
  }

  /** Ends a job for good. */
  #end(handler: Handler, job: Job, error: Error): void {
    // What people read in a status is to say what to do about it.
    const told = asDatabaseError(error)
    const plain = toPlain(told)
    const written = this.#ending(job, () => {
      handler.failed(job, told)
      this.#store.fail(job.id, this.#now(), plain)
    })
    if (!written) return
    this.#tell(job, 'failed', plain)
    this.#onFailed(job, error)
  }

  /** Ends a job in one transaction, if this engine still holds it. */
  #ending(job: Job, write: () => void): boolean {
    return this.#store.atomically(() => {
      if (!this.#store.holds(job.id, this.engineId)) return false
      write()
      return true
    })
  }

  #tell(job: Job, state: 'running' | 'complete' | 'retry' | 'failed', error?: PlainError): void {
    const { id, kind, subject } = job
    this.#emit('job', { id, kind, subject, state, ...(error && { error }) })
  }

  // Such work has no caller to reject to: SQLite being busy or full now must not end the thread;
  // the next beat tries again.
  #guard(work: () => void): void {
    try {
      work()
    } catch (error) {
      if (!this.#closed) this.#onFault(error)
    }
  }
}

function givenUp({ again = 'Ask for it again.' }: Handler): AudileError {
  return new AudileError(
    'internal',
    `Given up: the process ended ${MAX_CRASHES} times while this ran, and none of it was done. Something else may have ended the process, and the data may be fine. ${again}`,
  )
}
