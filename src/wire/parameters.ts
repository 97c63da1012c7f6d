import type { Result } from '../host/door.ts'
import { invalidParameter } from '../values/errors.ts'
import { quoted } from '../values/text.ts'
import { toCamel } from './names.ts'

interface ParameterKind {
  /** Text is kept; numbers and flags are parsed as old clients write them. */
  type: 'text' | 'integer' | 'flag'
  repeatable?: boolean
  words?: readonly string[]
}

export type ParameterKinds = Readonly<Record<string, ParameterKind>>

export const COMMON_KINDS: ParameterKinds = {
  api_key: { type: 'text' },
  format: { type: 'text' },
  callback: { type: 'text' },
}

type ParameterSchema = Result<'engine/describe'>[number]['properties'][string]

export function kindOfSchema(schema: ParameterSchema | undefined): ParameterKind {
  if (typeof schema !== 'object') return { type: 'text' }
  const { type, enum: words, items, anyOf } = schema
  if (anyOf) {
    const kinds = anyOf.map(kindOfSchema)
    const preferred =
      kinds.find((kind) => kind.repeatable) ?? kinds.find((kind) => kind.type === 'flag')
    // Otherwise it is a number or its text, and the engine accepts both.
    return preferred ?? { type: 'text' }
  }
  if (type === 'array') return { ...kindOfSchema([items].flat()[0]), repeatable: true }
  if (words) return { type: 'text', words: words.map(String) }
  return { type: type === 'integer' ? 'integer' : type === 'boolean' ? 'flag' : 'text' }
}

/** Scripts add it to bypass caches. */
const CACHE_BUSTER = '_'

/** @throws {ParameterError} on an unknown name, a value of another kind, or two values of one */
export function readParameters(
  pairs: readonly (readonly [string, string])[],
  kinds: ParameterKinds,
): Record<string, unknown> {
  const values = new Map<string, string[]>()
  for (const [name, value] of pairs) {
    if (name === CACHE_BUSTER) continue
    if (!Object.hasOwn(kinds, name)) {
      // The old service sent this message without the known names.
      const knownNames = Object.keys(kinds).join(', ')
      throw invalidParameter('method', `${JSON.stringify(name)}; known are ${knownNames}`)
    }
    const valuesOfName = values.get(name)
    if (valuesOfName) valuesOfName.push(value)
    else values.set(name, [value])
  }
  const members = [...values].map(([name, texts]): [string, unknown] => [
    toCamel(name),
    readValue(name, texts, kinds[name] as ParameterKind),
  ])
  return Object.fromEntries(members)
}

function readValue(name: string, texts: readonly string[], kind: ParameterKind): unknown {
  const { type, repeatable, words } = kind
  if (repeatable) {
    if (words) return texts.map((text) => readWord(name, text, words))
    // A single value stays a text, because errors of the engine do not quote a list.
    return texts.length === 1 ? texts[0] : texts
  }
  // The same value in the URL and the body is allowed.
  const [value, other] = [...new Set(texts)] as [string, string | undefined]
  if (other !== undefined) {
    throw invalidParameter(name, `${quoted(other)} beside ${quoted(value)}; give one of them`)
  }
  if (words) return readWord(name, value, words)
  if (type === 'integer') return readInteger(name, value)
  return type === 'flag' ? readFlag(name, value) : value
}

export function readWord<W extends string>(name: string, text: string, words: readonly W[]): W {
  const value = words.find((word) => word === text.trim())
  if (value !== undefined) return value
  const allowedWords = words.map((allowed) => JSON.stringify(allowed)).join(', ')
  const received = name === 'bucket' ? `bucket ${quoted(text)}` : quoted(text)
  throw invalidParameter(name, `${received} is not one of ${allowedWords}`)
}

function readInteger(name: string, text: string): number {
  const value = text.trim()
  if (/^[-+]?\d+(\.0*)?$/.test(value)) return Number(value)
  throw invalidParameter(name, `${quoted(text)} must be an integer`)
}

const TRUE_WORDS = ['true', '1', 'yes']
const FALSE_WORDS = ['false', '0', 'no']

function readFlag(name: string, text: string): boolean {
  const value = text.trim().toLowerCase()
  if (TRUE_WORDS.includes(value)) return true
  if (FALSE_WORDS.includes(value)) return false
  throw invalidParameter(name, `${quoted(text)} is not one of "true", "false"`)
}
