import { isUtf8 } from 'node:buffer'
import type { AnyFeed } from 'feedsmith'
import { DecodeError } from '../values/errors.ts'
import { known } from '../values/known.ts'
import { md5 } from '../values/md5.ts'
import { decodeBytes, encodingOfLabel, escapeMarkup, singleSpaced } from '../values/text.ts'
import { parseTimestamp } from './dates.ts'
import { type MarkedText, normalizeFeed, type RawEntry, type RawFeed } from './entries.ts'
import { dropLastWord, type HtmlReader, openHtmlReader } from './html.ts'

export interface FeedBytes {
  bytes: Uint8Array
  /** `Content-Type`, for its `charset`. */
  contentType?: string | undefined
  /** Resolves relative addresses in the feed. */
  url: string
  /** An entry gets the address of its page, or of its audio or video. */
  prefer: 'page' | 'audio' | 'video'
  /** By key: an entry with the same digest is not read again. */
  known: ReadonlyMap<string, string>
}

export interface FeedEntry {
  /** Stays the same when the feed is read again; 32 hexadecimal digits. */
  key: string
  /** An entry with another digest has changed. */
  digest: string
  /** Plain text, never empty. */
  name: string
  url?: string
  /** HTML without anything that could run or load. */
  summary?: string
  /** Below the headline, as far as the feed has it, without markup. */
  text: string
  /** `YYYY-MM-DDThh:mm:ss`, in UTC. */
  datePosted?: string
  imageUrl?: string
}

export interface FeedDocument {
  title?: string
  link?: string
  /** New or changed ones. */
  entries: FeedEntry[]
  total: number
}

/** For one feed: a reader in this thread cannot be stopped from outside. */
const READ_MILLISECONDS = 30_000
const MAX_TITLE_CHARACTERS = 300
const MAX_TEXT_CHARACTERS = 16_000

/**
 * RSS 0.90 to 2.0, Atom, JSON Feed, Media RSS and podcasts; entries in order, without duplicates.
 * @throws {DecodeError} when it is not a feed, or is cut off
 */
export async function readFeed(feed: FeedBytes): Promise<FeedDocument> {
  const { parseFeed } = await import('feedsmith')
  const reader = await openHtmlReader()
  const raw = normalizeFeed(parseFeedText(parseFeed, decodeText(feed.bytes, feed.contentType)))
  const page = webAddress(raw.link, feed.url)
  const base = page ?? feed.url
  const title = plainTextOf(reader, raw.title).slice(0, MAX_TITLE_CHARACTERS) || undefined
  const document: FeedDocument = { ...known({ title, link: page }), entries: [], total: 0 }
  const deadline = performance.now() + READ_MILLISECONDS
  const seen = new Set<string>()
  for (const { entry, key } of entriesWithKeys(raw, base)) {
    if (seen.has(key)) continue
    seen.add(key)
    document.total++
    const digest = md5(JSON.stringify(entry))
    if (feed.known.get(key) === digest) continue
    if (performance.now() > deadline) {
      throw new DecodeError(`It takes longer than ${READ_MILLISECONDS / 1000} s to read.`)
    }
    const feedEntry = readEntry(reader, entry, base, feed.prefer)
    if (feedEntry) document.entries.push({ key, digest, ...feedEntry })
  }
  return document
}

type ParseFeed = typeof import('feedsmith')['parseFeed']

const FEED_LINK_TYPE = /\btype\s*=\s*["']application\/(?:rss|atom|feed)\+/i

function parseFeedText(parseFeed: ParseFeed, text: string): AnyFeed {
  try {
    return parseFeed<string>(text)
  } catch (cause) {
    if (/^\s*(?:<!doctype html|<html)/i.test(text)) {
      const feed = text.match(/<link\b[^<>]*>/gi)?.find((link) => FEED_LINK_TYPE.test(link))
      const href = feed && /\bhref\s*=\s*["']([^"']+)/i.exec(feed)?.[1]
      const remedy = href ? `; the page names ${singleSpaced(href)} as its feed` : ''
      throw new DecodeError(`It is a web page, no feed${remedy}.`, { cause })
    }
    throw new DecodeError('It is no RSS, Atom or JSON feed, or is cut off.', { cause })
  }
}

/**
 * From the feed's own id; else from the address, unless others have it too; else from the content.
 */
function entriesWithKeys({ entries }: RawFeed, base: string): { entry: RawEntry; key: string }[] {
  const links = new Map<string, number>()
  const guids = new Map<string, number>()
  for (const { link, guid } of entries) {
    if (link !== undefined) links.set(link, (links.get(link) ?? 0) + 1)
    if (guid !== undefined) guids.set(guid, (guids.get(guid) ?? 0) + 1)
  }
  return entries.map((entry) => {
    const { guid, link, title, date, media } = entry
    const content = [link, title?.value, title === undefined ? entry.summary?.value : date]
    // Some feeds give all entries the same id.
    if (guid !== undefined && guid.trim() !== '') {
      const isUnique = guids.get(guid) === 1
      return {
        entry,
        key: md5(isUnique ? `guid ${guid.trim()}` : `guid ${guid} ${content.join('\n')}`),
      }
    }
    const isUnique = link !== undefined && links.get(link) === 1 && webAddress(link, base) !== base
    if (isUnique) return { entry, key: md5(`link ${link}`) }
    return { entry, key: md5(`said ${media[0]?.url ?? ''}\n${content.join('\n')}`) }
  })
}

function readEntry(
  reader: HtmlReader,
  entry: RawEntry,
  base: string,
  prefer: FeedBytes['prefer'],
): Omit<FeedEntry, 'key' | 'digest'> | undefined {
  const marked = entry.summary ?? entry.content
  const summaryText = marked && readText(reader, marked, base)
  const content = entry.content === marked ? '' : plainTextOf(reader, entry.content)
  const shortText = summaryText?.text ?? ''
  const text = (content.length > shortText.length ? content : shortText).slice(
    0,
    MAX_TEXT_CHARACTERS,
  )
  const preferred = entry.media.find(({ type }) => type.startsWith(`${prefer}/`))
  const page = webAddress(entry.link, base)
  const url =
    (prefer === 'audio' ? (webAddress(preferred?.url, base) ?? page) : page) ??
    webAddress((preferred ?? entry.media[0])?.url, base)
  const name = shortenWords(
    plainTextOf(reader, entry.title) || text || url || '',
    MAX_TITLE_CHARACTERS,
  )
  if (name === '') return undefined
  const summary = summaryText?.html || undefined
  const datePosted = parseTimestamp(entry.date)
  return known({ name, text, url, summary, datePosted, imageUrl: webAddress(entry.image, base) })
}

function readText(reader: HtmlReader, { value, html }: MarkedText, base: string) {
  if (html) return reader.read(value, base)
  const text = singleSpaced(value)
  return { html: escapeMarkup(shortenWords(text, 1000)), text }
}

function plainTextOf(reader: HtmlReader, marked: MarkedText | undefined): string {
  if (marked === undefined) return ''
  return marked.html ? reader.textOf(marked.value) : singleSpaced(marked.value)
}

function shortenWords(text: string, maxCharacters: number): string {
  if (text.length <= maxCharacters) return text
  return `${dropLastWord(text.slice(0, maxCharacters - 1))}…`
}

/** Absolute; `undefined` for anything else. */
function webAddress(address: string | undefined, base: string): string | undefined {
  const text = address?.trim() ?? ''
  if (text === '' || text.length > 2048 || !URL.canParse(text, base)) return undefined
  const { protocol, href } = new URL(text, base)
  return protocol === 'http:' || protocol === 'https:' ? href : undefined
}

/** Searched for the declared encoding. */
const DECLARATION_BYTES = 1024

/**
 * By the byte order mark; UTF-8 if the bytes are valid; the header; the XML declaration;
 * Windows-1252.
 * Invalid bytes become U+FFFD; characters that XML forbids are removed.
 */
function decodeText(bytes: Uint8Array, contentType?: string): string {
  return withoutControls(decodeBytes(bytes, detectEncoding(bytes, contentType)))
}

function detectEncoding(bytes: Uint8Array, contentType = ''): string {
  const [a, b, c, d] = bytes
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8'
  if ((a === 0xff && b === 0xfe) || (a === 0x3c && b === 0 && d === 0)) return 'utf-16le'
  if ((a === 0xfe && b === 0xff) || (a === 0 && b === 0x3c && c === 0)) return 'utf-16be'
  const head = String.fromCharCode(...bytes.subarray(0, DECLARATION_BYTES))
  const headerCharset = /charset\s*=\s*["']?([\w.:-]+)/i.exec(contentType)?.[1]
  const declared = /^\s*<\?xml[^>]*?\bencoding\s*=\s*["']([\w.:-]+)["']/i.exec(head)?.[1]
  const encodings = [headerCharset, declared].flatMap((label) => encodingOfLabel(label) ?? [])
  // Text in a 7-bit encoding is always valid UTF-8, with another meaning.
  const sevenBit = encodings.find((name) => /^(?:iso-2022|hz)/.test(name))
  if (sevenBit !== undefined) return sevenBit
  if (isUtf8(bytes)) return 'utf-8'
  return encodings.find((name) => !/^utf-/.test(name)) ?? 'windows-1252'
}

function withoutControls(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, '')
}
