import { randomUUID } from 'node:crypto'
import type { Kernel } from '../kernel/kernel.ts'
import { KeyStore } from './store.ts'

export interface KeyRoom extends Kernel {
  readonly name: 'key'
  store: KeyStore
}

/** Adds the key that this engine was opened with. */
export function openKeys(kernel: Kernel): KeyRoom {
  const store = new KeyStore(kernel.db)
  store.addKey(randomUUID(), kernel.config.apiKey, true, kernel.now())
  return { ...kernel, name: 'key', store }
}
