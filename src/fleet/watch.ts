import { onAbort } from '../kernel/abort.ts'
import { performance } from '../kernel/timers.ts'
import type { JobState } from './queue.ts'
import { pauseUnrefed } from './retry.ts'

/** Between two looks at the queue, each for all jobs of the owner. */
const LOOK_MILLISECONDS = 250
/** A job that changes workers is off the queue for a moment. */
const MISSING_LOOKS = 4

/** `missing`: it is not on the queue. */
export type EndState = { state: 'done' | 'missing' } | { state: 'failed'; reason: string }

export interface WatchedJob {
  id: string
  onProgress: ((progress: number) => void) | undefined
  missing: number
  /** 0…1; `undefined`: no worker has it. */
  progress: number | undefined
  settle: ((ended: EndState) => void) | undefined
}

/** All jobs of an owner with one request at a time. */
export class Watch {
  readonly #lookUpJobs: (ids: string[]) => Promise<Map<string, JobState>>
  readonly #jobs = new Set<WatchedJob>()
  readonly #signal: AbortSignal
  #isLooking = false
  #lastProgress = 0

  /** @param signal - aborts when the fleet is closed */
  constructor(lookUpJobs: (ids: string[]) => Promise<Map<string, JobState>>, signal: AbortSignal) {
    this.#lookUpJobs = lookUpJobs
    this.#signal = signal
  }

  addJob(id: string, onProgress?: (progress: number) => void): WatchedJob {
    const job = { id, onProgress, missing: 0, progress: undefined, settle: undefined }
    if (this.#jobs.size === 0) this.#lastProgress = performance.now()
    this.#jobs.add(job)
    return job
  }

  removeJob(job: WatchedJob): void {
    this.#lastProgress = performance.now()
    this.#jobs.delete(job)
  }

  /** @throws the signal's reason on abort */
  awaitEnd(job: WatchedJob, signal: AbortSignal): Promise<EndState> {
    return new Promise((resolve, reject) => {
      const release = onAbort(signal, () => {
        job.settle = undefined
        reject(signal.reason)
      })
      if (signal.aborted) return
      job.missing = 0
      job.settle = (ended) => {
        job.settle = undefined
        release()
        resolve(ended)
      }
      // It rejects when the fleet is closed.
      void this.#watchJobs().catch(() => {})
    })
  }

  /** And the milliseconds since the last progress. */
  countJobs(): { waiting: number; running: number; still: number } {
    const jobs = [...this.#jobs]
    const running = jobs.filter(({ progress }) => progress !== undefined).length
    const still = jobs.length === 0 ? 0 : performance.now() - this.#lastProgress
    return { waiting: jobs.length - running, running, still }
  }

  async #watchJobs(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    for (;;) {
      await pauseUnrefed(LOOK_MILLISECONDS, this.#signal)
      const awaitedJobs = [...this.#jobs].filter(({ settle }) => settle !== undefined)
      if (awaitedJobs.length === 0) break
      const states = await this.#lookUpJobs([...new Set(awaitedJobs.map(({ id }) => id))])
      for (const job of awaitedJobs) {
        const { progress } = job
        noteJobState(job, states.get(job.id))
        if (job.progress !== progress) this.#lastProgress = performance.now()
      }
    }
    this.#isLooking = false
  }
}

function noteJobState(job: WatchedJob, state: JobState | undefined): void {
  if (state === undefined) {
    if (++job.missing >= MISSING_LOOKS) job.settle?.({ state: 'missing' })
    return
  }
  job.missing = 0
  job.progress = state.state === 'running' ? state.progress : undefined
  if (state.state === 'running') job.onProgress?.(state.progress)
  else if (state.state === 'done') job.settle?.({ state: 'done' })
  else if (state.state === 'failed') job.settle?.(state as EndState)
}
