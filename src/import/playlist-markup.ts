import { cleanAddress, cleanTextValue } from './cleaning.ts'
import type { ImportInput } from './input.ts'
import { joinedReference } from './playlist-location.ts'
import { type ListedTrack, namesOfListed } from './playlist-names.ts'
import { type Attributes, readXml, type XmlVisitor } from './xml.ts'

/** XSPF, WPL and ZPL. */
export function tracksOfXml(input: ImportInput): AsyncGenerator<ListedTrack, void> {
  return readXml<ListedTrack>(input, 'an XSPF or WPL playlist', listedTrackVisitor)
}

function listedTrackVisitor(emit: (track: ListedTrack) => void): XmlVisitor {
  /** The `xml:base` of each open element. */
  const bases: string[] = []
  let children: Map<string, string> | undefined
  return {
    open(name, attributes) {
      bases.push(joinedReference(bases.at(-1) ?? '', attributes['xml:base']?.trim() ?? ''))
      if (name === 'track') children = new Map()
      if (name === 'media') emit(trackOfMedia(attributes))
    },
    close(name, value) {
      const base = bases.pop() ?? ''
      if (name === 'track') {
        if (children !== undefined) emit(trackOfChildren(children))
        children = undefined
      } else if (children !== undefined && !children.has(name)) {
        const isLocation = name === 'location' && value.trim() !== ''
        children.set(name, isLocation ? joinedReference(base, value.trim()) : value)
      }
    },
  }
}

function trackOfChildren(track: ReadonlyMap<string, string>): ListedTrack {
  return {
    location: cleanAddress(track.get('location')),
    isUri: true,
    ...namesOfListed(cleanTextValue(track.get('title')), cleanTextValue(track.get('creator'))),
    release: track.get('album'),
    trackNumber: track.get('trackNum'),
  }
}

function trackOfMedia(media: Attributes): ListedTrack {
  return {
    location: cleanAddress(media.src),
    ...namesOfListed(cleanTextValue(media.trackTitle), cleanTextValue(media.trackArtist)),
    release: media.albumTitle,
  }
}

/** ASX is older than XML: tags have any case, and many writers leave `&` as it is. */
export function* tracksOfAsx(asx: string): Generator<ListedTrack, void> {
  const [listHead = '', ...entries] = asx.split(/<entry\b/i)
  const listBase = hrefOfTag(listHead, 'base') ?? ''
  for (const entry of entries) {
    const base = hrefOfTag(entry, 'base') ?? listBase
    const location = hrefOfTag(entry, 'ref')
    yield {
      location: location === undefined ? undefined : joinedReference(base, location),
      ...namesOfListed(textOfTag(entry, 'title'), textOfTag(entry, 'author')),
    }
  }
}

const HREF_PATTERNS = {
  base: /<base\b[^<>]{0,999}?\bhref\s{0,9}=\s{0,9}(?:"([^"<>]*)"|'([^'<>]*)'|([^\s<>"']+))/i,
  ref: /<ref\b[^<>]{0,999}?\bhref\s{0,9}=\s{0,9}(?:"([^"<>]*)"|'([^'<>]*)'|([^\s<>"']+))/i,
}
const TEXT_PATTERNS = { title: /<title\s{0,9}>([^<]*)</i, author: /<author\s{0,9}>([^<]*)</i }

function hrefOfTag(markup: string, tag: keyof typeof HREF_PATTERNS): string | undefined {
  const [, inDoubleQuotes, inSingleQuotes, withoutQuotes] = HREF_PATTERNS[tag].exec(markup) ?? []
  return cleanAddress(withoutEntities(inDoubleQuotes ?? inSingleQuotes ?? withoutQuotes))
}

function textOfTag(markup: string, tag: keyof typeof TEXT_PATTERNS): string | undefined {
  return cleanTextValue(withoutEntities(TEXT_PATTERNS[tag].exec(markup)?.[1]))
}

const XML_ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
}

function withoutEntities(markup: string | undefined): string | undefined {
  return markup
    ?.replace(/&#(\d{1,6});/g, (_, code: string) => String.fromCodePoint(Number(code)))
    .replace(
      /&(amp|lt|gt|quot|apos);/gi,
      (_, name: string) => XML_ENTITIES[name.toLowerCase()] as string,
    )
}
