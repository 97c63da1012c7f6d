import type {
  AnyFeed,
  AtomFeed,
  DcNs,
  ItunesNs,
  JsonFeed,
  MediaNs,
  RdfFeed,
  RssFeed,
} from 'feedsmith'

export interface MarkedText {
  value: string
  html: boolean
}

/** As the feed writes them. */
export interface RawEntry {
  /** Of the entry. */
  guid?: string | undefined
  link?: string | undefined
  title?: MarkedText | undefined
  /** A short text, and the whole text. */
  summary?: MarkedText | undefined
  content?: MarkedText | undefined
  /** Of publication, else of the last change. */
  date?: string | undefined
  image?: string | undefined
  media: { url: string; type: string }[]
}

export interface RawFeed {
  title?: MarkedText | undefined
  link?: string | undefined
  entries: RawEntry[]
}

export function normalizeFeed(parsed: AnyFeed): RawFeed {
  switch (parsed.format) {
    case 'rss':
      return readRss(parsed.feed)
    case 'rdf':
      return readRdf(parsed.feed)
    case 'atom':
      return readAtom(parsed.feed)
    case 'json':
      return readJsonFeed(parsed.feed)
  }
}

function readRss(feed: RssFeed.Feed<string>): RawFeed {
  return {
    title: htmlText(feed.title),
    link: feed.link ?? pageLink(feed.atom?.links),
    entries: (feed.items ?? []).map(rssEntry),
  }
}

function readRdf(feed: RdfFeed.Feed<string>): RawFeed {
  return {
    title: htmlText(feed.title),
    link: feed.link,
    entries: (feed.items ?? []).map(({ rdf, ...item }) =>
      rssEntry({ ...item, guid: { value: rdf?.about } } as RssFeed.Item<string>),
    ),
  }
}

function rssEntry(item: RssFeed.Item<string>): RawEntry {
  const { guid, enclosures = [], itunes, media, content, dc, atom } = item
  const permalink =
    guid?.isPermaLink !== false && isWebAddress(guid?.value) ? guid?.value : undefined
  return {
    guid: guid?.value,
    link: item.link ?? pageLink(atom?.links) ?? permalink,
    title:
      htmlText(item.title) ?? plainText(itunes?.title) ?? mediaText(media, 'title') ?? dcTitle(dc),
    summary: htmlText(item.description) ?? mediaSummary(media, itunes, dc),
    content: htmlText(content?.encoded),
    date: item.pubDate ?? dc?.dates?.[0] ?? atom?.published ?? atom?.updated,
    image: itunes?.image ?? imageOf(media, enclosures),
    media: [...enclosures.flatMap(mediaFile), ...mediaOf(media)],
  }
}

function readAtom(feed: AtomFeed.Feed<string>): RawFeed {
  return {
    title: atomText(feed.title),
    link: pageLink(feed.links),
    entries: (feed.entries ?? []).map((entry) => {
      const { links = [], content, media, itunes } = entry
      const base = entry.xml?.base ?? feed.xml?.base
      const resolveUrl = (url: string | undefined) =>
        url !== undefined && URL.canParse(url, base) ? new URL(url, base).href : url
      const enclosures = links.filter(({ rel }) => rel === 'enclosure')
      return {
        guid: entry.id,
        link: resolveUrl(
          pageLink(links) ?? content?.src ?? (isWebAddress(entry.id) ? entry.id : undefined),
        ),
        title: atomText(entry.title) ?? mediaText(media, 'title'),
        summary: atomText(entry.summary) ?? mediaSummary(media, itunes, entry.dc),
        content: /^(?:text|x?html)|^text\//.test(content?.type ?? 'text')
          ? atomText(content)
          : undefined,
        date: entry.published ?? entry.updated ?? entry.dc?.dates?.[0],
        image: itunes?.image ?? imageOf(media, []),
        media: [
          ...enclosures.flatMap(({ href, type }) => mediaFile({ url: resolveUrl(href), type })),
          ...mediaOf(media),
        ],
      }
    }),
  }
}

function readJsonFeed(feed: JsonFeed.Feed<string>): RawFeed {
  return {
    title: plainText(feed.title),
    link: feed.home_page_url,
    entries: (feed.items ?? []).map((item) => ({
      guid: item.id,
      link: item.url ?? item.external_url ?? (isWebAddress(item.id) ? item.id : undefined),
      title: plainText(item.title),
      summary: plainText(item.summary),
      content: htmlText(item.content_html) ?? plainText(item.content_text),
      date: item.date_published ?? item.date_modified,
      image: item.image ?? item.banner_image,
      media: (item.attachments ?? []).flatMap(({ url, mime_type: type }) =>
        mediaFile({ url, type }),
      ),
    })),
  }
}

function htmlText(value: string | undefined): MarkedText | undefined {
  return value === undefined || value.trim() === '' ? undefined : { value, html: true }
}

function plainText(value: string | undefined): MarkedText | undefined {
  return value === undefined || value.trim() === '' ? undefined : { value, html: false }
}

function atomText(text: AtomFeed.Text | AtomFeed.Content | undefined): MarkedText | undefined {
  const { value, type = 'text' } = text ?? {}
  return /html/i.test(type) ? htmlText(value) : plainText(value)
}

function dcTitle(dc: DcNs.ItemOrFeed<string> | undefined): MarkedText | undefined {
  return plainText(dc?.titles?.[0])
}

function mediaSummary(
  media: MediaNs.ItemOrFeed | undefined,
  itunes: ItunesNs.Item | undefined,
  dc: DcNs.ItemOrFeed<string> | undefined,
): MarkedText | undefined {
  return (
    mediaText(media, 'description') ??
    htmlText(itunes?.summary ?? itunes?.subtitle) ??
    htmlText(dc?.descriptions?.[0])
  )
}

function mediaText(
  media: MediaNs.ItemOrFeed | undefined,
  name: 'title' | 'description',
): MarkedText | undefined {
  for (const part of mediaParts(media)) {
    const { value, type } = part?.[name] ?? {}
    const text = type === 'html' ? htmlText(value) : plainText(value)
    if (text) return text
  }
  return undefined
}

/** They may have a title, a description or a thumbnail. */
function mediaParts(media: MediaNs.ItemOrFeed | undefined) {
  return [media, ...(media?.groups ?? []), ...contentsOf(media)]
}

function contentsOf(media: MediaNs.ItemOrFeed | undefined): MediaNs.Content[] {
  return [
    ...(media?.contents ?? []),
    ...(media?.groups ?? []).flatMap((group) => group.contents ?? []),
  ]
}

function mediaOf(media: MediaNs.ItemOrFeed | undefined): RawEntry['media'] {
  return contentsOf(media).flatMap(({ url, type, medium: kind }) =>
    mediaFile({ url, type: type ?? (kind === undefined ? undefined : `${kind}/`) }),
  )
}

function imageOf(
  media: MediaNs.ItemOrFeed | undefined,
  enclosures: readonly RssFeed.Enclosure[],
): string | undefined {
  const thumbnail = mediaParts(media).find((part) => part?.thumbnails?.[0])?.thumbnails?.[0]?.url
  if (thumbnail !== undefined) return thumbnail
  const files = [...enclosures.flatMap(mediaFile), ...mediaOf(media)]
  return files.find(({ type }) => type.startsWith('image/'))?.url
}

/** Audio, video or an image; without a type, the ending of its address decides. */
function mediaFile({ url, type }: { url?: string | undefined; type?: string | undefined }) {
  if (url === undefined) return []
  if (type !== undefined && type !== '') return [{ url, type: type.toLowerCase() }]
  const ending = /\.(\w+)(?:[?#]|$)/.exec(url)?.[1]?.toLowerCase() ?? ''
  if (/^(?:mp3|m4a|ogg|oga|opus|flac|wav|aac)$/.test(ending)) return [{ url, type: 'audio/' }]
  if (/^(?:mp4|m4v|webm|mov|ogv|mkv)$/.test(ending)) return [{ url, type: 'video/' }]
  if (/^(?:jpe?g|png|gif|webp)$/.test(ending)) return [{ url, type: 'image/' }]
  return [{ url, type: '' }]
}

function pageLink(
  links: readonly { href?: string; rel?: string; type?: string }[] | undefined,
): string | undefined {
  const pages = (links ?? []).filter(({ rel }) => rel === undefined || rel === 'alternate')
  return (pages.find(({ type }) => type === undefined || type === 'text/html') ?? pages[0])?.href
}

function isWebAddress(value: string | undefined): boolean {
  return value !== undefined && /^https?:\/\//i.test(value.trim())
}
