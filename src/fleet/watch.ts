import { onAbort } from '../kernel/abort.ts'
import { performance } from '../kernel/timers.ts'
import type { JobState } from './queue.ts'
import { pausing } from './retry.ts'

/** Milliseconds between two looks at the queue, each for all jobs of the owner. */
const LOOK = 250
/** Looks that must miss a job: a job that changes workers is off the queue for a moment. */
const MISSING = 4

/** How the wait for a job ended. `missing`: it is not on the queue. */
export type Ended = { state: 'done' | 'missing' } | { state: 'failed'; reason: string }

export interface Watched {
  id: string
  onProgress: ((progress: number) => void) | undefined
  missing: number
  /** 0…1; `undefined`: no worker has it. */
  progress: number | undefined
  settle: ((ended: Ended) => void) | undefined
}

/** Watches all jobs of an owner on the queue, with one request at a time. */
export class Watch {
  readonly #look: (ids: string[]) => Promise<Map<string, JobState>>
  readonly #jobs = new Set<Watched>()
  readonly #signal: AbortSignal
  #isLooking = false
  #moved = 0

  /** @param signal - aborts when the fleet is closed */
  constructor(look: (ids: string[]) => Promise<Map<string, JobState>>, signal: AbortSignal) {
    this.#look = look
    this.#signal = signal
  }

  add(id: string, onProgress?: (progress: number) => void): Watched {
    const job = { id, onProgress, missing: 0, progress: undefined, settle: undefined }
    if (this.#jobs.size === 0) this.#moved = performance.now()
    this.#jobs.add(job)
    return job
  }

  remove(job: Watched): void {
    this.#moved = performance.now()
    this.#jobs.delete(job)
  }

  /** Waits until a job has ended. @throws the signal's reason on abort */
  ended(job: Watched, signal: AbortSignal): Promise<Ended> {
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
      void this.#lookOn().catch(() => {})
    })
  }

  /** The numbers of jobs on the queue, and the milliseconds since their last progress. */
  figures(): { waiting: number; running: number; still: number } {
    const all = [...this.#jobs]
    const running = all.filter(({ progress }) => progress !== undefined).length
    const still = all.length === 0 ? 0 : performance.now() - this.#moved
    return { waiting: all.length - running, running, still }
  }

  async #lookOn(): Promise<void> {
    if (this.#isLooking) return
    this.#isLooking = true
    for (;;) {
      await pausing(LOOK, this.#signal)
      const asked = [...this.#jobs].filter(({ settle }) => settle !== undefined)
      if (asked.length === 0) break
      const states = await this.#look([...new Set(asked.map(({ id }) => id))])
      for (const job of asked) {
        const { progress } = job
        tell(job, states.get(job.id))
        if (job.progress !== progress) this.#moved = performance.now()
      }
    }
    this.#isLooking = false
  }
}

function tell(job: Watched, state: JobState | undefined): void {
  if (state === undefined) {
    if (++job.missing >= MISSING) job.settle?.({ state: 'missing' })
    return
  }
  job.missing = 0
  job.progress = state.state === 'running' ? state.progress : undefined
  if (state.state === 'running') job.onProgress?.(state.progress)
  else if (state.state === 'done') job.settle?.({ state: 'done' })
  else if (state.state === 'failed') job.settle?.(state as Ended)
}
