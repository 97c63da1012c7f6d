import { unlessAborted } from '../kernel/abort.ts'
import { MESSAGE_BYTES } from '../kernel/host.ts'
import { estimateBytes } from '../values/message-size.ts'

/** Most records in one batch. */
const MAX_BATCH_RECORDS = 1000

/**
 * Divides records into batches of one message each: at most 1,000 records, and about 1 MB unless a
 * single record is larger. Full batches are yielded; the last one is returned.
 *
 * @throws the signal's reason on abort, also during a wait for the next record; what `records` throws
 */
export async function* divideIntoBatches<T>(
  records: Iterable<T> | AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T[], T[]> {
  let batch: T[] = []
  let size = 0
  const iterator: Iterator<T> | AsyncIterator<T> =
    Symbol.asyncIterator in records ? records[Symbol.asyncIterator]() : records[Symbol.iterator]()
  let isOpen = true
  try {
    for (;;) {
      signal.throwIfAborted()
      // An iterator that throws has ended.
      isOpen = false
      const next = iterator.next()
      // What is available at once is not awaited: the await would take most of the time.
      const { done, value } = isPromise(next) ? await unlessAborted(next, signal) : next
      if (done) return batch
      isOpen = true
      // A promise in a list is awaited, as in a stream.
      const record: T = isPromise(value) ? await unlessAborted(value, signal) : value
      const recordBytes = estimateBytes(record, 2 * MESSAGE_BYTES)
      if (batch.length > 0 && size + recordBytes > MESSAGE_BYTES) {
        yield batch
        batch = []
        size = 0
      }
      batch.push(record)
      size += recordBytes
      if (batch.length < MAX_BATCH_RECORDS && size < MESSAGE_BYTES) continue
      yield batch
      batch = []
      size = 0
    }
  } finally {
    // The iterator may hang; an abort does not wait for it.
    if (isOpen || signal.aborted) void (async () => iterator.return?.())().catch(() => {})
  }
}

/** Whether a value can be iterated. A string does not count: its characters are not records. */
export function isIterable(value: unknown): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    (Symbol.iterator in value || Symbol.asyncIterator in value)
  )
}

function isPromise<V>(value: V | Promise<V>): value is Promise<V> {
  return typeof (value as Partial<Promise<V>> | null)?.then === 'function'
}
