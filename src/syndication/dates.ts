import { timestamp } from '../values/text.ts'

/** Feeds write them by name, and `Date` does not know them. */
const ZONE_OFFSETS: Readonly<Record<string, string>> = {
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

const TIME_PATTERN = /\d:\d/
const ZONE_PATTERN = /(?:[+-]\d\d:?\d\d|[A-Z]) {0,9}(?:\([^()]*\))?$/i

/**
 * RFC 822, ISO 8601 and similar forms; without a zone it is UTC.
 * @returns `YYYY-MM-DDThh:mm:ss` in UTC; `undefined` when it is not a time
 */
export function parseTimestamp(dateText: string | undefined): string | undefined {
  const text = dateText?.trim() ?? ''
  if (text.length > 64 || !/\d\D+\d/.test(text)) return undefined
  const normalized = text
    // It may be wrong or in another language, and the date is enough.
    .replace(/^\p{L}+\.?,\s*/u, '')
    .replace(/\b[A-Z]{3,4}$/, (zone) => ZONE_OFFSETS[zone] ?? zone)
    // Outside ISO 8601, `Date` needs a space, a point and four digits here.
    .replace(/^(\d{4}-\d\d-\d\d)T/i, '$1 ')
    .replace(/(:\d\d),(\d)/, '$1.$2')
    .replace(/(:\d[\d.]*\s*[+-]\d\d)$/, '$100')
  // `Date` assumes local time without a zone, which differs between machines.
  const time = Date.parse(
    TIME_PATTERN.test(normalized) && ZONE_PATTERN.test(normalized)
      ? normalized
      : `${normalized} GMT`,
  )
  if (Number.isNaN(time)) return undefined
  const stamp = timestamp(time)
  return /^\d{4}-/.test(stamp) ? stamp : undefined
}
