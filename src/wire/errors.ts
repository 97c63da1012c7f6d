import { AudileError } from '../errors.ts'
import { inWireNames } from './names.ts'

/** An error as the wire tells it. */
export interface WireError {
  /** The specification's: −1 … 5. */
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
export function httpStatusOf(code: number): number {
  return HTTP_STATUS[code] ?? 500
}

/**
 * What the wire tells of an error. Of those that are no caller's fault it tells nothing: their
 * messages may hold paths or statements.
 */
export function toWireError(error: unknown): WireError {
  if (!(error instanceof AudileError) || error.status < 0) {
    return { code: -1, message: 'Unknown error', status: httpStatusOf(-1) }
  }
  const code = error.status
  return { code, message: asRecorded(inWireNames(error.message)), status: httpStatusOf(code) }
}

/** The service names a repeated parameter without its place, and says `bucket` before one. */
function asRecorded(message: string): string {
  return message
    .replace(/^([a-z_]+)\.\d+(?= - )/, '$1')
    .replace(/^(bucket - Invalid parameter: )(?=".*" is not one of )/, '$1bucket ')
}

/** What may be told of why a track could not be analysed: not where its file is kept. */
export function toWireReason(reason: string): string {
  return /(^|[\s"'(])(\/|[A-Za-z]:[\\/])/.test(reason) ? 'The audio could not be read.' : reason
}
