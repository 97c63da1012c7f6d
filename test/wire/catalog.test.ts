import { describe, expect, it } from 'vitest'
import type { Audile } from '../../src/index.ts'
import { ARTIST_BUCKETS, SONG_BUCKETS } from '../support/buckets.ts'
import { openInline } from '../support/open.ts'
import { ARTISTS, openLibrary, SONGS } from '../support/reference-library.ts'
import { Client, type Query } from '../support/wire.ts'

/** A catalog made over the wire. */
async function made(client: Client, query: Query = {}): Promise<string> {
  const { data } = await client.post('catalog/create', { name: 'Evenings', type: 'song', ...query })
  return data.id
}

/** Sends entries and waits for their end. */
async function updated(music: Audile, client: Client, id: string, entries: unknown) {
  const { data } = await client.post('catalog/update', { id, data: JSON.stringify(entries) })
  await music.call('catalog/wait', { ticket: data.ticket })
  return data.ticket as string
}

const NORA = { item: { item_id: 'a', artist_name: 'Nora Vale', song_name: 'Home' } }

describe('catalog/create', () => {
  it('takes name and type, and answers type, name and id', async () => {
    const client = new Client(await openInline())
    const { http, status, data } = await client.post('catalog/create', {
      name: 'A',
      type: 'artist',
    })
    expect(http).toBe(200)
    expect(status).toEqual({ version: '4.2', code: 0, message: 'Success' })
    expect(data).toEqual({ type: 'artist', name: 'A', id: expect.stringMatching(/^CA/) })
  })

  it.each([
    [{ type: 'song' }, 4, 'name - Missing parameter'],
    [{ name: 'A' }, 4, 'type - Missing parameter'],
    [
      { name: 'A', type: 'general' },
      5,
      'type - Invalid parameter: "general" is not one of "artist", "song"',
    ],
    [
      { name: 'A', type: ['song', 'artist'] },
      5,
      'type - Invalid parameter: "artist" beside "song"; give one of them',
    ],
  ])('refuses %j', async (query, code, message) => {
    const client = new Client(await openInline())
    const { http, status } = await client.post('catalog/create', query)
    expect(http).toBe(400)
    expect(status).toEqual({ version: '4.2', code, message })
  })
})

describe('catalog/update', () => {
  const forms = [
    'data in an urlencoded body',
    'data as a form part',
    'data as a file',
    'a raw body',
  ]
  it.each(forms.flatMap((form) => ['', '\ufeff'].map((mark) => [form, mark] as const)))(
    'takes %s, also after the byte order mark "%s"',
    async (form, mark) => {
      const music = await openLibrary()
      const client = new Client(music)
      const id = await made(client)
      const data = mark + JSON.stringify([NORA])
      const query = { id, data_type: 'json' }
      const send = {
        'data in an urlencoded body': () => client.post('catalog/update', { ...query, data }),
        'data as a form part': () => client.postForm('catalog/update', { ...query, data }),
        'data as a file': () =>
          client.postForm('catalog/update', query, { data: new Blob([data]) }),
        'a raw body': () => client.postBytes('catalog/update', query, data),
      }[form] as () => ReturnType<Client['post']>
      const answer = await send()
      expect(answer.data).toEqual({ ticket: expect.stringMatching(/^[0-9a-f]{32}$/) })
      await music.call('catalog/wait', { ticket: answer.data.ticket })
      const { data: read } = await client.get('catalog/read', { id })
      expect(read.catalog.items[0]).toMatchObject({ song_id: SONGS.noraHome.id, song_name: 'Home' })
    },
  )

  it('takes more entries than go in one message, in their order', async () => {
    const music = await openInline()
    const client = new Client(music)
    const id = await made(client)
    const entries = Array.from({ length: 3500 }, (_, i) => ({
      item: { item_id: `i${i}`, play_count: `${i}`, genre: 'ä&=+%"'.repeat(5) },
    }))
    const ticket = await updated(music, client, id, entries)
    const { data } = await client.get('catalog/status', { ticket })
    expect(data).toEqual({
      ticket_status: 'complete',
      total_items: 3500,
      items_updated: 3500,
      percent_complete: 100,
      update_info: [],
    })
    const { data: read } = await client.get('catalog/read', { id, start: 3499 })
    expect(read.catalog.items).toHaveLength(1)
    expect(read.catalog.items[0]).toMatchObject({
      play_count: 3499,
      request: { item_id: 'i3499', genre: 'ä&=+%"'.repeat(5) },
    })
  })

  it('takes an empty array', async () => {
    const music = await openInline()
    const client = new Client(music)
    const ticket = await updated(music, client, await made(client), [])
    const { data } = await client.get('catalog/status', { ticket })
    expect(data).toMatchObject({ ticket_status: 'complete', total_items: 0, percent_complete: 100 })
  })

  it.each([
    ['{"item":{"item_id":"a"}}', 'it does not begin with "["'],
    ['[{"item":{"item_id":"a"}}', 'it ends in the middle'],
    ['[{"item":{"item_id":"a"}}] []', 'Unexpected'],
    ['[{"item":{"item_id":"a"}},]', 'Unexpected'],
    ['[nonsense]', 'Unexpected'],
  ])('refuses %s, and applies nothing of it', async (data, why) => {
    const client = new Client(await openInline())
    const id = await made(client)
    const { http, status } = await client.post('catalog/update', { id, data })
    expect(http).toBe(400)
    expect(status.code).toBe(5)
    expect(status.message).toMatch(/^data - Invalid parameter: must be a JSON array: /)
    expect(status.message).toContain(why)
    expect((await client.get('catalog/profile', { id })).data.catalog).toMatchObject({
      total: 0,
      pending_tickets: [],
    })
  })

  it('refuses what is missing, another key, and an unknown catalog', async () => {
    const music = await openInline()
    const client = new Client(music)
    const id = await made(client)
    const { apiKey } = await music.keys.create({})
    const messages = [
      await client.post('catalog/update', { data: '[]' }),
      await client.post('catalog/update', { id }),
      await client.post('catalog/update', { id, data: '[]', data_type: 'xml' }),
      await client.post('catalog/update', { id: 'CAXXXXX00000000000', data: '[]' }),
      await client.post('catalog/update', { id, data: '[]', api_key: apiKey }),
    ].map(({ http, status }) => [http, status.code, status.message])
    expect(messages).toEqual([
      [400, 4, 'id - Missing parameter'],
      [400, 4, 'data - Missing parameter'],
      [400, 5, 'data_type - Invalid parameter: "xml" is not one of "json"'],
      [400, 5, 'The Identifier specified does not exist: CAXXXXX00000000000'],
      [403, 2, expect.stringMatching(/^id - Not allowed: /)],
    ])
  })

  it('keeps items of which something is empty, untidy or unknown, and tells what it leaves out', async () => {
    const music = await openLibrary()
    const client = new Client(music)
    const named = { song_name: 'Home', artist_name: 'Nora Vale' }
    const id = await made(client)
    const ticket = await updated(music, client, id, [
      { item: { item_id: 'empty', ...named, release: '', genre: '', artist_id: '', fp_code: '' } },
      { item: { item_id: 'text', ...named, track_number: '3/12', favorite: 'yes', rating: '8.0' } },
      { item: { item_id: 'wrong', ...named, track_number: 'A1', disc_number: [1, 2] } },
      { item: { item_id: 'own', ...named, item_keyvalues: { class: ['Primary', 'Gold'] } } },
    ])
    const { data } = await client.get('catalog/status', { ticket })
    expect(data.ticket_status).toBe('complete')
    expect(data.update_info).toEqual([
      { item_id: 'empty', info: expect.stringMatching(/^fp_code - .* empty.*; it was left out$/) },
      { item_id: 'wrong', info: expect.stringMatching(/^track_number - .*; it was left out$/) },
      { item_id: 'wrong', info: expect.stringMatching(/^disc_number - .*; it was left out$/) },
    ])
    const read = await client.get('catalog/read', { id, bucket: 'kvstore' })
    const { items } = read.data.catalog
    expect(items.map((item: { song_id: string }) => item.song_id)).toEqual(
      Array(4).fill(SONGS.noraHome.id),
    )
    expect(items[0].request).toEqual({ item_id: 'empty', ...named })
    expect(items[1]).toMatchObject({ favorite: true, rating: 8, request: { track_number: '3/12' } })
    expect(items[3].kvstore).toEqual({ class: '["Primary","Gold"]' })
    const artists = await made(client, { name: 'Artists', type: 'artist' })
    const genre = await updated(music, client, artists, [
      { item: { item_id: 'a', artist_name: 'Nora Vale', genre: 'folk' } },
    ])
    expect((await client.get('catalog/status', { ticket: genre })).data.update_info).toEqual([
      { item_id: 'a', info: expect.stringMatching(/^genre - Unknown field of an artist item/) },
    ])
    const one = await client.get('catalog/read', { id: artists })
    expect(one.data.catalog.items[0].artist_id).toBe(ARTISTS.nora.id)
  })

  it('tells bad items in the names of the wire', async () => {
    const music = await openInline()
    const client = new Client(music)
    const ticket = await updated(music, client, await made(client), [
      { item: { item_id: 'a', song_name: 'x', song_id: 'SO' } },
      { item: { item_id: 'b', play_count: 'many' } },
      { item: { item_id: 'c', play_time: 1, play_cont: 2 } },
      { action: 'skip', item: { item_id: 'd' } },
      'nonsense',
      { item: { item_id: 'e' } },
    ])
    const { data } = await client.get('catalog/status', { ticket })
    const infos = Object.fromEntries(
      data.update_info.map((one: { item_id?: string; info: string }) => [one.item_id, one.info]),
    )
    expect(infos.a).toContain('beside song_id; give one of them')
    expect(infos.b).toMatch(/^play_count - Invalid parameter: "many"/)
    expect(infos.c).toBe(
      'play_time, play_cont - Unknown fields of a song item: they were left out; did you mean play_count?',
    )
    expect(infos.d).toBe('item not found')
    expect(data.update_info).toHaveLength(5)
  })
})

describe('catalog/status', () => {
  it('answers unknown for a ticket that nobody knows', async () => {
    const client = new Client(await openInline())
    const { http, data } = await client.get('catalog/status', { ticket: 'nobody' })
    expect(http).toBe(200)
    expect(data).toEqual({ ticket_status: 'unknown' })
    expect((await client.get('catalog/status')).status.message).toBe('ticket - Missing parameter')
  })

  it('answers error with details when nothing could be done', async () => {
    const music = await openInline()
    const client = new Client(music)
    const ticket = await updated(music, client, await made(client), [{ item: { item_id: '!' } }])
    const { data } = await client.get('catalog/status', { ticket })
    expect(data).toEqual({
      ticket_status: 'error',
      details: expect.any(String),
      update_info: [{ item_id: '!', info: expect.stringContaining('item_id') }],
    })
  })
})

describe('catalog/profile', () => {
  it('answers by id or by name, of which there is to be one', async () => {
    const music = await openLibrary()
    const client = new Client(music)
    const id = await made(client)
    await updated(music, client, id, [
      NORA,
      { item: { item_id: 'b', song_name: 'Nowhere at all' } },
    ])
    const catalog = {
      resolved: 1,
      pending_tickets: [],
      name: 'Evenings',
      total: 2,
      type: 'song',
      id,
    }
    expect((await client.get('catalog/profile', { id })).data).toEqual({ catalog })
    expect((await client.get('catalog/profile', { name: 'Evenings' })).data).toEqual({ catalog })
    expect((await client.get('catalog/profile')).status.code).toBe(4)
    expect((await client.get('catalog/profile', { id, name: 'Evenings' })).status.code).toBe(5)
    expect((await client.get('catalog/profile', { name: 'Mornings' })).status.message).toBe(
      'The Identifier specified does not exist: Mornings',
    )
  })
})

describe('catalog/read', () => {
  it('takes item_id several times, results and start', async () => {
    const music = await openInline()
    const client = new Client(music)
    const id = await made(client)
    const entries = ['a', 'b', 'c', 'd'].map((item_id) => ({ item: { item_id } }))
    await updated(music, client, id, entries)
    const ids = async (query: Query) => {
      const { data } = await client.get('catalog/read', { id, ...query })
      return data.catalog.items.map(
        (item: { request: { item_id: string } }) => item.request.item_id,
      )
    }
    expect(await ids({ item_id: ['c', 'a'] })).toEqual(['c', 'a'])
    expect(await ids({ item_id: 'd' })).toEqual(['d'])
    expect(await ids({ results: 2, start: 1 })).toEqual(['b', 'c'])
    expect(await ids({ results: '2.0', start: ' 1 ' })).toEqual(['b', 'c'])
    expect(
      (await client.get('catalog/read', { id, results: 2, start: 1 })).data.catalog,
    ).toMatchObject({ start: 1, total: 4 })
    expect((await client.get('catalog/read', { id, results: 'two' })).status.message).toBe(
      'results - Invalid parameter: "two" must be an integer',
    )
    expect((await client.get('catalog/read', { id, results: 101 })).status.code).toBe(5)
    expect((await client.get('catalog/read', { id, start: -1 })).status.code).toBe(5)
  })

  it('answers all items that are named, though a client sends results and start', async () => {
    const music = await openInline()
    const client = new Client(music)
    const id = await made(client)
    const item_id = Array.from({ length: 230 }, (_, i) => `i${229 - i}`)
    await updated(
      music,
      client,
      id,
      item_id.map((one) => ({ item: { item_id: one } })),
    )
    const { data } = await client.get('catalog/read', { id, item_id, results: 15, start: 0 })
    const { items } = data.catalog
    expect(items.map((item: { request: { item_id: string } }) => item.request.item_id)).toEqual(
      item_id,
    )
  })

  it.each(['kvstore', ...SONG_BUCKETS, 'id:7digital-US'])(
    'gives song items the bucket %s',
    async (bucket) => {
      const music = await openLibrary()
      const client = new Client(music)
      const id = await made(client)
      await updated(music, client, id, [
        {
          item: { item_id: 'a', song_id: SONGS.helpMeHome.id, item_keyvalues: { Some_Key: 'x y' } },
        },
      ])
      // As in song/search, tracks are those of an id space.
      const asked = bucket === 'tracks' ? [bucket, 'id:7digital-US'] : bucket
      const { data } = await client.get('catalog/read', { id, bucket: asked })
      const [item] = data.catalog.items
      const name = bucket === 'id:7digital-US' ? 'foreign_ids' : bucket
      expect(item).toHaveProperty(name)
      if (bucket === 'kvstore') expect(item.kvstore).toEqual({ Some_Key: 'x y' })
      if (bucket === 'tracks') {
        expect(item.tracks[0]).toEqual({
          catalog: '7digital-US',
          foreign_id: '7digital-US:track:111',
          id: SONGS.helpMeHome.tracks[0].id,
          foreign_release_id: '7digital-US:release:9',
          preview_url: 'http://example.org/111.mp3',
          release_image: 'http://example.org/9.jpg',
        })
      }
    },
  )

  it.each([...ARTIST_BUCKETS, 'id:musicbrainz'])(
    'gives artist items the bucket %s',
    async (bucket) => {
      const music = await openLibrary()
      const client = new Client(music)
      const id = await made(client, { type: 'artist' })
      await updated(music, client, id, [{ item: { item_id: 'a', artist_id: ARTISTS.nora.id } }])
      const { data } = await client.get('catalog/read', { id, bucket })
      expect(data.catalog.items[0]).toHaveProperty(
        bucket === 'id:musicbrainz' ? 'foreign_ids' : bucket,
      )
    },
  )

  it('names the buckets that there are', async () => {
    const client = new Client(await openInline())
    const id = await made(client)
    const { status } = await client.get('catalog/read', { id, bucket: ['tracks', 'fakebucket'] })
    expect(status.code).toBe(5)
    expect(status.message).toMatch(
      /^bucket - Invalid parameter: bucket "fakebucket" is not one of "kvstore", .*"song_hotttnesss"/,
    )
  })
})

describe('catalog/feed', () => {
  const DAY = { date_found: '2013-05-11T00:00:00' }
  async function withNews() {
    const music = await openInline()
    const client = new Client(music)
    const document = (name: string, day: number) => ({
      name,
      dateFound: `2013-05-${10 + day}T00:00:00`,
      datePosted: `2013-05-${String(9 + day).padStart(2, '0')}T08:00:00`,
      summary: 'said',
      url: `http://example.org/a?b&c=${day}`,
    })
    await music.artists.import([
      {
        ...ARTISTS.nora,
        news: [document('Nora Vale tours', 1), document('Elsewhere', 2)],
        blogs: [document('A blog', 3)],
        reviews: [document('A review', 4)],
        video: [{ title: 'A video', dateFound: '2013-05-15T00:00:00' }],
      },
    ])
    const id = await made(client, { type: 'artist' })
    await updated(music, client, id, [{ item: { item_id: 'a', artist_id: ARTISTS.nora.id } }])
    const names = async (query: Query) => {
      const { data } = await client.get('catalog/feed', { id, ...query })
      return data.feed.map((one: { name: string }) => one.name)
    }
    return { client, id, names }
  }

  it('gives news by default, newest first, in the recorded shape', async () => {
    const { client, id } = await withNews()
    const { data } = await client.get('catalog/feed', { id })
    expect(data.feed).toHaveLength(2)
    expect(data.feed[1]).toEqual({
      id: expect.any(String),
      type: 'news',
      name: 'Nora Vale tours',
      url: 'http://example.org/a?b&c=1',
      summary: 'said',
      date_posted: '2013-05-10T08:00:00',
      ...DAY,
      references: [{ artist_id: ARTISTS.nora.id, artist_name: 'Nora Vale' }],
    })
  })

  it('takes bucket, results, start, since and high_relevance', async () => {
    const { client, id, names } = await withNews()
    expect(await names({ bucket: ['video', 'blogs', 'reviews', 'audio'] })).toEqual([
      'A video',
      'A review',
      'A blog',
    ])
    expect(await names({ results: 1 })).toEqual(['Elsewhere'])
    expect(await names({ start: 1 })).toEqual(['Nora Vale tours'])
    expect(await names({ since: '2013-05-11' })).toEqual(['Elsewhere'])
    expect(await names({ high_relevance: 'true' })).toEqual(['Nora Vale tours'])
    expect(await names({ high_relevance: 'False' })).toHaveLength(2)
    const { status } = await client.get('catalog/feed', { id, bucket: 'songs' })
    expect(status.message).toBe(
      'bucket - Invalid parameter: bucket "songs" is not one of "news", "blogs", "reviews", "audio", "video"',
    )
    expect((await client.get('catalog/feed', { id, since: 'May' })).status.message).toMatch(
      /^since - Invalid parameter: "May"/,
    )
    expect((await client.get('catalog/feed', { id, high_relevance: 'maybe' })).status.message).toBe(
      'high_relevance - Invalid parameter: "maybe" is not one of "true", "false"',
    )
  })
})

describe('catalog/delete', () => {
  it('deletes for the owner alone', async () => {
    const music = await openInline()
    const client = new Client(music)
    const id = await made(client)
    const { apiKey } = await music.keys.create({})
    const refused = await client.postForm('catalog/delete', { id, api_key: apiKey })
    expect([refused.http, refused.status.code]).toEqual([403, 2])
    const { data } = await client.postForm('catalog/delete', { id })
    expect(data).toEqual({ name: 'Evenings', id })
    expect((await client.get('catalog/profile', { id })).status.code).toBe(5)
    expect((await client.post('catalog/delete')).status.message).toBe('id - Missing parameter')
  })
})

describe('catalog/list', () => {
  it('lists the catalogs of the key, by pages', async () => {
    const music = await openInline()
    const client = new Client(music)
    const ids: string[] = []
    for (const name of ['A', 'B', 'C']) ids.push(await made(client, { name }))
    const { apiKey } = await music.keys.create({})
    expect((await client.get('catalog/list')).data).toEqual({
      start: 0,
      total: 3,
      catalogs: ['A', 'B', 'C'].map((name, i) => ({ total: 0, name, type: 'song', id: ids[i] })),
    })
    const { data } = await client.get('catalog/list', { results: 1, start: 1 })
    expect(data).toMatchObject({ start: 1, total: 3, catalogs: [{ name: 'B' }] })
    expect((await client.get('catalog/list', { api_key: apiKey })).data.total).toBe(0)
  })

  it('is known as tasteprofile too', async () => {
    const client = new Client(await openInline())
    const { data } = await client.post('tasteprofile/create', { name: 'T', type: 'song' })
    expect((await client.get('tasteprofile/list')).data.catalogs).toEqual([
      { total: 0, name: 'T', type: 'song', id: data.id },
    ])
  })
})
