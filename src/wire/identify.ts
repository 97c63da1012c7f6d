import { text } from 'node:stream/consumers'
import type { Result } from '../host/door.ts'
import { invalidParameter } from '../values/errors.ts'
import { type Bytes, tooLarge } from './buffered-bytes.ts'
import { callEngine, type WireCall } from './method.ts'
import { fromWire } from './names.ts'
import type { WireLimits } from './options.ts'
import { limitBytes } from './request-body.ts'

/** `song/identify` by `code` and its evidence, or by the JSON of `query`. */
export async function identifySong(
  call: WireCall<'song/identify'>,
): Promise<Result<'song/identify'>> {
  const { params, file, config } = call
  if (file === undefined) return callEngine('song/identify', call, splitCodeParameter(params))
  const query = splitQuery(await readQuery(file, config.limits))
  return callEngine('song/identify', call, { ...params, query })
}

/** Each of several codes becomes a query with the same evidence. */
function splitCodeParameter({ code, bucket, version, ...evidence }: Record<string, unknown>) {
  // `duration` is also a parameter, so that it is checked.
  const sharedParameters = { bucket, version, duration: evidence.duration }
  const codes = [code ?? []].flat().flatMap((code) => parseCodes(code))
  const [firstCode, ...otherCodes] = new Set(codes)
  if (otherCodes.length === 0) return { ...sharedParameters, ...evidence, code: firstCode }
  return {
    ...sharedParameters,
    query: [firstCode, ...otherCodes].map((singleCode) => ({ ...evidence, code: singleCode })),
  }
}

/** A JSON list of codes, or itself: no code begins with "[". */
function parseCodes(code: unknown): unknown[] {
  if (typeof code !== 'string' || !code.trimStart().startsWith('[')) return [code]
  try {
    return JSON.parse(code) as unknown[]
  } catch {
    return [code]
  }
}

/**
 * A dictionary or a list of them.
 * @throws {ParameterError} when it is not JSON, or exceeds a limit
 */
async function readQuery(
  query: Bytes,
  { depth, queryBytes }: Readonly<WireLimits>,
): Promise<unknown> {
  const limit = { name: 'queryBytes', bytes: queryBytes }
  const json = await text(limitBytes(query, queryBytes, () => tooLarge('query', limit)))
  try {
    // Names in a query are single words, so nothing is renamed.
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

/** A query whose `code` is a list, as the specification allows, becomes one query for each code. */
function splitQuery(query: unknown): unknown {
  if (Array.isArray(query)) {
    return query.flatMap((nested) => (Array.isArray(nested) ? [nested] : splitQuery(nested)))
  }
  if (typeof query !== 'object' || query === null || !('code' in query)) return query
  const { code } = query
  if (!Array.isArray(code) || code.length === 0) return query
  const queries = code.map((singleCode: unknown) => ({ ...query, code: singleCode }))
  return queries.length === 1 ? queries[0] : queries
}
