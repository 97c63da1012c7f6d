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

/** When a reference fails, `work` runs again without it. */
export async function withoutFailing<T>(
  room: SongRoom,
  work: (room: SongRoom) => Promise<T>,
): Promise<{ answer: T; notAsked: NotAsked[] }> {
  const notAsked: NotAsked[] = []
  let references = room.allReferences.map((reference) =>
    isServed(reference) ? reference.withoutWaiting() : reference,
  )
  for (;;) {
    const servedReferences = references.filter(isServed)
    try {
      const answer = await work({
        ...room,
        recognizer: room.recognizer.withReferences(references),
        served: new Map(servedReferences.map((reference) => [reference.name, reference])),
      })
      return { answer, notAsked }
    } catch (error) {
      const failedReference = servedReferences.find((reference) => reference.hasFailedWith(error))
      if (!failedReference) throw error
      notAsked.push({ reference: failedReference.name, reason: messageOf(error) })
      references = references.filter((reference) => reference !== failedReference)
    }
  }
}
