import { MESSAGE_BYTES } from '../call.ts'

/** Records that go to the engine together at most. */
const MOST = 1000

/**
 * Parts records into batches that are one message each: at most 1,000, and about 1 MB. A record that
 * is larger by itself is a batch of its own.
 */
export async function* batchesOf<T>(
  records: Iterable<T> | AsyncIterable<T>,
): AsyncGenerator<T[], void> {
  let batch: T[] = []
  let size = 0
  for await (const record of records) {
    const more = sizeOf(record)
    if (batch.length > 0 && (batch.length === MOST || size + more > MESSAGE_BYTES)) {
      yield batch
      batch = []
      size = 0
    }
    batch.push(record)
    size += more
  }
  if (batch.length > 0) yield batch
}

/** About how many bytes a value takes in a message. */
function sizeOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return 8
  let size = 16
  for (const [key, member] of Object.entries(value)) size += key.length + sizeOf(member)
  return size
}
