import { FRACTIONS } from '../song/facts.ts'
// Names of the wire and the engine: `artist_min_familiarity` ↔ `artistMinFamiliarity`.

export type Json =
  | null
  | boolean
  | number
  | string
  | readonly Json[]
  | { readonly [key: string]: Json }

/** Fields with the caller's own data: their keys are not renamed. */
const OPAQUE: ReadonlySet<string> = new Set([
  'kvstore',
  'item_keyvalues',
  'catalog_keyvalues',
  'tag',
  'license',
  'origins',
])

/** `audioMd5` → `audio_md5`. */
export function toSnake(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
}

/** `audio_md5` → `audioMd5`. */
export function toCamel(name: string): string {
  return name.replace(/_([a-z0-9])/g, (_, letter: string) => letter.toUpperCase())
}

/** Parts of the engine's messages that are not renamed: quotations, ids, option names. */
const VALUES = /"(?:[^"\\]|\\.)*"?|does not exist: .*|(?:limits\.|\boption )[a-zA-Z]+/s
const NAMES = /\b[a-z]+(?:[A-Z][a-z0-9]*)+\b/
const WORDS = new RegExp(`${VALUES.source}|(${NAMES.source})`, 'gs')

/** A message of the engine with the names of the wire. */
export function inWireNames(message: string): string {
  return message.replace(WORDS, (all, name: string | undefined) =>
    name === undefined ? all : toSnake(name),
  )
}

/**
 * Converts JSON of a caller to the names of the engine. A key `__proto__` is left out, to prevent
 * prototype pollution.
 *
 * @param recase - false for values that are the caller's own
 * @throws {RangeError} if it is nested deeper than `depth`
 */
export function fromWire(value: unknown, depth: number, recase = true): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (depth <= 0) throw new RangeError('nested too deeply')
  if (Array.isArray(value)) return value.map((one) => fromWire(one, depth - 1, recase))
  const members = Object.entries(value)
    .filter(([key]) => key !== '__proto__')
    .map(([key, member]): [string, unknown] => {
      const mine = recase && !OPAQUE.has(key)
      return [recase ? toCamel(key) : key, fromWire(member, depth - 1, mine)]
    })
  return Object.fromEntries(members)
}

/**
 * Converts an answer of the engine to the names of the wire. Undefined members are left out.
 *
 * @param text - converts a text of the engine, given the name of its member
 */
export function toWire(
  value: unknown,
  text: (value: string, name: string) => string,
  name = '',
  recase = true,
): Json {
  if (typeof value === 'string') return recase ? text(value, name) : value
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value === 'boolean') return value
  if (typeof value !== 'object' || value === null) return null
  if (Array.isArray(value)) return value.map((one) => toWire(one, text, name, recase))
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([key, member]): [string, Json] => {
      const wireName = recase ? toSnake(key) : key
      return [wireName, toWire(member, text, wireName, recase && !OPAQUE.has(wireName))]
    })
  return Object.fromEntries(members)
}

/**
 * Floating-point fields. They are always written with a decimal point (`1.0`, never `1`): strict
 * old parsers need it to distinguish doubles from integers.
 */
const FLOATS: ReadonlySet<string> = new Set([
  ...FRACTIONS.map(toSnake),
  'artist_familiarity',
  'artist_hotttnesss',
  'familiarity',
  'frequency',
  'hotttnesss',
  'latitude',
  'longitude',
  'percent_complete',
  'song_hotttnesss',
  // The version of a fingerprint; the version in `status` is text.
  'version',
  'weight',
])

/** A number as JSON or XML text, for a member with the given name. */
export function numeral(value: number, name: string): string {
  const text = JSON.stringify(value)
  return FLOATS.has(name) && /^-?\d+$/.test(text) ? `${text}.0` : text
}

/** A value as JSON. Floating-point fields keep their point, except in `tag`. */
export function stringify(value: Json, name = ''): string {
  if (typeof value === 'number') return numeral(value, name)
  if (typeof value !== 'object' || value === null) return scriptSafe(JSON.stringify(value))
  if (name === 'tag') return scriptSafe(JSON.stringify(value))
  if (Array.isArray(value)) return `[${value.map((one: Json) => stringify(one, name)).join(',')}]`
  const members = Object.entries(value).map(
    ([key, member]) => `${scriptSafe(JSON.stringify(key))}:${stringify(member, key)}`,
  )
  return `{${members.join(',')}}`
}

/** For JSONP: escapes two characters that JSON allows in strings, and old JavaScript does not. */
function scriptSafe(text: string): string {
  return text.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
}
