import { messageOf } from '../values/errors.ts'
import { bytesOf, type ImportInput, invalidInput } from './input.ts'

/** A part of an input that could not be read. */
export interface Skipped {
  /** The path of the file, if the input is a path. */
  file?: string
  /** The line number, from 1; in a CSV, of the line where the row ends. */
  line?: number
  /** What is wrong with it, in words. */
  reason: string
}

/** How to handle parts of an input that cannot be read. */
export interface SkippingOptions {
  /**
   * Called for each line, row or file that cannot be read; the import continues with the next.
   * Without it, they are skipped too, but a fault before the first valid record is an error,
   * because the input is then probably the wrong one.
   */
  onSkipped?: ((skipped: Skipped) => void) | undefined
}

/** Handles rows that cannot be read; one instance per import. */
export class Skips {
  readonly #onSkipped: SkippingOptions['onSkipped']
  #anyRead = false

  constructor({ onSkipped }: SkippingOptions) {
    this.#onSkipped = onSkipped
  }

  /** Remembers that something was read, so that later faults are skipped. */
  countRead(): void {
    this.#anyRead = true
  }

  /** @throws {ParameterError} when nothing was read before and there is no `onSkipped` */
  skip(input: ImportInput, reason: string, line?: number): void {
    if (this.#onSkipped) {
      this.#onSkipped({
        ...(typeof input === 'string' && { file: input }),
        ...(line !== undefined && { line }),
        reason,
      })
    } else if (!this.#anyRead) {
      throw invalidInput(input, `${line === undefined ? '' : `line ${line}: `}${reason}`)
    }
  }
}

/**
 * Reads an input row by row.
 *
 * @param read - returns the record of a row, or, as a string, why the row cannot be read
 */
export async function* readRows<Row extends { line: number }, T extends object>(
  input: ImportInput,
  rows: AsyncIterable<Row>,
  skips: Skips,
  read: (row: Row) => T | string,
): AsyncGenerator<T, void> {
  for await (const row of rows) {
    const found = read(row)
    if (typeof found === 'string') {
      skips.skip(input, found, row.line)
    } else {
      skips.countRead()
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
 * The non-blank lines of a UTF-8 text, without a BOM and line ends (LF or CRLF). Memory holds only
 * one line and one piece of input.
 */
export async function* linesOf(input: ImportInput): AsyncGenerator<Line, void> {
  const decoder = new TextDecoder()
  let rest = ''
  let line = 0
  for await (const piece of bytesOf(input)) {
    const decoded = decoder.decode(piece, { stream: true })
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
  rest += decoder.decode()
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
  skips: Skips,
  read: (document: Json) => T | string,
): AsyncGenerator<T, void> {
  return readRows(input, linesOf(input), skips, (line) => {
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
