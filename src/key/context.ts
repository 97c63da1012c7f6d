import type { KeyStore } from './store.ts'

/** What the methods of the room stand on; handed in by the engine. */
export interface KeyContext {
  store: KeyStore
  now(): number
  /** The key of calls without one of their own, as this engine was opened. */
  ownKey: string
}
