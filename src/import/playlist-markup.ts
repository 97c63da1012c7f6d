import { address, text } from './cleaning.ts'
import type { ImportInput } from './input.ts'
import { joinedReference } from './playlist-location.ts'
import { type ListedTrack, namesOfListed } from './playlist-names.ts'
import { type Attributes, readXml, type XmlVisitor } from './xml.ts'

/** The tracks of an XSPF playlist, or of one of Windows Media Player or Zune (WPL, ZPL). */
export function tracksOfXml(input: ImportInput): AsyncGenerator<ListedTrack, void> {
  return readXml<ListedTrack>(input, 'an XSPF or WPL playlist', trackVisitor)
}

function trackVisitor(emit: (track: ListedTrack) => void): XmlVisitor {
  /** The `xml:base` that counts in each open element. */
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
    location: address(track.get('location')),
    isUri: true,
    ...namesOfListed(text(track.get('title')), text(track.get('creator'))),
    release: track.get('album'),
    trackNumber: track.get('trackNum'),
  }
}

function trackOfMedia(media: Attributes): ListedTrack {
  return {
    location: address(media.src),
    ...namesOfListed(text(media.trackTitle), text(media.trackArtist)),
    release: media.albumTitle,
  }
}

/**
 * The tracks of an ASX playlist. The format is older than XML: tags have any case, and many writers
 * leave `&` as it is.
 */
export function* tracksOfAsx(asx: string): Generator<ListedTrack, void> {
  const [head = '', ...entries] = asx.split(/<entry\b/i)
  const listBase = hrefIn(head, 'base') ?? ''
  for (const entry of entries) {
    const base = hrefIn(entry, 'base') ?? listBase
    const location = hrefIn(entry, 'ref')
    yield {
      location: location === undefined ? undefined : joinedReference(base, location),
      ...namesOfListed(textIn(entry, 'title'), textIn(entry, 'author')),
    }
  }
}

const HREFS = {
  base: /<base\b[^<>]{0,999}?\bhref\s{0,9}=\s{0,9}(?:"([^"<>]*)"|'([^'<>]*)'|([^\s<>"']+))/i,
  ref: /<ref\b[^<>]{0,999}?\bhref\s{0,9}=\s{0,9}(?:"([^"<>]*)"|'([^'<>]*)'|([^\s<>"']+))/i,
}
const TEXTS = { title: /<title\s{0,9}>([^<]*)</i, author: /<author\s{0,9}>([^<]*)</i }

function hrefIn(markup: string, tag: keyof typeof HREFS): string | undefined {
  const [, double, single, bare] = HREFS[tag].exec(markup) ?? []
  return address(withoutEntities(double ?? single ?? bare))
}

function textIn(markup: string, tag: keyof typeof TEXTS): string | undefined {
  return text(withoutEntities(TEXTS[tag].exec(markup)?.[1]))
}

const ENTITIES: Readonly<Record<string, string>> = {
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
      (_, name: string) => ENTITIES[name.toLowerCase()] as string,
    )
}
