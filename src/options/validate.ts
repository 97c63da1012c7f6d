import { distance } from 'fastest-levenshtein'
import type { z } from 'zod'
import { invalidParameter, missingParameter, ParameterError } from '../values/errors.ts'
import { quoted, shortened } from '../values/text.ts'

/** If it is similar enough to be meant. */
export function nearestName(name: string, knownNames: readonly string[]): string | undefined {
  const maxDistance = Math.max(2, Math.floor(name.length / 3))
  let bestName: string | undefined
  let leastDistance = maxDistance + 1
  for (const candidate of knownNames) {
    const nameDistance = distance(name.toLowerCase(), candidate.toLowerCase())
    if (nameDistance < leastDistance) {
      leastDistance = nameDistance
      bestName = candidate
    }
  }
  return bestName
}

/** The end of a message: the most similar known name, else all of them. */
export function suggestName(
  name: string,
  knownNames: readonly string[],
  otherwise = `; known are ${knownNames.join(', ')}`,
): string {
  const similarName = nearestName(name, knownNames)
  return similarName === undefined ? otherwise : `; did you mean "${similarName}"?`
}

/** @throws {ParameterError} on an unknown option, with the likely one, or a value out of range */
export function parseOptions<S extends z.ZodType>(
  schema: S,
  options: unknown,
  functionName: string,
): z.output<S> {
  if (typeof options !== 'object' || options === null) {
    const value = typeof options === 'string' ? quoted(options) : '…'
    const example = `${functionName}({ ${fieldNames(schema)[0]}: ${value} })`
    throw new ParameterError(
      'invalid_parameter',
      `${functionName} takes an object, e.g. ${example}`,
    )
  }
  const knownNames = fieldNames(schema)
  const unknownName = Object.keys(options).find((name) => !knownNames.includes(name))
  if (unknownName === undefined) return parseInput(schema, options)
  throw new ParameterError(
    'invalid_parameter',
    `${functionName} has no option "${unknownName}"${suggestName(unknownName, knownNames)}`,
  )
}

/**
 * @throws {ParameterError} `missing_parameter` or `invalid_parameter`; only the first fault is
 * named
 * @param inputName - the name of the input in messages, if it is not the parameters of a method
 */
export function parseInput<S extends z.ZodType>(
  schema: S,
  input: unknown,
  inputName?: string,
): z.output<S> {
  const result = schema.safeParse(input)
  if (result.success) return result.data
  throw toParameterError(result.error.issues[0] as z.core.$ZodIssue, input, schema, inputName)
}

interface FieldRules {
  /** For messages: `a song item`. */
  of: string
  /** Their faults are thrown. */
  vital: readonly string[]
  /** For unknown fields, in messages. */
  remedy?: string
}

/**
 * Leaves out fields that are wrong or unknown.
 * @param schema - strict; every field that is not vital is optional
 * @returns the fields that are left, and a sentence about each fault
 * @throws {ParameterError} as {@link parseInput}, when the input is no object, or a vital field is
 * wrong
 */
export function parseFields<S extends z.ZodObject>(
  schema: S,
  input: unknown,
  { of, vital, remedy }: FieldRules,
): { fields: z.output<S>; faults: string[] } {
  const result = schema.safeParse(input)
  if (result.success) return { fields: result.data, faults: [] }
  const inputName = of.split(' ').at(-1)
  const keptFields = { ...(input as Record<string, unknown>) }
  const faults: string[] = []
  for (const issue of result.error.issues) {
    const isUnknown = issue.code === 'unrecognized_keys' && issue.path.length === 0
    const names = isUnknown ? issue.keys : issue.path.slice(0, 1).map(String)
    if (names.length === 0 || names.some((name) => vital.includes(name))) {
      throw toParameterError(issue, input, schema, inputName)
    }
    // Only the first fault of a field is reported.
    if (!names.some((name) => Object.hasOwn(keptFields, name))) continue
    for (const name of names) delete keptFields[name]
    faults.push(
      isUnknown
        ? unknownFieldsMessage(names, fieldNames(schema), of, remedy)
        : `${toParameterError(issue, input, schema, inputName).message}; it was left out`,
    )
  }
  return { fields: parseInput(schema, keptFields, inputName), faults }
}

/** The rest is counted. */
const MAX_NAMED_FIELDS = 5

// Plain names are not quoted, because `wire/` converts only unquoted names.
function unknownFieldsMessage(
  names: readonly string[],
  knownNames: readonly string[],
  objectKind: string,
  remedy: string | undefined,
): string {
  const namedFields = names.slice(0, MAX_NAMED_FIELDS).map(shortened)
  const otherCount =
    names.length > namedFields.length ? ` and ${names.length - namedFields.length} more` : ''
  const namesText = namedFields
    .map((name) => (/^\w+$/.test(name) ? name : JSON.stringify(name)))
    .join(', ')
  const similarNames = namedFields.flatMap((name) => nearestName(name, knownNames) ?? [])
  const hint =
    similarNames.length > 0 ? `; did you mean ${similarNames.join(', ')}?` : remedy && `; ${remedy}`
  const [field, were] = names.length === 1 ? ['field', 'it was'] : ['fields', 'they were']
  return `${namesText}${otherCount} - Unknown ${field} of ${objectKind}: ${were} left out${hint ?? ''}`
}

function toParameterError(
  issue: z.core.$ZodIssue,
  input: unknown,
  schema: z.ZodType,
  inputName: string | undefined,
): ParameterError {
  if (issue.code === 'invalid_union') {
    // The branch with the longest path fits best; of others, one for texts where the value is a
    // text.
    const isText = typeof valueAt(input, issue.path) === 'string'
    const branchFit = ({ path, code }: z.core.$ZodIssue) =>
      2 * path.length + Number(isText && code === 'invalid_value')
    const [branch] = issue.errors
      .flatMap((issues) => issues.slice(0, 1))
      .sort((a, b) => branchFit(b) - branchFit(a))
    if (branch) {
      const path = [...issue.path, ...branch.path]
      return toParameterError({ ...branch, path }, input, schema, inputName)
    }
  }
  const field = issue.path.join('.')
  const fieldName = field || (inputName ?? 'parameters')
  if (issue.code === 'unrecognized_keys') {
    const name = issue.keys[0] as string
    const fields = fieldsAt(schema, issue.path)
    const hint = field === '' || fields.length > 0 ? suggestName(name, fields) : ''
    if (field || inputName) return invalidParameter(field || `${inputName}`, `"${name}"${hint}`)
    return new ParameterError('invalid_parameter', `${shortened(name)} - Unknown parameter${hint}`)
  }
  const value = valueAt(input, issue.path)
  if (issue.code === 'custom' && issue.params?.missing === true) {
    return missingParameter(field, issue.message)
  }
  if (value === undefined && (issue.code === 'invalid_type' || issue.code === 'invalid_value')) {
    return missingParameter(fieldName)
  }
  return invalidParameter(fieldName, `${showValue(value)} ${issueReason(issue, value)}`)
}

function issueReason(issue: z.core.$ZodIssue, value: unknown): string {
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

/** `givenAs` lists those that clients combine into one field. */
function fieldNames(schema: z.ZodType): string[] {
  const { shape = {} } = schema as { shape?: Record<string, z.ZodType> }
  return Object.entries(shape).flatMap(([name, field]) => {
    return (field.meta()?.givenAs as string[] | undefined) ?? name
  })
}

/** The parts that hold other schemas. */
interface SchemaParts {
  innerType?: z.ZodType
  options?: readonly z.ZodType[]
  element?: z.ZodType
  shape?: Record<string, z.ZodType>
}

/** In a union, those of the first branch that has the path. */
function fieldsAt(schema: z.ZodType, path: readonly PropertyKey[]): string[] {
  const { innerType, options, element, shape } = schema.def as unknown as SchemaParts
  if (innerType) return fieldsAt(innerType, path)
  if (options)
    return options.map((option) => fieldsAt(option, path)).find(({ length }) => length) ?? []
  const [key, ...innerPath] = path
  if (key === undefined) return fieldNames(schema)
  const innerSchema = element ?? shape?.[String(key)]
  return innerSchema ? fieldsAt(innerSchema, innerPath) : []
}

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input
  for (const key of path) {
    if (typeof value !== 'object' || value === null) return undefined
    value = (value as Record<PropertyKey, unknown>)[key]
  }
  return value
}

function showValue(value: unknown): string {
  if (typeof value === 'string') {
    return quoted(value)
  }
  if (typeof value === 'object' && value !== null) {
    if (Array.isArray(value)) return 'the list'
    const type = value.constructor?.name ?? 'Object'
    if (type !== 'Object') return `the ${type}`
    return `the object { ${Object.keys(value).slice(0, MAX_NAMED_FIELDS).map(shortened).join(', ')} }`
  }
  return String(value)
}
