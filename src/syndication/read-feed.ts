import { isUtf8 } from 'node:buffer'
import type { AnyFeed } from 'feedsmith'
import { DecodeError } from '../values/errors.ts'
import { known } from '../values/known.ts'
import { md5 } from '../values/md5.ts'
import { decodedText, encodingOfLabel, escapeMarkup, singleSpaced } from '../values/text.ts'
import { timestampOf } from './dates.ts'
import { entriesOf, type RawEntry, type RawFeed, type Written } from './entries.ts'
import { type HtmlReader, htmlReader, wholeWords } from './html.ts'

export interface FeedBytes {
  bytes: Uint8Array
  /** The header `Content-Type`, for its `charset`. */
  contentType?: string | undefined
  /** The feed's address, which resolves relative addresses in it. */
  url: string
  /** Which address an entry gets: that of its page, or of its audio or video. */
  prefer: 'page' | 'audio' | 'video'
  /** Digests of known entries by key: an entry with the same digest is not read again. */
  known: ReadonlyMap<string, string>
}

export interface FeedEntry {
  /** Identifies the entry when the feed is read again. 32 hexadecimal digits. */
  key: string
  /** An entry with another digest has changed. */
  digest: string
  /** The headline as plain text; never empty. */
  name: string
  url?: string
  /** HTML without anything that could run or load. */
  summary?: string
  /** The text below the headline, as far as the feed has it, without markup. */
  text: string
  /** `YYYY-MM-DDThh:mm:ss`, in UTC. */
  datePosted?: string
  imageUrl?: string
}

export interface FeedDocument {
  title?: string
  link?: string
  /** The entries that are new or changed. */
  entries: FeedEntry[]
  total: number
}

/**
 * The most milliseconds that one feed may take: a reader in this thread cannot be stopped from
 * outside.
 */
const PATIENCE = 30_000
/** The most characters of a title, and of an entry's text. */
const TITLE = 300
const TEXT = 16_000

/**
 * Reads a feed of any format: RSS 0.90 to 2.0, Atom, JSON Feed, with Media RSS and the elements of
 * podcasts. Entries are in the feed's order, without duplicates.
 *
 * @throws {DecodeError} when it is not a feed, or is cut off
 */
export async function readFeed(given: FeedBytes): Promise<FeedDocument> {
  const { parseFeed } = await import('feedsmith')
  const reader = await htmlReader()
  const raw = entriesOf(parse(parseFeed, decodeText(given.bytes, given.contentType)))
  const page = addressOf(raw.link, given.url)
  const base = page ?? given.url
  const title = textOf(reader, raw.title).slice(0, TITLE) || undefined
  const document: FeedDocument = { ...known({ title, link: page }), entries: [], total: 0 }
  const until = performance.now() + PATIENCE
  const seen = new Set<string>()
  for (const { entry, key } of keyed(raw, base)) {
    if (seen.has(key)) continue
    seen.add(key)
    document.total++
    const digest = md5(JSON.stringify(entry))
    if (given.known.get(key) === digest) continue
    if (performance.now() > until) {
      throw new DecodeError(`It takes longer than ${PATIENCE / 1000} s to read.`)
    }
    const read = readEntry(reader, entry, base, given.prefer)
    if (read) document.entries.push({ key, digest, ...read })
  }
  return document
}

type ParseFeed = typeof import('feedsmith')['parseFeed']

const FEED_TYPE = /\btype\s*=\s*["']application\/(?:rss|atom|feed)\+/i

function parse(parseFeed: ParseFeed, text: string): AnyFeed {
  try {
    return parseFeed<string>(text)
  } catch (cause) {
    if (/^\s*(?:<!doctype html|<html)/i.test(text)) {
      const feed = text.match(/<link\b[^<>]*>/gi)?.find((link) => FEED_TYPE.test(link))
      const href = feed && /\bhref\s*=\s*["']([^"']+)/i.exec(feed)?.[1]
      const remedy = href ? `; the page names ${singleSpaced(href)} as its feed` : ''
      throw new DecodeError(`It is a web page, no feed${remedy}.`, { cause })
    }
    throw new DecodeError('It is no RSS, Atom or JSON feed, or is cut off.', { cause })
  }
}

/**
 * Entries with their keys. A key is made of the feed's own id; without one, of the address, unless it
 * is also that of other entries or of the site; else of the content.
 */
function keyed({ entries }: RawFeed, base: string): { entry: RawEntry; key: string }[] {
  const links = new Map<string, number>()
  const guids = new Map<string, number>()
  for (const { link, guid } of entries) {
    if (link !== undefined) links.set(link, (links.get(link) ?? 0) + 1)
    if (guid !== undefined) guids.set(guid, (guids.get(guid) ?? 0) + 1)
  }
  return entries.map((entry) => {
    const { guid, link, title, date, media } = entry
    const said = [link, title?.value, title === undefined ? entry.summary?.value : date]
    // Some feeds give all entries the same id.
    if (guid !== undefined && guid.trim() !== '') {
      const own = guids.get(guid) === 1
      return { entry, key: md5(own ? `guid ${guid.trim()}` : `guid ${guid} ${said.join('\n')}`) }
    }
    const own = link !== undefined && links.get(link) === 1 && addressOf(link, base) !== base
    if (own) return { entry, key: md5(`link ${link}`) }
    return { entry, key: md5(`said ${media[0]?.url ?? ''}\n${said.join('\n')}`) }
  })
}

function readEntry(
  reader: HtmlReader,
  entry: RawEntry,
  base: string,
  prefer: FeedBytes['prefer'],
): Omit<FeedEntry, 'key' | 'digest'> | undefined {
  const written = entry.summary ?? entry.content
  const short = written && readText(reader, written, base)
  const whole = entry.content === written ? '' : textOf(reader, entry.content)
  const brief = short?.text ?? ''
  const text = (whole.length > brief.length ? whole : brief).slice(0, TEXT)
  const sound = entry.media.find(({ type }) => type.startsWith(`${prefer}/`))
  const page = addressOf(entry.link, base)
  const url =
    (prefer === 'audio' ? (addressOf(sound?.url, base) ?? page) : page) ??
    addressOf((sound ?? entry.media[0])?.url, base)
  const name = clipped(textOf(reader, entry.title) || text || url || '', TITLE)
  if (name === '') return undefined
  const summary = short?.html || undefined
  const datePosted = timestampOf(entry.date)
  return known({ name, text, url, summary, datePosted, imageUrl: addressOf(entry.image, base) })
}

function readText(reader: HtmlReader, { value, html }: Written, base: string) {
  if (html) return reader.read(value, base)
  const text = singleSpaced(value)
  return { html: escapeMarkup(clipped(text, 1000)), text }
}

function textOf(reader: HtmlReader, written: Written | undefined): string {
  if (written === undefined) return ''
  return written.html ? reader.textOf(written.value) : singleSpaced(written.value)
}

function clipped(text: string, most: number): string {
  if (text.length <= most) return text
  return `${wholeWords(text.slice(0, most - 1))}…`
}

/** An absolute web address; `undefined` for anything else. */
function addressOf(address: string | undefined, base: string): string | undefined {
  const given = address?.trim() ?? ''
  if (given === '' || given.length > 2048 || !URL.canParse(given, base)) return undefined
  const { protocol, href } = new URL(given, base)
  return protocol === 'http:' || protocol === 'https:' ? href : undefined
}

/** Bytes at the start of a document that are searched for its declared encoding. */
const HEAD = 1024

/**
 * The text of a feed's bytes. The encoding is that of the byte order mark; else UTF-8 if the bytes are
 * valid UTF-8, whatever was declared, as text in another encoding is hardly ever valid; else the
 * `charset` of the `Content-Type`; else that of the XML declaration; else Windows-1252, in which every
 * byte is valid. Invalid bytes become U+FFFD; characters that XML forbids are removed.
 */
function decodeText(bytes: Uint8Array, contentType?: string): string {
  return withoutControls(decodedText(bytes, encodingOf(bytes, contentType)))
}

function encodingOf(bytes: Uint8Array, contentType = ''): string {
  const [a, b, c, d] = bytes
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8'
  if ((a === 0xff && b === 0xfe) || (a === 0x3c && b === 0 && d === 0)) return 'utf-16le'
  if ((a === 0xfe && b === 0xff) || (a === 0 && b === 0x3c && c === 0)) return 'utf-16be'
  const head = String.fromCharCode(...bytes.subarray(0, HEAD))
  const said = /charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType)?.[1]
  const declared = /^\s*<\?xml[^>]*?\bencoding\s*=\s*["']([\w.:-]+)["']/i.exec(head)?.[1]
  const others = [said, declared].flatMap((label) => encodingOfLabel(label) ?? [])
  // Text in a 7-bit encoding is always valid UTF-8, with another meaning.
  const seven = others.find((name) => /^(?:iso-2022|hz)/.test(name))
  if (seven !== undefined) return seven
  if (isUtf8(bytes)) return 'utf-8'
  return others.find((name) => !/^utf-/.test(name)) ?? 'windows-1252'
}

function withoutControls(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
}
