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

/** Workers go on while the owner is away over a weekend; S3 signs for a week at most. */
const SIGNED_SECONDS = 3 * 86_400
/** In that time; addresses that are half as old are replaced. */
const RENEWAL_CHECKS = 8

export interface Errand {
  id: string
  task: FleetTask
  path: string
}

export interface OwnerParts {
  queue: Queue
  openNamed: (name: string) => Promise<Queue>
  store: Store
  owner: string
  persistence: Retries
  transfers: Limiter
  /** Aborts when the fleet is closed. */
  signal: AbortSignal
}

/** Signed addresses of jobs that wait long are renewed. */
export class Sender {
  readonly #parts: OwnerParts
  readonly #signedSeconds: number
  /** By job: when its addresses were signed, milliseconds since 1970. */
  readonly #signedAt = new Map<Errand, number>()

  constructor(parts: OwnerParts, signedSeconds = SIGNED_SECONDS) {
    this.#parts = parts
    this.#signedSeconds = signedSeconds
    const timer = setInterval(
      () => void this.#renewAddresses(),
      (this.#signedSeconds * 1000) / RENEWAL_CHECKS,
    )
    timer.unref()
    onAbort(parts.signal, () => clearInterval(timer))
  }

  /**
   * The audio first, unless it is in the store, then the job.
   * @param isDamaged - whether the audio in the store is damaged
   * @throws {DiskFault} when the file is not there; the signal's reason on abort
   */
  async sendErrand(errand: Errand, isDamaged: boolean, signal: AbortSignal): Promise<void> {
    const { store, persistence, transfers } = this.#parts
    const { task, path } = errand
    const name = audioName(task)
    const { bytes } = task.audio
    await transfers.run(signal, () =>
      persistence.callUntilDone('store', signal, async () => {
        if (!isDamaged && (await store.has(name))) return
        await access(path).catch((error) => {
          throw new DiskFault(messageOf(error), { cause: error })
        })
        await store.put(name, { path, bytes })
      }),
    )
    if (store.sign) this.#signedAt.set(errand, Date.now())
    await this.#putJob(errand, signal)
  }

  forgetErrand(errand: Errand): void {
    this.#signedAt.delete(errand)
  }

  async #putJob(errand: Errand, signal: AbortSignal): Promise<void> {
    const { queue, store, owner, persistence } = this.#parts
    const { id, task } = errand
    const addresses = await signAddresses(store, errand, this.#signedSeconds)
    const job = { id, owner, task, ...(addresses && { addresses }) }
    await persistence.callUntilDone('queue', signal, () => queue.put(job))
  }

  /** Never rejects. */
  async #renewAddresses(): Promise<void> {
    const { queue, persistence, signal } = this.#parts
    const newestOld = Date.now() - (this.#signedSeconds * 1000) / 2
    try {
      for (const [errand, signedAt] of this.#signedAt) {
        if (signedAt > newestOld) continue
        this.#signedAt.set(errand, Date.now())
        await this.#putJob(errand, signal)
        // The job ended meanwhile, and this call has put it on the queue again.
        const isOver = !this.#signedAt.has(errand)
        if (isOver)
          await persistence.callUntilDone('queue', signal, () => queue.remove([errand.id]))
      }
    } catch {
      // The fleet is closed.
    }
  }
}
