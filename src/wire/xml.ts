import { escapeMarkup } from '../values/text.ts'
import { formatNumber, type JsonValue } from './names.ts'

/** Lists in one element, with a child in the singular for each member. */
const WRAPPED_LISTS: Readonly<Record<string, string>> = {
  artists: 'artist',
  biographies: 'biography',
  blogs: 'blog',
  images: 'image',
  news: 'news',
  reviews: 'review',
  songs: 'song',
  tracks: 'track',
}
/** Catalogs have these as plain lists, because old parsers expect the id in `foreign_id`. */
const WRAPPED_IN_SONGS: Readonly<Record<string, string>> = {
  ...WRAPPED_LISTS,
  artist_foreign_ids: 'foreign_id',
  foreign_ids: 'foreign_id',
}

/** Catalogs repeat the plural where songs wrap the singular. */
export type XmlStyle = 'catalog' | 'song' | 'track'

const XML_NAME = /^[A-Za-z_][A-Za-z0-9_.-]*$/
// XML 1.0 does not allow these characters, even escaped.
const FORBIDDEN_CHARACTERS =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/** No white space stands between elements, because old parsers read `status` by position. */
export function toXml(response: JsonValue, style: XmlStyle): string {
  return `<?xml version="1.0" encoding="UTF-8"?>${writeMember('response', response, style)}`
}

function writeMember(name: string, value: JsonValue, style: XmlStyle): string {
  if (!Array.isArray(value)) return writeElement(name, writeContent(name, value, style))
  const childName = (style === 'song' ? WRAPPED_IN_SONGS : WRAPPED_LISTS)[name]
  const values = value as readonly JsonValue[]
  if (childName === undefined) return values.map((item) => writeMember(name, item, style)).join('')
  // In a catalog, a track is only its id.
  const members = style === 'catalog' && name === 'tracks' ? values.map(toTrackId) : values
  return writeElement(
    name,
    members.map((item) => writeElement(childName, writeContent(childName, item, style))).join(''),
  )
}

function writeContent(name: string, value: JsonValue, style: XmlStyle): string {
  if (value === null) return ''
  if (Array.isArray(value))
    return value.map((element) => writeMember('item', element, style)).join('')
  if (typeof value === 'object') {
    return Object.entries(value)
      .map(([key, member]) => writeMember(key, member, style))
      .join('')
  }
  return escapeText(typeof value === 'number' ? formatNumber(value, name) : String(value))
}

/** A caller's key that is no valid XML name becomes an attribute. */
function writeElement(name: string, inner: string): string {
  return XML_NAME.test(name)
    ? `<${name}>${inner}</${name}>`
    : `<entry name="${escapeText(name)}">${inner}</entry>`
}

function escapeText(text: string): string {
  return escapeMarkup(text.replace(FORBIDDEN_CHARACTERS, ''))
}

function toTrackId(track: JsonValue): JsonValue {
  if (typeof track !== 'object' || track === null || Array.isArray(track)) return track
  const { id, foreign_id: foreignId = null } = track as Record<string, JsonValue>
  return id ?? foreignId
}
