/**
 * The reasons a call can fail. Each belongs to one numeric `status` of the specification's
 * response envelope.
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
  | 'unknown_outcome'
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
  unknown_outcome: -1,
  database: -1,
  decode: -1,
  internal: -1,
})

/** Where a stack goes on after it; 0 where the runtime writes no message. */
export function endOfMessage(message: string, stack: string): number {
  const start = stack.indexOf(message)
  return start < 0 ? 0 : start + message.length
}

/** Also where Electron reports an error of another process. */
export const ERROR_HEADER =
  /^(?:Error invoking remote method '[^']*': )?((?:Audile|Parameter|Key|Decode|Database|Closed)Error) \[(\w+)\]: /
