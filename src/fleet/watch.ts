import { onAbort } from '../kernel/abort.ts'
import { clearTimeout, performance, setTimeout } from '../kernel/timers.ts'
import type { JobState } from './queue.ts'

/** Milliseconds between two looks at the queue, one for all jobs that are out. */
const LOOK = 250
/** Looks at which a job must be missing: one that goes to another worker is off the queue for a moment. */
const MISSING = 4

/** How the wait for a job ended. `missing`: it is not on the queue. */
export type Ended = { state: 'done' | 'missing' } | { state: 'failed'; reason: string }

interface Watcher {
  id: string
  onProgress: ((progress: number) => void) | undefined
  missing: number
  /** 0…1; `undefined`: no worker has it. */
  progress: number | undefined
  settle: ((ended: Ended) => void) | undefined
}

/** A job that is watched. */
export interface Watched {
  /** Waits until the job has ended. @throws the signal's reason on abort */
  ended(signal: AbortSignal): Promise<Ended>
  remove(): void
}

/** Watches all jobs of an owner that are out, by one question to the queue at a time. */
export class Watch {
  readonly #look: (ids: string[]) => Promise<Map<string, JobState>>
  readonly #watchers = new Set<Watcher>()
  #timer: NodeJS.Timeout | undefined
  #looking = false
  #moved = 0
  #closed = false

  constructor(look: (ids: string[]) => Promise<Map<string, JobState>>) {
    this.#look = look
  }

  add(id: string, onProgress?: (progress: number) => void): Watched {
    const watcher: Watcher = {
      ...{ id, onProgress, missing: 0, progress: undefined, settle: undefined },
    }
    if (this.#watchers.size === 0) this.#moved = performance.now()
    this.#watchers.add(watcher)
    return {
      ended: (signal) => this.#ended(watcher, signal),
      remove: () => {
        this.#moved = performance.now()
        this.#watchers.delete(watcher)
      },
    }
  }

  /** Jobs that are out, and how long nothing has come of them, in milliseconds. */
  figures(): { waiting: number; running: number; still: number } {
    const all = [...this.#watchers]
    const running = all.filter(({ progress }) => progress !== undefined).length
    const still = all.length === 0 ? 0 : performance.now() - this.#moved
    return { waiting: all.length - running, running, still }
  }

  close(): void {
    this.#closed = true
    clearTimeout(this.#timer)
  }

  #ended(watcher: Watcher, signal: AbortSignal): Promise<Ended> {
    return new Promise((resolve, reject) => {
      const release = onAbort(signal, () => {
        watcher.settle = undefined
        reject(signal.reason)
      })
      if (signal.aborted) return
      watcher.missing = 0
      watcher.settle = (ended) => {
        watcher.settle = undefined
        release()
        resolve(ended)
      }
      this.#schedule()
    })
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#looking || this.#closed) return
    this.#timer = setTimeout(() => {
      this.#timer = undefined
      void this.#lookOnce()
    }, LOOK)
    this.#timer.unref()
  }

  async #lookOnce(): Promise<void> {
    const asked = [...this.#watchers].filter(({ settle }) => settle !== undefined)
    if (asked.length === 0) return
    this.#looking = true
    try {
      const states = await this.#look([...new Set(asked.map(({ id }) => id))])
      for (const watcher of asked) {
        const { progress } = watcher
        tell(watcher, states.get(watcher.id))
        if (watcher.progress !== progress) this.#moved = performance.now()
      }
    } catch {
      // The fleet is closing.
      this.#closed = true
    } finally {
      this.#looking = false
    }
    if ([...this.#watchers].some(({ settle }) => settle !== undefined)) this.#schedule()
  }
}

function tell(watcher: Watcher, state: JobState | undefined): void {
  if (state === undefined) {
    if (++watcher.missing >= MISSING) watcher.settle?.({ state: 'missing' })
    return
  }
  watcher.missing = 0
  watcher.progress = state.state === 'running' ? state.progress : undefined
  if (state.state === 'running') watcher.onProgress?.(state.progress)
  else if (state.state === 'done') watcher.settle?.({ state: 'done' })
  else if (state.state === 'failed') watcher.settle?.(state as Ended)
}
