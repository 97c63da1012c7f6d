import { AudileError } from '../values/errors.ts'
import { inWireNames } from './names.ts'

export interface WireError {
  /** The code of the specification, −1…5. */
  code: number
  message: string
  status: number
}

/** HTTP statuses other than 400, by code. */
const HTTP_STATUS: Readonly<Record<number, number>> = { 2: 403, 3: 429 }

/** Internal errors get no details, because their messages can contain paths or SQL. */
export function toWireError(error: unknown): WireError {
  if (!(error instanceof AudileError) || error.status < 0) {
    return { code: -1, message: 'Unknown error', status: 500 }
  }
  const code = error.status
  const message = asRecorded(inWireNames(error.message))
  return { code, message, status: HTTP_STATUS[code] ?? 400 }
}

/**
 * The old service names a repeated parameter without its index, and writes `bucket` before a value.
 */
function asRecorded(message: string): string {
  return message
    .replace(/^([a-z_]+)\.\d+(?= - )/, '$1')
    .replace(/^(bucket - Invalid parameter: )(?=".*" is not one of )/, '$1bucket ')
}

/** A general text in place of a reason that contains a path. */
export function toWireReason(reason: string): string {
  return /(^|[\s"'(])(\/|[A-Za-z]:[\\/])/.test(reason) ? 'The audio could not be read.' : reason
}
