import { unixSeconds } from '../values/unix-time.ts'

const MONTH_NAMES = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const WRITTEN_TIME =
  /^(\d{1,2})\.? ([a-z]{3})[a-z]{0,6}\.? (\d{4}),? (\d{1,2}):(\d\d)(?::(\d\d))?(?: ?(?:utc|gmt|z))?$/i

/** A larger number is in milliseconds. */
const FIRST_MILLISECONDS = 1e11

/** Unix seconds or milliseconds, ISO 8601, `20 Jul 2015, 12:34`. */
export function timeOfListen(value: unknown): number | undefined {
  const text = String(value ?? '').trim()
  if (/^\d{1,14}(?:\.0{1,6})?$/.test(text)) {
    const number = Number(text)
    return unixSeconds(number >= FIRST_MILLISECONDS ? number / 1000 : number)
  }
  const [, day = '', name = '', year, hour = '', minute, second = '00'] =
    WRITTEN_TIME.exec(text) ?? []
  const month = MONTH_NAMES.indexOf(name.toLowerCase()) + 1
  if (month === 0) return unixSeconds(text)
  const twoDigits = (number: number | string) => String(number).padStart(2, '0')
  return unixSeconds(
    `${year}-${twoDigits(month)}-${twoDigits(day)}T${twoDigits(hour)}:${minute}:${second}Z`,
  )
}
