import { invalidParameter, missingParameter } from '../values/errors.ts'
import { quoted } from '../values/text.ts'
import { type Json, stringify } from './names.ts'
import { word } from './parameters.ts'
import { toXml, type XmlStyle } from './xml.ts'

export type Format = { name: 'json' } | { name: 'xml' } | { name: 'jsonp'; callback: string }

const VERSION = '4.2'

const TYPES: Readonly<Record<Format['name'], string>> = {
  json: 'application/json; charset=utf-8',
  xml: 'text/xml; charset=utf-8',
  jsonp: 'application/javascript; charset=utf-8',
}

// The name of a function, such as a.b or a[0]. Other text could be a script.
const CALLBACK = /^[A-Za-z_$][\w$]*(\.[A-Za-z_$][\w$]*|\[\d{1,9}\])*$/
const LONGEST_CALLBACK = 256

/**
 * The requested format.
 *
 * @param formats - the formats of the method; if it has only one, `asked` is ignored
 * @throws {ParameterError} on another format, and on jsonp unless the callback is a name
 */
export function formatOf(
  formats: readonly Format['name'][],
  asked: string | undefined,
  callback: string | undefined,
): Format {
  if (asked === undefined || formats.length === 1) return { name: 'json' }
  const name = word('format', asked, formats)
  if (name !== 'jsonp') return { name }
  if (callback === undefined) throw missingParameter('callback', 'format=jsonp needs it')
  if (CALLBACK.test(callback) && callback.length <= LONGEST_CALLBACK) return { name, callback }
  throw invalidParameter('callback', `${quoted(callback)} must be the name of a function`)
}

interface Status {
  code: number
  message: string
}

/** Writes an answer: the status, then the members of the method. */
export function render(
  format: Format,
  style: XmlStyle,
  { code, message }: Status,
  data: { readonly [name: string]: Json } = {},
): { body: string; type: string } {
  const type = TYPES[format.name]
  if (format.name === 'xml') {
    // Old parsers read these three by position.
    const status = { version: VERSION, code, message }
    return { body: toXml({ status, ...data }, style), type }
  }
  const json = stringify({ response: { status: { version: VERSION, code, message }, ...data } })
  return { body: format.name === 'jsonp' ? `${format.callback}(\n${json})` : json, type }
}
