import { type FactName, type FactValue, factOf } from '../song/facts.ts'

/**
 * Takes a value of any type; `undefined` for placeholders (0, -1, NaN, empty text) and impossible
 * values.
 */
type Cleaner = (value: unknown) => unknown

/** Trimmed, in NFC. */
export function cleanTextValue(value: unknown): string | undefined {
  return cleanAddress(value)?.normalize('NFC')
}

/** Trimmed, in the form that the file system has. */
export function cleanAddress(value: unknown): string | undefined {
  if (typeof value === 'number' || typeof value === 'bigint') return String(value)
  if (typeof value !== 'string') return undefined
  const trimmed = value.trim()
  return trimmed === '' ? undefined : trimmed
}

/** A comma in a text is a decimal comma. */
export function cleanNumber(value: unknown): number | undefined {
  if (typeof value === 'bigint') return Number(value)
  if (typeof value === 'string')
    return value.trim() === '' ? undefined : cleanNumber(parseNumber(value))
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined
}

/** `1,234,567`, `1.234,5`, `1 234,5`, `1'234.5`. */
const GROUPED_NUMBER =
  /^([+-]?\d{1,3})((?:([.,'\u2019 \u00a0\u202f])\d{3})(?:\3\d{3})*)(?:([.,])(\d+))?$/

function parseNumber(numberText: string): number {
  const plainText = numberText.trim().replace(/^\u2212/, '-')
  const [, firstDigits = '', groups = '', mark, point, decimals = ''] =
    GROUPED_NUMBER.exec(plainText) ?? []
  const isGrouped =
    mark !== undefined &&
    point !== mark &&
    (point !== undefined || groups.length > 4 || !/[.,]/.test(mark))
  if (isGrouped) return Number(`${firstDigits}${groups.replaceAll(mark, '')}.${decimals}`)
  return Number(plainText.replace(/^([+-]?\d*),(\d+(?:e[+-]?\d+)?)$/i, '$1.$2'))
}

function numberWithin(value: unknown, minimum: number, maximum: number): number | undefined {
  const parsed = cleanNumber(value)
  return parsed !== undefined && parsed >= minimum && parsed <= maximum ? parsed : undefined
}

function integerWithin(value: unknown, minimum: number, maximum: number): number | undefined {
  // A whole number has no decimals, so the comma separates thousands.
  const isGrouped = typeof value === 'string' && /^\s*\d{1,3},\d{3}\s*$/.test(value)
  const integer = numberWithin(isGrouped ? value.replace(',', '') : value, minimum, maximum)
  return integer !== undefined && Number.isInteger(integer) ? integer : undefined
}

/** 0…1; other values have another scale. */
export function cleanShare(value: unknown): number | undefined {
  return numberWithin(value, 0, 1)
}

/** The old service's own values exceed 1 a little. */
const MAX_HOTTTNESSS = 1.5

/** 0…1; a value a little above 1 becomes 1. */
export function cleanHotttnesss(value: unknown): number | undefined {
  const score = numberWithin(value, 0, MAX_HOTTTNESSS)
  return score === undefined ? undefined : Math.min(score, 1)
}

export function cleanPositive(value: unknown): number | undefined {
  const cleanValue = cleanNumber(value)
  return cleanValue !== undefined && cleanValue > 0 ? cleanValue : undefined
}

export function cleanFact<K extends FactName>(name: K, value: unknown): FactValue<K> | undefined {
  const { type, range: [low, high] = [0, 0], positive: isPositive } = factOf(name)
  const cleanNumeric = type === 'integer' ? integerWithin : numberWithin
  const cleanValue = type === 'text' ? cleanTextValue(value) : cleanNumeric(value, low, high)
  return (isPositive && cleanValue === 0 ? undefined : cleanValue) as FactValue<K> | undefined
}

/** Also of a date (`1969-05-02`). */
export function cleanYear(value: unknown): number | undefined {
  const date = typeof value === 'string' ? /^\s*(\d{4})-\d\d/.exec(value)?.[1] : undefined
  return integerWithin(date ?? value, 1, 9998)
}

export function cleanCount(value: unknown): number | undefined {
  return integerWithin(value, 0, Number.MAX_SAFE_INTEGER)
}

/** 1…1,000,000: the range that a catalog accepts. */
export function cleanNumberOnDisc(value: unknown): number | undefined {
  return integerWithin(value, 1, 1_000_000)
}

export function cleanOrdinal(value: unknown): number | undefined {
  return integerWithin(value, 1, Number.MAX_SAFE_INTEGER)
}

const UNKNOWN_WORD = /^(?:not available|n\/?a|nan|none|null|unknown)$/i

export function cleanPlace(value: unknown): string | undefined {
  const placeName = cleanTextValue(value)
  return placeName === undefined || UNKNOWN_WORD.test(placeName) ? undefined : placeName
}

/** In a known copy of the Million Song Dataset, it stands in place of missing coordinates. */
const MEAN_COORDINATES = { latitude: 37.157_356_750_133_62, longitude: -63.933_357_868_519_515 }

/** Degrees, both or none; 0, 0 and {@link MEAN_COORDINATES} lie in an ocean. */
export function cleanCoordinates(
  latitude: unknown,
  longitude: unknown,
): { latitude: number; longitude: number } | undefined {
  const degrees = {
    latitude: numberWithin(latitude, -90, 90),
    longitude: numberWithin(longitude, -180, 180),
  }
  if (degrees.latitude === undefined || degrees.longitude === undefined) return undefined
  if (degrees.latitude === 0 && degrees.longitude === 0) return undefined
  if (
    isSameDegree(degrees.latitude, MEAN_COORDINATES.latitude) &&
    isSameDegree(degrees.longitude, MEAN_COORDINATES.longitude)
  )
    return undefined
  return { latitude: degrees.latitude, longitude: degrees.longitude }
}

function isSameDegree(a: number, b: number): boolean {
  return Math.abs(a - b) < 1e-9
}

/** `undefined` if no field is known. */
export function definedFields<T extends object>(fields: T): T | undefined {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  return entries.length === 0 ? undefined : (Object.fromEntries(entries) as T)
}

/** `undefined` when it is empty. */
export function nonEmptyList<T>(list: readonly T[]): T[] | undefined {
  return list.length === 0 ? undefined : [...list]
}

export function recordOfKnown<T extends object>(fields: T): T {
  return definedFields(fields) ?? fields
}

export function cleanFields<F extends Record<string, Cleaner>>(
  cleaners: F,
  fields: { readonly [K in keyof F]?: unknown },
): { [K in keyof F]: ReturnType<F[K]> } {
  const cleanedFields = Object.entries(cleaners).map(([name, clean]) => [name, clean(fields[name])])
  return Object.fromEntries(cleanedFields)
}

/** 0 and -1 mean "not known". */
export function cleanForeignIds(
  ids: Readonly<Record<string, unknown>>,
): { catalog: string; foreignId: string }[] {
  return Object.entries(ids).flatMap(([catalog, id]) => {
    const foreignId = cleanTextValue(id)
    return foreignId === undefined || foreignId === '-1' || foreignId === '0'
      ? []
      : [{ catalog, foreignId }]
  })
}
