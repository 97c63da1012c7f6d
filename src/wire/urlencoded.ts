import { unreadable } from './form.ts'

/** In bytes; real names are far shorter. */
const LONGEST_NAME = 1000

/** Takes the pairs of an urlencoded text, piece by piece. */
interface PairSink {
  /** The name, before the value. */
  name(bytes: Uint8Array): void
  value(bytes: Uint8Array): void | Promise<void>
  end(): void
}

/**
 * Reads `application/x-www-form-urlencoded` as a stream, so that a large value needs little memory.
 * An invalid percent escape is kept as text, as in browsers.
 */
export async function readUrlencoded(
  body: AsyncIterable<Uint8Array>,
  sink: PairSink,
): Promise<void> {
  // The bytes of the name as Latin-1; `undefined` once the value has started.
  let name: string | undefined = ''
  const endName = () => {
    if (name !== undefined) sink.name(decoded(name))
    name = undefined
  }
  const take = async (text: string) => {
    for (const [i, pair] of text.split('&').entries()) {
      if (i > 0) {
        endName()
        sink.end()
        name = ''
      }
      let value = pair
      if (name !== undefined) {
        const [more = '', ...rest] = pair.split('=')
        name += more
        if (name.length > LONGEST_NAME) {
          throw unreadable(`a name has more than ${LONGEST_NAME} bytes`)
        }
        if (rest.length === 0) continue
        endName()
        value = rest.join('=')
      }
      if (value !== '') await sink.value(decoded(value))
    }
  }
  let rest = ''
  for await (const chunk of body) {
    const text = rest + Buffer.from(chunk).toString('latin1')
    // A piece can end in the middle of an escape.
    const whole = text.replace(/%[0-9a-f]?$/i, '')
    rest = text.slice(whole.length)
    await take(whole)
  }
  await take(rest)
  endName()
  sink.end()
}

function decoded(text: string): Uint8Array {
  const bytes = text
    .replaceAll('+', ' ')
    .replace(/%[0-9a-f]{2}/gi, (byte) => String.fromCharCode(Number(`0x${byte.slice(1)}`)))
  return Buffer.from(bytes, 'latin1')
}
