import type { Emit } from '../kernel/events.ts'
import type { KeptAudio } from './kept-audio.ts'
import type { UpkeepStore } from './store.ts'

/** What the methods of the room stand on; handed in by the engine. */
export interface UpkeepContext {
  store: UpkeepStore
  audio: KeptAudio
  emit: Emit
}
