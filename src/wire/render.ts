import { invalidParameter, missingParameter } from '../values/errors.ts'
import { quoted } from '../values/text.ts'
import { type Json, stringify } from './names.ts'
import { toXml, type XmlStyle } from './xml.ts'

/** How an answer is written. */
export type Format = { name: 'json' } | { name: 'xml' } | { name: 'jsonp'; callback: string }

/** The version that answers state. */
const VERSION = '4.2'

const TYPES: Readonly<Record<Format['name'], string>> = {
  json: 'application/json; charset=utf-8',
  xml: 'text/xml; charset=utf-8',
  jsonp: 'application/javascript; charset=utf-8',
}

// A name, as a.b or a[0]. Anything else could be a script.
const CALLBACK = /^[A-Za-z_$][\w$]*(\.[A-Za-z_$][\w$]*|\[\d{1,9}\])*$/
const LONGEST_CALLBACK = 256

/**
 * The requested format.
 *
 * @param formats - those of the method; with a single one, the request is not asked
 * @throws {ParameterError} on another format, and on jsonp unless the callback is a name
 */
export function formatOf(
  formats: readonly Format['name'][],
  asked: string | undefined,
  callback: string | undefined,
): Format {
  if (asked === undefined || formats.length === 1) return { name: 'json' }
  const name = formats.find((one) => one === asked)
  if (name === undefined) {
    const all = formats.map((one) => JSON.stringify(one)).join(', ')
    throw invalidParameter('format', `${quoted(asked)} is not one of ${all}`)
  }
  if (name !== 'jsonp') return { name }
  if (callback === undefined) throw missingParameter('callback', 'format=jsonp needs it')
  if (CALLBACK.test(callback) && callback.length <= LONGEST_CALLBACK) return { name, callback }
  throw invalidParameter('callback', `${quoted(callback)} must be the name of a function`)
}

/** The status at the beginning of every answer. */
interface Status {
  code: number
  message: string
}

/** An answer: the status, and the members of the method beside it. */
export function render(
  format: Format,
  style: XmlStyle,
  { code, message }: Status,
  data: { readonly [name: string]: Json } = {},
): { body: string; type: string } {
  const type = TYPES[format.name]
  if (format.name === 'xml') {
    // Parsers of the time read these three by position.
    const status = { version: VERSION, code, message }
    return { body: toXml({ status, ...data }, style), type }
  }
  const json = stringify({ response: { status: { version: VERSION, code, message }, ...data } })
  return { body: format.name === 'jsonp' ? `${format.callback}(\n${json})` : json, type }
}
