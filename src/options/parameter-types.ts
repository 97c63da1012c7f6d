import { z } from 'zod'
import { LONGEST_NAME } from '../values/text.ts'

/** Trimmed: 1 to {@link LONGEST_NAME} characters. */
export const name = z.string().max(LONGEST_NAME).trim().min(1)

/** Trimmed, of at least one character. */
export const text = z.string().trim().min(1)

/** Kept exactly as it is: an id, a path, an address. */
export const nonEmpty = z.string().min(1)

export function oneOrMany<S extends z.ZodType>(schema: S) {
  return withDeclaredType<z.input<S> | readonly z.input<S>[], z.output<S> | z.output<S>[]>(
    z.union([schema, z.array(schema)]),
  )
}

/** HTTP clients send text for every value, which the declared type leaves out. */
export function withDeclaredType<Input, Output = Input>(
  schema: z.ZodType<Output>,
): z.ZodType<Output, Input> {
  return schema as z.ZodType<Output, Input>
}

/** Or `true` or `false` as text. */
export const flag = withDeclaredType<boolean>(
  z.union([z.boolean(), z.enum(['true', 'false']).transform((value) => value === 'true')]),
)

const NUMERAL_TEXT = /^[-+]?(\d+(\.\d*)?|\.\d+)(e[-+]?\d+)?$/i

/** Or its decimal notation. */
export const numeric = withDeclaredType<number>(
  z.union([
    z.number(),
    z.string().trim().regex(NUMERAL_TEXT, 'must be a number').transform(Number),
  ]),
)

/** Both bounds included. */
export function numberBetween(low: number, high: number) {
  return numeric.pipe(z.number().min(low).max(high))
}

/** 0 or more. */
export const whole = z.int().min(0)

/** A larger number becomes 1; a negative number means "not known". */
export const share = z.number().transform((value) => (value < 0 ? undefined : Math.min(value, 1)))

export const year = z.int().min(1).max(9998)

/** Where the page starts, and how many results it has (at most 100). */
export function pageParameters(defaultResults: number) {
  return {
    /** The maximum number of results, 0…100. */
    results: whole.max(100).default(defaultResults),
    /** The number of results to skip. Default 0. */
    start: whole.default(0),
  }
}

/** Above 0. */
export const positive = z.number().positive()

/** For a timer, whose maximum is 2^31 − 1 milliseconds. */
export const seconds = positive.max(2_147_483)

export function functionSchema<F>() {
  return z.custom<F>((value) => typeof value === 'function', 'must be a function')
}

/** @param remedy what to give */
export function missingIssue(field: string, remedy: string) {
  return {
    code: 'custom' as const,
    path: [field],
    message: remedy,
    params: { missing: true },
  }
}

/** @param missing - the parameter that the error names when none is given */
export function exactlyOne(names: readonly string[], missing: string, remedy: string) {
  return (params: object, context: z.core.$RefinementCtx): void => {
    const values = params as Record<string, unknown>
    const [first, second] = names.filter((name) => values[name] !== undefined)
    if (first === undefined) {
      context.addIssue(missingIssue(missing, remedy))
    } else if (second !== undefined) {
      const message = `beside ${first}; give one of them`
      context.addIssue({ code: 'custom', message, path: [second] })
    }
  }
}

/** @param spaces - the forms of `id:` buckets, for messages */
export function bucketParameter<Name extends string>(names: readonly Name[], spaces: string) {
  const quotedNames = names.map((name) => `"${name}"`).join(', ')
  const isKnown = (bucketName: string) => (names as readonly string[]).includes(bucketName)
  const bucket = z
    .string()
    .refine((bucketName) => isKnown(bucketName) || /^id:.+/.test(bucketName), {
      error: `is not one of ${quotedNames}, or ${spaces}`,
    })
  return oneOrMany(withDeclaredType<Name | `id:${string}`, string>(bucket)).optional()
}
