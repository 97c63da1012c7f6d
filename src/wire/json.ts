import { FRACTIONS } from '../song/facts.ts'
import { type Json, toSnake } from './names.ts'

/**
 * Fields that are floating-point by nature. They keep a decimal point (`1.0`, never `1`): strict
 * parsers of the time tell integers from doubles by it.
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
  // Of a fingerprint in `request`; that of the status is text.
  'version',
  'weight',
])

/** A number as it is written in the member of a name. */
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

/** Escapes two characters that JSON allows and scripts did not, as JSONP is a script. */
function scriptSafe(text: string): string {
  return text.replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')
}
