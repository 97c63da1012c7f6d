import { invalidParameter } from '../errors.ts'
import { quoted } from '../text.ts'
import { toCamel } from './names.ts'

/**
 * How a parameter is read: `text` and `texts` (repeatable) as they are, `integer` and `flag` as old
 * clients write them, a list of words as one of these; in `many`, any of them.
 */
export type Kind =
  | 'text'
  | 'texts'
  | 'integer'
  | 'flag'
  | { oneOf: readonly string[] }
  | { many: readonly string[] }

/** Parameters by their names on the wire. */
export type Kinds = Readonly<Record<string, Kind>>

/** What every method takes. */
export const COMMON: Kinds = {
  api_key: 'text',
  format: 'text',
  callback: 'text',
}

/** Scripts add it to each address to get past caches. */
const IGNORED = '_'

/**
 * The parameters of a method, in the names of the engine.
 *
 * @throws {ParameterError} on a name that the method does not have, a value that is not of its kind,
 * or two values where there can be one
 */
export function readParameters(
  pairs: readonly (readonly [string, string])[],
  kinds: Kinds,
): Record<string, unknown> {
  const values = new Map<string, string[]>()
  for (const [name, value] of pairs) {
    if (name === IGNORED) continue
    if (!Object.hasOwn(kinds, name)) {
      // The service's own words, and what they leave out.
      const known = Object.keys(kinds).join(', ')
      throw invalidParameter('method', `${JSON.stringify(name)}; known are ${known}`)
    }
    const list = values.get(name)
    if (list) list.push(value)
    else values.set(name, [value])
  }
  const members = [...values].map(([name, list]): [string, unknown] => [
    toCamel(name),
    readValue(name, list, kinds[name] as Kind),
  ])
  return Object.fromEntries(members)
}

function readValue(name: string, list: readonly string[], kind: Kind): unknown {
  // Messages name a single value, where of a list they only say that it is one.
  if (kind === 'texts') return list.length === 1 ? list[0] : list
  if (typeof kind === 'object' && 'many' in kind)
    return list.map((one) => word(name, one, kind.many))
  // The same in the URL and the body is no contradiction.
  const [value, other] = [...new Set(list)] as [string, string | undefined]
  if (other !== undefined) {
    throw invalidParameter(name, `${quoted(other)} beside ${quoted(value)}; give one of them`)
  }
  if (typeof kind === 'object') return word(name, value, kind.oneOf)
  if (kind === 'integer') return integer(name, value)
  if (kind === 'flag') return flag(name, value)
  return value
}

function word(name: string, given: string, words: readonly string[]): string {
  const value = given.trim()
  if (words.includes(value)) return value
  const all = words.map((one) => JSON.stringify(one)).join(', ')
  const what = name === 'bucket' ? `bucket ${quoted(given)}` : quoted(given)
  throw invalidParameter(name, `${what} is not one of ${all}`)
}

function integer(name: string, given: string): number {
  const value = given.trim()
  if (/^[-+]?\d+(\.0*)?$/.test(value)) return Number(value)
  throw invalidParameter(name, `${quoted(given)} must be an integer`)
}

const YES = ['true', '1', 'yes']
const NO = ['false', '0', 'no']

function flag(name: string, given: string): boolean {
  const value = given.trim().toLowerCase()
  if (YES.includes(value)) return true
  if (NO.includes(value)) return false
  throw invalidParameter(name, `${quoted(given)} is not one of "true", "false"`)
}
