import { unreadable } from './form.ts'

const AND = 0x26
const EQUALS = 0x3d
const PERCENT = 0x25
const PLUS = 0x2b
const SPACE = 0x20
/** Bytes; far more than any parameter has. */
const LONGEST_NAME = 1000

/** Takes the pairs of an urlencoded text, piece by piece. */
interface PairSink {
  /** The name, before the value. */
  name(bytes: Uint8Array): void
  /** A piece of the value. */
  value(bytes: Uint8Array): void | Promise<void>
  /** The end of the pair. */
  end(): void
}

/**
 * Reads `application/x-www-form-urlencoded` as a stream, so that a large value needs little memory.
 * A percent sign that escapes nothing stands for itself, as in browsers.
 */
export async function readUrlencoded(
  body: AsyncIterable<Uint8Array>,
  sink: PairSink,
): Promise<void> {
  let inName = true
  let begun = false
  /** An unfinished escape: the percent sign and its digits so far. */
  let pending: number[] = []
  let name: number[] = []

  for await (const chunk of body) {
    const out = new Uint8Array(chunk.length + 2)
    let length = 0
    const put = (byte: number) => {
      if (!inName) out[length++] = byte
      else if (name.push(byte) > LONGEST_NAME)
        throw unreadable(`a name has more than ${LONGEST_NAME} bytes`)
    }
    const flush = () => {
      for (const byte of pending) put(byte)
      pending = []
    }
    const endName = () => {
      sink.name(Uint8Array.from(name))
      name = []
      inName = false
    }
    for (const byte of chunk) {
      begun = true
      if (pending.length > 0) {
        if (isHex(byte)) {
          pending.push(byte)
          if (pending.length < 3) continue
          put(Number.parseInt(String.fromCharCode(...pending.slice(1)), 16))
          pending = []
          continue
        }
        flush()
      }
      if (byte === PERCENT) pending = [byte]
      else if (byte === PLUS) put(SPACE)
      else if (byte === EQUALS && inName) endName()
      else if (byte === AND) {
        if (inName) endName()
        if (length > 0) await sink.value(out.slice(0, length))
        length = 0
        sink.end()
        inName = true
        begun = false
      } else put(byte)
    }
    if (length > 0) await sink.value(out.slice(0, length))
  }
  if (!begun) return
  if (inName) {
    name.push(...pending)
    sink.name(Uint8Array.from(name))
  } else if (pending.length > 0) await sink.value(Uint8Array.from(pending))
  sink.end()
}

function isHex(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    (byte >= 0x41 && byte <= 0x46) ||
    (byte >= 0x61 && byte <= 0x66)
  )
}
