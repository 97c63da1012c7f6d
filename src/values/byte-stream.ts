import { MESSAGE_BYTES } from '../kernel/host.ts'
import { invalidParameter } from './errors.ts'

/** The types in which an application can pass bytes. */
export type ByteSource =
  | Uint8Array
  | ArrayBuffer
  | Blob
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>

/** Reads the bytes that an application passes, in pieces of at most {@link MESSAGE_BYTES}. */
export class ByteStream {
  readonly #next: () => Promise<{ done?: boolean | undefined; value?: unknown }>
  readonly #stop: () => unknown
  #rest = new Uint8Array(0)

  constructor(bytes: ByteSource) {
    const stream = bytes instanceof Blob ? bytes.stream() : bytes
    if (stream instanceof ReadableStream) {
      const reader = stream.getReader()
      this.#next = () => reader.read()
      this.#stop = () => reader.cancel()
      return
    }
    const iterator = iteratorOf(stream)
    this.#next = async () => iterator.next()
    this.#stop = () => iterator.return?.()
  }

  /** The next bytes, as a copy; `undefined` at the end. */
  async read(): Promise<Uint8Array | undefined> {
    while (this.#rest.length === 0) {
      const { done, value } = await this.#next()
      if (done) return undefined
      if (!(value instanceof Uint8Array)) {
        throw invalidParameter(
          'bytes',
          `the stream yielded a ${typeof value}; it must yield Uint8Array`,
        )
      }
      this.#rest = value as Uint8Array<ArrayBuffer>
    }
    // A copy, because the piece is transferred to another thread. The slice() of a Buffer would be
    // a view.
    const piece = new Uint8Array(this.#rest.subarray(0, MESSAGE_BYTES))
    this.#rest = this.#rest.subarray(piece.length)
    return piece
  }

  /** Cancels the stream without waiting, because the stream itself can hang. */
  cancel(): void {
    void (async () => this.#stop())().catch(() => {})
  }
}

function iteratorOf(bytes: unknown): AsyncIterator<unknown> | Iterator<unknown> {
  if (bytes instanceof Uint8Array) return [bytes].values()
  if (bytes instanceof ArrayBuffer) return [new Uint8Array(bytes)].values()
  if (typeof bytes === 'object' && bytes !== null && Symbol.asyncIterator in bytes) {
    return (bytes as AsyncIterable<unknown>)[Symbol.asyncIterator]()
  }
  throw invalidParameter(
    'bytes',
    'must be a Uint8Array, ArrayBuffer, Blob, ReadableStream or async iterable of Uint8Array',
  )
}
