import { z } from 'zod'
import { method } from '../kernel/method.ts'
import type { UpkeepRoom } from './room.ts'

/** The result of `vacuum`. */
export interface Vacuumed {
  /** The size of the database before. */
  bytesBefore: number
  /** The size after. */
  bytesAfter: number
}

/** `upkeep/vacuum` (ours): rewrites the file without free pages. */
export const vacuumDatabase = method({
  name: 'upkeep/vacuum',
  parameters: z.strictObject({}),
  run({ store }: UpkeepRoom): Vacuumed {
    const { bytes: bytesBefore } = store.readSize()
    store.vacuum()
    return { bytesBefore, bytesAfter: store.readSize().bytes }
  },
})
