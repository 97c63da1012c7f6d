/** An entry as a test has it. */
export interface Told {
  id: string
  title: string
  link?: string
  /** HTML. */
  html?: string
  /** ISO 8601, in UTC. */
  date?: string
  audio?: string
  video?: string
  image?: string
}

/** A feed of each format that says the same, as far as the format can. */
export const FORMATS = {
  'RSS 0.91': (told: readonly Told[]) =>
    `<?xml version="1.0"?><!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN" "http://my.netscape.com/publish/formats/rss-0.91.dtd">
<rss version="0.91"><channel><title>Feed</title><link>https://paper.example/</link>${told
      .map(
        ({ title, link, html }) =>
          `<item>${tag('title', title)}${tag('link', link)}${tag('description', html)}</item>`,
      )
      .join('')}</channel></rss>`,
  'RSS 0.92': (told: readonly Told[]) =>
    `<rss version="0.92"><channel><title>Feed</title><link>https://paper.example/</link>${told
      .map(
        ({ title, link, html, audio }) =>
          `<item>${tag('title', title)}${tag('link', link)}${tag('description', html)}${enclosure(audio, 'audio/mpeg')}</item>`,
      )
      .join('')}</channel></rss>`,
  'RSS 0.90': (told: readonly Told[]) =>
    `<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://my.netscape.com/rdf/simple/0.9/"><channel><title>Feed</title><link>https://paper.example/</link></channel>${told
      .map(({ title, link }) => `<item>${tag('title', title)}${tag('link', link)}</item>`)
      .join('')}</rdf:RDF>`,
  'RSS 1.0': (told: readonly Told[]) =>
    `<?xml version="1.0"?><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/" xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="https://paper.example/"><title>Feed</title><link>https://paper.example/</link><description>d</description></channel>${told
      .map(
        ({ title, link, html, date }) =>
          `<item rdf:about="${escaped(link ?? '')}">${tag('title', title)}${tag('link', link)}${tag('description', html)}${tag('dc:date', date)}</item>`,
      )
      .join('')}</rdf:RDF>`,
  'RSS 2.0': (told: readonly Told[]) =>
    rss2(
      told,
      ({ audio, video }) => enclosure(audio, 'audio/mpeg') + enclosure(video, 'video/mp4'),
    ),
  'Media RSS': (told: readonly Told[]) =>
    rss2(told, ({ audio, video, image }) => {
      const content = (url: string | undefined, type: string) =>
        url === undefined ? '' : `<media:content url="${escaped(url)}" type="${type}"/>`
      const thumbnail = image === undefined ? '' : `<media:thumbnail url="${escaped(image)}"/>`
      return `<media:group>${content(audio, 'audio/mpeg')}${content(video, 'video/mp4')}${thumbnail}</media:group>`
    }),
  podcast: (told: readonly Told[]) =>
    rss2(
      told,
      ({ audio, image }) =>
        `${enclosure(audio, 'audio/mpeg')}<itunes:duration>31:20</itunes:duration>${
          image === undefined ? '' : `<itunes:image href="${escaped(image)}"/>`
        }`,
    ),
  'Atom 0.3': (told: readonly Told[]) =>
    `<feed version="0.3" xmlns="http://purl.org/atom/ns#"><title>Feed</title><link rel="alternate" type="text/html" href="https://paper.example/"/>${told
      .map(
        ({ id, title, link, html, date }) =>
          `<entry>${tag('id', id)}${tag('title', title)}${alternate(link)}${tag('issued', date)}<content type="text/html" mode="escaped">${escaped(html ?? '')}</content></entry>`,
      )
      .join('')}</feed>`,
  'Atom 1.0': (told: readonly Told[]) =>
    `<?xml version="1.0" encoding="utf-8"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Feed</title><id>urn:feed</id><updated>2011-07-01T00:00:00Z</updated><link href="https://paper.example/"/>${told
      .map(
        ({ id, title, link, html, date, audio }) =>
          `<entry>${tag('id', id)}${tag('title', title)}${alternate(link)}${
            audio === undefined
              ? ''
              : `<link rel="enclosure" type="audio/mpeg" href="${escaped(audio)}"/>`
          }${tag('published', date)}${tag('updated', date)}<summary type="html">${escaped(html ?? '')}</summary></entry>`,
      )
      .join('')}</feed>`,
  'JSON Feed': (told: readonly Told[]) =>
    JSON.stringify({
      version: 'https://jsonfeed.org/version/1.1',
      title: 'Feed',
      home_page_url: 'https://paper.example/',
      items: told.map(({ id, title, link, html, date, audio, image }) => ({
        ...{ id, title, url: link, content_html: html, date_published: date, image },
        ...(audio !== undefined && { attachments: [{ url: audio, mime_type: 'audio/mpeg' }] }),
      })),
    }),
} as const

/** RSS 2.0 with whatever else is in its items. */
export function rss2(told: readonly Told[], more: (one: Told) => string = () => ''): string {
  const items = told.map(
    (one) =>
      `<item>${tag('title', one.title)}${tag('link', one.link)}<guid isPermaLink="false">${escaped(one.id)}</guid>${
        one.html === undefined ? '' : `<description><![CDATA[${one.html}]]></description>`
      }${one.date === undefined ? '' : tag('pubDate', new Date(one.date).toUTCString())}${more(one)}</item>`,
  )
  return `<?xml version="1.0" encoding="UTF-8"?><rss version="2.0" xmlns:media="http://search.yahoo.com/mrss/" xmlns:itunes="http://www.itunes.com/dtds/podcast-1.0.dtd" xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel><title>Feed</title><link>https://paper.example/</link><description>d</description>${items.join('')}</channel></rss>`
}

function tag(name: string, value: string | undefined): string {
  return value === undefined ? '' : `<${name}>${escaped(value)}</${name}>`
}

function enclosure(url: string | undefined, type: string): string {
  return url === undefined ? '' : `<enclosure url="${escaped(url)}" length="1" type="${type}"/>`
}

function alternate(link: string | undefined): string {
  return link === undefined
    ? ''
    : `<link rel="alternate" type="text/html" href="${escaped(link)}"/>`
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')
}
