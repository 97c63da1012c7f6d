import { audioNameIn, resultName } from './fleet-task.ts'
import type { FleetJob, Queue } from './queue.ts'
import { pauseUnrefed } from './retry.ts'
import type { OwnerParts } from './sender.ts'

/** Between two searches for ended jobs of this owner that no task needs. */
const SEARCH_MILLISECONDS = 30_000
/** One statement removes many jobs. */
const COLLECT_MILLISECONDS = 200

interface Removal {
  id: string
  /** `undefined`: the job names no audio. */
  audio: string | undefined
}

/**
 * Removes from queue and store what the owner does not need any more.
 * The job is removed last, so that the leftovers of a dead owner can be found.
 */
export class Cleanup {
  readonly #parts: OwnerParts
  /** By the name of a job or audio: how many tasks need it. */
  readonly #neededBy = new Map<string, number>()
  /** Ended jobs that no task needed at the last search. */
  #unneededJobs = new Set<string>()
  #removals: Removal[] = []
  #removing: Promise<void> | undefined

  constructor(parts: OwnerParts) {
    this.#parts = parts
    // It rejects when the fleet is closed.
    void this.#searchForever().catch(() => {})
  }

  /** A task needs a job, its result and its audio. */
  needJob(id: string, audio: string): void {
    for (const name of [id, audio]) this.#neededBy.set(name, (this.#neededBy.get(name) ?? 0) + 1)
  }

  /** A task does not need them any more, but another run of the owner will. */
  keepJob(id: string, audio: string): void {
    for (const name of [id, audio]) {
      const tasks = (this.#neededBy.get(name) ?? 1) - 1
      if (tasks > 0) this.#neededBy.set(name, tasks)
      else this.#neededBy.delete(name)
    }
  }

  /** A task does not need them any more; what no other task needs is removed. */
  removeJob(id: string, audio: string): void {
    this.keepJob(id, audio)
    if (this.#neededBy.has(id)) return
    this.#removals.push({ id, audio })
    this.#removing ??= this.#removeAll()
  }

  async finishRemovals(): Promise<void> {
    await this.#removing
  }

  async #removeAll(): Promise<void> {
    const { signal } = this.#parts
    try {
      while (this.#removals.length > 0) {
        await pauseUnrefed(COLLECT_MILLISECONDS, signal)
        const removals = this.#removals.filter(({ id }) => !this.#neededBy.has(id))
        this.#removals = []
        await this.#removeObjects(removals, this.#parts.queue)
      }
    } catch {
      // The fleet is closed; the next run of the owner finds the rest.
    } finally {
      this.#removing = undefined
    }
  }

  async #removeObjects(removals: readonly Removal[], queue: Queue): Promise<void> {
    const { store, persistence, signal } = this.#parts
    for (const { id, audio } of removals) {
      await persistence.callUntilDone('store', signal, () => store.delete(resultName(id)))
      if (audio === undefined || this.#neededBy.has(audio)) continue
      await persistence.callUntilDone('store', signal, () => store.delete(audio))
    }
    const ids = removals.map(({ id }) => id).filter((id) => !this.#neededBy.has(id))
    if (ids.length > 0) await persistence.callUntilDone('queue', signal, () => queue.remove(ids))
  }

  async #searchForever(): Promise<void> {
    let isCleared = false
    for (;;) {
      if (!isCleared) isCleared = await this.#clearOthers()
      await pauseUnrefed(SEARCH_MILLISECONDS, this.#parts.signal)
      await this.#removeUnneeded()
    }
  }

  async #removeUnneeded(): Promise<void> {
    const { queue, owner, persistence, signal } = this.#parts
    const endedJobs = await persistence.callUntilDone('queue', signal, () =>
      queue.ofOwner(owner, 'ended'),
    )
    const unneeded = endedJobs.filter(({ id }) => !this.#neededBy.has(id))
    const removals = unneeded.filter(({ id }) => this.#unneededJobs.has(id)).map(removalOf)
    this.#unneededJobs = new Set(unneeded.map(({ id }) => id))
    await this.#removeObjects(removals, queue)
  }

  /** False while a running job stays until its worker looks, or is found dead. */
  async #clearOthers(): Promise<boolean> {
    const { queue, openNamed, owner, persistence, signal } = this.#parts
    let foundJobs = 0
    for (const name of await persistence.callUntilDone('queue', signal, () => queue.others())) {
      const other = await openNamed(name)
      try {
        const jobs = await persistence.callUntilDone('queue', signal, () =>
          other.ofOwner(owner, 'all'),
        )
        foundJobs += jobs.length
        await this.#removeObjects(jobs.map(removalOf), other)
      } finally {
        await other.close()
      }
    }
    return foundJobs === 0
  }
}

function removalOf({ id, task }: Pick<FleetJob, 'id' | 'task'>): Removal {
  return { id, audio: audioNameIn(task) }
}
