import { unlessAborted } from '../kernel/abort.ts'
import { MESSAGE_BYTES } from '../kernel/host.ts'
import { sizeOf } from '../values/message-size.ts'

/** Most records in one batch. */
const MOST = 1000

/**
 * Divides records into batches of one message each: at most 1,000 records, and about 1 MB unless a
 * single record is larger. Full batches are yielded; the last one is returned.
 *
 * @throws the signal's reason on abort, also during a wait for the next record; what `records` throws
 */
export async function* batchesOf<T>(
  records: Iterable<T> | AsyncIterable<T>,
  signal: AbortSignal,
): AsyncGenerator<T[], T[]> {
  let batch: T[] = []
  let size = 0
  const source = new Source(records, signal)
  try {
    for (;;) {
      // Records that are available at once are not awaited: the await would take most of the time.
      const step = source.next()
      const next = isPromise(step) ? await step : step
      if (next.done) return batch
      const record = next.value
      const more = sizeOf(record, 2 * MESSAGE_BYTES)
      if (batch.length > 0 && size + more > MESSAGE_BYTES) {
        yield batch
        batch = []
        size = 0
      }
      batch.push(record)
      size += more
      if (batch.length < MOST && size < MESSAGE_BYTES) continue
      yield batch
      batch = []
      size = 0
    }
  } finally {
    source.close()
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

/** The application's records. Their iterator may hang; an abort does not wait for it. */
class Source<T> {
  readonly #iterator: Iterator<T> | AsyncIterator<T>
  readonly #signal: AbortSignal
  #open = true

  constructor(records: Iterable<T> | AsyncIterable<T>, signal: AbortSignal) {
    this.#signal = signal
    this.#iterator =
      Symbol.asyncIterator in records ? records[Symbol.asyncIterator]() : records[Symbol.iterator]()
  }

  next(): IteratorResult<T> | Promise<IteratorResult<T>> {
    this.#signal.throwIfAborted()
    try {
      const step = this.#iterator.next()
      if (isPromise(step)) return this.#arrival(step)
      if (step.done) this.#open = false
      // A promise in a list is awaited, as in a stream.
      else if (isPromise(step.value)) return this.#arrival(step.value.then(ofValue<T>))
      return step
    } catch (error) {
      this.#open = false
      throw error
    }
  }

  close(): void {
    if (!this.#open) return
    this.#open = false
    void (async () => this.#iterator.return?.())().catch(() => {})
  }

  async #arrival(step: Promise<IteratorResult<T>>): Promise<IteratorResult<T>> {
    try {
      const next = await unlessAborted(Promise.resolve(step), this.#signal)
      if (next.done) this.#open = false
      return next
    } catch (error) {
      // An iterator that threw has ended.
      this.#open = this.#signal.aborted
      throw error
    }
  }
}

function ofValue<T>(value: unknown): IteratorResult<T> {
  return { done: false, value: value as T }
}

function isPromise<V>(value: V | Promise<V>): value is Promise<V> {
  return typeof (value as Partial<Promise<V>> | null)?.then === 'function'
}
