import { SaxesParser } from 'saxes'
import { encodingOfLabel } from '../values/text.ts'
import { type ImportInput, inputBytes, invalidInput, peekText } from './input.ts'

export type Attributes = Readonly<Record<string, string>>

export interface XmlVisitor {
  open?(name: string, attributes: Attributes): void
  /** @param text - directly in the element, CDATA included */
  close?(name: string, text: string): void
}

const XML_PIECE_BYTES = 1 << 16

/** Between two tags. */
const MAX_UNTAGGED_BYTES = 1 << 25

const MAX_DEPTH = 256

/** They are searched for the encoding. */
const XML_DECLARATION_BYTES = 200

// Many programs write such characters.
const FORGIVEN_ERRORS = /disallowed character|malformed character entity|undefined entity/

/**
 * Yields what the visitor emits; declared entities are not expanded, external files not loaded.
 *
 * @param what - the kind of document, for messages
 * @throws {ParameterError} when it is not XML, or is truncated
 */
export async function* readXml<T>(
  givenInput: ImportInput,
  what: string,
  visit: (emit: (value: T) => void) => XmlVisitor,
): AsyncGenerator<T, void> {
  const { start: opening, input } = await peekText(givenInput, XML_DECLARATION_BYTES)
  const decoder = new TextDecoder(declaredEncoding(opening))
  const xmlError = (why: string) => invalidInput(input, `cannot be read as ${what}: ${why}`)
  let values: T[] = []
  let untaggedBytes = 0
  const onTag = () => {
    untaggedBytes = 0
  }
  const parser = parserOf(
    visit((value) => values.push(value)),
    onTag,
    xmlError,
  )
  for await (const bytes of inputBytes(input)) {
    for (let start = 0; start < bytes.length; start += XML_PIECE_BYTES) {
      const piece = bytes.subarray(start, start + XML_PIECE_BYTES)
      untaggedBytes += piece.length
      if (untaggedBytes > MAX_UNTAGGED_BYTES) throw xmlError('it has text without end')
      parser.write(decoder.decode(piece, { stream: true }))
    }
    const emitted = values
    values = []
    yield* emitted
  }
  parser.close()
  yield* values
}

/** Texts by name; the first child with a name counts. */
export type Children = ReadonlyMap<string, string>

interface WantedElements {
  /** For messages: `a Rhythmbox library`. */
  what: string
  element: string
  /** `false` leaves the element out. */
  accepts: (attributes: Attributes) => boolean
}

/** @throws {ParameterError} as {@link readXml} */
export function readElements(
  input: ImportInput,
  { what, element, accepts }: WantedElements,
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

function parserOf(visitor: XmlVisitor, onTag: () => void, xmlError: (why: string) => Error) {
  const parser = new SaxesParser({ position: true })
  const texts: string[] = []
  const addText = (text: string) => {
    if (texts.length > 0) texts[texts.length - 1] += text
  }
  parser.on('error', (error) => {
    if (!FORGIVEN_ERRORS.test(error.message)) throw xmlError(error.message)
  })
  parser.on('opentag', ({ name, attributes }) => {
    onTag()
    if (texts.push('') > MAX_DEPTH)
      throw xmlError(`its elements are nested deeper than ${MAX_DEPTH}`)
    visitor.open?.(name, attributes as Attributes)
  })
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', ({ name }) => {
    onTag()
    visitor.close?.(name, texts.pop() as string)
  })
  return parser
}

/** By its BOM, else as declared, else UTF-8. */
function declaredEncoding(start: string): string {
  if (start.startsWith('\xff\xfe')) return 'utf-16le'
  if (start.startsWith('\xfe\xff')) return 'utf-16be'
  const declared = /^<\?xml[^>]*\bencoding=["']([\w.-]+)["']/.exec(start)?.[1]
  return encodingOfLabel(declared) ?? 'utf-8'
}
