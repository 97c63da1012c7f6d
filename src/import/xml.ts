import { SaxesParser } from 'saxes'
import { bytesOf, type ImportInput, invalid, peek } from './input.ts'

/** Told of the elements of a document as they come. */
export interface XmlVisitor {
  open?(name: string, attributes: Readonly<Record<string, string>>): void
  /** `text` is what stands in the element itself, CDATA included. */
  close?(name: string, text: string): void
}

/** Bytes parsed at a time. */
const PIECE = 1 << 16

/** Bytes without a tag among them; more is no document of this kind. */
const QUIET = 1 << 25

/** Elements within elements. */
const DEEPEST = 256

/** In so many bytes a document says its encoding. */
const DECLARATION = 200

// Left in texts by careless writers; the character is passed over, not the file.
const FORGIVEN = /disallowed character|malformed character entity|undefined entity/

/**
 * Reads an XML document, plain or gzipped, as it comes, in the encoding that it declares; yields what
 * the visitor emits. Entities that a document declares are not expanded, nor is anything loaded.
 *
 * @param what - the document that is expected, as messages call it
 * @throws {ParameterError} when it is no XML, or cut off
 */
export async function* readXml<T>(
  given: ImportInput,
  what: string,
  visit: (emit: (value: T) => void) => XmlVisitor,
): AsyncGenerator<T, void> {
  const { first, input } = await peek(given, DECLARATION)
  const decoder = new TextDecoder(encodingOf(first))
  let found: T[] = []
  const visitor = visit((value) => found.push(value))
  let quiet = 0
  const parser = parserOf(
    visitor,
    () => {
      quiet = 0
    },
    (why) => invalid(input, `cannot be read as ${what}: ${why}`),
  )
  for await (const bytes of bytesOf(input)) {
    for (let from = 0; from < bytes.length; from += PIECE) {
      const piece = bytes.subarray(from, from + PIECE)
      quiet += piece.length
      if (quiet > QUIET) throw invalid(input, `cannot be read as ${what}: it has text without end`)
      parser.write(decoder.decode(piece, { stream: true }))
    }
    const emitted = found
    found = []
    yield* emitted
  }
  parser.close()
  yield* found
}

function parserOf(visitor: XmlVisitor, onTag: () => void, fault: (why: string) => Error) {
  const parser = new SaxesParser({ position: true })
  const texts: string[] = []
  const add = (text: string) => {
    if (texts.length > 0) texts[texts.length - 1] += text
  }
  parser.on('error', (error) => {
    if (!FORGIVEN.test(error.message)) throw fault(error.message)
  })
  parser.on('opentag', ({ name, attributes }) => {
    onTag()
    if (texts.push('') > DEEPEST) throw fault(`elements lie ${DEEPEST} deep`)
    visitor.open?.(name, attributes as Record<string, string>)
  })
  parser.on('text', add)
  parser.on('cdata', add)
  parser.on('closetag', ({ name }) => {
    onTag()
    visitor.close?.(name, texts.pop() as string)
  })
  return parser
}

/** The encoding of a document: by its BOM, else as it declares, else UTF-8. */
function encodingOf(bytes: Uint8Array): string {
  const [a, b] = bytes
  if (a === 0xff && b === 0xfe) return 'utf-16le'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  const start = Buffer.from(bytes).toString('latin1')
  const declared = /^<\?xml[^>]*\bencoding=["']([\w.-]+)["']/.exec(start)?.[1] ?? 'utf-8'
  try {
    return new TextDecoder(declared).encoding
  } catch {
    return 'utf-8'
  }
}
