import { messageOf } from '../values/errors.ts'
import type { ImportRun } from './import-run.ts'
import { bytesOf, type ImportInput, invalidInput } from './input.ts'
import { textOf } from './text-encoding.ts'

/**
 * Reads an input row by row.
 *
 * @param read - returns the record of a row, or, as a string, why the row cannot be read
 */
export async function* readRows<Row extends { line: number }, T extends object>(
  input: ImportInput,
  rows: AsyncIterable<Row>,
  run: ImportRun,
  read: (row: Row) => T | string,
): AsyncGenerator<T, void> {
  for await (const row of rows) {
    const found = read(row)
    if (typeof found === 'string') {
      run.skip(input, found, row.line)
    } else {
      run.countRead()
      yield found
    }
  }
}

interface Line {
  text: string
  line: number
  /** Whether a line end follows; the last line may have none. */
  ended: boolean
}

/** In characters. A file with a longer line is not a line-based text. */
const LONGEST = 1 << 28

/**
 * The non-blank lines of a text, without line ends (LF or CRLF). Memory holds only one line and one
 * piece of input.
 */
export async function* linesOf(input: ImportInput): AsyncGenerator<Line, void> {
  let rest = ''
  let line = 0
  for await (const decoded of textOf(bytesOf(input))) {
    // Avoids a new search of the whole line when a line spans many pieces.
    if (!decoded.includes('\n')) {
      rest += decoded
      if (rest.length > LONGEST) throw invalidInput(input, `line ${line + 1} has no end`)
      continue
    }
    const texts = (rest + decoded).split('\n')
    rest = texts.pop() ?? ''
    for (const text of texts) {
      line++
      if (text.trim() !== '') yield { text: text.replace(/\r$/, ''), line, ended: true }
    }
  }
  if (rest.trim() !== '') yield { text: rest.replace(/\r$/, ''), line: line + 1, ended: false }
}

export type Json = Record<string, unknown>

/**
 * Reads a text that has one JSON object per line.
 *
 * @param read - as that of {@link readRows}
 * @throws {ParameterError} when the last line is cut off
 */
export function readJsonLines<T extends object>(
  input: ImportInput,
  run: ImportRun,
  read: (document: Json) => T | string,
): AsyncGenerator<T, void> {
  return readRows(input, linesOf(input), run, (line) => {
    const document = jsonOf(input, line)
    if (typeof document === 'string') return document
    return isJson(document) ? read(document) : 'is not a JSON object'
  })
}

/** The value of a line, or, as a string, the fault. A string as a value becomes `undefined`. */
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

function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The objects in a list; none if the value is not a list. */
export function objectsOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isJson) : []
}

/** The value, if it is a JSON object. */
export function objectOf(value: unknown): Json | undefined {
  return isJson(value) ? value : undefined
}
