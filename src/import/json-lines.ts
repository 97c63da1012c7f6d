import { type ImportInput, invalid, reasonOf } from './input.ts'
import { type Line, linesOf } from './lines.ts'
import type { Skips } from './skipped.ts'

/** A JSON object of unknown content. */
export type Json = Record<string, unknown>

/**
 * The objects of a text that holds one JSON document a line. Empty lines are none; others that are
 * no object are skipped.
 *
 * @throws {ParameterError} when the last line is cut off
 */
export async function* jsonLinesOf(
  input: ImportInput,
  skips: Skips,
): AsyncGenerator<{ document: Json; line: number }, void> {
  for await (const line of linesOf(input)) {
    if (line.text.trim() === '') continue
    const document = parsed(input, line, skips)
    if (document !== undefined) yield { document, line: line.number }
  }
}

function parsed(input: ImportInput, line: Line, skips: Skips): Json | undefined {
  try {
    const document: unknown = JSON.parse(line.text)
    if (isJson(document)) return document
    skips.skip(input, 'is no JSON object', line.number)
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    if (!line.ended) {
      throw invalid(input, `ends in the middle of line ${line.number}; get it anew`, error)
    }
    skips.skip(input, `is no JSON document: ${reasonOf(error)}`, line.number)
  }
  return undefined
}

/** Whether a value is a JSON object. */
export function isJson(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The objects of a list; none where there is no list. */
export function objectsOf(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter(isJson) : []
}
