import { messageOf } from '../errors.ts'
import { bytesOf, type ImportInput, invalidInput } from './input.ts'
import { readRows, type Skips } from './rows.ts'

/** A line of a text. */
export interface Line {
  text: string
  /** Its number, from 1 on. */
  line: number
  /** Whether a line end follows; the last line may have none. */
  ended: boolean
}

/** In characters. A file with a longer line is not a text of lines. */
const LONGEST = 1 << 28

/**
 * The lines of a UTF-8 text that are not blank, without a BOM and without their ends (LF or CRLF).
 * Takes as much memory as the longest line.
 */
export async function* linesOf(input: ImportInput): AsyncGenerator<Line, void> {
  const decoder = new TextDecoder()
  let rest = ''
  let line = 0
  for await (const piece of bytesOf(input)) {
    const decoded = decoder.decode(piece, { stream: true })
    // A line that spans many pieces is searched for its end only once.
    if (!decoded.includes('\n')) {
      rest += decoded
      if (rest.length > LONGEST) throw invalidInput(input, `line ${line + 1} has no end`)
      continue
    }
    const texts = (rest + decoded).split('\n')
    rest = texts.pop() ?? ''
    for (const text of texts) {
      line++
      if (text.trim() !== '') yield { text: withoutCr(text), line, ended: true }
    }
  }
  rest += decoder.decode()
  if (rest.trim() !== '') yield { text: withoutCr(rest), line: line + 1, ended: false }
}

function withoutCr(text: string): string {
  return text.endsWith('\r') ? text.slice(0, -1) : text
}

/** A JSON object of unknown content. */
export type Json = Record<string, unknown>

/**
 * Reads a text that has one JSON object per line.
 *
 * @param read - as that of {@link readRows}
 * @throws {ParameterError} when the last line is cut off
 */
export function readJsonLines<T extends object>(
  input: ImportInput,
  skips: Skips,
  read: (document: Json) => T | string,
): AsyncGenerator<T, void> {
  return readRows(input, linesOf(input), skips, (line) => {
    const document = jsonOf(input, line)
    if (typeof document === 'string') return document
    return isJson(document) ? read(document) : 'is not a JSON object'
  })
}

/** The value of a line, or why it has none; a text as a value is no object either. */
function jsonOf(input: ImportInput, { text, line, ended }: Line): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'string' ? undefined : value
  } catch (error) {
    if (!ended) {
      throw invalidInput(
        input,
        `ends in the middle of line ${line}; download or copy it again`,
        error,
      )
    }
    return `is not a JSON document: ${messageOf(error)}`
  }
}

/** Whether a value is a JSON object. */
function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The objects in a list; none where the value is not a list. */
export function objectsOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isJson) : []
}

/** A value as an object, where it is one. */
export function objectOf(value: unknown): Json | undefined {
  return isJson(value) ? value : undefined
}
