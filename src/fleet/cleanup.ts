import { audioNameIn, resultName } from './fleet-task.ts'
import type { FleetJob, Queue } from './queue.ts'
import { pausing } from './retry.ts'
import type { OwnerParts } from './sender.ts'

/** Milliseconds between two searches for ended jobs of this owner that no task needs. */
const SWEEP = 30_000
/** Milliseconds for which removals are collected, as one statement removes many jobs. */
const COLLECT = 200

interface Removal {
  id: string
  /** `undefined`: the job names no audio. */
  audio: string | undefined
}

/**
 * Removes what the owner does not need any more from queue and store.
 *
 * The job on the queue is removed last, so that the leftovers of a dead owner can be found. Every
 * half minute the owner lists its ended jobs, and removes those that no task needed meanwhile.
 * Another owner of the same audio may lose its copy, and then puts it there again. When it is
 * opened, an owner removes its jobs from the queues of other versions.
 */
export class Cleanup {
  readonly #parts: OwnerParts
  /** The number of tasks that need a job or audio, by its name. */
  readonly #wanted = new Map<string, number>()
  /** The ended jobs that no task needed at the last search. */
  #suspects = new Set<string>()
  #removals: Removal[] = []
  #removing: Promise<void> | undefined

  constructor(parts: OwnerParts) {
    this.#parts = parts
    // It rejects when the fleet is closed.
    void this.#look().catch(() => {})
  }

  /** Notes that a task needs a job, its result and its audio. */
  want(id: string, audio: string): void {
    for (const name of [id, audio]) this.#wanted.set(name, (this.#wanted.get(name) ?? 0) + 1)
  }

  /** Notes that a task does not need them any more, but another run of the owner will. */
  keep(id: string, audio: string): void {
    for (const name of [id, audio]) {
      const left = (this.#wanted.get(name) ?? 1) - 1
      if (left > 0) this.#wanted.set(name, left)
      else this.#wanted.delete(name)
    }
  }

  /** Notes that a task does not need them any more. Removes what no other task needs. */
  remove(id: string, audio: string): void {
    this.keep(id, audio)
    if (this.#wanted.has(id)) return
    this.#removals.push({ id, audio })
    this.#removing ??= this.#removeAll()
  }

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

  /** Whether nothing was found: a running job may stay until its worker looks, or is found dead. */
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
