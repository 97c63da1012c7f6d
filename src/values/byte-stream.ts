import { MESSAGE_BYTES } from '../kernel/host.ts'
import { invalidParameter } from './errors.ts'

/** The types in which an application can pass bytes. */
export type ByteSource =
  | Uint8Array
  | ArrayBuffer
  | Blob
  | ReadableStream<Uint8Array>
  | AsyncIterable<Uint8Array>

/** In pieces of at most {@link MESSAGE_BYTES}. */
export class ByteStream {
  readonly #nextPiece: () => Promise<{ done?: boolean | undefined; value?: unknown }>
  readonly #stopReading: () => unknown
  #unreadBytes = new Uint8Array(0)

  constructor(bytes: ByteSource) {
    const stream = bytes instanceof Blob ? bytes.stream() : bytes
    if (stream instanceof ReadableStream) {
      const reader = stream.getReader()
      this.#nextPiece = () => reader.read()
      this.#stopReading = () => reader.cancel()
      return
    }
    const iterator = iteratorOf(stream)
    this.#nextPiece = async () => iterator.next()
    this.#stopReading = () => iterator.return?.()
  }

  /** A copy; `undefined` at the end. */
  async read(): Promise<Uint8Array | undefined> {
    while (this.#unreadBytes.length === 0) {
      const { done, value } = await this.#nextPiece()
      if (done) return undefined
      if (!(value instanceof Uint8Array)) {
        throw invalidParameter(
          'bytes',
          `the stream yielded a ${typeof value}; it must yield Uint8Array`,
        )
      }
      this.#unreadBytes = value as Uint8Array<ArrayBuffer>
    }
    // A copy, because the piece is transferred to another thread; a Buffer's slice() is a view.
    const piece = new Uint8Array(this.#unreadBytes.subarray(0, MESSAGE_BYTES))
    this.#unreadBytes = this.#unreadBytes.subarray(piece.length)
    return piece
  }

  /** Without waiting, because the stream itself can hang. */
  cancel(): void {
    void (async () => this.#stopReading())().catch(() => {})
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
