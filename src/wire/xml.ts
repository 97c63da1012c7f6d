import { escapeMarkup } from '../values/text.ts'
import { type Json, numeral } from './names.ts'

/** Lists that become one element, with a child element in the singular for each member. */
const WRAPPED: Readonly<Record<string, string>> = {
  artists: 'artist',
  biographies: 'biography',
  blogs: 'blog',
  images: 'image',
  news: 'news',
  reviews: 'review',
  songs: 'song',
  tracks: 'track',
}
/** In songs, these lists too. In catalogs, old parsers expect the id in `foreign_id`. */
const WRAPPED_OF_SONGS: Readonly<Record<string, string>> = {
  ...WRAPPED,
  artist_foreign_ids: 'foreign_id',
  foreign_ids: 'foreign_id',
}

/** How lists are written: catalogs repeat the plural where songs wrap the singular. */
export type XmlStyle = 'catalog' | 'song' | 'track'

const NAME = /^[A-Za-z_][A-Za-z0-9_.-]*$/
// XML 1.0 does not allow these characters, even escaped.
const FORBIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/**
 * A response as XML. There is no white space between elements, because old parsers read
 * `version`, `code` and `message` by position.
 */
export function toXml(response: Json, style: XmlStyle): string {
  return `<?xml version="1.0" encoding="UTF-8"?>${member('response', response, style)}`
}

function member(name: string, value: Json, style: XmlStyle): string {
  if (!Array.isArray(value)) return element(name, content(name, value, style))
  const one = (style === 'song' ? WRAPPED_OF_SONGS : WRAPPED)[name]
  const list = value as readonly Json[]
  if (one === undefined) return list.map((item) => member(name, item, style)).join('')
  // In a catalog, a track is only its id.
  const members = style === 'catalog' && name === 'tracks' ? list.map(idOf) : list
  return element(name, members.map((item) => element(one, content(one, item, style))).join(''))
}

function content(name: string, value: Json, style: XmlStyle): string {
  if (value === null) return ''
  if (Array.isArray(value)) return value.map((one) => member('item', one, style)).join('')
  if (typeof value === 'object') {
    return Object.entries(value)
      .map(([key, one]) => member(key, one, style))
      .join('')
  }
  return escaped(typeof value === 'number' ? numeral(value, name) : String(value))
}

/** A key of the caller that is not a valid XML name becomes an attribute. */
function element(name: string, inner: string): string {
  return NAME.test(name)
    ? `<${name}>${inner}</${name}>`
    : `<entry name="${escaped(name)}">${inner}</entry>`
}

function escaped(text: string): string {
  return escapeMarkup(text.replace(FORBIDDEN, ''))
}

function idOf(track: Json): Json {
  if (typeof track !== 'object' || track === null || Array.isArray(track)) return track
  const { id, foreign_id: foreignId = null } = track as Record<string, Json>
  return id ?? foreignId
}
