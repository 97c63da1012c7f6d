import { pipeline } from 'node:stream'
import { ReadableStream, TextDecoderStream } from 'node:stream/web'
import { type Options, parse } from 'csv-parse'
import { AudileError, invalidParameter, messageOf } from '../values/errors.ts'
import { encodingOfLabel } from '../values/text.ts'
import { bytesOf, type ImportInput, invalidInput } from './input.ts'

/** A row of a CSV: its fields by column name. */
export type CsvRow = Readonly<Record<string, string>>

/** The format of a CSV. */
export interface CsvFormat {
  /** The field separator. Default: a comma. */
  delimiter?: string | undefined
  /**
   * `true` (default): the first row names the columns. `false`: no row does, and the columns are
   * named `0`, `1`, `2` … A list: the names of the columns.
   */
  header?: boolean | readonly string[] | undefined
  /** An encoding that TextDecoder knows, e.g. `windows-1252`. Default: UTF-8. */
  encoding?: string | undefined
}

/** In bytes. A longer row probably has an unclosed quote. */
const LONGEST_ROW = 1 << 24

/** A parsed row: its fields by column, or, as a string, what is wrong with it. */
interface ReadRow {
  row: CsvRow | string
  /** The line where the row ends, from 1. */
  line: number
}

export async function* csvRowsOf(
  input: ImportInput,
  { delimiter = ',', header = true, encoding = 'utf-8' }: CsvFormat,
): AsyncGenerator<ReadRow, void> {
  let names = typeof header === 'boolean' ? undefined : header
  for await (const { record, info } of parsed(input, { delimiter }, encoding)) {
    if (names === undefined) {
      names = header === false ? record.map((_, i) => String(i)) : record.map((n) => n.trim())
      if (header !== false) continue
    }
    yield { row: rowOf(names, record), line: info.lines }
  }
}

function rowOf(names: readonly string[], fields: readonly string[]): CsvRow | string {
  if (fields.length !== names.length) {
    return `has ${fields.length} fields, but there are ${names.length} columns`
  }
  const row: Record<string, string> = Object.create(null)
  for (const [i, name] of names.entries()) row[name] = fields[i] ?? ''
  return row
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
    // In a field that does not begin with a quote, a quote is text: 12" Mix.
    relaxQuotes: true,
    skipEmptyLines: true,
    maxRecordSize: LONGEST_ROW,
  } as Options)
  if (encodingOfLabel(encoding) === undefined) {
    const remedy = 'use utf-8, windows-1252, utf-16le …'
    throw invalidParameter('encoding', `"${encoding}" is not known; ${remedy}`)
  }
  // An error of either stream is thrown by the parser's iterator.
  const text = ReadableStream.from(bytesOf(input)).pipeThrough(new TextDecoderStream(encoding))
  const rows = pipeline(text, parser, () => {})
  try {
    yield* rows as unknown as AsyncIterable<Parsed>
  } catch (error) {
    if (error instanceof AudileError) throw error
    throw invalidInput(input, `cannot be read as CSV: ${messageOf(error)}`, error)
  }
}
