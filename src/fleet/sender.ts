import { access } from 'node:fs/promises'
import { onAbort } from '../kernel/abort.ts'
import type { Limiter } from '../kernel/limiter.ts'
import { clearInterval, setInterval } from '../kernel/timers.ts'
import { messageOf } from '../values/errors.ts'
import { audioName, type FleetTask } from './fleet-task.ts'
import { signAddresses } from './job-objects.ts'
import type { Queue } from './queue.ts'
import { DiskFault } from './read-object.ts'
import type { Retries } from './retry.ts'
import type { Store } from './store.ts'

/**
 * Seconds for which addresses are signed: workers go on while the owner is away over a weekend. S3 signs
 * for a week at most.
 */
const SIGNED = 3 * 86_400
/** Looks in that time for addresses that are half as old; new ones replace them. */
const LOOKS = 8

export interface Errand {
  id: string
  task: FleetTask
  path: string
}

/** What the parts of an owner's side share. */
export interface OwnerParts {
  queue: Queue
  /** Opens the queue of another version. */
  openNamed: (name: string) => Promise<Queue>
  store: Store
  owner: string
  persistence: Retries
  transfers: Limiter
  /** Aborts when the fleet is closed. */
  signal: AbortSignal
}

/**
 * Puts audio into the store and jobs on the queue, with signed addresses where the store has them. Those
 * of a job that waits long are renewed.
 */
export class Sender {
  readonly #parts: OwnerParts
  readonly #signed: number
  /** Jobs that are out with addresses, and when these were signed, milliseconds since 1970. */
  readonly #out = new Map<Errand, number>()

  constructor(parts: OwnerParts, signed = SIGNED) {
    this.#parts = parts
    this.#signed = signed
    const timer = setInterval(() => void this.#renew(), (this.#signed * 1000) / LOOKS)
    timer.unref()
    onAbort(parts.signal, () => clearInterval(timer))
  }

  /**
   * Puts the audio into the store, unless it is there, and then the job on the queue.
   *
   * @param anew - whether the audio in the store is damaged
   * @throws {DiskFault} when the file is not there; the signal's reason on abort
   */
  async send(errand: Errand, anew: boolean, signal: AbortSignal): Promise<void> {
    const { store, persistence, transfers } = this.#parts
    const { task, path } = errand
    const name = audioName(task)
    const { bytes } = task.audio
    await transfers.run(signal, () =>
      persistence.call('store', signal, async () => {
        if (!anew && (await store.has(name))) return
        await access(path).catch((error) => {
          throw new DiskFault(messageOf(error), { cause: error })
        })
        await store.put(name, { path, bytes })
      }),
    )
    if (store.sign) this.#out.set(errand, Date.now())
    await this.#put(errand, signal)
  }

  /** Stops renewing the addresses of a job. */
  forget(errand: Errand): void {
    this.#out.delete(errand)
  }

  async #put(errand: Errand, signal: AbortSignal): Promise<void> {
    const { queue, store, owner, persistence } = this.#parts
    const { id, task } = errand
    const addresses = await signAddresses(store, errand, this.#signed)
    const job = { id, owner, task, ...(addresses && { addresses }) }
    await persistence.call('queue', signal, () => queue.put(job))
  }

  /** Never rejects. */
  async #renew(): Promise<void> {
    const { queue, persistence, signal } = this.#parts
    const old = Date.now() - (this.#signed * 1000) / 2
    try {
      for (const [errand, since] of this.#out) {
        if (since > old) continue
        this.#out.set(errand, Date.now())
        await this.#put(errand, signal)
        // The job ended meanwhile, and this call has put it on the queue again.
        const isOver = !this.#out.has(errand)
        if (isOver) await persistence.call('queue', signal, () => queue.remove([errand.id]))
      }
    } catch {
      // The fleet is closed.
    }
  }
}
