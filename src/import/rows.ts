import { messageOf } from '../errors.ts'
import { bytesOf, type ImportInput, invalidInput } from './input.ts'

/** A part of an input that could not be read. */
export interface Skipped {
  /** The path of the file, where the input is one. */
  file?: string
  /** The number of the line, from 1 on; in a CSV, of the line where the row ends. */
  line?: number
  /** What is wrong with it, in words. */
  reason: string
}

/** What happens with parts of an input that cannot be read. */
export interface SkippingOptions {
  /**
   * Called with every line, row or file that cannot be read; the import goes on with the next.
   * Without it they are skipped too, except that a fault before anything was read is an error: the
   * input is probably not the one that was meant.
   */
  onSkipped?: ((skipped: Skipped) => void) | undefined
}

/** Decides what happens with rows that cannot be read; one for the whole import. */
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
 * @param read - returns what a row says, or, as a text, why the row cannot be read
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

/** A line of a text. */
interface Line {
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
      if (text.trim() !== '') yield { text: text.replace(/\r$/, ''), line, ended: true }
    }
  }
  rest += decoder.decode()
  if (rest.trim() !== '') yield { text: rest.replace(/\r$/, ''), line: line + 1, ended: false }
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
