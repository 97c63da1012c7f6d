import { z } from 'zod'
import { invalidParameter } from '../errors.ts'
import { name, text } from '../parameter-types.ts'

// The values of an item come from tables, tags and old clients, which write the same value in many
// ways. `request` echoes texts as they were submitted, so what uses a text reads it again.

/** A name. A table makes a number of a title like 1999. */
export const title = asSubmitted(lenient(asText, name))
/** An id, or an address. */
export const reference = asSubmitted(lenient(asText, text))
/** A place among several. Tags write `3/12`. */
export const place = asSubmitted<number | string>(
  lenient<number, number | string>(asPlace, z.int().min(0).max(1_000_000)),
)
/** A whole number from 0 on. Old clients write numbers as text. */
export const whole = (most: number) =>
  lenient<number, number | string>(asNumber, z.int().min(0).max(most))
export const flag = lenient<boolean, boolean | 'true' | 'false'>(asFlag, z.boolean())
/** The version of a fingerprint. */
export const version = lenient<number, number | string>(asVersion, z.number())

/**
 * The schema of a field that may be absent, or `null` to clear it.
 *
 * @param read - reads a value of another form whose meaning is plain, and returns any other as it
 *   is; of an empty text it returns `undefined`, as if the field were not given
 */
export function lenient<Out, In = Out>(read: (value: unknown) => unknown, schema: z.ZodType<Out>) {
  const one = z.preprocess(read, schema.nullish())
  // The type shows what callers should write. More is understood.
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

/** The values of an item. Readers of tags give each as a list, most often of one. */
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
