import { z } from 'zod'
import { name, text } from '../options/parameter-types.ts'
import { invalidParameter } from '../values/errors.ts'

// The values of an item come from tables, tags and old clients, which write the same value in many
// ways. `request` echoes texts as they were submitted, so code that uses a text reads it again.

export const title = asSubmitted(lenient(asText, name))
export const reference = asSubmitted(lenient(asText, text))
/** A track or disc number. Tags write `3/12`. */
export const place = asSubmitted<number | string>(
  lenient<number, number | string>(asPlace, z.int().min(0).max(1_000_000)),
)
/** A whole number from 0 on. Old clients write numbers as text. */
export const whole = (most: number) =>
  lenient<number, number | string>(asNumber, z.int().min(0).max(most))
export const flag = lenient<boolean, boolean | 'true' | 'false'>(asFlag, z.boolean())
export const version = lenient<number, number | string>(asVersion, z.number())

/**
 * The schema of a field that may be absent, or `null` to clear it.
 *
 * @param read - converts a value of another form if its meaning is clear, and returns any other
 *   unchanged; returns `undefined` for an empty text, as if the field were absent
 */
export function lenient<Out, In = Out>(read: (value: unknown) => unknown, schema: z.ZodType<Out>) {
  const one = z.preprocess(read, schema.nullish())
  // The type shows the forms that callers should use. More forms are accepted.
  return one.nullish() as unknown as z.ZodOptional<z.ZodNullable<z.ZodType<Out, In>>>
}

/** A field whose text stays as it was submitted. */
function asSubmitted<T>(schema: z.ZodType<T | null | undefined>) {
  const kept = z.unknown().transform((given, context) => {
    const read = schema.safeParse(given)
    for (const issue of read.error?.issues ?? []) context.issues.push(issue as z.core.$ZodRawIssue)
    return read.data != null && typeof given === 'string' ? given : read.data
  })
  return kept.optional() as unknown as z.ZodOptional<z.ZodNullable<z.ZodType<T>>>
}

/** The values of an item. Tag readers give each value as a list, most often with one element. */
export function unlisted(
  item: Readonly<Record<string, unknown>>,
  isValue: (name: string) => boolean,
): { values: Record<string, unknown>; faults: string[] } {
  const faults: string[] = []
  const values = Object.entries(item).map(([name, value]): [string, unknown] => {
    if (!Array.isArray(value) || value.length > 1 || !isValue(name)) return [name, value]
    const why =
      value.length === 0
        ? 'an empty list, or NaN, is no value; it was left out'
        : 'a list must be a single value; its only value was taken'
    faults.push(invalidParameter(name, why).message)
    return [name, value[0]]
  })
  return { values: Object.fromEntries(values), faults }
}

function isBlank(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === ''
}

function asText(value: unknown): unknown {
  if (typeof value === 'number') return String(value)
  return isBlank(value) ? undefined : value
}

function asNumber(value: unknown): unknown {
  if (isBlank(value)) return undefined
  // Tables often write a column of whole numbers as 3.0 when some are missing.
  return typeof value === 'string' && /^[-+]?\d+(\.0*)?$/.test(value.trim()) ? Number(value) : value
}

function asPlace(value: unknown): unknown {
  const among = typeof value === 'string' && /^(\d+) ?(?:\/|of\b) ?\d*$/i.exec(value.trim())
  return among ? Number(among[1]) : asNumber(value)
}

function asVersion(value: unknown): unknown {
  if (isBlank(value)) return undefined
  return typeof value === 'string' && !Number.isNaN(Number(value)) ? Number(value) : value
}

const YES = ['true', 't', 'yes', 'y', 'on', '1']
const NO = ['false', 'f', 'no', 'n', 'off', '0']

function asFlag(value: unknown): unknown {
  if (typeof value !== 'string' && typeof value !== 'number') return value
  if (isBlank(value)) return undefined
  const word = String(value).trim().toLowerCase()
  if (YES.includes(word)) return true
  return NO.includes(word) ? false : value
}
