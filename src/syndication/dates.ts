import { timestamp } from '../text.ts'

/** Offsets of time zones that feeds write by name and `Date` does not know. */
const ZONES: Readonly<Record<string, string>> = {
  BST: '+0100',
  WEST: '+0100',
  CET: '+0100',
  CEST: '+0200',
  EET: '+0200',
  EEST: '+0300',
  MSK: '+0300',
  IST: '+0530',
  JST: '+0900',
  KST: '+0900',
  AEST: '+1000',
  AEDT: '+1100',
  NZST: '+1200',
  NZDT: '+1300',
}

const ISO = /^(\d{4})-(\d\d)(?:-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:[.,]\d+)?)?)?)?(.*)$/is
const ZONED = /(?:[+-]\d\d:?\d\d|[A-Z])\s*(?:\([^()]*\))?$/i

/**
 * Reads a time as feeds write it: RFC 822, ISO 8601 and similar forms; without a zone it is UTC.
 *
 * @returns `YYYY-MM-DDThh:mm:ss` in UTC; `undefined` when it is not a time
 */
export function timestampOf(written: string | undefined): string | undefined {
  const text = written?.trim() ?? ''
  if (text === '' || text.length > 64) return undefined
  const time = ISO.test(text) ? isoTime(text) : looseTime(text)
  if (Number.isNaN(time)) return undefined
  const stamp = timestamp(time)
  return /^\d{4}-/.test(stamp) ? stamp : undefined
}

function isoTime(text: string): number {
  const [, year, month, day = '01', hour = '00', minute = '00', second = '00', rest = ''] =
    ISO.exec(text) as RegExpExecArray
  const zone = rest.trim()
  const offset = zone === '' || /^z|^utc$|^gmt$/i.test(zone) ? 'Z' : zone.replace(/^gmt|^utc/i, '')
  const colons = offset.replace(/^([+-]\d\d):?(\d\d)?$/, (_, hours, minutes = '00') => {
    return `${hours}:${minutes}`
  })
  return Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}${colons}`)
}

function looseTime(text: string): number {
  // The day of the week may be wrong or in another language, and the date is enough.
  if (!/\d\D+\d/.test(text)) return Number.NaN
  const bare = text.replace(/^\p{L}+\.?,\s*/u, '')
  const named = bare.replace(/\b([A-Z]{3,4})$/, (zone) => ZONES[zone] ?? zone)
  // Without a zone, `Date` assumes local time, which differs between machines.
  return Date.parse(ZONED.test(named) && /\d:\d/.test(named) ? named : `${named} GMT`)
}
