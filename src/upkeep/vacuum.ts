import { z } from 'zod'
import type { UpkeepContext } from './context.ts'

export const parameters = z.strictObject({})

/** What `vacuum` has given back. */
export interface Vacuumed {
  /** The size of the database before. */
  bytesBefore: number
  /** And now. */
  bytesAfter: number
}

/** `upkeep/vacuum` (ours): writes the file anew, without free pages. */
export function vacuum({ store }: UpkeepContext): Vacuumed {
  const { bytes: bytesBefore } = store.size()
  store.vacuum()
  return { bytesBefore, bytesAfter: store.size().bytes }
}
