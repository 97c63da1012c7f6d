import { messageOf } from '../values/errors.ts'
import type { ImportRun } from './import-run.ts'
import { type ImportInput, inputBytes, invalidInput } from './input.ts'
import { decodePieces } from './text-encoding.ts'

/** @param read - returns the record of a row, or, as a string, why the row cannot be read */
export async function* readRows<Row extends { line: number }, T extends object>(
  input: ImportInput,
  rows: AsyncIterable<Row>,
  run: ImportRun,
  read: (row: Row) => T | string,
): AsyncGenerator<T, void> {
  for await (const row of rows) {
    const record = read(row)
    if (typeof record === 'string') {
      run.skip(input, record, row.line)
    } else {
      run.countRead()
      yield record
    }
  }
}

interface InputLine {
  text: string
  line: number
  /** The last line may have no line end. */
  hasEnd: boolean
}

/** A file with a longer line is not a line-based text. */
const MAX_LINE_CHARACTERS = 1 << 28

/** Without blank lines and line ends; memory holds one line and one piece of input. */
export async function* linesOf(input: ImportInput): AsyncGenerator<InputLine, void> {
  let remainingText = ''
  let line = 0
  for await (const decodedText of decodePieces(inputBytes(input))) {
    // A line that spans many pieces is not searched again.
    if (!decodedText.includes('\n')) {
      remainingText += decodedText
      if (remainingText.length > MAX_LINE_CHARACTERS)
        throw invalidInput(input, `line ${line + 1} has no end`)
      continue
    }
    const texts = (remainingText + decodedText).split('\n')
    remainingText = texts.pop() ?? ''
    for (const text of texts) {
      line++
      if (text.trim() !== '') yield { text: text.replace(/\r$/, ''), line, hasEnd: true }
    }
  }
  if (remainingText.trim() !== '')
    yield { text: remainingText.replace(/\r$/, ''), line: line + 1, hasEnd: false }
}

export type Json = Record<string, unknown>

/**
 * One JSON object per line.
 *
 * @throws {ParameterError} when the last line is cut off
 */
export function readJsonLines<T extends object>(
  input: ImportInput,
  run: ImportRun,
  read: (document: Json) => T | string,
): AsyncGenerator<T, void> {
  return readRows(input, linesOf(input), run, (line) => {
    const document = parseJsonLine(input, line)
    if (typeof document === 'string') return document
    return isJson(document) ? read(document) : 'is not a JSON object'
  })
}

/** A string is the fault. */
function parseJsonLine(input: ImportInput, { text, line, hasEnd: ended }: InputLine): unknown {
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

/** None if the value is not a list. */
export function objectsOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isJson) : []
}

export function objectOf(value: unknown): Json | undefined {
  return isJson(value) ? value : undefined
}
