import { isServed } from '../recognition/references.ts'
import { messageOf } from '../values/errors.ts'
import type { SongRoom } from './room.ts'

/** A reference that a call skipped. */
export interface NotAsked {
  /** Its name: its address, or the first of several. */
  reference: string
  /** Why it could not be asked. */
  reason: string
}

/**
 * Runs `work` with the references that can be asked. When one fails, `work` runs again without it.
 */
export async function withoutFailing<T>(
  room: SongRoom,
  work: (room: SongRoom) => Promise<T>,
): Promise<{ answer: T; notAsked: NotAsked[] }> {
  const notAsked: NotAsked[] = []
  let references = room.allReferences.map((one) => (isServed(one) ? one.withoutWaiting() : one))
  for (;;) {
    const served = references.filter(isServed)
    try {
      const answer = await work({
        ...room,
        recognizer: room.recognizer.withReferences(references),
        served: new Map(served.map((one) => [one.name, one])),
      })
      return { answer, notAsked }
    } catch (error) {
      const failed = served.find((one) => one.hasFailedWith(error))
      if (!failed) throw error
      notAsked.push({ reference: failed.name, reason: messageOf(error) })
      references = references.filter((one) => one !== failed)
    }
  }
}
