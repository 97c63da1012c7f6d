import { pipeline, Readable } from 'node:stream'
import { type Options, parse } from 'csv-parse'
import { AudileError, invalidParameter, messageOf } from '../values/errors.ts'
import { encodingOfLabel } from '../values/text.ts'
import { delimiterIn, separatorLineIn } from './csv-delimiter.ts'
import { type ImportInput, inputBytes, invalidInput } from './input.ts'
import { decodePieces } from './text-encoding.ts'

/** A row of a CSV: its fields by column name. Names are in Unicode's composed form (NFC). */
export type CsvRow = Readonly<Record<string, string>>

/** The format of a CSV. */
export interface CsvFormat {
  /**
   * The field separator. Default: the one that the first lines have: comma, semicolon, tab or `|`. A
   * first line `sep=;`, which Excel writes, names it too.
   */
  delimiter?: string | undefined
  /**
   * `true` (default): the first row names the columns. `false`: no row does, and the columns are
   * named `0`, `1`, `2` … A list: the names of the columns.
   */
  header?: boolean | readonly string[] | undefined
  /**
   * An encoding that TextDecoder knows, e.g. `shift_jis`. Default: UTF-16 if the file begins like it;
   * else each line is UTF-8, or, if it is not, Windows-1252.
   */
  encoding?: string | undefined
}

/** A longer row probably has an unclosed quote. */
const MAX_ROW_BYTES = 1 << 24

/** A string says what is wrong with it. */
interface ReadRow {
  row: CsvRow | string
  /** Where the row ends, from 1. */
  line: number
}

export async function* csvRowsOf(
  input: ImportInput,
  { header = true, ...format }: CsvFormat,
): AsyncGenerator<ReadRow, void> {
  let names = typeof header === 'boolean' ? undefined : header.map(columnName)
  for await (const { record, line } of parsedRows(input, format)) {
    if (names === undefined) {
      names = header === false ? record.map((_, i) => String(i)) : record.map(columnName)
      if (header !== false) continue
    }
    yield { row: csvRowOf(names, record), line }
  }
}

export function columnName(name: string): string {
  return name.trim().normalize('NFC')
}

function csvRowOf(names: readonly string[], fields: readonly string[]): CsvRow | string {
  if (fields.length !== names.length) {
    return `has ${fields.length} fields, but there are ${names.length} columns`
  }
  const row: Record<string, string> = Object.create(null)
  for (const [i, name] of names.entries()) row[name] = fields[i] ?? ''
  return row
}

interface ParsedRow {
  record: string[]
  line: number
}

async function* parsedRows(
  input: ImportInput,
  { delimiter: givenDelimiter, encoding }: CsvFormat,
): AsyncGenerator<ParsedRow, void> {
  const { start, rest: laterText } = await readCsvBeginning(decodedText(input, encoding))
  const separatorLine = separatorLineIn(start)
  const body = start.slice(separatorLine?.length ?? 0)
  const parser = parse({
    delimiter: givenDelimiter ?? separatorLine?.delimiter ?? delimiterIn(body),
    info: true,
    // A blank before a quote is not a part of the field.
    ltrim: true,
    relaxColumnCount: true,
    // 12" Mix.
    relaxQuotes: true,
    skipEmptyLines: true,
    maxRecordSize: MAX_ROW_BYTES,
  } as Options)
  const rows = pipeline(Readable.from(joinedText(body, laterText)), parser, () => {})
  try {
    for await (const row of rows as unknown as AsyncIterable<ParserRow>) {
      const line = row.info.lines + (separatorLine ? 1 : 0)
      yield { record: row.record.map(withoutBlankAfterQuote), line }
    }
  } catch (error) {
    if (error instanceof AudileError) throw error
    throw invalidInput(input, `cannot be read as CSV: ${messageOf(error)}`, error)
  }
}

interface ParserRow {
  record: string[]
  info: { lines: number }
}

/** The parser takes a quoted field with a blank after it as text. */
function withoutBlankAfterQuote(field: string): string {
  const inQuotes = field.startsWith('"') ? /^"(.*)"\s+$/s.exec(field)?.[1] : undefined
  return inQuotes === undefined ? field : inQuotes.replaceAll('""', '"')
}

async function* decodedText(
  input: ImportInput,
  encoding: string | undefined,
): AsyncGenerator<string, void> {
  if (encoding === undefined) return yield* decodePieces(inputBytes(input))
  if (encodingOfLabel(encoding) === undefined) {
    const remedy = 'use utf-8, windows-1252, utf-16le …'
    throw invalidParameter('encoding', `"${encoding}" is not known; ${remedy}`)
  }
  const decoder = new TextDecoder(encoding)
  for await (const bytes of inputBytes(input)) yield decoder.decode(bytes, { stream: true })
  yield decoder.decode()
}

/** They show the delimiter. */
const BEGINNING_CHARACTERS = 1 << 12

async function readCsvBeginning(
  text: AsyncGenerator<string, void>,
): Promise<{ start: string; rest: AsyncGenerator<string, void> }> {
  let start = ''
  while (start.length < BEGINNING_CHARACTERS) {
    const { done, value } = await text.next()
    if (done) break
    start += value
  }
  return { start, rest: text }
}

async function* joinedText(
  start: string,
  laterText: AsyncIterable<string>,
): AsyncGenerator<string, void> {
  if (start !== '') yield start
  yield* laterText
}
