/**
 * The reasons a call can fail. Each belongs to one numeric `status` of the specification's
 * response envelope ({@link STATUS_OF}).
 */
export type ErrorCode =
  | 'invalid_key'
  | 'not_allowed'
  | 'rate_limited'
  | 'missing_parameter'
  | 'invalid_parameter'
  | 'unknown_identifier'
  | 'limit_exceeded'
  | 'not_ready'
  | 'closed'
  | 'database'
  | 'decode'
  | 'internal'

/** The specification's numeric code of each {@link ErrorCode}: −1 unknown error … 5 invalid parameter. */
export const STATUS_OF: Readonly<Record<ErrorCode, number>> = Object.freeze({
  invalid_key: 1,
  not_allowed: 2,
  rate_limited: 3,
  missing_parameter: 4,
  invalid_parameter: 5,
  unknown_identifier: 5,
  limit_exceeded: 5,
  not_ready: 5,
  closed: -1,
  database: -1,
  decode: -1,
  internal: -1,
})

// An application may load both the ESM and the CJS build; registry symbols are the same in both, so
// `instanceof` holds across the copies, and after a bundler has renamed the classes.
const BRAND = Symbol.for('audile.error')

/** The classes of audile's errors, by name. */
export type ErrorKind =
  | 'AudileError'
  | 'ParameterError'
  | 'KeyError'
  | 'DecodeError'
  | 'DatabaseError'
  | 'ClosedError'

/**
 * The base of every error that audile throws.
 *
 * `instanceof AudileError` also holds for errors of another copy of the package (ESM beside CJS).
 */
export class AudileError extends Error {
  /** Which class this is; survives bundlers that rename classes. */
  static readonly kind: ErrorKind = 'AudileError'
  /** What went wrong, as a stable word to branch on. */
  readonly code: ErrorCode
  /** The specification's numeric code, −1…5. */
  readonly status: number

  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.status = STATUS_OF[code]
    Object.defineProperty(this, BRAND, { value: new.target.kind })
    Object.defineProperty(this, 'name', { value: new.target.kind })
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    if (typeof value !== 'object' || value === null) return false
    const brand = (value as Record<symbol, unknown>)[BRAND]
    return brand !== undefined && (this.kind === 'AudileError' || this.kind === brand)
  }
}

/** A parameter is missing, malformed, out of range or names something that does not exist. */
export class ParameterError extends AudileError {
  static override readonly kind = 'ParameterError'
}

/** The API key is unknown, revoked or not allowed to make this call. */
export class KeyError extends AudileError {
  static override readonly kind = 'KeyError'
}

/** The audio could not be read: unknown format, damaged, over a limit, or its decoder is not installed. */
export class DecodeError extends AudileError {
  static override readonly kind = 'DecodeError'

  constructor(message: string, options?: ErrorOptions) {
    super('decode', message, options)
  }
}

/** SQLite refused: locked, full, corrupt, read-only, or written by a newer audile. */
export class DatabaseError extends AudileError {
  static override readonly kind = 'DatabaseError'

  constructor(message: string, options?: ErrorOptions) {
    super('database', message, options)
  }
}

/** The instance is closed, or its engine thread has ended. */
export class ClosedError extends AudileError {
  static override readonly kind = 'ClosedError'

  constructor(
    message = 'This Audile is closed; open a new one with Audile.open().',
    options?: ErrorOptions,
  ) {
    super('closed', message, options)
  }
}

/** An error as plain data, to cross a thread or to be stored. */
export interface PlainError {
  kind: ErrorKind | 'Error'
  code?: ErrorCode
  /** The code of an error that is not audile's, e.g. `ENOENT`. */
  systemCode?: string
  name: string
  message: string
  stack?: string
  cause?: unknown
}

/** A chain of causes may be a circle. */
const MAX_CAUSES = 8

const CLASS_OF = {
  ParameterError,
  KeyError,
} as const

/** Writes an error, its class, code and chain of causes as structured-cloneable data. */
export function toPlain(error: unknown, depth = 0): PlainError {
  if (!(error instanceof Error)) return { kind: 'Error', name: 'Error', message: String(error) }
  const plain: PlainError = {
    kind: 'Error',
    name: error.name,
    message: error.message,
  }
  if (error instanceof AudileError) {
    plain.kind = (error as AudileError & { [BRAND]: ErrorKind })[BRAND]
    plain.code = error.code
  }
  const { code } = error as NodeJS.ErrnoException
  if (plain.code === undefined && typeof code === 'string') plain.systemCode = code
  if (error.stack !== undefined) plain.stack = error.stack
  if (error.cause !== undefined && depth < MAX_CAUSES) plain.cause = toPlain(error.cause, depth + 1)
  return plain
}

/** The error that {@link toPlain} wrote: same class, code, message, stack and causes. */
export function fromPlain(plain: PlainError): Error {
  const options = plain.cause === undefined ? {} : { cause: fromPlain(plain.cause as PlainError) }
  const error = revive(plain, options)
  if (plain.stack !== undefined) error.stack = plain.stack
  if (plain.systemCode !== undefined) Object.assign(error, { code: plain.systemCode })
  return error
}

function revive({ kind, code = 'internal', name, message }: PlainError, options: ErrorOptions) {
  switch (kind) {
    case 'ParameterError':
    case 'KeyError':
      return new CLASS_OF[kind](code, message, options)
    case 'DecodeError':
      return new DecodeError(message, options)
    case 'DatabaseError':
      return new DatabaseError(message, options)
    case 'ClosedError':
      return new ClosedError(message, options)
    case 'AudileError':
      return new AudileError(code, message, options)
    default:
      return Object.assign(new Error(message, options), { name })
  }
}
