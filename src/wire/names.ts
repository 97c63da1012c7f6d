import { FRACTIONS } from '../song/facts.ts'
// Names of the wire and the engine: `artist_min_familiarity` ↔ `artistMinFamiliarity`.

export type JsonValue =
  | null
  | boolean
  | number
  | string
  | readonly JsonValue[]
  | { readonly [key: string]: JsonValue }

/** Fields with the caller's own data: their keys are not renamed. */
const OPAQUE_FIELDS: ReadonlySet<string> = new Set([
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

/** Parts of messages that are not renamed: quotations, ids, option names. */
const UNCHANGED_TEXT = /"(?:[^"\\]|\\.)*"?|does not exist: .*|(?:limits\.|\boption )[a-zA-Z]+/s
const CAMEL_NAME = /\b[a-z]+(?:[A-Z][a-z0-9]*)+\b/
const RENAMED_TEXT = new RegExp(`${UNCHANGED_TEXT.source}|(${CAMEL_NAME.source})`, 'gs')

export function inWireNames(message: string): string {
  return message.replace(RENAMED_TEXT, (all, name: string | undefined) =>
    name === undefined ? all : toSnake(name),
  )
}

/**
 * Converts a caller's JSON to the engine's names, without `__proto__` (prototype pollution).
 * @param recase - false for values that are the caller's own
 * @throws {RangeError} if it is nested deeper than `depth`
 */
export function fromWire(value: unknown, depth: number, recase = true): unknown {
  if (typeof value !== 'object' || value === null) return value
  if (depth <= 0) throw new RangeError('nested too deeply')
  if (Array.isArray(value)) return value.map((element) => fromWire(element, depth - 1, recase))
  const members = Object.entries(value)
    .filter(([key]) => key !== '__proto__')
    .map(([key, member]): [string, unknown] => {
      const recasesMembers = recase && !OPAQUE_FIELDS.has(key)
      return [recase ? toCamel(key) : key, fromWire(member, depth - 1, recasesMembers)]
    })
  return Object.fromEntries(members)
}

/**
 * Converts an answer of the engine to the names of the wire, without undefined members.
 *
 * @param convertText - converts a text, given the name of its member
 */
export function toWire(
  value: unknown,
  convertText: (value: string, name: string) => string,
  name = '',
  recase = true,
): JsonValue {
  if (typeof value === 'string') return recase ? convertText(value, name) : value
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value === 'boolean') return value
  if (typeof value !== 'object' || value === null) return null
  if (Array.isArray(value))
    return value.map((element) => toWire(element, convertText, name, recase))
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([key, member]): [string, JsonValue] => {
      const wireName = recase ? toSnake(key) : key
      return [
        wireName,
        toWire(member, convertText, wireName, recase && !OPAQUE_FIELDS.has(wireName)),
      ]
    })
  return Object.fromEntries(members)
}

/** Always written with a decimal point: strict old parsers tell doubles from integers by it. */
const FLOAT_FIELDS: ReadonlySet<string> = new Set([
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
  // That of a fingerprint; the version in `status` is text.
  'version',
  'weight',
])

export function formatNumber(value: number, name: string): string {
  const text = JSON.stringify(value)
  return FLOAT_FIELDS.has(name) && /^-?\d+$/.test(text) ? `${text}.0` : text
}

/** As JSON; floating-point fields keep their point, except in `tag`. */
export function toJson(value: JsonValue, name = ''): string {
  if (typeof value === 'number') return formatNumber(value, name)
  if (typeof value !== 'object' || value === null) return escapeForScript(JSON.stringify(value))
  if (name === 'tag') return escapeForScript(JSON.stringify(value))
  if (Array.isArray(value))
    return `[${value.map((element: JsonValue) => toJson(element, name)).join(',')}]`
  const members = Object.entries(value).map(
    ([key, member]) => `${escapeForScript(JSON.stringify(key))}:${toJson(member, key)}`,
  )
  return `{${members.join(',')}}`
}

/** For JSONP: old JavaScript does not allow these two characters in strings. */
function escapeForScript(text: string): string {
  return text.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
}
