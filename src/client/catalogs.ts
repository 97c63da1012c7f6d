import { atCaller } from '../host/caller.ts'
import type { Door, Params, Result } from '../host/door.ts'
import { invalidParameter } from '../values/errors.ts'
import { Catalog } from './catalog.ts'
import { idOf } from './id-reference.ts'
import { Ticket } from './ticket.ts'
import type { Waiting } from './track.ts'

/** A catalog: its id `CA…`, its handle, or its name among the catalogs of the calling key. */
export type CatalogReference =
  | string
  | Catalog
  | {
      /** `CA…` */
      id: string
      /** Not together with an id. */
      name?: never
    }
  | {
      /** Not together with a name. */
      id?: never
      /** A name among the catalogs of the calling key. */
      name: string
    }

/**
 * The catalogs (taste profiles) of a database, at `music.catalogs`. Each belongs to the key that
 * created it.
 *
 * @example
 * ```ts
 * const { total, catalogs } = await music.catalogs.list({ results: 100 })
 * ```
 */
export class Catalogs {
  readonly #door: Door

  /** @internal */
  constructor(door: Door) {
    this.#door = door
  }

  /**
   * Creates an empty catalog.
   *
   * @throws {ParameterError} if the key has a catalog of that name, or is not commercial and has 1,000
   *
   * @example
   * ```ts
   * const evenings = await music.catalogs.create({ name: 'Evenings', type: 'song' })
   * ```
   */
  async create(params: Params<'catalog/create'>, { signal }: Waiting = {}): Promise<Catalog> {
    return new Catalog(this.#door, await this.#door.call('catalog/create', params, { signal }))
  }

  /**
   * The handle of a catalog, by its id or by its name among the catalogs of the calling key.
   *
   * @throws {ParameterError} `unknown_identifier`
   *
   * @example
   * ```ts
   * const evenings = await music.catalogs.get({ name: 'Evenings' })
   * const same = await music.catalogs.get(evenings.id)
   * ```
   */
  async get(reference: CatalogReference, { signal }: Waiting = {}): Promise<Catalog> {
    const isId = typeof reference === 'string' || reference instanceof Catalog
    const params = isId ? { id: idOf(reference) } : reference
    return new Catalog(this.#door, await this.#door.call('catalog/profile', params, { signal }))
  }

  /**
   * A page of the catalogs of the calling key, in the order they were created.
   *
   * @example
   * ```ts
   * for (const { id, name, type } of (await music.catalogs.list()).catalogs) {
   *   console.log(id, name, type)
   * }
   * ```
   */
  list(
    query: Params<'catalog/list'> = {},
    { signal }: Waiting = {},
  ): Promise<Result<'catalog/list'>> {
    return this.#door.call('catalog/list', query, { signal })
  }

  /**
   * The handle of an update, by the id of its ticket: from an earlier run of the program, or from
   * `profile().pendingTickets`. It makes no call; a wrong id has the status `unknown`.
   *
   * @throws {ParameterError} unless the id is a string that is not empty
   *
   * @example
   * ```ts
   * const { pendingTickets } = await catalog.profile()
   * for (const id of pendingTickets) await music.catalogs.ticket(id).done()
   * ```
   */
  ticket(id: string): Ticket {
    if (typeof id !== 'string' || id === '') {
      throw atCaller(
        invalidParameter(
          'ticket',
          `${JSON.stringify(id)} must be the text of 32 characters that is the id of a ticket`,
        ),
      )
    }
    return new Ticket(this.#door, id)
  }
}
