import { joined } from '../kernel/abort.ts'
import { batchesOf } from './batches.ts'
import type { Waiting } from './track.ts'

/** What became of an import. */
export interface ImportResult {
  /** Records of what was not known. */
  imported: number
  /** Records of what was known already; of these nothing may have changed. */
  updated: number
  /** Records that were not taken. */
  rejected: {
    /** The place in the import, from 0 on. */
    index: number
    /** Why, naming the field. */
    info: string
  }[]
}

/** How an import goes on. */
export interface ImportOptions extends Waiting {
  /** Told after every batch: records done, and what became of them so far. */
  onProgress?:
    | ((
        progress: ImportResult & {
          /** Records that were gone through so far. */
          done: number
        },
      ) => void)
    | undefined
}

/** Batches that are under way at once: the next one is made while the engine takes one in. */
const AHEAD = 2

/**
 * Takes in records batch by batch, in order. The first thing that goes wrong ends it, also while the
 * next record is waited for.
 *
 * @param ended - aborts when the database is closed
 * @throws the signal's reason on abort, and whatever `records` throws; what was taken in stays
 */
export async function importAll<T>(
  take: (batch: T[], waiting: Waiting) => Promise<ImportResult>,
  records: Iterable<T> | AsyncIterable<T>,
  { signal, onProgress }: ImportOptions,
  ended: AbortSignal,
): Promise<ImportResult> {
  const total: ImportResult = { imported: 0, updated: 0, rejected: [] }
  const running: { size: number; result: Promise<ImportResult> }[] = []
  let done = 0
  const failure = new AbortController()
  const { signal: until, release } = joined(failure.signal, ended, signal)
  const begin = (batch: T[]) => {
    const result = take(batch, { signal })
    // It may fail while the source is waited for, when nobody waits for it.
    result.catch((error: unknown) => failure.abort(error))
    running.push({ size: batch.length, result })
  }
  const settle = async () => {
    const next = running.shift()
    if (!next) return
    const { imported, updated, rejected } = await next.result
    total.imported += imported
    total.updated += updated
    for (const { index, info } of rejected) total.rejected.push({ index: done + index, info })
    done += next.size
    onProgress?.({ done, ...total })
  }
  const batches = batchesOf(records, until)
  try {
    let next = await batches.next()
    for (; !next.done; next = await batches.next()) {
      begin(next.value)
      if (running.length === AHEAD) await settle()
    }
    if (next.value.length > 0) begin(next.value)
    while (running.length > 0) await settle()
    return total
  } finally {
    release()
    void batches.return([])
    // One that failed ends the import; what is under way beside it is waited for, not left behind.
    await Promise.allSettled(running.map(({ result }) => result))
  }
}
