import type { KeyStore } from './store.ts'

/** What the methods of the room stand on; handed in by the engine. */
export interface KeyContext {
  store: KeyStore
  now(): number
}
