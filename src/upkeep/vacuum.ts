import { z } from 'zod'
import { method } from '../kernel/method.ts'
import type { UpkeepRoom } from './room.ts'

const parameters = z.strictObject({})

/** What `vacuum` has given back. */
export interface Vacuumed {
  /** The size of the database before. */
  bytesBefore: number
  /** And now. */
  bytesAfter: number
}

/** `upkeep/vacuum` (ours): writes the file anew, without free pages. */
export const vacuum = method({
  name: 'upkeep/vacuum',
  parameters,
  run({ store }: UpkeepRoom): Vacuumed {
    const { bytes: bytesBefore } = store.size()
    store.vacuum()
    return { bytesBefore, bytesAfter: store.size().bytes }
  },
})
