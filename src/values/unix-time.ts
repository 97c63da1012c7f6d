/** Seconds from 1970 to 2100: later times are of a clock that is wrong. */
const LAST_TIME = 4_102_444_800

const ISO_TIME =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:[.,]\d{1,9})?)?)?[ ]?(Z|UTC|[+-]\d\d(?::?\d\d)?)?$/i

/**
 * A time as Unix seconds: a number of seconds, a `Date`, or a text such as `2021-03-02T14:05:06Z`.
 * A text without a zone is in UTC.
 *
 * @returns `undefined` if it is no time between 1970 and 2100
 */
export function unixSeconds(time: unknown): number | undefined {
  const seconds =
    typeof time === 'number'
      ? time
      : time instanceof Date
        ? time.getTime() / 1000
        : typeof time === 'string'
          ? secondsOfText(time.trim())
          : Number.NaN
  return seconds >= 1 && seconds <= LAST_TIME ? Math.floor(seconds) : undefined
}

function secondsOfText(text: string): number {
  const [, day, minutes = '00:00', seconds = '00', zone = 'Z'] = ISO_TIME.exec(text) ?? []
  const offset = /^(?:Z|UTC)$/i.test(zone) ? 'Z' : zone.replace(/^([+-]\d\d):?(\d\d)?$/, offsetOf)
  return Date.parse(`${day}T${minutes}:${seconds}${offset}`) / 1000
}

function offsetOf(_: string, hours: string, minutes = '00'): string {
  return `${hours}:${minutes}`
}
