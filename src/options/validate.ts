import { distance } from 'fastest-levenshtein'
import type { z } from 'zod'
import { invalidParameter, missingParameter, ParameterError } from '../values/errors.ts'
import { quoted, shortened } from '../values/text.ts'

/** The known name that is most similar to `name`, if it is similar enough to be meant. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const far = Math.max(2, Math.floor(name.length / 3))
  let best: string | undefined
  let least = far + 1
  for (const candidate of known) {
    const d = distance(name.toLowerCase(), candidate.toLowerCase())
    if (d < least) {
      least = d
      best = candidate
    }
  }
  return best
}

/** The end of a message about an unknown name: the most similar known name, else all of them. */
export function suggestion(
  name: string,
  known: readonly string[],
  otherwise = `; known are ${known.join(', ')}`,
): string {
  const meant = nearest(name, known)
  return meant === undefined ? otherwise : `; did you mean "${meant}"?`
}

/**
 * Parses the options of a function.
 *
 * @throws {ParameterError} on an unknown option, with the likely one, or a value out of range
 */
export function parseOptions<S extends z.ZodType>(
  schema: S,
  options: unknown,
  of: string,
): z.output<S> {
  if (typeof options !== 'object' || options === null) {
    const value = typeof options === 'string' ? quoted(options) : '…'
    const example = `${of}({ ${keysOf(schema)[0]}: ${value} })`
    throw new ParameterError('invalid_parameter', `${of} takes an object, e.g. ${example}`)
  }
  const known = keysOf(schema)
  const unknown = Object.keys(options).find((name) => !known.includes(name))
  if (unknown === undefined) return parse(schema, options)
  throw new ParameterError(
    'invalid_parameter',
    `${of} has no option "${unknown}"${suggestion(unknown, known)}`,
  )
}

/**
 * Parses parameters with their schema.
 *
 * @throws {ParameterError} `missing_parameter` with `<field> - Missing parameter`, else
 * `invalid_parameter` with `<field> - Invalid parameter: "<value>" …`; only the first fault is named.
 *
 * @param whole - the name of the input in messages, if it is not the parameters of a method
 */
export function parse<S extends z.ZodType>(schema: S, input: unknown, whole?: string): z.output<S> {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  throw toParameterError(result.error.issues[0] as z.core.$ZodIssue, input, schema, whole)
}

/** How {@link parseFields} treats an object. */
interface FieldRules {
  /** The kind of object, for messages: `a song item`. */
  of: string
  /** Essential fields: their faults are thrown. */
  vital: readonly string[]
  /** What to do with an unknown field, for messages. */
  remedy?: string
}

/**
 * Parses an object, and leaves out fields that are wrong or unknown.
 *
 * @param schema - strict; every field that is not vital is optional
 * @returns the fields that are left, and a sentence about each fault
 * @throws {ParameterError} as {@link parse}, when the input is not an object, or a vital field is wrong
 */
export function parseFields<S extends z.ZodObject>(
  schema: S,
  input: unknown,
  { of, vital, remedy }: FieldRules,
): { fields: z.output<S>; faults: string[] } {
  const result = schema.safeParse(input)
  if (result.success) return { fields: result.data, faults: [] }
  const whole = of.split(' ').at(-1)
  const kept = { ...(input as Record<string, unknown>) }
  const faults: string[] = []
  for (const issue of result.error.issues) {
    const unknown = issue.code === 'unrecognized_keys' && issue.path.length === 0
    const names = unknown ? issue.keys : issue.path.slice(0, 1).map(String)
    if (names.length === 0 || names.some((name) => vital.includes(name))) {
      throw toParameterError(issue, input, schema, whole)
    }
    // Only the first fault of a field is reported.
    if (!names.some((name) => Object.hasOwn(kept, name))) continue
    for (const name of names) delete kept[name]
    faults.push(
      unknown
        ? unknownFields(names, keysOf(schema), of, remedy)
        : `${toParameterError(issue, input, schema, whole).message}; it was left out`,
    )
  }
  return { fields: parse(schema, kept, whole), faults }
}

/** The most unknown fields that a message names; it counts the rest. */
const NAMED = 5

// Plain names are not quoted, because `wire/` converts only unquoted names to its spelling.
function unknownFields(
  names: readonly string[],
  known: readonly string[],
  of: string,
  remedy: string | undefined,
): string {
  const some = names.slice(0, NAMED).map(shortened)
  const more = names.length > some.length ? ` and ${names.length - some.length} more` : ''
  const listed = some.map((name) => (/^\w+$/.test(name) ? name : JSON.stringify(name))).join(', ')
  const meant = some.flatMap((name) => nearest(name, known) ?? [])
  const hint = meant.length > 0 ? `; did you mean ${meant.join(', ')}?` : remedy && `; ${remedy}`
  const [field, were] = names.length === 1 ? ['field', 'it was'] : ['fields', 'they were']
  return `${listed}${more} - Unknown ${field} of ${of}: ${were} left out${hint ?? ''}`
}

function toParameterError(
  issue: z.core.$ZodIssue,
  input: unknown,
  schema: z.ZodType,
  whole: string | undefined,
): ParameterError {
  if (issue.code === 'invalid_union') {
    // The branch with the longest path fits best: in a list with a bad member, that of the member.
    // Of others a text fits best where texts are allowed.
    const isText = typeof valueAt(input, issue.path) === 'string'
    const likeness = ({ path, code }: z.core.$ZodIssue) =>
      2 * path.length + Number(isText && code === 'invalid_value')
    const [branch] = issue.errors
      .flatMap((issues) => issues.slice(0, 1))
      .sort((a, b) => likeness(b) - likeness(a))
    if (branch) {
      const path = [...issue.path, ...branch.path]
      return toParameterError({ ...branch, path }, input, schema, whole)
    }
  }
  const field = issue.path.join('.')
  const named = field || (whole ?? 'parameters')
  if (issue.code === 'unrecognized_keys') {
    const name = issue.keys[0] as string
    const fields = fieldsAt(schema, issue.path)
    const hint = field === '' || fields.length > 0 ? suggestion(name, fields) : ''
    if (field || whole) return invalidParameter(field || `${whole}`, `"${name}"${hint}`)
    return new ParameterError('invalid_parameter', `${shortened(name)} - Unknown parameter${hint}`)
  }
  const value = valueAt(input, issue.path)
  if (issue.code === 'custom' && issue.params?.missing === true) {
    return missingParameter(field, issue.message)
  }
  if (value === undefined && (issue.code === 'invalid_type' || issue.code === 'invalid_value')) {
    return missingParameter(named)
  }
  return invalidParameter(named, `${show(value)} ${reasonOf(issue, value)}`)
}

function reasonOf(issue: z.core.$ZodIssue, value: unknown): string {
  switch (issue.code) {
    case 'invalid_value':
      return `is not one of ${issue.values.map((v) => JSON.stringify(v)).join(', ')}`
    case 'too_small':
      if (issue.origin === 'string' && issue.minimum === 1) return 'must not be empty'
      return `must be ${issue.inclusive === false ? '>' : '>='} ${issue.minimum}`
    case 'too_big':
      if (issue.origin === 'string' && typeof value === 'string') {
        return `has ${value.length} characters; give at most ${issue.maximum}`
      }
      return `must be ${issue.inclusive === false ? '<' : '<='} ${issue.maximum}`
    case 'invalid_type':
      if (issue.expected === 'tuple') return 'must be a list, such as [1, 2]'
      return `must be ${/^[aeiou]/.test(issue.expected) ? 'an' : 'a'} ${issue.expected}`
    default:
      return issue.message
  }
}

/** The field names that callers use; `givenAs` lists those that clients combine into one field. */
function keysOf(schema: z.ZodType): string[] {
  const { shape = {} } = schema as { shape?: Record<string, z.ZodType> }
  return Object.entries(shape).flatMap(([name, field]) => {
    return (field.meta()?.givenAs as string[] | undefined) ?? name
  })
}

/** The parts of a schema that hold others. */
interface Parts {
  innerType?: z.ZodType
  options?: readonly z.ZodType[]
  element?: z.ZodType
  shape?: Record<string, z.ZodType>
}

/** The field names at a path: in a union, those of the first branch that has the path. */
function fieldsAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  const { innerType, options, element, shape } = schema.def as unknown as Parts
  if (innerType) return fieldsAt(innerType, path)
  if (options) return options.map((one) => fieldsAt(one, path)).find(({ length }) => length) ?? []
  const [key, ...rest] = path
  if (key === undefined) return keysOf(schema)
  const next = element ?? shape?.[String(key)]
  return next ? fieldsAt(next, rest) : []
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined
    value = (value as Record<PropertyKey, unknown>)[key]
  }
  return value
}

function show(value: unknown): string {
  if (typeof value === 'string') {
    return quoted(value)
  }
  if (typeof value === 'object' && value !== null) {
    if (Array.isArray(value)) return 'the list'
    const type = value.constructor?.name ?? 'Object'
    if (type !== 'Object') return `the ${type}`
    return `the object { ${Object.keys(value).slice(0, NAMED).map(shortened).join(', ')} }`
  }
  return String(value)
}
