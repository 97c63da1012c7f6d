import { unixSeconds } from '../values/unix-time.ts'

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const WRITTEN_TIME =
  /^(\d{1,2})\.? ([a-z]{3})[a-z]{0,6}\.? (\d{4}),? (\d{1,2}):(\d\d)(?::(\d\d))?(?: ?(?:utc|gmt|z))?$/i

/** From here on, a number is in milliseconds. */
const FIRST_MILLISECONDS = 1e11

/** The time of a listen as exporters write it: Unix seconds or milliseconds, ISO 8601, `20 Jul 2015, 12:34`. */
export function timeOfListen(value: unknown): number | undefined {
  const text = String(value ?? '').trim()
  if (/^\d{1,14}(?:\.0{1,6})?$/.test(text)) {
    const number = Number(text)
    return unixSeconds(number >= FIRST_MILLISECONDS ? number / 1000 : number)
  }
  const [, day = '', name = '', year, hour = '', minute, second = '00'] =
    WRITTEN_TIME.exec(text) ?? []
  const month = MONTHS.indexOf(name.toLowerCase()) + 1
  if (month === 0) return unixSeconds(text)
  const two = (number: number | string) => String(number).padStart(2, '0')
  return unixSeconds(`${year}-${two(month)}-${two(day)}T${two(hour)}:${minute}:${second}Z`)
}
