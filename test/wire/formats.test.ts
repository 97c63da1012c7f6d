import { beforeAll, describe, expect, it } from 'vitest'
import { Audile } from '../../src/index.ts'
import { clip, waveBytes } from '../support/clips.ts'
import { ARTISTS, SONGS } from '../support/reference-library.ts'
import { Client, encoded, type Query } from '../support/wire.ts'
import { at, type XmlTree, xmlTree } from '../support/xml-tree.ts'

const WAVE = await waveBytes(clip())

/** One engine for all: what the methods answer is the same in every format. */
let client: Client
let ids: { songs: string; artists: string; ticket: string; track: string }

beforeAll(async () => {
  const music = await Audile.open({ database: ':memory:', engine: 'inline', workers: 0 })
  client = new Client(music)
  await music.artists.import([
    {
      ...ARTISTS.nora,
      biographies: [{ text: 'Born & <raised>', site: 's', url: 'u', license: { type: 'cc' } }],
      news: [
        { name: 'n1', id: '1' },
        { name: 'n2', id: '2' },
      ],
      blogs: [{ name: 'b', id: '3' }],
      reviews: [{ name: 'r', id: '4' }],
      images: [{ url: 'i', license: { 'attribution-url': 'a', type: 'cc' } }],
      video: [{ title: 'v1' }, { title: 'v2' }],
      urls: { officialUrl: 'http://example.org/', mbUrl: 'm' },
    },
  ])
  await music.songs.import([SONGS.helpMeHome, SONGS.noraHome])
  const songs = await music.catalogs.create({ name: 'songs', type: 'song' })
  const artists = await music.catalogs.create({ name: 'artists', type: 'artist' })
  const ticket = await songs.update([
    {
      item: {
        itemId: 'a',
        songId: SONGS.helpMeHome.id,
        itemKeyvalues: { plain: 'x\u0001y', 'a b': '1', __proto__: 'no', '@_x': '2', '#text': '3' },
      },
    },
    { item: { itemId: 'b', songName: 'Nowhere \ud800 at all' } },
    { item: { itemId: '!' } },
  ])
  await ticket.done()
  await (await artists.update([{ item: { itemId: 'a', artistId: ARTISTS.nora.id } }])).done()
  const track = await music.tracks.upload({ bytes: WAVE, wait: true })
  ids = { songs: songs.id, artists: artists.id, ticket: ticket.id, track: track.id }
  return () => music.close()
})

/** Every method: how it is asked, in `{}` what is only known when the engine is filled. */
const CALLS: [method: string, query: (n: string) => Query, post?: boolean][] = [
  ['catalog/create', (n) => ({ name: `new ${n}`, type: 'song' }), true],
  ['catalog/update', () => ({ id: ids.artists, data: '[]' }), true],
  ['catalog/status', () => ({ ticket: ids.ticket })],
  ['catalog/profile', () => ({ id: ids.songs })],
  ['catalog/read', () => ({ id: ids.songs, bucket: ['audio_summary', 'kvstore'] })],
  ['catalog/feed', () => ({ id: ids.artists, bucket: ['news', 'video'] })],
  ['catalog/delete', () => ({ id: 'CAXXXXX00000000000' }), true],
  ['catalog/list', () => ({})],
  ['track/upload', () => ({ filetype: 'wav' }), true],
  ['track/analyze', () => ({ id: ids.track, wait: true, bucket: 'audio_summary' }), true],
  ['track/profile', () => ({ id: ids.track, bucket: 'audio_summary' })],
  ['song/search', () => ({ artist: 'nora', bucket: ['id:spotify', 'song_type'] })],
  ['song/profile', () => ({ id: SONGS.helpMeHome.id, bucket: ['tracks', 'id:7digital-US'] })],
  ['song/identify', () => ({ code: 'none' })],
]

async function answer(method: string, query: Query, post: boolean | undefined, format: Query) {
  const all = { ...query, ...format }
  const upload = method === 'track/upload'
  const response = upload
    ? await client.raw(method, all, {
        method: 'POST',
        body: WAVE,
        headers: { 'content-type': 'application/octet-stream' },
      })
    : post
      ? await client.raw(method, format, { method: 'POST', body: encoded(query) })
      : await client.raw(method, all)
  return { response, text: await response.text() }
}

/** JSON in the form of {@link XmlTree}, by the rules of service-facts: what XML is to say. */
function asTree(name: string, value: unknown, group: string): XmlTree[] {
  if (Array.isArray(value)) {
    const ids = group !== 'catalog' && {
      foreign_ids: 'foreign_id',
      artist_foreign_ids: 'foreign_id',
    }
    const names: Record<string, string> = { songs: 'song', tracks: 'track', news: 'news', ...ids }
    const one = names[name]
    if (one === undefined) return value.flatMap((item) => asTree(name, item, group))
    const members = value.flatMap((item) => asTree(one, item, group))
    return [[name, members.length > 0 ? members : '']]
  }
  if (value === null) return [[name, '']]
  if (typeof value !== 'object')
    return [[name, String(value).replace('\u0001', '').replace('\ud800', '')]]
  const members = Object.entries(value).flatMap(([key, one]) =>
    asTree(/^\w+$/.test(key) ? key : `entry name=${key}`, one, group),
  )
  return [[name, members.length > 0 ? members : '']]
}

/** Numbers without a point where it says nothing. */
function plain([name, content]: XmlTree): XmlTree {
  if (typeof content !== 'string') return [name, content.map(plain)]
  return [name, /^-?\d+\.0$/.test(content) && name !== 'version' ? content.slice(0, -2) : content]
}

describe.each(CALLS)('%s', (method, query, post) => {
  const group = method.split('/')[0] as string

  it('answers JSON, by itself and when it is asked for', async () => {
    for (const format of [{}, { format: 'json' }] as Query[]) {
      const { response, text } = await answer(
        method,
        query(`json ${Object.keys(format)}`),
        post,
        format,
      )
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(text).toMatch(/^\{"response":\{"status":\{"version":"4\.2","code":(0|5),"message":"/)
      JSON.parse(text)
    }
  })

  it('answers the same as XML, but for song/identify, which has no format', async () => {
    const { response, text } = await answer(method, query('xml'), post, { format: 'xml' })
    if (method === 'song/identify') {
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
      expect(text).toBe((await answer(method, query('json'), post, {})).text)
      return
    }
    expect(response.headers.get('content-type')).toBe('text/xml; charset=utf-8')
    expect(text).toMatch(
      /^<\?xml version="1\.0" encoding="UTF-8"\?><response><status><version>4\.2<\/version><code>\d<\/code><message>/,
    )
    // Parsers of the time trip over white space between elements.
    expect(text).not.toMatch(/>\s+</)
    const tree = xmlTree(text)
    const json = JSON.parse((await answer(method, query('json'), post, {})).text)
    const volatile = ['catalog/create', 'catalog/update'].includes(method)
    const expected = asTree('response', json.response, group)[0] as XmlTree
    if (volatile) expect(at(tree).map(([name]) => name)).toEqual(at(expected).map(([name]) => name))
    else expect(plain(tree)).toEqual(plain(expected))
  })

  it('answers the same as JSONP, where the specification lists it', async () => {
    const asked = { format: 'jsonp', callback: 'jQuery1_2.done[0]' }
    const { response, text } = await answer(method, query('jsonp'), post, asked)
    if (method === 'song/identify') {
      expect(JSON.parse(text).response.status.code).toBe(0)
      return
    }
    if (group === 'song') {
      expect(response.status).toBe(400)
      expect(JSON.parse(text).response.status).toEqual({
        version: '4.2',
        code: 5,
        message: 'format - Invalid parameter: "jsonp" is not one of "json", "xml"',
      })
      return
    }
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toBe('application/javascript; charset=utf-8')
    const found = /^jQuery1_2\.done\[0\]\(\n(.*)\)$/s.exec(text)
    expect(JSON.parse(found?.[1] as string).response.status.version).toBe('4.2')
  })
})

describe('XML', () => {
  it('gives artist buckets as clients of the time read them', async () => {
    const bucket = ['biographies', 'news', 'blogs', 'reviews', 'images', 'video', 'urls', 'terms']
    const more = ['id:musicbrainz', 'songs', 'years_active', 'doc_counts', 'artist_location']
    const text = await client.text('catalog/read', {
      id: ids.artists,
      bucket: [...bucket, ...more],
      format: 'xml',
    })
    const item = at(xmlTree(text), 'catalog', 'items')
    const of = (name: string) => item.filter(([one]) => one === name).map(([, content]) => content)
    expect(of('biographies')).toEqual([
      [
        [
          'biography',
          [
            ['text', 'Born & <raised>'],
            ['site', 's'],
            ['url', 'u'],
            ['license', [['type', 'cc']]],
          ],
        ],
      ],
    ])
    const news = of('news')
    expect(news).toHaveLength(1)
    expect((news[0] as XmlTree[]).map(([name]) => name)).toEqual(['news', 'news'])
    for (const [plural, one] of [
      ['blogs', 'blog'],
      ['reviews', 'review'],
      ['images', 'image'],
      ['songs', 'song'],
    ]) {
      expect((of(plural as string)[0] as XmlTree[]).map(([name]) => name)).toContain(one)
    }
    // These are repeated, as terms always were.
    expect(of('video')).toHaveLength(2)
    expect(of('terms')).toHaveLength(3)
    expect(of('years_active')).toEqual([
      [
        ['start', '1970'],
        ['end', '1980'],
      ],
    ])
    expect(of('foreign_ids')).toEqual([
      [
        ['catalog', 'musicbrainz'],
        ['foreign_id', 'musicbrainz:artist:mb-nora'],
      ],
    ])
    expect(of('urls')).toEqual([
      [
        ['official_url', 'http://example.org/'],
        ['mb_url', 'm'],
      ],
    ])
  })

  it('gives the tracks of a catalog item as their ids', async () => {
    const text = await client.text('catalog/read', {
      id: ids.songs,
      bucket: ['tracks', 'id:7digital-US'],
      format: 'xml',
    })
    const track = SONGS.helpMeHome.tracks[0].id
    expect(at(xmlTree(text), 'catalog', 'items', 'tracks')).toEqual([['track', track]])
    // A parser of the time would look for ever for what follows the last item.
    expect(text).toContain('</items><start>')
  })

  it('tells errors too', async () => {
    const response = await client.raw('song/search', { format: 'xml', min_tempo: '<&"' })
    expect(response.status).toBe(400)
    const [, version, code, message] =
      /^.*<version>(.*)<\/version><code>(.*)<\/code><message>(.*)<\/message><\/status><\/response>$/.exec(
        await response.text(),
      ) as RegExpExecArray
    expect([version, code]).toEqual(['4.2', '5'])
    expect(message).toMatch(/^min_tempo - Invalid parameter: &quot;&lt;&amp;&quot;&quot;/)
  })
})

describe('JSONP', () => {
  it.each([
    'alert(1)//',
    'a.b;c',
    '1a',
    'a b',
    '<script>',
    'a'.repeat(300),
    'a[b]',
    'a..b',
    'a\u2028',
  ])('takes no %j for a name', async (callback) => {
    const response = await client.raw('catalog/list', { format: 'jsonp', callback })
    expect(response.status).toBe(400)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(JSON.parse(await response.text()).response.status).toMatchObject({
      code: 5,
      message: expect.stringMatching(/^callback - Invalid parameter/),
    })
  })

  it('needs a callback', async () => {
    const { status } = await client.get('catalog/list', { format: 'jsonp' })
    expect(status).toMatchObject({
      code: 4,
      message: 'callback - Missing parameter: format=jsonp needs it',
    })
  })

  it('tells errors in a script that is run, and ignores what gets it past caches', async () => {
    const query = { format: 'jsonp', callback: 'cb', id: 'nobody', _: '1325462400000' }
    const response = await client.raw('catalog/profile', query)
    expect(response.status).toBe(200)
    expect(await response.text()).toBe(
      'cb(\n{"response":{"status":{"version":"4.2","code":5,"message":"The Identifier specified does not exist: nobody"}}})',
    )
  })

  it('holds no line separators, which would end a string in a script', async () => {
    const name = 'a\u2028b\u2029c'
    await client.post('catalog/create', { name, type: 'song' })
    const text = await client.text('catalog/profile', { name, format: 'jsonp', callback: 'cb' })
    expect(text).toContain('a\\u2028b\\u2029c')
  })
})

it('knows no other format', async () => {
  const { http, status } = await client.get('track/profile', { format: 'yaml', id: 'x' })
  expect(http).toBe(400)
  expect(status.message).toBe(
    'format - Invalid parameter: "yaml" is not one of "json", "xml", "jsonp"',
  )
})
