import type { InputRoom } from '../input/room.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { KeptAudio } from './kept-audio.ts'
import { UpkeepStore } from './store.ts'

/** What the room needs of others. */
export interface UpkeepNeeds {
  input: InputRoom
}

/** What the methods work with that look after the database. */
export interface UpkeepRoom extends Kernel {
  readonly name: 'upkeep'
  store: UpkeepStore
  audio: KeptAudio
}

export function openUpkeep(kernel: Kernel, { input }: UpkeepNeeds): UpkeepRoom {
  return {
    ...kernel,
    name: 'upkeep',
    store: new UpkeepStore(kernel.db, kernel.config.nativeBinding),
    audio: new KeptAudio(input.spool),
  }
}
