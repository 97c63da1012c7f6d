import type { Door, Params, Result } from '../host/door.ts'
import { type IdReference, idOf } from './id-reference.ts'

/**
 * The API keys of a database, at `music.keys`. A key owns catalogs; it is no protection within one
 * process. A program that serves others over a network gives each of them a key.
 *
 * @example
 * ```ts
 * const { apiKey } = await music.keys.create()
 * const theirs = music.as(apiKey)
 * await theirs.catalogs.create({ name: 'Evenings', type: 'song' })
 * ```
 */
export class Keys {
  readonly #door: Door

  /** @internal */
  constructor(door: Door) {
    this.#door = door
  }

  /**
   * Adds a key. Only this answer contains it: the database stores a digest.
   *
   * @throws {ParameterError} if the key exists
   *
   * @example
   * ```ts
   * const { id, apiKey } = await music.keys.create({ commercial: true })
   * ```
   */
  create(options: Params<'key/create'> = {}): Promise<Result<'key/create'>> {
    return this.#door.call('key/create', options)
  }

  /**
   * All keys, oldest first, without their secrets.
   *
   * @example
   * ```ts
   * for (const { id, commercial } of await music.keys.list()) console.log(id, commercial)
   * ```
   */
  list(): Promise<Result<'key/list'>> {
    return this.#door.call('key/list', {})
  }

  /**
   * Revokes a key; data that was created with it stays.
   *
   * @throws {ParameterError} `unknown_identifier`
   * @throws {KeyError} `not_allowed` for `local`, and for the key that the database was opened with
   *
   * @example
   * ```ts
   * const { id } = await music.keys.create()
   * await music.keys.revoke(id)
   * ```
   */
  revoke(key: IdReference): Promise<{ id: string }> {
    return this.#door.call('key/revoke', { id: idOf(key) })
  }
}
