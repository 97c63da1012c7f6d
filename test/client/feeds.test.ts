import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Audile, AudileOptions, Catalog, FeedItem, RefreshStatus } from '../../src/index.ts'
import { Audile as Opened } from '../../src/index.ts'
import { Clock, gather, jobComplete, newCatalog, update, whenDue } from '../support/catalogs.ts'
import { failure } from '../support/failure.ts'
import { FORMATS, rss2, type Told } from '../support/feed-formats.ts'
import { FeedServer } from '../support/feed-server.ts'
import { openInline } from '../support/open.ts'
import { scratch } from '../support/scratch.ts'

let server: FeedServer
beforeAll(async () => {
  server = await FeedServer.start()
})
afterAll(() => server.close())

let used = 0
/** A path that no other test uses. */
const path = () => `/feed-${++used}`

/** A database with artists, and a catalog that holds them all. */
async function openCatalog(
  names: readonly string[],
  options: Partial<AudileOptions> = {},
): Promise<{ music: Audile; catalog: Catalog }> {
  const music = await openInline(options)
  await music.artists.import(names.map((name) => ({ name })))
  return { music, catalog: await catalogOf(music, names) }
}

async function catalogOf(music: Audile, names: readonly string[]): Promise<Catalog> {
  const catalog = await newCatalog(music, 'artist')
  await update(
    catalog,
    names.map((artistName, i) => ({ item: { itemId: `i${i}`, artistName } })),
  )
  return catalog
}

/** Waits until all feeds have been read for the first time, and says what came of it. */
async function firstRead(music: Audile): Promise<RefreshStatus> {
  const ids = (await music.feeds.list()).map(({ id }) => id)
  return music.call('feed/wait', { ids })
}

const titles = (items: readonly FeedItem[]) => items.map(({ name }) => name)
const namesIn = ({ references }: FeedItem) => references.map(({ artistName }) => artistName)

const STORY: Told[] = [
  {
    id: 'story-1',
    title: 'Nora Vale & friends sing “Help”',
    link: 'https://paper.example/1?a=1&b=2',
    html: '<p>A <b>concert</b> in Évora.</p>',
    date: '2011-07-03T10:00:00Z',
    audio: 'https://paper.example/1.mp3',
    video: 'https://paper.example/1.mp4',
    image: 'https://paper.example/1.jpg',
  },
  {
    id: 'story-2',
    title: 'A second story',
    link: 'https://paper.example/2',
    html: 'Plain words.',
    date: '2011-07-04T10:00:00Z',
    audio: 'https://paper.example/2.mp3',
  },
]

describe('Feeds', () => {
  it.each(Object.entries(FORMATS))('read %s', async (format, write) => {
    const { music, catalog } = await openCatalog(['Nora Vale'])
    const url = await server.put(path(), write(STORY))
    const added = await music.feeds.add({ url, artistName: 'Nora Vale' })
    expect(added).toMatchObject({ url, type: 'news', artistName: 'Nora Vale', status: 'pending' })
    const status = await music.feeds.refresh()
    expect(status).toMatchObject({ total: 1, done: 1, failed: [] })
    const [info] = await music.feeds.list()
    expect(info).toMatchObject({ id: added.id, title: 'Feed', status: 'complete', items: 2 })
    const items = await catalog.feed({})
    const first = items.find(({ name }) => name === STORY[0]?.title)
    expect(titles(items).sort()).toEqual(STORY.map(({ title }) => title).sort())
    expect(first).toMatchObject({
      id: expect.stringMatching(/^[0-9a-f]{32}$/),
      type: 'news',
      url: STORY[0]?.link,
      dateFound: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/),
    })
    expect(first && namesIn(first)).toEqual(['Nora Vale'])
    if (format !== 'RSS 0.90') expect(first?.summary).toBe('<p>A <b>concert</b> in Évora.</p>')
    const dated = !/^RSS 0/.test(format)
    expect(first?.datePosted).toBe(dated ? '2011-07-03T10:00:00' : undefined)
    if (dated) expect(titles(items)).toEqual([STORY[1]?.title, STORY[0]?.title])
  })

  it('answer each type in the shape of its bucket', async () => {
    const { music, catalog } = await openCatalog(['Nora Vale'])
    const types = ['news', 'blogs', 'reviews', 'audio', 'video'] as const
    for (const type of types) {
      const url = await server.put(path(), FORMATS['Media RSS'](STORY.slice(0, 1)))
      await music.feeds.add({ url, type, artistName: 'Nora Vale' })
    }
    await music.feeds.refresh()
    const items = await catalog.feed({ bucket: [...types] })
    expect(items.map(({ type }) => type).sort()).toEqual([...types].sort())
    for (const { type, url, summary } of items) {
      expect(url).toBe(type === 'audio' ? STORY[0]?.audio : STORY[0]?.link)
      expect(summary).toContain('concert')
    }
    const bucket = ['news', 'blogs', 'reviews', 'video', 'doc_counts'] as const
    const { items: read } = await catalog.read({ bucket })
    const { id, ...said } = items.find(({ type }) => type === 'news') as FeedItem
    const { type: _, references: __, ...news } = said
    expect(read[0]?.news).toEqual([{ id, ...news }])
    // The feeds were read one after the other, perhaps not within one second.
    const dateFound = expect.stringMatching(/^2\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d$/)
    expect(read[0]?.blogs).toEqual([{ id, ...news, dateFound }])
    expect(read[0]?.reviews).toEqual([{ id, ...news, dateFound, imageUrl: STORY[0]?.image }])
    expect(read[0]?.video).toEqual([
      {
        id,
        title: STORY[0]?.title,
        url: STORY[0]?.link,
        site: 'paper.example',
        imageUrl: STORY[0]?.image,
        datePosted: '2011-07-03T10:00:00',
        dateFound,
      },
    ])
    expect(read[0]?.docCounts).toEqual({
      ...{ audio: 1, biographies: 0, blogs: 1, images: 0, news: 1, reviews: 1, songs: 0, video: 1 },
    })
  })

  it('ask whether a feed changed, and read it only then', async () => {
    const { music, catalog } = await openCatalog(['Nora Vale'])
    const [tagged, dated, silent] = [path(), path(), path()]
    const body = rss2(STORY)
    await server.put(tagged, { body, headers: { etag: '"one"' } })
    await server.put(dated, { body, headers: { 'last-modified': 'Mon, 04 Jul 2011 10:00:00 GMT' } })
    await server.put(silent, { body })
    for (const one of [tagged, dated, silent]) {
      await music.feeds.add({ url: server.url(one), artistName: 'Nora Vale' })
    }
    expect(await firstRead(music)).toMatchObject({ changed: 3, unchanged: 0 })
    expect(await music.feeds.refresh()).toMatchObject({ changed: 0, unchanged: 3, found: 0 })
    expect(await server.hits(tagged)).toMatchObject({ count: 2, unchanged: 1 })
    expect((await server.hits(tagged)).headers['if-none-match']).toBe('"one"')
    expect(await server.hits(dated)).toMatchObject({ count: 2, unchanged: 1 })
    expect(await server.hits(silent)).toMatchObject({ count: 2, unchanged: 0 })
    await server.put(tagged, {
      body: rss2([...STORY, { id: 'story-3', title: 'A third', link: 'https://paper.example/3' }]),
      headers: { etag: '"two"' },
    })
    expect(await music.feeds.refresh()).toMatchObject({ changed: 1, unchanged: 2, found: 1 })
    expect(await catalog.feed({})).toHaveLength(3)
  })

  it('lose nothing and double nothing as entries come, change and go', async () => {
    const { music, catalog } = await openCatalog(['Nora Vale'])
    const one = path()
    const told = (from: number, to: number, suffix = ''): Told[] =>
      Array.from({ length: to - from }, (_, i) => ({
        id: `n${from + i}`,
        title: `Story ${from + i}${suffix}`,
        link: `https://paper.example/n/${from + i}`,
      }))
    const url = await server.put(one, rss2(told(0, 20)))
    await music.feeds.add({ url, artistName: 'Nora Vale' })
    await music.feeds.refresh()
    // The oldest fall off its end, some are edited, some come, and all has other ids at last.
    await server.put(one, rss2([...told(10, 20, ' (corrected)'), ...told(20, 35)]))
    expect(await music.feeds.refresh()).toMatchObject({ found: 15 })
    await server.put(
      one,
      rss2(told(20, 35).map((entry) => ({ ...entry, id: `other ${entry.id}` }))),
    )
    expect(await music.feeds.refresh()).toMatchObject({ found: 0, changed: 1 })
    const all = await gather(catalog.feedItems())
    const expected = [...told(0, 10), ...told(10, 20, ' (corrected)'), ...told(20, 35)]
    expect(titles(all).sort()).toEqual(expected.map(({ title }) => title).sort())
    expect(new Set(all.map(({ id }) => id)).size).toBe(35)
  })

  it('keep entries apart that share an address, an id or a headline', async () => {
    const { music, catalog } = await openCatalog(['Nora Vale'])
    const item = (inner: string) => `<item>${inner}</item>`
    const body = `<rss version="2.0"><channel><title>F</title><link>https://paper.example/</link>${[
      '<title>Same page 1</title><link>https://paper.example/</link>',
      '<title>Same page 2</title><link>https://paper.example/</link>',
      '<title>Same id 1</title><guid>https://paper.example/</guid><link>https://paper.example/x</link>',
      '<title>Same id 2</title><guid>https://paper.example/</guid><link>https://paper.example/y</link>',
      '<title>Daily</title><guid>d1</guid><link>https://paper.example/d</link><pubDate>Mon, 04 Jul 2011 10:00:00 GMT</pubDate>',
      '<title>Daily</title><guid>d2</guid><link>https://paper.example/d</link><pubDate>Tue, 05 Jul 2011 10:00:00 GMT</pubDate>',
      '<description>No headline at all</description>',
      '<title>Twice</title><guid>t</guid>',
      '<title>Twice</title><guid>t</guid>',
    ]
      .map(item)
      .join('')}</channel></rss>`
    const one = path()
    await music.feeds.add({ url: await server.put(one, body), artistName: 'Nora Vale' })
    for (let time = 0; time < 2; time++) {
      await music.feeds.refresh()
      expect(titles(await catalog.feed({ results: 100 })).sort()).toEqual([
        'Daily',
        'Daily',
        'No headline at all',
        'Same id 1',
        'Same id 2',
        'Same page 1',
        'Same page 2',
        'Twice',
      ])
      await server.put(one, `${body}<!-- again -->`)
    }
  })

  it('tell an item once that two feeds have, of all whom it is about', async () => {
    const { music, catalog } = await openCatalog(['Nora Vale', 'The Iron Kettles'])
    for (const artistName of ['Nora Vale', 'The Iron Kettles']) {
      await music.feeds.add({ url: await server.put(path(), rss2(STORY.slice(1))), artistName })
    }
    await music.feeds.refresh()
    const items = await catalog.feed({})
    expect(items).toHaveLength(1)
    expect(items[0] && namesIn(items[0]).sort()).toEqual(['Nora Vale', 'The Iron Kettles'])
  })

  it('follow redirects: for now, for good, and not for ever', async () => {
    const { music } = await openCatalog(['Nora Vale'])
    const there = await server.put(path(), rss2(STORY))
    const forNow = await server.put(path(), { status: 302, headers: { location: there } })
    const moved = await server.put(path(), {
      status: 301,
      headers: { location: new URL(there).pathname },
    })
    const through = await server.put(path(), { status: 308, headers: { location: forNow } })
    await music.feeds.add({ url: forNow })
    await music.feeds.add({ url: moved, type: 'blogs' })
    await music.feeds.add({ url: through, type: 'reviews' })
    expect(await firstRead(music)).toMatchObject({ changed: 3, failed: [] })
    const urls = (await music.feeds.list()).map(({ url }) => url)
    expect(urls).toEqual([forNow, there, forNow])
  })

  it('wait for no server that stands still', async () => {
    const { music } = await openCatalog(['Nora Vale'], { limits: { feedSeconds: 0.2 } })
    const still = ['/silent', '/stalled', '/dripping'].map((path) => server.url(path))
    for (const url of still) await music.feeds.add({ url, artistName: 'Nora Vale' })
    const { failed } = await music.feeds.refresh()
    expect(failed.map(({ url }) => url).sort()).toEqual([...still].sort())
    for (const { error } of failed) {
      expect(error).toMatch(/longer than the 0\.2 s of limits\.feedSeconds/)
    }
  })

  it('say of each feed that cannot be read why, and read the others', async () => {
    const { music, catalog } = await openCatalog(['Nora Vale'], {
      limits: { feedBytes: 2_000_000 },
    })
    const bomb = `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY a "${'ha'.repeat(50)}">${Array.from(
      { length: 12 },
      (_, i) => `<!ENTITY ${'bcdefghijklm'[i]} "${`&${'abcdefghijkl'[i]};`.repeat(10)}">`,
    ).join(
      '',
    )}]><rss version="2.0"><channel><title>Bomb</title><item><title>Bomb &m;</title><guid>b</guid></item></channel></rss>`
    const external = `<?xml version="1.0"?><!DOCTYPE rss [<!ENTITY x SYSTEM "file:///etc/passwd">]><rss version="2.0"><channel><title>X</title><item><title>External &x;</title><guid>x</guid></item></channel></rss>`
    const troubles: [string, RegExp][] = [
      [server.url('/endless'), /more than the 2000000 bytes of limits.feedBytes/],
      [server.url('/packed'), /more than the 2000000 bytes of limits.feedBytes/],
      [server.url('/cut'), /could not be downloaded/],
      [server.url('/reset'), /could not be downloaded/],
      [server.url('/loop'), /redirects more than 10 times/],
      [server.url('/to-file'), /only http and https/],
      [server.url('/to-nowhere'), /no address/],
      [server.url('/nothing-here'), /404/],
      [await server.put(path(), { status: 500, body: 'oops' }), /500/],
      [await server.put(path(), { status: 410 }), /410/],
      [
        await server.put(
          path(),
          '<!DOCTYPE html><html><head><link rel="alternate" type="application/rss+xml" href="/feed.xml"></head></html>',
        ),
        /web page.*\/feed\.xml/,
      ],
      [await server.put(path(), ''), /no RSS, Atom or JSON feed/],
      [await server.put(path(), '{"a": 1}'), /no RSS, Atom or JSON feed/],
      [await server.put(path(), rss2(STORY).slice(0, -90)), /cut off/],
      ['http://127.0.0.1:9/', /could not be downloaded/],
    ]
    for (const [url] of troubles) await music.feeds.add({ url, artistName: 'Nora Vale' })
    const fine = [
      rss2(STORY),
      // What is not quite XML is read all the same.
      '<rss version="2.0"><channel><title>A & B<br></title><item><title>Loose & bare &nbsp;ends</title><guid>l</guid></item></channel></rss>',
      `\n\n\ufeff<?xml version="1.0"?>\n<rss version="2.0"><channel><item><title>Blank lines first</title><guid>f</guid></item></channel></rss>`,
      bomb,
      external,
    ]
    for (const body of fine) {
      await music.feeds.add({ url: await server.put(path(), body), artistName: 'Nora Vale' })
    }
    const heard: number[] = []
    const status = await music.feeds.refresh({ onProgress: ({ done }) => heard.push(done) })
    expect(status).toMatchObject({ total: troubles.length + fine.length, done: status.total })
    expect(heard).toEqual([...heard].sort((a, b) => a - b))
    expect(heard.at(-1)).toBe(status.total)
    const reasons = new Map(status.failed.map(({ url, error }) => [url, error]))
    for (const [url, reason] of troubles) expect(reasons.get(url), url).toMatch(reason)
    const read = titles(await catalog.feed({ results: 100 })).join('\n')
    for (const title of ['A second story', 'Loose & bare ends', 'Blank lines first']) {
      expect(read).toContain(title)
    }
    expect(read).not.toMatch(/haha|root:/)
    // Whatever has become of the two with entities, it did not take the others with it.
    expect(
      [...reasons.keys()].filter((url) => !troubles.some(([one]) => one === url)).length,
    ).toBeLessThanOrEqual(2)
  })

  it('ask a server that fails less and less often, and as it wishes', async () => {
    const clock = new Clock()
    const { music } = await openCatalog([], { now: clock.now })
    const [broken, busy, fine, patient] = [path(), path(), path(), path()]
    await server.put(broken, { status: 500 })
    await server.put(busy, { status: 503, headers: { 'retry-after': '7200' } })
    await server.put(fine, rss2(STORY))
    await server.put(patient, { body: rss2(STORY), headers: { 'cache-control': 'max-age=10800' } })
    for (const one of [broken, busy, fine, patient]) await music.feeds.add({ url: server.url(one) })
    const minutes = async (ask: () => Promise<unknown> = () => music.feeds.refresh()) => {
      await ask()
      const feeds = await music.feeds.list()
      return feeds.map(({ dateDue }) =>
        Math.round((Date.parse(`${dateDue}Z`) - clock.time) / 60_000),
      )
    }
    expect(await minutes(() => firstRead(music))).toEqual([10, 120, 60, 180])
    expect(await minutes()).toEqual([20, 120, 60, 180])
    expect(await minutes()).toEqual([40, 120, 60, 180])
    for (let i = 0; i < 8; i++) await music.feeds.refresh()
    expect((await minutes())[0]).toBe(24 * 60)
    expect(await music.feeds.list()).toMatchObject([{ failures: 12, status: 'error' }, {}, {}, {}])
    await server.put(broken, rss2(STORY))
    expect((await minutes())[0]).toBe(60)
    expect(await music.feeds.list()).toMatchObject([
      { failures: 0, status: 'complete' },
      {},
      {},
      {},
    ])
  })

  it('are asked for by themselves when they are due', async () => {
    const clock = new Clock()
    const { music, catalog } = await openCatalog(['Nora Vale'], { now: clock.now })
    const one = path()
    await music.feeds.add({ url: await server.put(one, rss2(STORY)), artistName: 'Nora Vale' })
    await music.feeds.refresh()
    await server.put(one, rss2([...STORY, { id: 'late', title: 'Late news' }]))
    const refreshed = jobComplete(music, 'feed/refresh')
    clock.time += 2 * 3_600_000
    await whenDue(music, clock, 'feed/schedule')
    await refreshed
    expect(titles(await catalog.feed({}))).toContain('Late news')
  })

  it('go on after a close in the middle, and lose or double nothing', async () => {
    const database = join(scratch(), 'music.db')
    const open = () => Opened.open({ database, engine: 'inline', workers: 0 })
    const told = Array.from({ length: 600 }, (_, i) => ({
      ...{ id: `c${i}`, title: `Chapter ${i}`, link: `https://paper.example/c/${i}` },
    }))
    const url = await server.put(path(), rss2(told))
    let music = await open()
    const begun = new Promise<void>((resolve) => {
      music.on('feed', ({ status }) => status === 'pending' && resolve())
    })
    await music.feeds.add({ url, artistName: 'Nora Vale' })
    await begun
    await music.close()
    music = await open()
    try {
      await music.feeds.refresh()
      const catalog = await catalogOf(music, ['Nora Vale'])
      const all = await gather(catalog.feedItems())
      expect(new Set(titles(all)).size).toBe(600)
      expect(all).toHaveLength(600)
    } finally {
      await music.close()
    }
  })

  it('tell who listens what becomes of them', async () => {
    const { music } = await openCatalog([])
    const heard: object[] = []
    music.on('feed', (event) => heard.push(event))
    const { id } = await music.feeds.add({ url: await server.put(path(), rss2(STORY)) })
    const bad = await music.feeds.add({ url: server.url('/nothing-here') })
    await music.feeds.refresh()
    expect(heard).toContainEqual({ id, status: 'complete', found: 2 })
    expect(heard).toContainEqual({
      ...{ id: bad.id, status: 'error', found: 0 },
      error: 'The server answered 404 Not Found.',
    })
  })

  it('are added once, refreshed by choice, and removed with what only they had', async () => {
    const { music, catalog } = await openCatalog(['Nora Vale', 'The Iron Kettles'])
    const both = { id: 'both', title: 'Shared', link: 'https://paper.example/both' }
    const [left, right] = [path(), path()]
    await server.put(left, rss2([{ id: 'l', title: 'Left' }, both]))
    await server.put(right, rss2([{ id: 'r', title: 'Right' }, both]))
    const one = await music.feeds.add({ url: server.url(left), artistName: 'nora vale' })
    expect((await music.feeds.add({ url: server.url(left), artistName: 'Nora Vale' })).id).toBe(
      one.id,
    )
    const two = await music.feeds.add({ url: server.url(right), artistName: 'The Iron Kettles' })
    expect(await music.feeds.refresh({ id: [one.id, two.id] })).toMatchObject({ total: 2 })
    expect(await music.feeds.list()).toHaveLength(2)
    expect(titles(await catalog.feed({})).sort()).toEqual(['Left', 'Right', 'Shared'])
    expect(await music.feeds.remove(one.id)).toEqual({ id: one.id })
    expect(await music.feeds.list()).toMatchObject([{ id: two.id, items: 2 }])
    const items = await catalog.feed({})
    expect(titles(items).sort()).toEqual(['Right', 'Shared'])
    expect(items.map(namesIn)).toEqual([['The Iron Kettles'], ['The Iron Kettles']])
    expect((await failure(music.feeds.remove(one.id))).code).toBe('unknown_identifier')
    expect((await failure(music.feeds.refresh({ id: one.id }))).code).toBe('unknown_identifier')
    // It can come again, and brings its items with it.
    await music.feeds.add({ url: server.url(left), artistName: 'Nora Vale' })
    await music.feeds.refresh()
    expect(titles(await catalog.feed({})).sort()).toEqual(['Left', 'Right', 'Shared'])
  })

  it('leave alone what was imported', async () => {
    const { music, catalog } = await openCatalog(['Nora Vale'])
    const url = 'https://paper.example/2'
    await music.artists.import([{ name: 'Nora Vale', news: [{ name: 'As imported', url }] }])
    const feed = await music.feeds.add({
      ...{ url: await server.put(path(), rss2(STORY)), artistName: 'Nora Vale' },
    })
    await music.feeds.refresh()
    expect(titles(await catalog.feed({})).sort()).toEqual(['As imported', STORY[0]?.title])
    await music.feeds.remove(feed.id)
    expect(titles(await catalog.feed({}))).toEqual(['As imported'])
  })

  it('refuse what cannot be one', async () => {
    const music = await openInline()
    const url = 'https://paper.example/feed'
    for (const given of [
      { url: 'nonsense' },
      { url: 'file:///etc/passwd' },
      { url: 'https://user:secret@paper.example/feed' },
      { url, type: 'images' },
      { url, artistId: 'AR', artistName: 'b' },
      { url, artistName: ' ' },
      { url, other: 1 },
    ]) {
      const error = await failure(music.feeds.add(given as never))
      expect(error.code).toBe('invalid_parameter')
      expect(error.message).not.toContain('secret')
    }
    expect((await failure(music.feeds.add({} as never))).code).toBe('missing_parameter')
    const unknown = { url, artistId: 'ARAAAAA1234567890AB' }
    expect((await failure(music.feeds.add(unknown))).code).toBe('unknown_identifier')
    expect(await music.feeds.list()).toEqual([])
  })

  it('wait no longer than they are told to', async () => {
    const { music } = await openCatalog([])
    await music.feeds.add({ url: server.url('/silent') })
    const stop = new AbortController()
    const waiting = music.feeds.refresh({
      signal: stop.signal,
      onProgress: () => stop.abort('enough'),
    })
    await expect(waiting).rejects.toBe('enough')
  })
})

describe('what feeds say', () => {
  it('is read in the encoding that it is in, whatever is said of it', async () => {
    const { music, catalog } = await openCatalog(['Nora Vale'])
    const xml = (encoding: string, title: string) =>
      `<?xml version="1.0" encoding="${encoding}"?><rss version="2.0"><channel><title>F</title><item><title>${title}</title><guid>${title}</guid></item></channel></rss>`
    const latin = (text: string) => Buffer.from(text, 'latin1')
    const cases: [Buffer, string][] = [
      [latin(xml('ISO-8859-1', 'Café latin')), 'application/xml'],
      [latin(xml('UTF-8', 'Café mislabelled')), 'application/xml; charset=utf-8'],
      [Buffer.from(xml('ISO-8859-1', 'Café really UTF-8')), 'text/xml; charset=iso-8859-1'],
      [Buffer.from(`\ufeff${xml('UTF-16', 'Café marked')}`, 'utf16le'), 'application/xml'],
      [Buffer.from(xml('UTF-16LE', 'Café unmarked'), 'utf16le'), 'application/xml'],
      [
        Buffer.concat([
          latin('<rss version="2.0"><channel><item><title>'),
          Buffer.from([0xc1, 0xf0, 0xe0, 0xe2, 0xee]),
          latin(' cyrillic</title></item></channel></rss>'),
        ]),
        'text/xml; charset=windows-1251',
      ],
      [Buffer.from(xml('nonsense-8', 'Café unknown')), 'text/xml; charset=nonsense'],
    ]
    for (const [body, type] of cases) {
      const page = { base64: body.toString('base64'), headers: { 'content-type': type } }
      await music.feeds.add({ url: await server.put(path(), page), artistName: 'Nora Vale' })
    }
    expect(await firstRead(music)).toMatchObject({ found: cases.length, failed: [] })
    expect(titles(await catalog.feed({})).sort()).toEqual([
      'Café latin',
      'Café marked',
      'Café mislabelled',
      'Café really UTF-8',
      'Café unknown',
      'Café unmarked',
      'Браво cyrillic',
    ])
  })

  it('is harmless', async () => {
    const { music, catalog } = await openCatalog(['Nora Vale'])
    const evil = [
      '<script>alert(1)</script><p onclick="alert(1)">Text</p>',
      '<img src=x onerror=alert(1)>Text<iframe src="https://x.example"></iframe>',
      '<a href="javascript:alert(1)">Text</a><a href=" java\nscript:alert(1)">x</a>',
      '<a href="data:text/html,<script>alert(1)</script>">Text</a>',
      '<svg><animate onbegin=alert(1) attributeName=x></svg>Text',
      '<textarea></textarea/><img src=x onerror=alert(1)>Text',
      '<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src=1 onerror=alert(1)&gt;">Text',
      '<noscript><p title="</noscript><img src=x onerror=alert(1)>">Text',
      '<style>*{background:url(javascript:alert(1))}</style>Text<form action=javascript:alert(1)><input autofocus onfocus=alert(1)>',
      `${'<b>'.repeat(30_000)}Text`,
    ]
    const told = evil.map((html, i) => ({
      id: `e${i}`,
      title: `E${i} &lt;b&gt;<script>x</script>`,
      html,
    }))
    await music.feeds.add({ url: await server.put(path(), rss2(told)), artistName: 'Nora Vale' })
    await music.feeds.refresh()
    const items = await catalog.feed({ results: 100 })
    expect(items).toHaveLength(evil.length)
    for (const { name, summary = '' } of items) {
      expect(name).toMatch(/^E\d$|^E\d </)
      expect(summary).not.toMatch(/<(?!\/?(?:a|b|p|div|br)\b)|\son\w+=|javascript:|data:/i)
    }
    const links = await server.put(
      path(),
      rss2([
        {
          id: 'a',
          title: 'Links',
          html: '<a href="/x">a</a> &amp; <a href="https://o.example/?a=1&amp;b=2" onclick=x target=_top>b</a>',
        },
      ]),
    )
    await music.feeds.add({ url: links, artistName: 'Nora Vale' })
    await music.feeds.refresh()
    const { summary } = (await catalog.feed({ results: 100 })).find(
      ({ name }) => name === 'Links',
    ) as FeedItem
    expect(summary).toBe(
      '<a href="https://paper.example/x">a</a> &#x26; <a href="https://o.example/?a=1&#x26;b=2">b</a>',
    )
  })

  it('is about those whom it names', async () => {
    const { music, catalog } = await openCatalog([
      'Nora Vale',
      'The Iron Kettles',
      'Yes',
      'Os Sóis',
    ])
    const told: Told[] = [
      { id: '1', title: 'Nora Vale sings with Os Sois', html: 'They met.' },
      { id: '2', title: 'Yes, the weather is fine', html: 'Yes. It is.' },
      { id: '3', title: 'Old bands', html: 'The album by Yes and the Iron Kettles’ tour.' },
      { id: '4', title: 'Nothing to hear', html: 'Norah Valentine is somebody else.' },
    ]
    await music.feeds.add({ url: await server.put(path(), rss2(told)) })
    await music.feeds.refresh()
    const items = await catalog.feed({})
    const named = Object.fromEntries(items.map((item) => [item.name, namesIn(item).sort()]))
    expect(named).toEqual({
      'Nora Vale sings with Os Sois': ['Nora Vale', 'Os Sóis'],
      'Old bands': ['The Iron Kettles', 'Yes'],
    })
    expect(await music.feeds.list()).toMatchObject([{ items: 4 }])
  })

  it('is about those too who become known later', async () => {
    const clock = new Clock()
    const { music } = await openCatalog(['Nora Vale'], { now: clock.now })
    const told = [{ id: '1', title: 'The Iron Kettles are on the road' }]
    await music.feeds.add({ url: await server.put(path(), rss2(told)) })
    await music.feeds.refresh()
    await music.artists.import([{ name: 'The Iron Kettles' }])
    const catalog = await catalogOf(music, ['The Iron Kettles'])
    expect(await catalog.feed({})).toEqual([])
    await whenDue(music, clock, 'feed/spot')
    expect(titles(await catalog.feed({}))).toEqual(['The Iron Kettles are on the road'])
  })

  it('is highly relevant when it is about the artist, as far as news go', async () => {
    const { music, catalog } = await openCatalog(['Nora Vale', 'The Iron Kettles'])
    const filler = 'Words and words. '.repeat(60)
    const told: Told[] = [
      { id: '1', title: 'Nora Vale in town', html: 'A concert.' },
      { id: '2', title: 'In town', html: `${filler} Nora Vale was there.` },
      { id: '3', title: 'In the country', html: `Nora Vale was there.` },
    ]
    await music.feeds.add({ url: await server.put(path(), rss2(told)) })
    const own = [
      { id: '4', title: 'New songs', html: 'Nora Vale wrote some.' },
      { id: '5', title: 'Hello' },
    ]
    await music.feeds.add({ url: await server.put(path(), rss2(own)), artistName: 'Nora Vale' })
    await music.feeds.add({
      url: await server.put(path(), rss2([{ id: '6', title: 'A blog' }])),
      type: 'blogs',
      artistName: 'Nora Vale',
    })
    await music.feeds.refresh()
    const bucket = ['news', 'blogs'] as const
    expect(await catalog.feed({ bucket: [...bucket] })).toHaveLength(6)
    expect(titles(await catalog.feed({ bucket: [...bucket], highRelevance: true })).sort()).toEqual(
      ['A blog', 'New songs', 'Nora Vale in town'],
    )
  })
})

describe('the pages of a feed', () => {
  it('are those of its first one while new items arrive', async () => {
    const { music, catalog } = await openCatalog(['Nora Vale', 'The Iron Kettles'])
    const told = (from: number, to: number): Told[] =>
      Array.from({ length: to - from }, (_, i) => ({
        id: `p${from + i}`,
        title: `Page ${from + i}`,
        link: `https://paper.example/p/${from + i}`,
        date: new Date(Date.UTC(2011, 6, 1, from + i)).toISOString(),
      }))
    const one = path()
    await music.feeds.add({
      url: await server.put(one, rss2(told(0, 60))),
      artistName: 'Nora Vale',
    })
    await music.feeds.refresh()
    const walked: string[] = []
    for (let start = 0; ; start += 7) {
      const page = await catalog.feed({ start, results: 7 })
      walked.push(...titles(page))
      if (page.length < 7) break
      await server.put(one, rss2(told(0, 61 + start)))
      await music.feeds.refresh()
    }
    expect(walked).toEqual(
      told(0, 60)
        .map(({ title }) => title)
        .reverse(),
    )
    // A new walk sees what has come; and it goes beside others of the same query.
    const walk = catalog.feedItems({ start: 10 })
    const first = (await walk.next()).value as FeedItem
    const newest = titles(await catalog.feed({ results: 11 }))
    expect(newest).not.toContain('Page 59')
    expect(newest[10]).toBe(first.name)
  })

  it('go through artists together, not one after the other', async () => {
    // All is found in one second: the clock stands.
    const { now } = new Clock()
    const { music, catalog } = await openCatalog(['Nora Vale', 'The Iron Kettles'], { now })
    for (const [offset, artistName] of ['Nora Vale', 'The Iron Kettles'].entries()) {
      const told = Array.from({ length: 5 }, (_, i) => ({
        id: `${offset} ${i}`,
        title: `${artistName} ${i}`,
        date: new Date(Date.UTC(2011, 6, 1, 2 * i + offset)).toISOString(),
      }))
      await music.feeds.add({ url: await server.put(path(), rss2(told)), artistName })
    }
    await music.feeds.refresh()
    const items = await catalog.feed({})
    expect(items.map((item) => namesIn(item)[0])).toEqual(
      Array.from({ length: 10 }, (_, i) => (i % 2 === 0 ? 'The Iron Kettles' : 'Nora Vale')),
    )
  })
})
