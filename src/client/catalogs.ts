import type { Door, Params, Result } from '../door.ts'
import { Catalog } from './catalog.ts'
import type { Waiting } from './track.ts'

/** The catalogs (taste profiles) of a database. */
export class Catalogs {
  readonly #door: Door

  /** @internal */
  constructor(door: Door) {
    this.#door = door
  }

  /**
   * Makes an empty catalog.
   *
   * ```ts
   * const catalog = await music.catalogs.create({ name: 'Evenings', type: 'song' })
   * ```
   *
   * @throws {ParameterError} when the key has one of that name, or has 1,000 and is not commercial
   */
  async create(given: Params<'catalog/create'>, { signal }: Waiting = {}): Promise<Catalog> {
    return new Catalog(this.#door, await this.#door.call('catalog/create', given, { signal }))
  }

  /**
   * The handle of a catalog, by id, or by name among those of the calling key.
   *
   * @throws {ParameterError} `unknown_identifier`
   */
  async get(given: Params<'catalog/profile'>, { signal }: Waiting = {}): Promise<Catalog> {
    return new Catalog(this.#door, await this.#door.call('catalog/profile', given, { signal }))
  }

  /** A page of the catalogs of the calling key, in the order they were made. */
  list(
    query: Params<'catalog/list'> = {},
    { signal }: Waiting = {},
  ): Promise<Result<'catalog/list'>> {
    return this.#door.call('catalog/list', query, { signal })
  }
}
