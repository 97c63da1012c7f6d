import { invalidParameter, missingParameter } from '../values/errors.ts'
import { quoted } from '../values/text.ts'
import { type JsonValue, toJson } from './names.ts'
import { readWord } from './parameters.ts'
import { toXml, type XmlStyle } from './xml.ts'

export type WireFormat = { name: 'json' } | { name: 'xml' } | { name: 'jsonp'; callback: string }

const PROTOCOL_VERSION = '4.2'

const CONTENT_TYPES: Readonly<Record<WireFormat['name'], string>> = {
  json: 'application/json; charset=utf-8',
  xml: 'text/xml; charset=utf-8',
  jsonp: 'application/javascript; charset=utf-8',
}

// The name of a function, such as a.b or a[0]: other text could be a script.
const FUNCTION_NAME = /^[A-Za-z_$][\w$]*(\.[A-Za-z_$][\w$]*|\[\d{1,9}\])*$/
const MAX_CALLBACK_LENGTH = 256

/**
 * A method with only one format ignores the requested one.
 * @throws {ParameterError} on another format, and on jsonp unless the callback is a name
 */
export function formatOf(
  formats: readonly WireFormat['name'][],
  requestedFormat: string | undefined,
  callback: string | undefined,
): WireFormat {
  if (requestedFormat === undefined || formats.length === 1) return { name: 'json' }
  const name = readWord('format', requestedFormat, formats)
  if (name !== 'jsonp') return { name }
  if (callback === undefined) throw missingParameter('callback', 'format=jsonp needs it')
  if (FUNCTION_NAME.test(callback) && callback.length <= MAX_CALLBACK_LENGTH)
    return { name, callback }
  throw invalidParameter('callback', `${quoted(callback)} must be the name of a function`)
}

interface Status {
  code: number
  message: string
}

export function renderAnswer(
  format: WireFormat,
  style: XmlStyle,
  { code, message }: Status,
  data: { readonly [name: string]: JsonValue } = {},
): { body: string; type: string } {
  const type = CONTENT_TYPES[format.name]
  if (format.name === 'xml') {
    // Old parsers read these three by position.
    const status = { version: PROTOCOL_VERSION, code, message }
    return { body: toXml({ status, ...data }, style), type }
  }
  const json = toJson({
    response: { status: { version: PROTOCOL_VERSION, code, message }, ...data },
  })
  return { body: format.name === 'jsonp' ? `${format.callback}(\n${json})` : json, type }
}
