import { timestamp } from '../values/text.ts'

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

const TIME = /\d:\d/
const ZONE = /(?:[+-]\d\d:?\d\d|[A-Z]) {0,9}(?:\([^()]*\))?$/i

/**
 * Reads a time as feeds write it: RFC 822, ISO 8601 and similar forms; without a zone it is UTC.
 *
 * @returns `YYYY-MM-DDThh:mm:ss` in UTC; `undefined` when it is not a time
 */
export function timestampOf(written: string | undefined): string | undefined {
  const text = written?.trim() ?? ''
  if (text.length > 64 || !/\d\D+\d/.test(text)) return undefined
  const named = text
    // The day of the week may be wrong or in another language, and the date is enough.
    .replace(/^\p{L}+\.?,\s*/u, '')
    .replace(/\b[A-Z]{3,4}$/, (zone) => ZONES[zone] ?? zone)
    // Outside ISO 8601, `Date` needs a space, a point and four digits here.
    .replace(/^(\d{4}-\d\d-\d\d)T/i, '$1 ')
    .replace(/(:\d\d),(\d)/, '$1.$2')
    .replace(/(:\d[\d.]*\s*[+-]\d\d)$/, '$100')
  // Without a zone, `Date` assumes local time, which differs between machines.
  const time = Date.parse(TIME.test(named) && ZONE.test(named) ? named : `${named} GMT`)
  if (Number.isNaN(time)) return undefined
  const stamp = timestamp(time)
  return /^\d{4}-/.test(stamp) ? stamp : undefined
}
