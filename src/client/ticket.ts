import type { Door, Result } from '../door.ts'
import { AudileError, unknownIdentifier } from '../errors.ts'
import type { Waiting } from './track.ts'

/** How far an update has come. */
export type TicketStatus = Result<'catalog/status'>

/** Percents between two states that are told: each may bring thousands of `updateInfo`. */
const STEP = 0.5

/**
 * A handle on one update of a catalog. {@link Catalog.update} gives it.
 *
 * @example
 * ```ts
 * const update = await catalog.update([{ item: { itemId: 'a', songName: 'Help!' } }])
 * const { updateInfo } = await update.done()
 * for (const { itemId, info } of updateInfo ?? []) console.log(itemId, info)
 * ```
 */
export class Ticket {
  /** 32 characters; it is known as long as its catalog. */
  readonly id: string
  readonly #door: Door

  /** @internal */
  constructor(door: Door, id: string) {
    this.#door = door
    this.id = id
  }

  /**
   * How far the update has come now. A ticket that is not known has the status `unknown`.
   *
   * @example
   * ```ts
   * const { ticketStatus, percentComplete } = await ticket.status()
   * ```
   */
  status({ signal }: Waiting = {}): Promise<TicketStatus> {
    return this.#door.call('catalog/status', { ticket: this.id }, { signal })
  }

  /**
   * Waits for the end of the update: every entry applied, every item tried to resolve.
   *
   * @throws {ParameterError} when nothing of it could be processed, with the details; when the
   * ticket is unknown, as after its catalog was deleted
   * @throws the signal's reason on abort; the update goes on
   *
   * @example
   * ```ts
   * const { itemsUpdated } = await ticket.done({ signal: AbortSignal.timeout(60_000) })
   * ```
   */
  async done({ signal }: Waiting = {}): Promise<TicketStatus> {
    const status = await this.#door.call('catalog/settled', { ticket: this.id }, { signal })
    if (status.ticketStatus === 'complete') return status
    if (status.ticketStatus === 'error') {
      throw new AudileError('invalid_parameter', `The update failed: ${status.details}`)
    }
    throw unknownIdentifier(this.id)
  }

  /**
   * The status now, then each time it has come half a percent further; the last one is at its end.
   *
   * @throws the signal's reason on abort; the update goes on
   *
   * @example
   * ```ts
   * for await (const { percentComplete } of ticket.progress()) console.log(percentComplete)
   * ```
   */
  async *progress({ signal }: Waiting = {}): AsyncGenerator<TicketStatus, void> {
    let status = await this.status({ signal })
    yield status
    while (status.ticketStatus === 'pending') {
      const beyond = (status.percentComplete ?? 0) + STEP
      status = await this.#door.call('catalog/settled', { ticket: this.id, beyond }, { signal })
      yield status
    }
  }
}
