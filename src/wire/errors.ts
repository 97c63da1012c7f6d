import { AudileError } from '../errors.ts'
import { inWireNames } from './names.ts'

/** An error as the wire answers it. */
export interface WireError {
  /** The code of the specification, −1…5. */
  code: number
  message: string
  /** The HTTP status. */
  status: number
}

/** HTTP statuses by code, as recorded; 403 is from the service's documentation. */
const HTTP_STATUS: Readonly<Record<number, number>> = {
  [-1]: 500,
  1: 400,
  2: 403,
  3: 429,
  4: 400,
  5: 400,
}

/** The HTTP status of a code. */
function httpStatusOf(code: number): number {
  return HTTP_STATUS[code] ?? 500
}

/**
 * An error as callers see it. Errors that no caller caused have no details: their messages may hold
 * paths or SQL.
 */
export function toWireError(error: unknown): WireError {
  if (!(error instanceof AudileError) || error.status < 0) {
    return { code: -1, message: 'Unknown error', status: httpStatusOf(-1) }
  }
  const code = error.status
  return { code, message: asRecorded(inWireNames(error.message)), status: httpStatusOf(code) }
}

/** The service names a repeated parameter without its index, and writes `bucket` before a value. */
function asRecorded(message: string): string {
  return message
    .replace(/^([a-z_]+)\.\d+(?= - )/, '$1')
    .replace(/^(bucket - Invalid parameter: )(?=".*" is not one of )/, '$1bucket ')
}

/** The reason why a track could not be analysed, unless it holds a path. */
export function toWireReason(reason: string): string {
  return /(^|[\s"'(])(\/|[A-Za-z]:[\\/])/.test(reason) ? 'The audio could not be read.' : reason
}
