import type { InputRoom } from '../input/room.ts'
import type { UploadCache } from '../input/upload-cache.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { UpkeepStore } from './store.ts'

export interface UpkeepRoom extends Kernel {
  readonly name: 'upkeep'
  store: UpkeepStore
  uploads: UploadCache
}

export function openUpkeep(kernel: Kernel, { input }: { input: InputRoom }): UpkeepRoom {
  const store = new UpkeepStore(kernel.db, kernel.config.nativeBinding)
  return { ...kernel, name: 'upkeep', store, uploads: input.uploads }
}
