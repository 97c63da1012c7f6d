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

export interface Written {
  value: string
  html: boolean
}

/** The parts of an entry that the formats share, as the feed writes them. */
export interface RawEntry {
  /** The feed's own id of the entry. */
  guid?: string | undefined
  link?: string | undefined
  title?: Written | undefined
  /** A short text, and the whole text. */
  summary?: Written | undefined
  content?: Written | undefined
  /** The time of publication, else of the last change. */
  date?: string | undefined
  image?: string | undefined
  media: { url: string; type: string }[]
}

export interface RawFeed {
  title?: Written | undefined
  link?: string | undefined
  entries: RawEntry[]
}

export function entriesOf(parsed: AnyFeed): RawFeed {
  switch (parsed.format) {
    case 'rss':
      return rss(parsed.feed)
    case 'rdf':
      return rdf(parsed.feed)
    case 'atom':
      return atom(parsed.feed)
    case 'json':
      return json(parsed.feed)
  }
}

function rss(feed: RssFeed.Feed<string>): RawFeed {
  return {
    title: html(feed.title),
    link: feed.link ?? alternate(feed.atom?.links),
    entries: (feed.items ?? []).map(rssEntry),
  }
}

function rdf(feed: RdfFeed.Feed<string>): RawFeed {
  return {
    title: html(feed.title),
    link: feed.link,
    entries: (feed.items ?? []).map(({ rdf, ...item }) =>
      rssEntry({ ...item, guid: { value: rdf?.about } } as RssFeed.Item<string>),
    ),
  }
}

function rssEntry(item: RssFeed.Item<string>): RawEntry {
  const { guid, enclosures = [], itunes, media, content, dc, atom } = item
  const page = guid?.isPermaLink !== false && isAddress(guid?.value) ? guid?.value : undefined
  return {
    guid: guid?.value,
    link: item.link ?? alternate(atom?.links) ?? page,
    title: html(item.title) ?? plain(itunes?.title) ?? mediaText(media, 'title') ?? dcTitle(dc),
    summary: html(item.description) ?? inShort(media, itunes, dc),
    content: html(content?.encoded),
    date: item.pubDate ?? dc?.dates?.[0] ?? atom?.published ?? atom?.updated,
    image: itunes?.image ?? imageOf(media, enclosures),
    media: [...enclosures.flatMap(medium), ...mediaOf(media)],
  }
}

function atom(feed: AtomFeed.Feed<string>): RawFeed {
  return {
    title: atomText(feed.title),
    link: alternate(feed.links),
    entries: (feed.entries ?? []).map((entry) => {
      const { links = [], content, media, itunes } = entry
      const base = entry.xml?.base ?? feed.xml?.base
      const from = (url: string | undefined) =>
        url !== undefined && URL.canParse(url, base) ? new URL(url, base).href : url
      const enclosures = links.filter(({ rel }) => rel === 'enclosure')
      return {
        guid: entry.id,
        link: from(
          alternate(links) ?? content?.src ?? (isAddress(entry.id) ? entry.id : undefined),
        ),
        title: atomText(entry.title) ?? mediaText(media, 'title'),
        summary: atomText(entry.summary) ?? inShort(media, itunes, entry.dc),
        content: /^(?:text|x?html)|^text\//.test(content?.type ?? 'text')
          ? atomText(content)
          : undefined,
        date: entry.published ?? entry.updated ?? entry.dc?.dates?.[0],
        image: itunes?.image ?? imageOf(media, []),
        media: [
          ...enclosures.flatMap(({ href, type }) => medium({ url: from(href), type })),
          ...mediaOf(media),
        ],
      }
    }),
  }
}

function json(feed: JsonFeed.Feed<string>): RawFeed {
  return {
    title: plain(feed.title),
    link: feed.home_page_url,
    entries: (feed.items ?? []).map((item) => ({
      guid: item.id,
      link: item.url ?? item.external_url ?? (isAddress(item.id) ? item.id : undefined),
      title: plain(item.title),
      summary: plain(item.summary),
      content: html(item.content_html) ?? plain(item.content_text),
      date: item.date_published ?? item.date_modified,
      image: item.image ?? item.banner_image,
      media: (item.attachments ?? []).flatMap(({ url, mime_type: type }) => medium({ url, type })),
    })),
  }
}

function html(value: string | undefined): Written | undefined {
  return value === undefined || value.trim() === '' ? undefined : { value, html: true }
}

function plain(value: string | undefined): Written | undefined {
  return value === undefined || value.trim() === '' ? undefined : { value, html: false }
}

function atomText(text: AtomFeed.Text | AtomFeed.Content | undefined): Written | undefined {
  const { value, type = 'text' } = text ?? {}
  return /html/i.test(type) ? html(value) : plain(value)
}

function dcTitle(dc: DcNs.ItemOrFeed<string> | undefined): Written | undefined {
  return plain(dc?.titles?.[0])
}

function inShort(
  media: MediaNs.ItemOrFeed | undefined,
  itunes: ItunesNs.Item | undefined,
  dc: DcNs.ItemOrFeed<string> | undefined,
): Written | undefined {
  return (
    mediaText(media, 'description') ??
    html(itunes?.summary ?? itunes?.subtitle) ??
    html(dc?.descriptions?.[0])
  )
}

function mediaText(
  media: MediaNs.ItemOrFeed | undefined,
  name: 'title' | 'description',
): Written | undefined {
  for (const part of partsOf(media)) {
    const { value, type } = part?.[name] ?? {}
    const found = type === 'html' ? html(value) : plain(value)
    if (found) return found
  }
  return undefined
}

/** The parts of an entry that may have a title, a description or a thumbnail. */
function partsOf(media: MediaNs.ItemOrFeed | undefined) {
  return [media, ...(media?.groups ?? []), ...contentsOf(media)]
}

function contentsOf(media: MediaNs.ItemOrFeed | undefined): MediaNs.Content[] {
  return [...(media?.contents ?? []), ...(media?.groups ?? []).flatMap((one) => one.contents ?? [])]
}

function mediaOf(media: MediaNs.ItemOrFeed | undefined): RawEntry['media'] {
  return contentsOf(media).flatMap(({ url, type, medium: kind }) =>
    medium({ url, type: type ?? (kind === undefined ? undefined : `${kind}/`) }),
  )
}

function imageOf(
  media: MediaNs.ItemOrFeed | undefined,
  enclosures: readonly RssFeed.Enclosure[],
): string | undefined {
  const thumbnail = partsOf(media).find((part) => part?.thumbnails?.[0])?.thumbnails?.[0]?.url
  if (thumbnail !== undefined) return thumbnail
  const all = [...enclosures.flatMap(medium), ...mediaOf(media)]
  return all.find(({ type }) => type.startsWith('image/'))?.url
}

/** A file of audio, video or an image; without a type, the ending of its address decides. */
function medium({ url, type }: { url?: string | undefined; type?: string | undefined }) {
  if (url === undefined) return []
  if (type !== undefined && type !== '') return [{ url, type: type.toLowerCase() }]
  const ending = /\.(\w+)(?:[?#]|$)/.exec(url)?.[1]?.toLowerCase() ?? ''
  if (/^(?:mp3|m4a|ogg|oga|opus|flac|wav|aac)$/.test(ending)) return [{ url, type: 'audio/' }]
  if (/^(?:mp4|m4v|webm|mov|ogv|mkv)$/.test(ending)) return [{ url, type: 'video/' }]
  if (/^(?:jpe?g|png|gif|webp)$/.test(ending)) return [{ url, type: 'image/' }]
  return [{ url, type: '' }]
}

function alternate(
  links: readonly { href?: string; rel?: string; type?: string }[] | undefined,
): string | undefined {
  const pages = (links ?? []).filter(({ rel }) => rel === undefined || rel === 'alternate')
  return (pages.find(({ type }) => type === undefined || type === 'text/html') ?? pages[0])?.href
}

function isAddress(value: string | undefined): boolean {
  return value !== undefined && /^https?:\/\//i.test(value.trim())
}
