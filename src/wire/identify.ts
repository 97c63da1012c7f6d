import { text } from 'node:stream/consumers'
import type { Result } from '../host/door.ts'
import { invalidParameter } from '../values/errors.ts'
import { type Bytes, tooLarge } from './buffered-bytes.ts'
import { ask, type WireCall } from './method.ts'
import { fromWire } from './names.ts'
import type { WireLimits } from './options.ts'
import { capped } from './request-body.ts'

/** `song/identify` by `code` and its evidence, or by the JSON of `query`. */
export async function identify(call: WireCall<'song/identify'>): Promise<Result<'song/identify'>> {
  const { params, file, config } = call
  if (file === undefined) return ask('song/identify', call, eachCodeOf(params))
  const query = eachCode(await queryOf(file, config.limits))
  return ask('song/identify', call, { ...params, query })
}

/** A query in the URL; if it has several codes, one query for each, all with the same evidence. */
function eachCodeOf({ code, bucket, version, ...evidence }: Record<string, unknown>) {
  // `duration` is also a parameter, so that it is checked: a query ignores one that is no number.
  const asked = { bucket, version, duration: evidence.duration }
  const codes = [code ?? []].flat().flatMap((one) => codesIn(one))
  const [first, ...more] = new Set(codes)
  if (more.length === 0) return { ...asked, ...evidence, code: first }
  return { ...asked, query: [first, ...more].map((one) => ({ ...evidence, code: one })) }
}

/** The codes of the parameter `code`: itself, or those of a JSON list. No code begins with "[". */
function codesIn(code: unknown): unknown[] {
  if (typeof code !== 'string' || !code.trimStart().startsWith('[')) return [code]
  try {
    return JSON.parse(code) as unknown[]
  } catch {
    return [code]
  }
}

/**
 * The JSON of `query`: a dictionary, or a list of them.
 *
 * @throws {ParameterError} when it is not JSON, or exceeds a limit
 */
async function queryOf(
  query: Bytes,
  { depth, queryBytes }: Readonly<WireLimits>,
): Promise<unknown> {
  const limit = { name: 'queryBytes', bytes: queryBytes }
  const json = await text(capped(query, queryBytes, () => tooLarge('query', limit)))
  try {
    // Its names are single words, so nothing is renamed.
    return fromWire(JSON.parse(json), depth, false)
  } catch (error) {
    if (error instanceof RangeError)
      throw invalidParameter(
        'query',
        `it is nested deeper than the ${depth} levels of limits.depth`,
      )
    throw invalidParameter('query', `must be a JSON dictionary: ${(error as Error).message}`)
  }
}

/**
 * Splits a query whose `code` is a list, as in the specification, into one query for each code,
 * with the same evidence. The fingerprint programs wrote a single code.
 */
function eachCode(query: unknown): unknown {
  if (Array.isArray(query)) {
    return query.flatMap((one) => (Array.isArray(one) ? [one] : eachCode(one)))
  }
  if (typeof query !== 'object' || query === null || !('code' in query)) return query
  const { code } = query
  if (!Array.isArray(code) || code.length === 0) return query
  const each = code.map((one: unknown) => ({ ...query, code: one }))
  return each.length === 1 ? each[0] : each
}
