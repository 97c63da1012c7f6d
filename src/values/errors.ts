import { ERROR_HEADER, type ErrorCode, endOfMessage, STATUS_OF } from './error-codes.ts'

export { type ErrorCode, STATUS_OF } from './error-codes.ts'

// The ESM and the CJS build share it, so `instanceof` works across both and after bundling.
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
 *
 * @example
 * ```ts
 * import { AudileError } from 'audile'
 *
 * try {
 *   await music.tracks.get('TRABCDE124E8B5C1A2F')
 * } catch (error) {
 *   if (!(error instanceof AudileError)) throw error
 *   if (error.code === 'unknown_identifier') console.log('It is there no more.')
 * }
 * ```
 */
export class AudileError extends Error {
  /** Which class this is; survives bundlers that rename classes. */
  static readonly kind: ErrorKind = 'AudileError'
  /** What went wrong, as a stable word to branch on. */
  readonly code: ErrorCode
  /** The specification's numeric code, −1…5. */
  readonly status: number

  /** @internal */
  constructor(code: ErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.code = code
    this.status = STATUS_OF[code]
    Object.defineProperty(this, BRAND, { value: new.target.kind })
    Object.defineProperty(this, 'name', { value: new.target.kind })
    const { stack } = this
    // A structured clone keeps the message and the stack of an error, and no code.
    if (stack !== undefined) this.stack = `${this}${stack.slice(endOfMessage(message, stack))}`
  }

  /** @internal As the stack begins: `ParameterError [not_ready]: …`. */
  override toString(): string {
    return `${this.name} [${this.code}]: ${this.message}`
  }

  /**
   * The audile error that a value is, or that it was before a boundary took its class and its code: a
   * structured clone (`postMessage`, IndexedDB, Electron's `send`) or Electron's `invoke`.
   *
   * @returns an error of this class, or `undefined`
   * @example
   * ```ts
   * import { AudileError } from 'audile'
   *
   * console.log(AudileError.from(structuredClone(new Error('mine')))?.code)
   * ```
   */
  static from(value: unknown): AudileError | undefined {
    const error = value instanceof AudileError ? value : restoreError(value)
    return error instanceof this ? error : undefined
  }

  /** Whether a value is an error of this class, from this copy of the package or another. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    // A class derived by the application has no own `kind`, so its prototype is checked.
    if (!Object.hasOwn(this, 'kind'))
      return Function.prototype[Symbol.hasInstance].call(this, value)
    if (typeof value !== 'object' || value === null) return false
    const brand = (value as Record<symbol, unknown>)[BRAND]
    return brand !== undefined && (this.kind === 'AudileError' || this.kind === brand)
  }
}

function restoreError(value: unknown): AudileError | undefined {
  if (!(value instanceof Error)) return undefined
  const { stack = '', message, cause } = value
  const stackHeader = ERROR_HEADER.exec(stack)
  const [header = '', kind = '', code = ''] = stackHeader ?? ERROR_HEADER.exec(message) ?? []
  if (!Object.hasOwn(STATUS_OF, code)) return undefined
  const text = stackHeader ? message : message.slice(header.length)
  const options = cause === undefined ? {} : { cause: restoreError(cause) ?? cause }
  const plainError = { kind: kind as ErrorKind, code: code as ErrorCode, name: kind, message: text }
  return Object.assign(reviveError(plainError, options), { stack }) as AudileError
}

/**
 * A parameter is missing, malformed, out of range or names something that does not exist. The message
 * begins with its name. Codes: `missing_parameter`, `invalid_parameter`, `unknown_identifier`,
 * `limit_exceeded`, `not_ready`.
 *
 * @example
 * ```ts
 * import { ParameterError } from 'audile'
 *
 * const found = await music.songs.search({ minTempo: 1000 }).catch((error) => {
 *   if (error instanceof ParameterError) return []
 *   throw error
 * })
 * ```
 */
export class ParameterError extends AudileError {
  static override readonly kind = 'ParameterError'
}

// The wording is that of the old service, as recorded.

/** `<field> - Invalid parameter: <reason>`. */
export function invalidParameter(
  field: string,
  reason: string,
  options?: ErrorOptions,
): ParameterError {
  const message = `${field} - Invalid parameter: ${reason}`
  return new ParameterError('invalid_parameter', message, options)
}

/** For a value over one of the limits. */
export function limitExceeded(field: string, reason: string): ParameterError {
  return new ParameterError('limit_exceeded', `${field} - Invalid parameter: ${reason}`)
}

/** `<field> - Missing parameter: <remedy>`. */
export function missingParameter(field: string, remedy?: string): ParameterError {
  const message = `${field} - Missing parameter${remedy === undefined ? '' : `: ${remedy}`}`
  return new ParameterError('missing_parameter', message)
}

/** For an id, a name or a hash that does not exist. */
export function unknownIdentifier(id: string): ParameterError {
  return new ParameterError('unknown_identifier', `The Identifier specified does not exist: ${id}`)
}

/**
 * The API key is unknown, revoked or not allowed to make this call. Codes: `invalid_key`,
 * `not_allowed`, `rate_limited`.
 *
 * @example
 * ```ts
 * import { KeyError } from 'audile'
 *
 * await catalog.delete().catch((error) => {
 *   if (!(error instanceof KeyError)) throw error
 *   console.log('It belongs to another key.')
 * })
 * ```
 */
export class KeyError extends AudileError {
  static override readonly kind = 'KeyError'
}

/**
 * The audio could not be read: unknown format, damaged, over a limit, or its decoder is not
 * installed. Code: `decode`.
 *
 * @example
 * ```ts
 * import { DecodeError } from 'audile'
 *
 * await track.analyzed().catch((error) => {
 *   if (!(error instanceof DecodeError)) throw error
 *   console.log(error.message)
 * })
 * ```
 */
export class DecodeError extends AudileError {
  static override readonly kind = 'DecodeError'

  /** @internal */
  constructor(message: string, options?: ErrorOptions) {
    super('decode', message, options)
  }
}

/**
 * SQLite failed (locked, full, corrupt, read-only, or written by a newer audile), or a reference
 * that another process serves cannot be reached. Code: `database`.
 *
 * @example
 * ```ts
 * import { Audile, DatabaseError } from 'audile'
 *
 * const music = await Audile.open({ database: 'music.db' }).catch((error) => {
 *   if (error instanceof DatabaseError) console.error(error.message)
 *   throw error
 * })
 * ```
 */
export class DatabaseError extends AudileError {
  static override readonly kind = 'DatabaseError'

  /** @internal */
  constructor(message: string, options?: ErrorOptions) {
    super('database', message, options)
  }
}

/**
 * The instance is closed, or its engine thread has ended. Code: `closed`.
 *
 * @example
 * ```ts
 * import { ClosedError } from 'audile'
 *
 * await ticket.done().catch((error) => {
 *   if (!(error instanceof ClosedError)) throw error
 *   console.log('The next open() goes on with it.')
 * })
 * ```
 */
export class ClosedError extends AudileError {
  static override readonly kind = 'ClosedError'

  /** @internal */
  constructor(
    message = 'This Audile is closed; open a new one with Audile.open().',
    options?: ErrorOptions,
  ) {
    super('closed', message, options)
  }
}

/** An error as plain data, to send to another thread or to store. */
export interface PlainError {
  /** The class; `Error` for other errors than audile's. */
  kind: ErrorKind | 'Error'
  /** The code of an audile error. */
  code?: ErrorCode
  /** The code of another error, e.g. `ENOENT`. */
  systemCode?: string
  /** As in `Error`. */
  name: string
  /** What happened, with which value, and what to do. */
  message: string
  /** Where it was thrown. */
  stack?: string
  /** The cause, as plain data too. */
  cause?: unknown
}

/** A chain can be circular. */
const MAX_CAUSES = 8

/** Structured-cloneable, with class, code and causes. */
export function toPlain(error: unknown, depth = 0): PlainError {
  if (!(error instanceof Error)) return { kind: 'Error', name: 'Error', message: String(error) }
  const plain: PlainError = { kind: 'Error', name: error.name, message: error.message }
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

/** Same class, code, message, stack and causes as before {@link toPlain}. */
export function fromPlain(plain: PlainError): Error {
  const options = plain.cause === undefined ? {} : { cause: fromPlain(plain.cause as PlainError) }
  const error = reviveError(plain, options)
  if (plain.stack !== undefined) error.stack = plain.stack
  if (plain.systemCode !== undefined) Object.assign(error, { code: plain.systemCode })
  return error
}

const CODED_ERRORS = { AudileError, ParameterError, KeyError }
const UNCODED_ERRORS = { DecodeError, DatabaseError, ClosedError }

function reviveError(
  { kind, code = 'internal', name, message }: PlainError,
  options: ErrorOptions,
) {
  if (Object.hasOwn(CODED_ERRORS, kind))
    return new CODED_ERRORS[kind as keyof typeof CODED_ERRORS](code, message, options)
  if (Object.hasOwn(UNCODED_ERRORS, kind))
    return new UNCODED_ERRORS[kind as keyof typeof UNCODED_ERRORS](message, options)
  return Object.assign(new Error(message, options), { name })
}

/** Of another thrown value, its text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
