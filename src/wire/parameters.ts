import type { Result } from '../host/door.ts'
import { invalidParameter } from '../values/errors.ts'
import { quoted } from '../values/text.ts'
import { toCamel } from './names.ts'

interface Kind {
  /** Text is kept unchanged; numbers and flags are parsed as old clients write them. */
  type: 'text' | 'integer' | 'flag'
  repeatable?: boolean
  words?: readonly string[]
}

/** Parameters by their names on the wire. */
export type Kinds = Readonly<Record<string, Kind>>

export const COMMON: Kinds = {
  api_key: { type: 'text' },
  format: { type: 'text' },
  callback: { type: 'text' },
}

type Schema = Result<'engine/describe'>[number]['properties'][string]

/** The kind of a parameter, from its JSON Schema in the engine. */
export function kindOf(schema: Schema | undefined): Kind {
  if (typeof schema !== 'object') return { type: 'text' }
  const { type, enum: words, items, anyOf } = schema
  if (anyOf) {
    const kinds = anyOf.map(kindOf)
    const wanted = kinds.find((kind) => kind.repeatable) ?? kinds.find((one) => one.type === 'flag')
    // Otherwise it is a number or its text: the engine accepts both.
    return wanted ?? { type: 'text' }
  }
  if (type === 'array') return { ...kindOf([items].flat()[0]), repeatable: true }
  if (words) return { type: 'text', words: words.map(String) }
  return { type: type === 'integer' ? 'integer' : type === 'boolean' ? 'flag' : 'text' }
}

/** A parameter that scripts add to bypass caches. */
const IGNORED = '_'

/**
 * The parameters of a method, by the names of the engine.
 *
 * @throws {ParameterError} on a name that the method does not have, a value that is not of its kind,
 * or two values of a parameter that takes one
 */
export function readParameters(
  pairs: readonly (readonly [string, string])[],
  kinds: Kinds,
): Record<string, unknown> {
  const values = new Map<string, string[]>()
  for (const [name, value] of pairs) {
    if (name === IGNORED) continue
    if (!Object.hasOwn(kinds, name)) {
      // The message of the old service, which did not list the known names.
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
  const { type, repeatable, words } = kind
  if (repeatable) {
    if (words) return list.map((one) => word(name, one, words))
    // A single value stays a text, because errors of the engine do not quote a list.
    return list.length === 1 ? list[0] : list
  }
  // The same value in the URL and the body is allowed.
  const [value, other] = [...new Set(list)] as [string, string | undefined]
  if (other !== undefined) {
    throw invalidParameter(name, `${quoted(other)} beside ${quoted(value)}; give one of them`)
  }
  if (words) return word(name, value, words)
  if (type === 'integer') return integer(name, value)
  return type === 'flag' ? flag(name, value) : value
}

/** @throws {ParameterError} when the value is none of the words */
export function word<W extends string>(name: string, given: string, words: readonly W[]): W {
  const value = words.find((one) => one === given.trim())
  if (value !== undefined) return value
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
