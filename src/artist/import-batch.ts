import { z } from 'zod'
import { parseInput } from '../options/validate.ts'

export interface BatchResult {
  imported: number
  updated: number
  /** Records that were not imported: their index in the batch, and why. */
  rejected: { index: number; info: string }[]
}

export function batchParameters<Record>() {
  return z.strictObject({
    /** At most 1,000. Each is checked by itself, so that a bad one does not affect the others. */
    records: z.array(z.custom<Record>(() => true)).max(1000),
  })
}

/** Bad records are rejected; called inside a transaction. */
export function importBatch<S extends z.ZodType>(
  records: readonly unknown[],
  schema: S,
  isNew: (record: z.output<S>) => boolean,
): BatchResult {
  const result: BatchResult = { imported: 0, updated: 0, rejected: [] }
  for (const [index, input] of records.entries()) {
    try {
      if (isNew(parseInput(schema, input, 'record'))) result.imported++
      else result.updated++
    } catch (error) {
      if (!(error instanceof Error) || error.name === 'SqliteError') throw error
      result.rejected.push({ index, info: error.message })
    }
  }
  return result
}
