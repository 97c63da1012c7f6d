import { audioNameIn, resultName } from './fleet-task.ts'
import { pausing } from './persistently.ts'
import type { FleetJob, Queue } from './queue.ts'
import type { OwnerParts } from './sender.ts'

/** Milliseconds between two looks for jobs of this owner that ended and that nobody asked for. */
const SWEEP = 30_000
/** Milliseconds for which removals are collected, as one statement removes many jobs. */
const COLLECT = 200

/** What {@link Leftovers} work with. */
export interface LeftoverParts extends Omit<OwnerParts, 'transfers'> {
  /** Opens the queue of another version. */
  openNamed: (name: string) => Promise<Queue>
}

interface Removal {
  id: string
  /** `undefined`: the job names none. */
  audio: string | undefined
}

/**
 * Removes from queue and store what the owner needs no more.
 *
 * The job on the queue is removed last, so what a dead owner left can be found: every half minute the
 * owner lists its jobs that ended, and removes those that it did not ask for meanwhile. What is removed
 * under another owner of the same audio, that owner puts there again. What this owner had out when it was
 * of another version, it removes when it is opened.
 */
export class Leftovers {
  readonly #parts: LeftoverParts
  /** How many tasks are out or not stored yet, by the names of what they need. */
  readonly #wanted = new Map<string, number>()
  /** Jobs that had ended, and that nobody had asked for, at the last look. */
  #suspects = new Set<string>()
  #removals: Removal[] = []
  #removing: Promise<void> | undefined

  constructor(parts: LeftoverParts) {
    this.#parts = parts
    // It ends when the fleet is closed.
    void this.#look().catch(() => {})
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
        await this.#removeThese(removals, this.#parts.queue)
      }
    } catch {
      // The fleet is closed; the next run of the owner finds the rest.
    } finally {
      this.#removing = undefined
    }
  }

  async #removeThese(removals: readonly Removal[], queue: Queue): Promise<void> {
    const { store, persistence, signal } = this.#parts
    for (const { id, audio } of removals) {
      await persistence.call('store', signal, () => store.delete(resultName(id)))
      if (audio === undefined || this.#wanted.has(audio)) continue
      await persistence.call('store', signal, () => store.delete(audio))
    }
    const ids = removals.map(({ id }) => id).filter((id) => !this.#wanted.has(id))
    if (ids.length > 0) await persistence.call('queue', signal, () => queue.remove(ids))
  }

  async #look(): Promise<void> {
    let isCleared = false
    for (;;) {
      if (!isCleared) isCleared = await this.#clearOthers()
      await pausing(SWEEP, this.#parts.signal)
      await this.#sweep()
    }
  }

  async #sweep(): Promise<void> {
    const { queue, owner, persistence, signal } = this.#parts
    const ended = await persistence.call('queue', signal, () => queue.ofOwner(owner, 'ended'))
    const unasked = ended.filter(({ id }) => !this.#wanted.has(id))
    const removals = unasked.filter(({ id }) => this.#suspects.has(id)).map(removalOf)
    this.#suspects = new Set(unasked.map(({ id }) => id))
    await this.#removeThese(removals, queue)
  }

  /** Whether nothing was there: a job in hand may stay until its worker looks, or is found dead. */
  async #clearOthers(): Promise<boolean> {
    const { queue, openNamed, owner, persistence, signal } = this.#parts
    let found = 0
    for (const name of await persistence.call('queue', signal, () => queue.others())) {
      const other = await openNamed(name)
      try {
        const jobs = await persistence.call('queue', signal, () => other.ofOwner(owner, 'all'))
        found += jobs.length
        await this.#removeThese(jobs.map(removalOf), other)
      } finally {
        await other.close()
      }
    }
    return found === 0
  }
}

function removalOf({ id, task }: Pick<FleetJob, 'id' | 'task'>): Removal {
  return { id, audio: audioNameIn(task) }
}
