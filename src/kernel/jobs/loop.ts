import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { AudileError } from '../../values/errors.ts'
import { CLOSE_PATIENCE, Deadline } from '../abort.ts'
import { PROCESS_STARTED } from '../process-name.ts'
import { jobTurn } from '../scheduler.ts'
import { clearInterval, clearTimeout, setInterval, setTimeout } from '../timers.ts'
import type { Handler } from './handler.ts'
import { HEARTBEAT_MILLISECONDS, isDead } from './liveness.ts'
import { JobRunner, type JobServices, SUSPECT_CRASHES } from './runner.ts'
import type { Job, NewJob } from './store.ts'

const WATCH_MILLISECONDS = 1_000
const MAX_WAKE_MILLISECONDS = 3_600_000

/**
 * Runs the jobs of a database, and takes over those of dead engines. Idle, it only reads `PRAGMA
 * data_version`.
 */
export class JobLoop {
  readonly engineId = randomUUID()
  readonly #services: JobServices
  readonly #runner: JobRunner
  readonly #handlers = new Map<string, Handler>()
  readonly #running = new Map<number, { job: Job; abort: AbortController; done: Promise<void> }>()
  #timers: NodeJS.Timeout[] = []
  #wakeTimer: NodeJS.Timeout | undefined
  /** Whether a suspect is running; then no other job starts. */
  #isSuspectRunning = false
  #isNudged = false
  #isClosed = false
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
    this.#sendHeartbeat()
    this.#reclaimJobs()
    this.#dataVersion = this.#services.store.dataVersion()
    this.#timers = [
      setInterval(() => this.#runner.guardWork(() => this.#keepAlive()), HEARTBEAT_MILLISECONDS),
      setInterval(() => this.#runner.guardWork(() => this.#watchWrites()), WATCH_MILLISECONDS),
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

  /** Before the start some rooms may not be open yet. */
  nudge(): void {
    if (this.#isNudged || this.#isClosed || this.#timers.length === 0) return
    this.#isNudged = true
    void jobTurn().then(() => {
      this.#isNudged = false
      // `#startJobs` sets the time of the next job, unless an error ends it.
      this.#wakeIn(HEARTBEAT_MILLISECONDS)
      this.#runner.guardWork(() => this.#startJobs())
    })
  }

  /** Stops the running jobs; resolves when they have ended, or at the deadline. */
  async stop(deadline: Deadline): Promise<void> {
    this.#isClosed = true
    this.#runner.stopLogging()
    for (const timer of this.#timers) clearInterval(timer)
    clearTimeout(this.#wakeTimer)
    for (const { abort } of this.#running.values()) {
      abort.abort(new AudileError('closed', 'The engine is closing.'))
    }
    await deadline.settled(Promise.all([...this.#running.values()].map(({ done }) => done)))
  }

  /** If that fails, the next engine takes the jobs over, as after a crash. */
  leave(): void {
    const { store } = this.#services
    this.#runner.guardWork(() =>
      store.atomically(() => {
        store.giveBack(this.engineId)
        store.bury(this.engineId)
      }),
    )
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    await this.stop(new Deadline(CLOSE_PATIENCE))
    this.leave()
  }

  #keepAlive(): void {
    this.#sendHeartbeat()
    this.#reclaimJobs()
    // A full disk can keep an outcome from being written; then the job runs again.
    const running = JSON.stringify([...this.#running.keys()])
    if (this.#services.store.releaseOthers(this.engineId, running).changes > 0) this.nudge()
  }

  #sendHeartbeat(): void {
    const { store, now } = this.#services
    store.beat({
      id: this.engineId,
      pid: process.pid,
      processStarted: PROCESS_STARTED,
      host: hostname(),
      heartbeat: now(),
    })
  }

  #reclaimJobs(): void {
    const { store } = this.#services
    const now = this.#services.now()
    const deadEngines = store
      .engines()
      .filter((engine) => engine.id !== this.engineId && isDead(engine, now))
      .map((engine) => engine.id)
    const goneEngines = [...deadEngines, ...store.orphanClaims()]
    if (goneEngines.length === 0) return
    const released = store.atomically(() =>
      goneEngines.reduce((sum, engine) => sum + store.bury(engine), 0),
    )
    if (released > 0) this.nudge()
  }

  #watchWrites(): void {
    const { store, changes } = this.#services
    const version = store.dataVersion()
    if (version === this.#dataVersion) return
    this.#dataVersion = version
    this.#dropLostClaims()
    changes.wakeWaits()
    this.nudge()
  }

  // Another engine may have taken this one for dead, or removed the subject.
  #dropLostClaims(): void {
    for (const { job, abort } of this.#running.values()) {
      if (!this.#services.store.holds(job.id, this.engineId)) {
        abort.abort(new AudileError('internal', 'Another engine took the job over.'))
      }
    }
  }

  #startJobs(): void {
    if (this.#isClosed || this.#isSuspectRunning) return
    const { store } = this.#services
    const now = this.#services.now()
    for (const handler of this.#handlers.values()) {
      if (handler.isolates || handler.concurrency <= this.#countRunning(handler.kind)) continue
      const suspect = store.claim(handler.kind, this.engineId, now, { from: SUSPECT_CRASHES })
      if (!suspect) continue
      this.#isSuspectRunning = true
      this.#startJob(handler, suspect)
      return
    }
    let nextRun = Number.POSITIVE_INFINITY
    // A power cut may undo a claim; then the job runs again.
    const claimed = store.atomically.step(() => {
      const jobs: [Handler, Job][] = []
      for (const handler of this.#handlers.values()) {
        let freeSlots = handler.concurrency - this.#countRunning(handler.kind)
        const crashes = handler.isolates ? {} : { below: SUSPECT_CRASHES }
        while (freeSlots > 0) {
          const job = store.claim(handler.kind, this.engineId, now, crashes)
          if (!job) break
          jobs.push([handler, job])
          freeSlots--
        }
        if (freeSlots > 0) nextRun = Math.min(nextRun, store.nextRun(handler.kind) ?? nextRun)
      }
      return jobs
    })
    for (const [handler, job] of claimed) this.#startJob(handler, job)
    if (nextRun < Number.POSITIVE_INFINITY) this.#wakeIn(nextRun - now)
    else clearTimeout(this.#wakeTimer)
  }

  /** Only the last call counts. */
  #wakeIn(milliseconds: number): void {
    clearTimeout(this.#wakeTimer)
    if (this.#isClosed) return
    this.#wakeTimer = setTimeout(
      () => this.nudge(),
      Math.min(Math.max(milliseconds, 0), MAX_WAKE_MILLISECONDS),
    )
    this.#wakeTimer.unref()
  }

  #countRunning(kind: string): number {
    let count = 0
    for (const { job } of this.#running.values()) if (job.kind === kind) count++
    return count
  }

  #startJob(handler: Handler, job: Job): void {
    const controller = new AbortController()
    const isSuspect = this.#isSuspectRunning
    const done = this.#runner.attemptJob(handler, job, controller.signal).finally(() => {
      this.#running.delete(job.id)
      if (isSuspect) this.#isSuspectRunning = false
      this.nudge()
    })
    this.#running.set(job.id, { job, abort: controller, done })
  }
}
