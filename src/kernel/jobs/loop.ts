import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { AudileError } from '../../values/errors.ts'
import { CLOSE_PATIENCE, Deadline } from '../abort.ts'
import { PROCESS_STARTED } from '../process-name.ts'
import { jobTurn } from '../scheduler.ts'
import { clearInterval, clearTimeout, setInterval, setTimeout } from '../timers.ts'
import type { Handler } from './handler.ts'
import { HEARTBEAT, isDead } from './liveness.ts'
import { JobRunner, type JobServices, SUSPECT } from './runner.ts'
import type { Job, NewJob } from './store.ts'

/** Milliseconds between two checks for writes of other processes. */
const WATCH = 1_000
/** The longest timer for the next job, in milliseconds. */
const LONGEST_WAKE = 3_600_000

/**
 * Runs the jobs of a database: claims and starts them, and takes over those of engines that died.
 *
 * While there is nothing to do, it only reads `PRAGMA data_version` once a second, to notice that
 * another process wrote to the file.
 */
export class JobLoop {
  readonly engineId = randomUUID()
  readonly #services: JobServices
  readonly #runner: JobRunner
  readonly #handlers = new Map<string, Handler>()
  readonly #running = new Map<number, { job: Job; abort: AbortController; done: Promise<void> }>()
  #timers: NodeJS.Timeout[] = []
  #wake: NodeJS.Timeout | undefined
  /** Whether a suspect is running; then no other job starts. */
  #alone = false
  #nudged = false
  #closed = false
  #dataVersion = 0

  constructor(services: JobServices) {
    this.#services = services
    this.#runner = new JobRunner(this.engineId, services)
  }

  /** Adds the handler of a kind. Call it before {@link start}. */
  readonly handle = (handler: Handler): void => {
    this.#handlers.set(handler.kind, handler)
  }

  /** Registers this engine, takes over the jobs of dead engines, and starts the loop. */
  start(): void {
    this.#beat()
    this.#reclaim()
    this.#dataVersion = this.#services.store.dataVersion()
    this.#timers = [
      setInterval(() => this.#runner.guard(() => this.#live()), HEARTBEAT),
      setInterval(() => this.#runner.guard(() => this.#watch()), WATCH),
    ]
    for (const timer of this.#timers) timer.unref()
    this.nudge()
  }

  readonly enqueue = (job: NewJob): void => {
    const { store, emit, now } = this.#services
    const id = store.add(job, now())
    this.nudge()
    emit('job', { id, kind: job.kind, subject: job.subject, state: 'queued' })
  }

  readonly cancel = (kind: string, subject: string): void => {
    this.#services.store.drop(kind, subject)
    for (const { job, abort } of this.#running.values()) {
      if (job.kind === kind && job.subject === subject) {
        abort.abort(new AudileError('internal', 'The job was cancelled.'))
      }
    }
  }

  /** Makes a started loop look for work soon. Before the start, some rooms may not be open yet. */
  nudge(): void {
    if (this.#nudged || this.#closed || this.#timers.length === 0) return
    this.#nudged = true
    void jobTurn().then(() => {
      this.#nudged = false
      // `#fill` sets the time of the next job instead, unless an error (a long lock) ends it.
      this.#wakeIn(HEARTBEAT)
      this.#runner.guard(() => this.#fill())
    })
  }

  /** Stops the running jobs; resolves when they have ended, or at the deadline. */
  async stop(deadline: Deadline): Promise<void> {
    this.#closed = true
    this.#runner.close()
    for (const timer of this.#timers) clearInterval(timer)
    clearTimeout(this.#wake)
    for (const { abort } of this.#running.values()) {
      abort.abort(new AudileError('closed', 'The engine is closing.'))
    }
    await deadline.settled(Promise.all([...this.#running.values()].map(({ done }) => done)))
  }

  /**
   * Returns stopped jobs to the queue and removes this engine from the list. If that fails, for
   * example on a full disk, the next engine takes the jobs over, as after a crash.
   */
  leave(): void {
    const { store } = this.#services
    this.#runner.guard(() =>
      store.atomically(() => {
        store.giveBack(this.engineId)
        store.bury(this.engineId)
      }),
    )
  }

  async close(): Promise<void> {
    if (this.#closed) return
    await this.stop(new Deadline(CLOSE_PATIENCE))
    this.leave()
  }

  #live(): void {
    this.#beat()
    this.#reclaim()
    // A full disk or a long lock can keep an outcome from being written. Then the job runs again.
    const running = JSON.stringify([...this.#running.keys()])
    if (this.#services.store.releaseOthers(this.engineId, running).changes > 0) this.nudge()
  }

  #beat(): void {
    const { store, now } = this.#services
    store.beat({
      id: this.engineId,
      pid: process.pid,
      processStarted: PROCESS_STARTED,
      host: hostname(),
      heartbeat: now(),
    })
  }

  #reclaim(): void {
    const { store } = this.#services
    const now = this.#services.now()
    const dead = store
      .engines()
      .filter((engine) => engine.id !== this.engineId && isDead(engine, now))
      .map((engine) => engine.id)
    const gone = [...dead, ...store.orphanClaims()]
    if (gone.length === 0) return
    const released = store.atomically(() =>
      gone.reduce((sum, engine) => sum + store.bury(engine), 0),
    )
    if (released > 0) this.nudge()
  }

  #watch(): void {
    const { store, changes } = this.#services
    const version = store.dataVersion()
    if (version === this.#dataVersion) return
    this.#dataVersion = version
    this.#dropLostClaims()
    changes.poke()
    this.nudge()
  }

  // Another engine may have taken this one for dead (a laptop that slept), or removed the subject:
  // then nobody wants the result.
  #dropLostClaims(): void {
    for (const { job, abort } of this.#running.values()) {
      if (!this.#services.store.holds(job.id, this.engineId)) {
        abort.abort(new AudileError('internal', 'Another engine took the job over.'))
      }
    }
  }

  #fill(): void {
    if (this.#closed || this.#alone) return
    const { store } = this.#services
    const now = this.#services.now()
    for (const handler of this.#handlers.values()) {
      if (handler.isolates || handler.concurrency <= this.#countRunning(handler.kind)) continue
      const suspect = store.claim(handler.kind, this.engineId, now, { from: SUSPECT })
      if (!suspect) continue
      this.#alone = true
      this.#start(handler, suspect)
      return
    }
    let next = Number.POSITIVE_INFINITY
    // A power cut may undo a claim. The job then runs when it is claimed again.
    const claimed = store.atomically.step(() => {
      const jobs: [Handler, Job][] = []
      for (const handler of this.#handlers.values()) {
        let free = handler.concurrency - this.#countRunning(handler.kind)
        const crashes = handler.isolates ? {} : { below: SUSPECT }
        while (free > 0) {
          const job = store.claim(handler.kind, this.engineId, now, crashes)
          if (!job) break
          jobs.push([handler, job])
          free--
        }
        if (free > 0) next = Math.min(next, store.nextRun(handler.kind) ?? next)
      }
      return jobs
    })
    for (const [handler, job] of claimed) this.#start(handler, job)
    if (next < Number.POSITIVE_INFINITY) this.#wakeIn(next - now)
    else clearTimeout(this.#wake)
  }

  /** Looks for work again after so many milliseconds; only the last call counts. */
  #wakeIn(milliseconds: number): void {
    clearTimeout(this.#wake)
    if (this.#closed) return
    this.#wake = setTimeout(() => this.nudge(), Math.min(Math.max(milliseconds, 0), LONGEST_WAKE))
    this.#wake.unref()
  }

  #countRunning(kind: string): number {
    let count = 0
    for (const { job } of this.#running.values()) if (job.kind === kind) count++
    return count
  }

  #start(handler: Handler, job: Job): void {
    const abort = new AbortController()
    const alone = this.#alone
    const done = this.#runner.run(handler, job, abort.signal).finally(() => {
      this.#running.delete(job.id)
      if (alone) this.#alone = false
      this.nudge()
    })
    this.#running.set(job.id, { job, abort, done })
  }
}
