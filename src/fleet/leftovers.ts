import { onAbort } from '../kernel/abort.ts'
import { clearInterval, setInterval } from '../kernel/timers.ts'
import { audioName, resultName, taskFrom } from './fleet-task.ts'
import { type Persistence, pausing } from './persistently.ts'
import type { Queue } from './queue.ts'
import type { Store } from './store.ts'

/** Milliseconds between two looks for jobs of this owner that ended and that nobody asked for. */
const SWEEP = 30_000
/** Milliseconds for which removals are collected, as one statement removes many jobs. */
const COLLECT = 200

interface Parts {
  queue: Queue
  store: Store
  owner: string
  persistence: Persistence
  /** Aborts when the fleet is closed. */
  signal: AbortSignal
}

interface Removal {
  id: string
  audio: string
}

/**
 * Removes from queue and store what the owner needs no more.
 *
 * The job on the queue is removed last, so what a dead owner left can be found: every half minute the
 * owner lists its jobs that ended, and removes those that it did not ask for meanwhile. What is removed
 * under another owner of the same audio, that owner puts there again.
 */
export class Leftovers {
  readonly #parts: Parts
  /** How many tasks are out or not stored yet, by the names of what they need. */
  readonly #wanted = new Map<string, number>()
  /** Jobs that had ended, and that nobody had asked for, at the last look. */
  #suspects = new Set<string>()
  #removals: Removal[] = []
  #removing: Promise<void> | undefined
  readonly #timer: NodeJS.Timeout

  constructor(parts: Parts) {
    this.#parts = parts
    this.#timer = setInterval(() => void this.#sweep().catch(() => {}), SWEEP)
    this.#timer.unref()
    onAbort(parts.signal, () => clearInterval(this.#timer))
  }

  /** A task needs a job, its result and its audio. */
  want(id: string, audio: string): void {
    for (const name of [id, audio]) this.#wanted.set(name, (this.#wanted.get(name) ?? 0) + 1)
  }

  /** A task needs them no more, but another run of the owner will. */
  keep(id: string, audio: string): void {
    for (const name of [id, audio]) {
      const left = (this.#wanted.get(name) ?? 1) - 1
      if (left > 0) this.#wanted.set(name, left)
      else this.#wanted.delete(name)
    }
  }

  /** A task needs them no more: what no other task needs is removed. */
  remove(id: string, audio: string): void {
    this.keep(id, audio)
    if (this.#wanted.has(id)) return
    this.#removals.push({ id, audio })
    this.#removing ??= this.#removeAll()
  }

  /** Waits for the removals under way. */
  async flush(): Promise<void> {
    await this.#removing
  }

  async #removeAll(): Promise<void> {
    const { signal } = this.#parts
    try {
      while (this.#removals.length > 0) {
        await pausing(COLLECT, signal)
        const removals = this.#removals.filter(({ id }) => !this.#wanted.has(id))
        this.#removals = []
        await this.#removeThese(removals)
      }
    } catch {
      // The fleet is closed; the next run of the owner finds the rest.
    } finally {
      this.#removing = undefined
    }
  }

  async #removeThese(removals: readonly Removal[]): Promise<void> {
    const { queue, store, persistence, signal } = this.#parts
    for (const { id, audio } of removals) {
      await persistence.call('store', signal, () => store.delete(resultName(id)))
      if (this.#wanted.has(audio)) continue
      await persistence.call('store', signal, () => store.delete(audio))
    }
    const ids = removals.map(({ id }) => id).filter((id) => !this.#wanted.has(id))
    if (ids.length > 0) await persistence.call('queue', signal, () => queue.remove(ids))
  }

  async #sweep(): Promise<void> {
    const { queue, owner, persistence, signal } = this.#parts
    const ended = await persistence.call('queue', signal, () => queue.ofOwner(owner))
    const unasked = ended.filter(({ id }) => !this.#wanted.has(id))
    const removals = unasked
      .filter(({ id }) => this.#suspects.has(id))
      .flatMap(({ id, task }) => audioOf(task).map((audio) => ({ id, audio })))
    this.#suspects = new Set(unasked.map(({ id }) => id))
    await this.#removeThese(removals)
  }
}

/** The audio of a task on the queue; none if it is no task. */
function audioOf(task: unknown): string[] {
  try {
    return [audioName(taskFrom(task))]
  } catch {
    return []
  }
}
