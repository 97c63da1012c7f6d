import { atCaller } from '../host/caller.ts'
import type { Door, Result } from '../host/door.ts'
import { AudileError, unknownIdentifier } from '../values/errors.ts'
import type { Waiting } from './track.ts'

/** The progress of an update. */
export type TicketStatus = Result<'catalog/status'>

/** Percent between two progress reports; each may have thousands of `updateInfo` entries. */
const TICKET_STEP = 0.5

/**
 * A handle on one update of a catalog, from {@link Catalog.update}.
 *
 * @example
 * ```ts
 * const update = await catalog.update([{ item: { itemId: 'a', songName: 'Help!' } }])
 * const { updateInfo } = await update.done()
 * for (const { itemId, info } of updateInfo ?? []) console.log(itemId, info)
 * ```
 */
export class Ticket {
  /** 32 characters, valid as long as the catalog exists. */
  readonly id: string
  readonly #door: Door

  /** @internal */
  constructor(door: Door, id: string) {
    this.#door = door
    this.id = id
  }

  /**
   * The current progress of the update. An unknown ticket has the status `unknown`.
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
   * Waits until every entry is applied and audile has tried to resolve every item.
   *
   * @throws {AudileError} with the details, if no entry could be processed
   * @throws {ParameterError} `unknown_identifier` when there is no such ticket, or its catalog was deleted
   * @throws the signal's reason on abort; the update goes on
   *
   * @example
   * ```ts
   * const { itemsUpdated } = await ticket.done({ signal: AbortSignal.timeout(60_000) })
   * ```
   */
  async done({ signal }: Waiting = {}): Promise<TicketStatus> {
    const status = await this.#door.call('catalog/wait', { ticket: this.id }, { signal })
    if (status.ticketStatus === 'complete') return status
    if (status.ticketStatus === 'error') {
      throw atCaller(new AudileError('invalid_parameter', `The update failed: ${status.details}`))
    }
    throw atCaller(unknownIdentifier(this.id))
  }

  /**
   * Yields the current status, then the status after each half percent and at the end.
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
      const beyond = (status.percentComplete ?? 0) + TICKET_STEP
      status = await this.#door.call('catalog/wait', { ticket: this.id, beyond }, { signal })
      yield status
    }
  }
}
