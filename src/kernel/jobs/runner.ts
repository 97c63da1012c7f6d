import { AudileError, type PlainError, toPlain } from '../../values/errors.ts'
import { asDatabaseError, isDamage } from '../database/sqlite-error.ts'
import type { Emit } from '../events.ts'
import type { Host } from '../host.ts'
import type { Changes } from '../wait-for-change.ts'
import type { Handler } from './handler.ts'
import { attemptsFor } from './retry.ts'
import type { Job, JobStore } from './store.ts'

/** What the job loop and its parts use. */
export interface JobServices {
  store: JobStore
  host: Pick<Host, 'log'>
  emit: Emit
  now: () => number
  changes: Changes
}

/**
 * Crashes of the process that make a job a suspect. It runs before the others, and alone, so that a
 * further crash counts against no other job.
 */
export const SUSPECT = 2
/**
 * Crashes of the process after which a suspect without progress is given up. The number is large
 * because usually the process was just killed.
 */
const MAX_CRASHES = 10
/** Milliseconds before the second attempt; each further one waits four times as long. */
const FIRST_BACKOFF = 500
const LONGEST_BACKOFF = 60_000

/** Runs claimed jobs and writes their outcomes. */
export class JobRunner {
  readonly #engineId: string
  readonly #services: JobServices
  #closed = false

  constructor(engineId: string, services: JobServices) {
    this.#engineId = engineId
    this.#services = services
  }

  /** Logs no errors from now on. */
  close(): void {
    this.#closed = true
  }

  /**
   * Runs work that has no caller to report errors to, such as the writes on a timer. An error, such
   * as a full disk, is logged, and the next heartbeat tries again.
   */
  guard(work: () => void): void {
    try {
      work()
    } catch (error) {
      if (this.#closed) return
      const { host, changes } = this.#services
      host.log('error', 'The job loop met an error and goes on.', error)
      // Outcomes may then never be written.
      if (isDamage(error)) changes.fail(asDatabaseError(error))
    }
  }

  /** Makes one attempt at a job; never rejects. */
  async run(handler: Handler, job: Job, signal: AbortSignal): Promise<void> {
    try {
      if (job.crashes >= MAX_CRASHES && !handler.isolates) {
        this.guard(() => this.#end(handler, job, givenUp(handler)))
      } else {
        await this.#attempt(handler, job, signal)
      }
    } catch (error) {
      // The job is back in the queue, or belongs to another engine.
      if (signal.aborted) return
      const reason = error instanceof Error ? error : new Error(String(error))
      this.guard(() => this.#fail(handler, job, reason))
    }
    this.guard(() => handler.settled?.(job))
  }

  async #attempt(handler: Handler, job: Job, signal: AbortSignal): Promise<void> {
    this.#tell(job, 'running')
    const write = await handler.run(job, {
      signal,
      suspect: job.crashes >= SUSPECT,
      progressed: () => this.#clearCrashes(job),
    })
    const written = this.#conclude(job, () => {
      write()
      this.#services.store.complete(job.id)
    })
    if (written) this.#tell(job, 'complete')
  }

  #clearCrashes(job: Job): void {
    if (job.crashes === 0) return
    this.guard(() => {
      this.#services.store.clearCrashes(job.id, this.#engineId)
      job.crashes = 0
    })
  }

  /** Puts a job back for another attempt, or ends it. */
  #fail(handler: Handler, job: Job, error: Error): void {
    const { store, now } = this.#services
    const most = attemptsFor(error)
    if (job.attempts - job.waits >= most) {
      this.#end(handler, job, error)
      return
    }
    const plain = toPlain(asDatabaseError(error))
    const backoff = Math.min(FIRST_BACKOFF * 4 ** (job.attempts - 1), LONGEST_BACKOFF)
    const runAt = now() + backoff
    const waits = job.waits + (most === Number.POSITIVE_INFINITY ? 1 : 0)
    const put = { id: job.id, runAt, waits, error: JSON.stringify(plain) }
    if (this.#conclude(job, () => store.retry(put))) this.#tell(job, 'retry', plain)
  }

  #end(handler: Handler, job: Job, error: Error): void {
    const { store, host, now } = this.#services
    // Users read this error in a status, so it names a remedy.
    const told = asDatabaseError(error)
    const plain = toPlain(told)
    const written = this.#conclude(job, () => {
      handler.failed?.(job, told)
      store.fail({ id: job.id, now: now(), error: JSON.stringify(plain) })
    })
    if (!written) return
    this.#tell(job, 'failed', plain)
    // Errors that the user can fix are in the status of the track, ticket or feed.
    if (error instanceof AudileError && error.code !== 'internal') return
    host.log('error', `The job ${job.kind} of ${job.subject} failed.`, error)
  }

  /** Writes an outcome in one transaction, if this engine still holds the job. */
  #conclude(job: Job, write: () => void): boolean {
    const { store } = this.#services
    return store.atomically(() => {
      if (!store.holds(job.id, this.#engineId)) return false
      write()
      return true
    })
  }

  #tell(job: Job, state: 'running' | 'complete' | 'retry' | 'failed', error?: PlainError): void {
    const { id, kind, subject } = job
    this.#services.emit('job', { id, kind, subject, state, ...(error && { error }) })
  }
}

function givenUp({ again = 'Ask for it again.' }: Handler): AudileError {
  return new AudileError(
    'internal',
    `Given up: the process ended ${MAX_CRASHES} times while this ran, and none of it was done. Something else may have ended the process, and the data may be fine. ${again}`,
  )
}
