/** Bytes that are put into a store: a file of a known size, or in memory. */
export type StoredBytes = Uint8Array | { path: string; bytes: number }

/** What a signed address may allow. */
export type SignedMethod = 'GET' | 'PUT' | 'DELETE'

/**
 * A store of objects that all machines of a fleet reach. A name is `audio/…` or `results/…`; an object
 * is there whole or not at all, and never changes.
 *
 * Every function rejects while the store cannot be reached; whoever calls it tries again.
 */
export interface Store {
  /** Rejects when objects cannot be put into it: there is no such bucket, or it may not be written. */
  check(): Promise<void>
  has(name: string): Promise<boolean>
  /** Replaces an object of that name. */
  put(name: string, bytes: StoredBytes): Promise<void>
  /** The bytes, in pieces; `undefined` when there is no such object. */
  get(name: string): Promise<AsyncIterable<Uint8Array> | undefined>
  /** Removes an object; one that is not there is none to remove. */
  delete(name: string): Promise<void>
  /**
   * An address by which whoever has it may do this one thing with this one object, for some seconds.
   * There is none in a folder.
   *
   * @param seconds - 604,800 at most
   */
  sign?(method: SignedMethod, name: string, seconds: number): Promise<string>
  /**
   * Removes objects that nobody touched for some seconds: what an owner left that never came back.
   * A bucket has rules of its own for that.
   */
  sweep?(seconds: number): Promise<void>
}
