import { z } from 'zod'
import { LONGEST_NAME } from '../values/text.ts'

/** A name from a caller, trimmed: 1 to {@link LONGEST_NAME} characters. */
export const name = z.string().max(LONGEST_NAME).trim().min(1)

/** Trimmed text of at least one character. */
export const text = z.string().trim().min(1)

/** A text of at least one character, kept exactly as it is: an id, a path, an address. */
export const nonEmpty = z.string().min(1)

export function oneOrMany<S extends z.ZodType>(schema: S) {
  return declared<z.input<S> | readonly z.input<S>[], z.output<S> | z.output<S>[]>(
    z.union([schema, z.array(schema)]),
  )
}

/**
 * A schema that accepts more than its type declares. HTTP clients send text for every value; typed
 * programs do not.
 */
export function declared<Input, Output = Input>(
  schema: z.ZodType<Output>,
): z.ZodType<Output, Input> {
  return schema as z.ZodType<Output, Input>
}

/** A boolean, or `true` or `false` as text. */
export const flag = declared<boolean>(
  z.union([z.boolean(), z.enum(['true', 'false']).transform((value) => value === 'true')]),
)

const NUMERAL = /^[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?$/i

/** A number, or its decimal notation. */
export const numeric = declared<number>(
  z.union([z.number(), z.string().trim().regex(NUMERAL, 'must be a number').transform(Number)]),
)

/** A {@link numeric} from `low` to `high`, both included. */
export function between(low: number, high: number) {
  return numeric.pipe(z.number().min(low).max(high))
}

/** A whole number, 0 or more. */
export const whole = z.int().min(0)

/** A share or probability, 0…1. A larger number becomes 1; a negative number means "not known". */
export const share = z.number().transform((value) => (value < 0 ? undefined : Math.min(value, 1)))

export const year = z.int().min(1).max(9998)

/** The parameters of a page: where it starts, and how many results it has (at most 100). */
export function page(defaultResults: number) {
  return {
    /** The maximum number of results, 0…100. */
    results: whole.max(100).default(defaultResults),
    /** The number of results to skip. Default 0. */
    start: whole.default(0),
  }
}

/** A number above 0. */
export const positive = z.number().positive()

/** A time span for a timer, in seconds. The maximum of timers is 2^31 − 1 milliseconds. */
export const seconds = positive.max(2_147_483)

export function callable<F>() {
  return z.custom<F>((value) => typeof value === 'function', 'must be a function')
}

/** The issue for a missing parameter that a method needs. @param remedy what to give */
export function missingIssue(field: string, remedy: string) {
  return {
    code: 'custom' as const,
    path: [field],
    message: remedy,
    params: { missing: true },
  }
}

/**
 * A refinement that requires exactly one of several parameters.
 *
 * @param missing - the parameter that the error names when none is given
 * @param remedy - what to give in that case
 */
export function exactlyOne(names: readonly string[], missing: string, remedy: string) {
  return (given: object, context: z.core.$RefinementCtx): void => {
    const values = given as Record<string, unknown>
    const [first, second] = names.filter((name) => values[name] !== undefined)
    if (first === undefined) {
      context.addIssue(missingIssue(missing, remedy))
    } else if (second !== undefined) {
      const message = `beside ${first}; give one of them`
      context.addIssue({ code: 'custom', message, path: [second] })
    }
  }
}

/**
 * A `bucket` parameter.
 *
 * @param spaces - the forms of `id:` buckets, for messages
 */
export function bucketParameter<Name extends string>(names: readonly Name[], spaces: string) {
  const listed = names.map((name) => `"${name}"`).join(', ')
  const known = (given: string) => (names as readonly string[]).includes(given)
  const bucket = z.string().refine((given) => known(given) || /^id:.+/.test(given), {
    error: `is not one of ${listed}, or ${spaces}`,
  })
  return oneOrMany(declared<Name | `id:${string}`, string>(bucket)).optional()
}
