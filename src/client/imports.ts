import { atCaller } from '../host/caller.ts'
import type { Door, Params } from '../host/door.ts'
import { joinSignals } from '../kernel/abort.ts'
import { invalidParameter, ParameterError } from '../values/errors.ts'
import { divideIntoBatches, isIterable } from './batches.ts'
import type { Waiting } from './track.ts'

/** Parts of an import's source that were left out for one reason. */
export interface LeftOut {
  /** The reason, in words. */
  reason: string
  /** How many parts. */
  count: number
  /** Where the first of them is, as far as that is known. */
  first: {
    /** The path of the file. */
    file?: string
    /** The line number, from 1. */
    line?: number
  }
}

/** What an importer of `audile/import` read and left out. */
export interface ImportReport {
  /** Records that it made. */
  records: number
  /** What it left out, by reason. */
  leftOut: LeftOut[]
}

/** The results of an import. */
export interface ImportResult {
  /** Records that were added. */
  imported: number
  /** Records of known songs or artists, changed or not. */
  updated: number
  /** Records that were skipped. */
  rejected: {
    /** The position in the import, from 0. */
    index: number
    /** The reason, with the name of the field. */
    info: string
  }[]
  /** What the importer of `audile/import` left out, if the records come from one. */
  leftOut?: LeftOut[]
}

/** Options of an import. */
export interface ImportOptions extends Waiting {
  /** Whether a bad record is an error; records imported before it stay. Default false. */
  strict?: boolean | undefined
  /** Called after each batch. */
  onProgress?:
    | ((
        progress: ImportResult & {
          /** Records processed so far. */
          done: number
        },
      ) => void)
    | undefined
}

function rejectionError({ index, info }: ImportResult['rejected'][number]): ParameterError {
  return new ParameterError('invalid_parameter', `records.${index}: ${info}`)
}

/** Batches in flight: the next one is filled while the engine imports one. */
const MAX_BATCHES_IN_FLIGHT = 2

/** An entry of an importer that says of a track what `catalog.update` takes, too. */
function trackRecordIn<R>(record: R): R {
  const { track, item } = (record ?? {}) as { track?: R; item?: unknown }
  return track !== undefined && item !== undefined ? track : record
}

type ImportMethod = 'artist/import' | 'song/import' | 'track/import'
type RecordOf<M extends ImportMethod> = Params<M>['records'][number]

/**
 * Imports records batch by batch, in order, until the first error.
 *
 * @throws {ParameterError} when `records` is not iterable; with `strict`, on a bad record
 * @throws the signal's reason on abort, and what `records` throws; imported records stay
 */
export async function importAll<M extends ImportMethod>(
  door: Door,
  method: M,
  records: Iterable<RecordOf<M>> | AsyncIterable<RecordOf<M>>,
  { signal, onProgress, strict }: ImportOptions,
): Promise<ImportResult> {
  if (!isIterable(records)) {
    throw atCaller(
      invalidParameter(
        'records',
        'give a list, an iterable or a stream; put a single one in a list',
      ),
    )
  }
  const total: ImportResult = { imported: 0, updated: 0, rejected: [] }
  const running: { size: number; result: Promise<ImportResult> }[] = []
  let done = 0
  const failure = new AbortController()
  const { signal: signalUntilEnd, release } = joinSignals(failure.signal, door.ended, signal)
  const beginBatch = (batch: RecordOf<M>[]) => {
    const result: Promise<ImportResult> = door.call(
      method,
      { records: batch.map(trackRecordIn) } as Params<M>,
      {
        signal,
      },
    )
    // The batch may fail while the next record is awaited.
    result.catch((error: unknown) => failure.abort(error))
    running.push({ size: batch.length, result })
  }
  const settleBatch = async () => {
    const next = running.shift()
    if (!next) return
    const { imported, updated, rejected } = await next.result
    total.imported += imported
    total.updated += updated
    for (const { index, info } of rejected) total.rejected.push({ index: done + index, info })
    const [first] = total.rejected
    if (strict && first) throw atCaller(rejectionError(first))
    done += next.size
    onProgress?.({ done, ...total })
  }
  const batches = divideIntoBatches(records, signalUntilEnd)
  try {
    let next = await batches.next()
    for (; !next.done; next = await batches.next()) {
      beginBatch(next.value)
      if (running.length === MAX_BATCHES_IN_FLIGHT) await settleBatch()
    }
    if (next.value.length > 0) beginBatch(next.value)
    while (running.length > 0) await settleBatch()
    const { report } = records as { report?: ImportReport }
    return report === undefined ? total : { ...total, leftOut: report.leftOut }
  } finally {
    release()
    void batches.return([])
    // After a failure, the other batch may still be running.
    await Promise.allSettled(running.map(({ result }) => result))
  }
}
