import { SaxesParser } from 'saxes'
import { encodingOfLabel } from '../values/text.ts'
import { bytesOf, type ImportInput, invalidInput, peek } from './input.ts'

export type Attributes = Readonly<Record<string, string>>

export interface XmlVisitor {
  open?(name: string, attributes: Attributes): void
  /** @param text - the text directly in the element, CDATA included */
  close?(name: string, text: string): void
}

const PIECE = 1 << 16

/** The maximum number of bytes between two tags. */
const MOST_UNTAGGED = 1 << 25

/** The maximum depth of nested elements. */
const DEEPEST = 256

/** Bytes at the start of a document that are searched for its encoding. */
const DECLARATION = 200

// Parser errors to ignore: many programs write such characters. The rest is read.
const FORGIVEN = /disallowed character|malformed character entity|undefined entity/

/**
 * Streams an XML document in the encoding that it declares, and yields what the visitor emits.
 * Entities that the document declares are not expanded, and no external file is loaded.
 *
 * @param what - the kind of document, for messages
 * @throws {ParameterError} when it is not XML, or is truncated
 */
export async function* readXml<T>(
  given: ImportInput,
  what: string,
  visit: (emit: (value: T) => void) => XmlVisitor,
): AsyncGenerator<T, void> {
  const { start, input } = await peek(given, DECLARATION)
  const decoder = new TextDecoder(encodingOf(start))
  const fault = (why: string) => invalidInput(input, `cannot be read as ${what}: ${why}`)
  let found: T[] = []
  let untagged = 0
  const onTag = () => {
    untagged = 0
  }
  const parser = parserOf(
    visit((value) => found.push(value)),
    onTag,
    fault,
  )
  for await (const bytes of bytesOf(input)) {
    for (let from = 0; from < bytes.length; from += PIECE) {
      const piece = bytes.subarray(from, from + PIECE)
      untagged += piece.length
      if (untagged > MOST_UNTAGGED) throw fault('it has text without end')
      parser.write(decoder.decode(piece, { stream: true }))
    }
    const emitted = found
    found = []
    yield* emitted
  }
  parser.close()
  yield* found
}

/** The texts of an element's children, by name. The first child with a name counts. */
export type Children = ReadonlyMap<string, string>

interface Wanted {
  /** The kind of document, for messages: `a Rhythmbox library`. */
  what: string
  element: string
  /** Called with the attributes of each such element; `false` leaves it out. */
  accepts: (attributes: Attributes) => boolean
}

/**
 * Reads the children of each element with a name.
 *
 * @throws {ParameterError} as {@link readXml}
 */
export function readElements(
  input: ImportInput,
  { what, element, accepts }: Wanted,
): AsyncGenerator<Children, void> {
  return readXml<Children>(input, what, (emit) => {
    let children: Map<string, string> | undefined
    return {
      open(name, attributes) {
        if (name === element) children = accepts(attributes) ? new Map() : undefined
      },
      close(name, text) {
        if (name === element) {
          if (children !== undefined) emit(children)
          children = undefined
        } else if (children !== undefined && !children.has(name)) {
          children.set(name, text)
        }
      },
    }
  })
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
    if (texts.push('') > DEEPEST) throw fault(`its elements are nested deeper than ${DEEPEST}`)
    visitor.open?.(name, attributes as Attributes)
  })
  parser.on('text', add)
  parser.on('cdata', add)
  parser.on('closetag', ({ name }) => {
    onTag()
    visitor.close?.(name, texts.pop() as string)
  })
  return parser
}

/** The encoding of a document: that of its BOM, else the declared one, else UTF-8. */
function encodingOf(start: string): string {
  if (start.startsWith('\xff\xfe')) return 'utf-16le'
  if (start.startsWith('\xfe\xff')) return 'utf-16be'
  const declared = /^<\?xml[^>]*\bencoding=["']([\w.-]+)["']/.exec(start)?.[1]
  return encodingOfLabel(declared) ?? 'utf-8'
}
