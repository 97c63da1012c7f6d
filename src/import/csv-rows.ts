import { pipeline, Readable } from 'node:stream'
import { type Options, parse } from 'csv-parse'
import { AudileError, invalidParameter } from '../errors.ts'
import { bytesOf, type ImportInput, invalid, reasonOf } from './input.ts'
import type { Skips } from './skipped.ts'

/** A row of a CSV: its fields by the names of their columns. */
export type CsvRow = Readonly<Record<string, string>>

/** How a CSV is written. */
export interface CsvFormat {
  /** Between fields. Default: a comma. */
  delimiter?: string | undefined
  /**
   * Whether the first row names the columns (default), or their names. `false`: there are none, and
   * the columns are called `0`, `1`, `2` …
   */
  header?: boolean | readonly string[] | undefined
  /** Any that TextDecoder knows, e.g. `windows-1252`. Default: UTF-8. */
  encoding?: string | undefined
}

/** A field longer than this is a quote that was never closed. In bytes. */
const LONGEST_ROW = 1 << 24

/** The rows of a CSV, with the lines at which they end. */
export async function* csvRowsOf(
  input: ImportInput,
  { delimiter = ',', header = true, encoding = 'utf-8' }: CsvFormat,
  skips: Skips,
): AsyncGenerator<{ row: CsvRow; line: number }, void> {
  let names = Array.isArray(header) ? (header as readonly string[]) : undefined
  for await (const { record, info } of parsed(input, { delimiter }, encoding)) {
    if (names === undefined) {
      names = header === false ? record.map((_, i) => String(i)) : record.map((n) => n.trim())
      if (header !== false) continue
    }
    if (record.length !== names.length) {
      const reason = `has ${record.length} fields where there are ${names.length} columns`
      skips.skip(input, reason, info.lines)
      continue
    }
    const row: Record<string, string> = Object.create(null)
    for (const [i, name] of names.entries()) row[name] = record[i] as string
    yield { row, line: info.lines }
  }
}

interface Parsed {
  record: string[]
  info: { lines: number }
}

async function* parsed(
  input: ImportInput,
  options: Options,
  encoding: string,
): AsyncGenerator<Parsed, void> {
  const parser = parse({
    ...options,
    info: true,
    relaxColumnCount: true,
    // A quote inside a field that does not begin with one is text: 12" Mix.
    relaxQuotes: true,
    skipEmptyLines: true,
    maxRecordSize: LONGEST_ROW,
  } as Options)
  // The parser's iterator tells the error, of whichever of the two.
  const rows = pipeline(Readable.from(decoded(input, encoding)), parser, () => {})
  try {
    yield* rows as unknown as AsyncIterable<Parsed>
  } catch (error) {
    if (error instanceof AudileError) throw error
    throw invalid(input, `cannot be read as CSV: ${reasonOf(error)}`, error)
  }
}

async function* decoded(input: ImportInput, encoding: string): AsyncGenerator<string, void> {
  const decoder = decoderOf(encoding)
  for await (const piece of bytesOf(input)) {
    const text = decoder.decode(piece, { stream: true })
    if (text !== '') yield text
  }
  const rest = decoder.decode()
  if (rest !== '') yield rest
}

function decoderOf(encoding: string) {
  try {
    return new TextDecoder(encoding)
  } catch {
    throw invalidParameter(
      'encoding',
      `"${encoding}" is not known; there are utf-8, windows-1252, utf-16le …`,
    )
  }
}
