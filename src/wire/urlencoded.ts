import { unreadableBody } from './form.ts'

const MAX_NAME_BYTES = 1000

interface PairSink {
  startPair(bytes: Uint8Array): void
  addValue(bytes: Uint8Array): void | Promise<void>
  endPair(): void
}

/** Reads the pairs as a stream; an invalid percent escape stays text, as in browsers. */
export async function readUrlencoded(
  body: AsyncIterable<Uint8Array>,
  sink: PairSink,
): Promise<void> {
  // In Latin-1; `undefined` once the value has started.
  let name: string | undefined = ''
  const endName = () => {
    if (name !== undefined) sink.startPair(decodeEscapes(name))
    name = undefined
  }
  const readText = async (text: string) => {
    for (const [i, pair] of text.split('&').entries()) {
      if (i > 0) {
        endName()
        sink.endPair()
        name = ''
      }
      let value = pair
      if (name !== undefined) {
        const [namePart = '', ...valueParts] = pair.split('=')
        name += namePart
        if (name.length > MAX_NAME_BYTES) {
          throw unreadableBody(`a name has more than ${MAX_NAME_BYTES} bytes`)
        }
        if (valueParts.length === 0) continue
        endName()
        value = valueParts.join('=')
      }
      if (value !== '') await sink.addValue(decodeEscapes(value))
    }
  }
  let incomplete = ''
  for await (const chunk of body) {
    const text = incomplete + Buffer.from(chunk).toString('latin1')
    // A piece can end in the middle of an escape.
    const complete = text.replace(/%[0-9a-f]?$/i, '')
    incomplete = text.slice(complete.length)
    await readText(complete)
  }
  await readText(incomplete)
  endName()
  sink.endPair()
}

function decodeEscapes(text: string): Uint8Array {
  const bytes = text
    .replaceAll('+', ' ')
    .replace(/%[0-9a-f]{2}/gi, (byte) => String.fromCharCode(Number(`0x${byte.slice(1)}`)))
  return Buffer.from(bytes, 'latin1')
}
