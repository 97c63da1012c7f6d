import { type FactName, type FactValue, factOf } from '../song/facts.ts'

/**
 * Cleaners take a value of any type. They return `undefined` for placeholders of unknown values (0,
 * -1, NaN, empty text) and for impossible values.
 */
type Cleaner = (value: unknown) => unknown

/** Trimmed text in Unicode's composed form (NFC). Damaged text is not repaired. */
export function text(value: unknown): string | undefined {
  return address(value)?.normalize('NFC')
}

/** A path or address: trimmed text in the form in which the file system has it. */
export function address(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (typeof value !== 'string') return undefined
  const trimmed = value.trim()
  return trimmed === '' ? undefined : trimmed
}

/** A finite number, also from text or a big integer. A comma in a text is a decimal comma. */
export function number(value: unknown): number | undefined {
  if (typeof value === 'bigint') return Number(value)
  if (typeof value === 'string') return value.trim() === '' ? undefined : number(readNumber(value))
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** Digits in groups of three: `1,234,567`, `1.234,5`, `1 234,5`, `1'234.5`. */
const GROUPED = /^([+-]?\d{1,3})((?:([.,'\u2019 \u00a0\u202f])\d{3})(?:\3\d{3})*)(?:([.,])(\d+))?$/

function readNumber(written: string): number {
  const plain = written.trim().replace(/^\u2212/, '-')
  const [, first = '', groups = '', mark, point, decimals = ''] = GROUPED.exec(plain) ?? []
  const isGrouped =
    mark !== undefined &&
    point !== mark &&
    (point !== undefined || groups.length > 4 || !/[.,]/.test(mark))
  if (isGrouped) return Number(`${first}${groups.replaceAll(mark, '')}.${decimals}`)
  return Number(plain.replace(/^([+-]?\d*),(\d+(?:e[+-]?\d+)?)$/i, '$1.$2'))
}

function within(value: unknown, least: number, most: number): number | undefined {
  const found = number(value)
  return found !== undefined && found >= least && found <= most ? found : undefined
}

function whole(value: unknown, least: number, most: number): number | undefined {
  // A whole number has no decimals, so the comma separates thousands.
  const isGrouped = typeof value === 'string' && /^\s*\d{1,3},\d{3}\s*$/.test(value)
  const found = within(isGrouped ? value.replace(',', '') : value, least, most)
  return found !== undefined && Number.isInteger(found) ? found : undefined
}

/** A fraction, 0…1. Other values have another scale, or are damaged. */
export function share(value: unknown): number | undefined {
  return within(value, 0, 1)
}

/** The largest accepted value. The service's own values reach 1.0825 in known data. */
const OVERFLOW = 1.5

/** Hotttnesss and familiarity, 0…1; a value a little above 1 becomes 1. */
export function hotttnesss(value: unknown): number | undefined {
  const found = within(value, 0, OVERFLOW)
  return found === undefined ? undefined : Math.min(found, 1)
}

export function positive(value: unknown): number | undefined {
  const found = number(value)
  return found !== undefined && found > 0 ? found : undefined
}

/** The value of a field of the audio summary. */
export function fact<K extends FactName>(name: K, value: unknown): FactValue<K> | undefined {
  const { type, range: [low, high] = [0, 0], positive: isPositive } = factOf(name)
  const read = type === 'integer' ? whole : within
  const found = type === 'text' ? text(value) : read(value, low, high)
  return (isPositive && found === 0 ? undefined : found) as FactValue<K> | undefined
}

/** A year, or the year of a date (`1969-05-02`). */
export function year(value: unknown): number | undefined {
  const date = typeof value === 'string' ? /^\s*(\d{4})-\d\d/.exec(value)?.[1] : undefined
  return whole(date ?? value, 1, 9998)
}

export function count(value: unknown): number | undefined {
  return whole(value, 0, Number.MAX_SAFE_INTEGER)
}

/** The number of a track or disc, 1…1,000,000: the range that a catalog accepts. */
export function numberOnDisc(value: unknown): number | undefined {
  return whole(value, 1, 1_000_000)
}

/** A whole number from 1, such as an id or a number of plays. */
export function ordinal(value: unknown): number | undefined {
  return whole(value, 1, Number.MAX_SAFE_INTEGER)
}

/** Words for "not known". */
const SAYS_NOTHING = /^(?:not available|n\/?a|nan|none|null|unknown)$/i

export function place(value: unknown): string | undefined {
  const found = text(value)
  return found === undefined || SAYS_NOTHING.test(found) ? undefined : found
}

/** A known copy of the Million Song Dataset has the mean of all coordinates in place of missing ones. */
const MEAN = { latitude: 37.157_356_750_133_62, longitude: -63.933_357_868_519_515 }

/** Degrees, both or none. 0, 0 and {@link MEAN}, both in an ocean, mean "not known". */
export function coordinates(
  latitude: unknown,
  longitude: unknown,
): { latitude: number; longitude: number } | undefined {
  const found = { latitude: within(latitude, -90, 90), longitude: within(longitude, -180, 180) }
  if (found.latitude === undefined || found.longitude === undefined) return undefined
  if (found.latitude === 0 && found.longitude === 0) return undefined
  if (near(found.latitude, MEAN.latitude) && near(found.longitude, MEAN.longitude)) return undefined
  return { latitude: found.latitude, longitude: found.longitude }
}

function near(a: number, b: number): boolean {
  return Math.abs(a - b) < 1e-9
}

/** The fields that are not `undefined`; `undefined` if there are none. */
export function known<T extends object>(fields: T): T | undefined {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as T)
}

/** A list; `undefined` when it is empty. */
export function some<T>(list: readonly T[]): T[] | undefined {
  return list.length === 0 ? undefined : [...list]
}

/** A record with only the fields that are known. */
export function recordOf<T extends object>(fields: T): T {
  return known(fields) ?? fields
}

export function cleaned<F extends Record<string, Cleaner>>(
  cleaners: F,
  fields: { readonly [K in keyof F]?: unknown },
): { [K in keyof F]: ReturnType<F[K]> } {
  const found = Object.entries(cleaners).map(([name, clean]) => [name, clean(fields[name])])
  return Object.fromEntries(found)
}

/** Foreign ids; 0 and -1 mean "not known". */
export function foreignIds(
  ids: Readonly<Record<string, unknown>>,
): { catalog: string; foreignId: string }[] {
  return Object.entries(ids).flatMap(([catalog, given]) => {
    const foreignId = text(given)
    return foreignId === undefined || foreignId === '-1' || foreignId === '0'
      ? []
      : [{ catalog, foreignId }]
  })
}
