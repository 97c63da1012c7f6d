import { AudileError, type PlainError, toPlain } from '../../values/errors.ts'
import { asDatabaseError, isDamage } from '../database/sqlite-error.ts'
import type { Emit } from '../events.ts'
import type { Host } from '../host.ts'
import type { Changes } from '../wait-for-change.ts'
import type { Handler } from './handler.ts'
import { attemptsFor } from './retry.ts'
import type { Job, JobStore } from './store.ts'

export interface JobServices {
  store: JobStore
  host: Pick<Host, 'log'>
  emit: Emit
  now: () => number
  changes: Changes
}

/** Such a job runs alone, so that a further crash counts against no other. */
export const SUSPECT_CRASHES = 2
/** Large, because usually the process was just killed. */
const MAX_CRASHES = 10
/** Each further attempt waits four times as long. */
const FIRST_BACKOFF_MILLISECONDS = 500
const MAX_BACKOFF_MILLISECONDS = 60_000

/** Runs claimed jobs and writes their outcomes. */
export class JobRunner {
  readonly #engineId: string
  readonly #services: JobServices
  #isClosed = false

  constructor(engineId: string, services: JobServices) {
    this.#engineId = engineId
    this.#services = services
  }

  /** Logs no errors from now on. */
  stopLogging(): void {
    this.#isClosed = true
  }

  /** For work without a caller: an error is logged, and the next heartbeat tries again. */
  guardWork(work: () => void): void {
    try {
      work()
    } catch (error) {
      if (this.#isClosed) return
      const { host, changes } = this.#services
      host.log('error', 'The job loop met an error and goes on.', error)
      // Outcomes may then never be written.
      if (isDamage(error)) changes.failWaits(asDatabaseError(error))
    }
  }

  /** Never rejects. */
  async attemptJob(handler: Handler, job: Job, signal: AbortSignal): Promise<void> {
    try {
      if (job.crashes >= MAX_CRASHES && !handler.isolates) {
        this.guardWork(() => this.#endJob(handler, job, givenUpError(handler)))
      } else {
        await this.#attemptOnce(handler, job, signal)
      }
    } catch (error) {
      // The job is back in the queue, or belongs to another engine.
      if (signal.aborted) return
      const reason = error instanceof Error ? error : new Error(String(error))
      this.guardWork(() => this.#failAttempt(handler, job, reason))
    }
    this.guardWork(() => handler.settled?.(job))
  }

  async #attemptOnce(handler: Handler, job: Job, signal: AbortSignal): Promise<void> {
    this.#emitState(job, 'running')
    const write = await handler.run(job, {
      signal,
      suspect: job.crashes >= SUSPECT_CRASHES,
      progressed: () => this.#clearCrashes(job),
    })
    const hasWritten = this.#writeOutcome(job, () => {
      write()
      this.#services.store.complete(job.id)
    })
    if (hasWritten) this.#emitState(job, 'complete')
  }

  #clearCrashes(job: Job): void {
    if (job.crashes === 0) return
    this.guardWork(() => {
      this.#services.store.clearCrashes(job.id, this.#engineId)
      job.crashes = 0
    })
  }

  /** Puts a job back for another attempt, or ends it. */
  #failAttempt(handler: Handler, job: Job, error: Error): void {
    const { store, now } = this.#services
    const maxAttempts = attemptsFor(error)
    if (job.attempts - job.waits >= maxAttempts) {
      this.#endJob(handler, job, error)
      return
    }
    const plain = toPlain(asDatabaseError(error))
    const backoff = Math.min(
      FIRST_BACKOFF_MILLISECONDS * 4 ** (job.attempts - 1),
      MAX_BACKOFF_MILLISECONDS,
    )
    const runAt = now() + backoff
    const waits = job.waits + (maxAttempts === Number.POSITIVE_INFINITY ? 1 : 0)
    const retryRow = { id: job.id, runAt, waits, error: JSON.stringify(plain) }
    if (this.#writeOutcome(job, () => store.retry(retryRow))) this.#emitState(job, 'retry', plain)
  }

  #endJob(handler: Handler, job: Job, error: Error): void {
    const { store, host, now } = this.#services
    // Users read this error in a status, so it names a remedy.
    const reportedError = asDatabaseError(error)
    const plain = toPlain(reportedError)
    const hasWritten = this.#writeOutcome(job, () => {
      handler.failed?.(job, reportedError)
      store.fail({ id: job.id, now: now(), error: JSON.stringify(plain) })
    })
    if (!hasWritten) return
    this.#emitState(job, 'failed', plain)
    // Errors that the user can fix are in the status of the track, ticket or feed.
    if (error instanceof AudileError && error.code !== 'internal') return
    host.log('error', `The job ${job.kind} of ${job.subject} failed.`, error)
  }

  /** In one transaction, if this engine still holds the job. */
  #writeOutcome(job: Job, write: () => void): boolean {
    const { store } = this.#services
    return store.atomically(() => {
      if (!store.holds(job.id, this.#engineId)) return false
      write()
      return true
    })
  }

  #emitState(
    job: Job,
    state: 'running' | 'complete' | 'retry' | 'failed',
    error?: PlainError,
  ): void {
    const { id, kind, subject } = job
    this.#services.emit('job', { id, kind, subject, state, ...(error && { error }) })
  }
}

function givenUpError({ again = 'Ask for it again.' }: Handler): AudileError {
  return new AudileError(
    'internal',
    `Given up: the process ended ${MAX_CRASHES} times while this ran, and none of it was done. Something else may have ended the process, and the data may be fine. ${again}`,
  )
}
