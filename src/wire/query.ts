import { invalidParameter } from '../errors.ts'
import type { Bytes } from './buffered-bytes.ts'
import { tooLarge } from './buffered-bytes.ts'
import { fromWire } from './names.ts'
import type { WireLimits } from './options.ts'

/**
 * The `query` of song/identify: a JSON dictionary, or a list of them.
 *
 * @throws {ParameterError} where it is no JSON, or goes over a limit
 */
export async function queryOf(
  query: Bytes,
  { depth, queryBytes }: Readonly<WireLimits>,
): Promise<unknown> {
  const pieces: Uint8Array[] = []
  let size = 0
  for await (const piece of query.read()) {
    size += piece.length
    if (size > queryBytes) throw tooLarge('query', { name: 'queryBytes', bytes: queryBytes })
    pieces.push(piece)
  }
  const text = Buffer.concat(pieces)
    .toString('utf8')
    .replace(/^\uFEFF/, '')
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (error) {
    throw invalidParameter('query', `must be a JSON dictionary: ${(error as Error).message}`)
  }
  try {
    // Its few names are single words: there is nothing to re-case, only to guard.
    return fromWire(parsed, depth, false)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw invalidParameter('query', `it is nested deeper than the ${depth} levels of limits.depth`)
  }
}

/**
 * A query in which `code` is a list, as the specification has it, as one query for each code; what
 * stands beside them is said of each. The generators wrote a single text.
 */
export function eachCode(query: unknown): unknown {
  if (Array.isArray(query)) {
    return query.flatMap((one) => (Array.isArray(one) ? [one] : eachCode(one)))
  }
  if (typeof query !== 'object' || query === null || !('code' in query)) return query
  const { code } = query
  if (!Array.isArray(code) || code.length === 0) return query
  const each = code.map((one: unknown) => ({ ...query, code: one }))
  return each.length === 1 ? each[0] : each
}

/** The codes of the parameter `code`: itself, or those of a JSON list. No code begins with "[". */
export function codesIn(code: unknown): unknown[] {
  if (typeof code !== 'string' || !code.trimStart().startsWith('[')) return [code]
  try {
    return JSON.parse(code) as unknown[]
  } catch {
    return [code]
  }
}
