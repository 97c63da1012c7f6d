import fastXmlBuilder from 'fast-xml-builder'
import { type Json, numeral } from './names.ts'

/** Lists that have an element of their own, with each member under the singular. */
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
/** These lists too, except in catalogs, where parsers of the time expect the id in `foreign_id`. */
const WRAPPED_OF_SONGS: Readonly<Record<string, string>> = {
  ...WRAPPED,
  artist_foreign_ids: 'foreign_id',
  foreign_ids: 'foreign_id',
}

/** How lists are written: catalogs repeat the plural where songs wrap the singular. */
export type XmlStyle = 'catalog' | 'song' | 'track'

type Node = Record<string, unknown>

// Its CommonJS build exports an object that holds the class.
const XMLBuilder = (fastXmlBuilder as { default?: typeof fastXmlBuilder }).default ?? fastXmlBuilder

const builder = new XMLBuilder({
  preserveOrder: true,
  ignoreAttributes: false,
  suppressBooleanAttributes: false,
})

/** A tree of names that XML allows can be built; 100 levels are far more than answers have. */
const NAME = /^[A-Za-z_][A-Za-z0-9_.-]*$/
// XML 1.0 cannot hold these, not even escaped.
const FORBIDDEN =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g

/**
 * A response as XML. There is no white space between elements, as parsers of the time read
 * `version`, `code` and `message` by position.
 */
export function toXml(response: Json, style: XmlStyle): string {
  const declaration = { '?xml': [], ':@': { '@_version': '1.0', '@_encoding': 'UTF-8' } }
  return builder.build([declaration, ...member('response', response, style)])
}

function member(name: string, value: Json, style: XmlStyle): Node[] {
  if (!Array.isArray(value)) return [element(name, content(name, value, style))]
  const one = (style === 'song' ? WRAPPED_OF_SONGS : WRAPPED)[name]
  const list = value as readonly Json[]
  if (one === undefined) return list.flatMap((item) => member(name, item, style))
  // In a catalog, a track is its id and nothing else.
  const members = style === 'catalog' && name === 'tracks' ? list.map(idOf) : list
  const elements = members.map((item) => element(one, content(one, item, style)))
  return [element(name, elements)]
}

function content(name: string, value: Json, style: XmlStyle): Node[] {
  if (value === null) return []
  if (typeof value === 'object') {
    const members = Array.isArray(value) ? value.map((one): [string, Json] => ['item', one]) : []
    const all = Array.isArray(value) ? members : Object.entries(value)
    return all.flatMap(([key, one]) => member(key, one, style))
  }
  const text = typeof value === 'number' ? numeral(value, name) : String(value)
  return text === '' ? [] : [{ '#text': text.replace(FORBIDDEN, '') }]
}

/** A caller's own key that is no name of XML becomes an attribute. */
function element(name: string, children: Node[]): Node {
  if (NAME.test(name)) return { [name]: children }
  return { entry: children, ':@': { '@_name': name.replace(FORBIDDEN, '') } }
}

function idOf(track: Json): Json {
  if (typeof track !== 'object' || track === null || Array.isArray(track)) return track
  const { id, foreign_id: foreignId = null } = track as Record<string, Json>
  return id ?? foreignId
}
