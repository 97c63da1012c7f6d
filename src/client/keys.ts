import type { Door, Params, Result } from '../door.ts'

/** The API keys of a database. In one process there is nobody to keep out; the keys part owners. */
export class Keys {
  readonly #door: Door

  /** @internal */
  constructor(door: Door) {
    this.#door = door
  }

  /** Adds a key. `apiKey` in the answer is shown this once. */
  create(options: Params<'key/create'> = {}): Promise<Result<'key/create'>> {
    return this.#door.call('key/create', options)
  }

  /** All keys, oldest first, without their secrets. */
  list(): Promise<Result<'key/list'>> {
    return this.#door.call('key/list', {})
  }

  /** Ends a key; what was made with it stays. */
  revoke(id: string): Promise<{ id: string }> {
    return this.#door.call('key/revoke', { id })
  }
}
