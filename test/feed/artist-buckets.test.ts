import { afterAll, beforeAll, expect, it } from 'vitest'
import { newCatalog, update } from '../support/catalogs.ts'
import { rss2, type Told } from '../support/feed-formats.ts'
import { FeedServer } from '../support/feed-server.ts'
import { openInline } from '../support/open.ts'

let server: FeedServer
beforeAll(async () => {
  server = await FeedServer.start()
})
afterAll(() => server.close())

const DATE = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/)
const ID = expect.stringMatching(/^[0-9a-f]{32}$/)

it('answers every bucket of an artist, from imports and from feeds, in the recorded shape', async () => {
  const music = await openInline()
  const license = { type: 'cc-by-sa', attribution: 'Somebody', url: 'https://cc.example' }
  await music.artists.import([
    {
      name: 'Nora Vale',
      hotttnesss: 0.4,
      familiarity: 0.6,
      location: { city: 'Évora', country: 'Portugal', location: 'Évora, Portugal' },
      yearsActive: [{ start: 1999, end: 2003 }, { start: 2007 }],
      terms: [
        { name: 'fado', weight: 1, frequency: 0.8, kind: 'style' },
        { name: 'calm', weight: 0.5, frequency: 0.2, kind: 'mood' },
      ],
      foreignIds: [{ catalog: 'musicbrainz', foreignId: 'abc' }],
      biographies: [{ text: 'Born.', site: 'wiki', url: 'https://wiki.example', license }],
      news: [
        {
          name: 'Old news',
          url: 'https://n.example',
          dateFound: '2010-01-01T00:00:00',
          summary: 's',
        },
      ],
      reviews: [
        {
          name: 'Old review',
          url: 'https://r.example',
          release: 'First',
          dateFound: '2010-01-01T00:00:00',
        },
      ],
      images: [{ url: 'https://i.example/1.jpg', license }],
      urls: { officialUrl: 'https://nora.example', lastfmUrl: 'https://l.example' },
    },
  ])
  await music.songs.import([{ title: 'Home', artistName: 'Nora Vale', songHotttnesss: 0.5 }])
  const story: Told = {
    id: '1',
    title: 'A story',
    link: 'https://paper.example/1',
    html: 'Words.',
    date: '2011-07-01T00:00:00Z',
    audio: 'https://paper.example/1.mp3',
  }
  for (const type of ['news', 'blogs', 'reviews', 'audio', 'video'] as const) {
    const url = await server.put(`/${type}`, rss2([story]))
    await music.feeds.add({ url, type, artistName: 'Nora Vale' })
  }
  await music.feeds.refresh()
  const catalog = await newCatalog(music, 'artist')
  await update(catalog, [
    { item: { itemId: 'known', artistName: 'Nora Vale' } },
    { item: { itemId: 'unknown', artistName: 'Qqqq Zzzz' } },
  ])
  const bucket = [
    ...['biographies', 'blogs', 'doc_counts', 'familiarity', 'hotttnesss', 'images', 'news'],
    ...['reviews', 'songs', 'terms', 'urls', 'video', 'years_active', 'artist_location'],
    'id:musicbrainz',
  ] as const
  const { items } = await catalog.read({ bucket })
  const { request, foreignId, dateAdded, lastModified, artistId, artistName, ...data } =
    items[0] ?? {}
  const found = { datePosted: '2011-07-01T00:00:00', dateFound: DATE }
  const article = {
    id: ID,
    name: 'A story',
    url: 'https://paper.example/1',
    summary: 'Words.',
    ...found,
  }
  expect(data).toEqual({
    biographies: [{ text: 'Born.', site: 'wiki', url: 'https://wiki.example', license }],
    blogs: [article],
    docCounts: {
      ...{ audio: 1, biographies: 1, blogs: 1, images: 1, news: 2, reviews: 2, songs: 1, video: 1 },
    },
    familiarity: 0.6,
    hotttnesss: 0.4,
    images: [{ url: 'https://i.example/1.jpg', license }],
    news: [
      article,
      {
        ...{ id: ID, name: 'Old news', url: 'https://n.example', summary: 's' },
        dateFound: '2010-01-01T00:00:00',
      },
    ],
    reviews: [
      article,
      {
        ...{ id: ID, name: 'Old review', url: 'https://r.example', release: 'First' },
        dateFound: '2010-01-01T00:00:00',
      },
    ],
    songs: [{ id: expect.stringMatching(/^SO/), title: 'Home' }],
    terms: [
      { name: 'fado', weight: 1, frequency: 0.8 },
      { name: 'calm', weight: 0.5, frequency: 0.2 },
    ],
    urls: { officialUrl: 'https://nora.example', lastfmUrl: 'https://l.example' },
    video: [
      { id: ID, title: 'A story', url: 'https://paper.example/1', site: 'paper.example', ...found },
    ],
    yearsActive: [{ start: 1999, end: 2003 }, { start: 2007 }],
    artistLocation: { city: 'Évora', country: 'Portugal', location: 'Évora, Portugal' },
    foreignIds: [{ catalog: 'musicbrainz', foreignId: 'musicbrainz:artist:abc' }],
  })
  // An item that is not resolved has none of it.
  expect(Object.keys(items[1] ?? {}).sort()).toEqual(
    ['dateAdded', 'foreignId', 'lastModified', 'request'].sort(),
  )
})
