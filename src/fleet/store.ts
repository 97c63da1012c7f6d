/** Bytes that are put into a store: a file of a known size, or in memory. */
export type StoredBytes = Uint8Array | { path: string; bytes: number }

export type SignedMethod = 'GET' | 'PUT' | 'DELETE'

/**
 * A store of objects that all machines of a fleet reach. A name is `audio/…` or `results/…`; an object
 * is there whole or not at all, and never changes.
 *
 * Every function rejects while the store cannot be reached; the caller tries again.
 */
export interface Store {
  /** Rejects when objects cannot be put into it: there is no such bucket, or it is not writable. */
  check(): Promise<void>
  has(name: string): Promise<boolean>
  /** Replaces an object of that name. */
  put(name: string, bytes: StoredBytes): Promise<void>
  /** The bytes, in pieces; `undefined` when there is no such object. */
  get(name: string): Promise<AsyncIterable<Uint8Array> | undefined>
  delete(name: string): Promise<void>
  /**
   * Makes a URL whose holder may make this request on this object, for some seconds. A folder
   * cannot sign.
   *
   * @param seconds - 604,800 at most
   */
  sign?(method: SignedMethod, name: string, seconds: number): Promise<string>
  /**
   * Removes objects that nobody touched for some seconds: leftovers of owners that never came back.
   * Buckets have their own rules for that.
   */
  sweep?(seconds: number): Promise<void>
}
