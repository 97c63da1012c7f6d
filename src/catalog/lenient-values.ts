import { z } from 'zod'
import { name, text } from '../options/parameter-types.ts'
import { invalidParameter } from '../values/errors.ts'

// Tables, tags and old clients write the same value in many ways; `request` echoes it as submitted.

export const lenientName = keepSubmitted(lenientField(toText, name))
export const lenientReference = keepSubmitted(lenientField(toText, text))
/** Tags write a track or disc number as `3/12`. */
export const lenientPlace = keepSubmitted<number | string>(
  lenientField<number, number | string>(toPlace, z.int().min(0).max(1_000_000)),
)
/** Old clients write numbers as text. */
export const lenientCount = (maximum: number) =>
  lenientField<number, number | string>(toNumber, z.int().min(0).max(maximum))
export const lenientFlag = lenientField<boolean, boolean | 'true' | 'false'>(toFlag, z.boolean())
export const lenientVersion = lenientField<number, number | string>(toVersion, z.number())

/** @param convert - converts other forms of clear meaning; an empty text becomes `undefined` */
export function lenientField<Out, In = Out>(
  convert: (value: unknown) => unknown,
  schema: z.ZodType<Out>,
) {
  const field = z.preprocess(convert, schema.nullish())
  // The type shows the forms that callers should use; more are accepted.
  return field.nullish() as unknown as z.ZodOptional<z.ZodNullable<z.ZodType<Out, In>>>
}

function keepSubmitted<T>(schema: z.ZodType<T | null | undefined>) {
  const field = z.unknown().transform((submitted, context) => {
    const parsed = schema.safeParse(submitted)
    for (const issue of parsed.error?.issues ?? [])
      context.issues.push(issue as z.core.$ZodRawIssue)
    return parsed.data != null && typeof submitted === 'string' ? submitted : parsed.data
  })
  return field.optional() as unknown as z.ZodOptional<z.ZodNullable<z.ZodType<T>>>
}

/** Tag readers give each value as a list, most often with one element. */
export function takeFromLists(
  item: Readonly<Record<string, unknown>>,
  isValue: (name: string) => boolean,
): { values: Record<string, unknown>; faults: string[] } {
  const faults: string[] = []
  const values = Object.entries(item).map(([name, value]): [string, unknown] => {
    if (!Array.isArray(value) || value.length > 1 || !isValue(name)) return [name, value]
    const reason =
      value.length === 0
        ? 'an empty list, or NaN, is no value; it was left out'
        : 'a list must be a single value; its only value was taken'
    faults.push(invalidParameter(name, reason).message)
    return [name, value[0]]
  })
  return { values: Object.fromEntries(values), faults }
}

function isBlank(value: unknown): boolean {
  return typeof value === 'string' && value.trim() === ''
}

function toText(value: unknown): unknown {
  if (typeof value === 'number') return String(value)
  return isBlank(value) ? undefined : value
}

function toNumber(value: unknown): unknown {
  if (isBlank(value)) return undefined
  // Tables often write whole numbers as 3.0 when some are missing.
  return typeof value === 'string' && /^[-+]?\d+(\.0*)?$/.test(value.trim()) ? Number(value) : value
}

function toPlace(value: unknown): unknown {
  const match = typeof value === 'string' && /^(\d+) ?(?:\/|of\b) ?\d*$/i.exec(value.trim())
  return match ? Number(match[1]) : toNumber(value)
}

function toVersion(value: unknown): unknown {
  if (isBlank(value)) return undefined
  return typeof value === 'string' && !Number.isNaN(Number(value)) ? Number(value) : value
}

const TRUE_TEXTS = ['true', 't', 'yes', 'y', 'on', '1']
const FALSE_TEXTS = ['false', 'f', 'no', 'n', 'off', '0']

function toFlag(value: unknown): unknown {
  if (typeof value !== 'string' && typeof value !== 'number') return value
  if (isBlank(value)) return undefined
  const word = String(value).trim().toLowerCase()
  if (TRUE_TEXTS.includes(word)) return true
  return FALSE_TEXTS.includes(word) ? false : value
}
