import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { clip, waveBytes } from '../support/clips.ts'
import { openInline } from '../support/open.ts'
import { openLibrary, SONGS } from '../support/reference-library.ts'
import { BASE, Client } from '../support/wire.ts'
import { at, xmlTree } from '../support/xml-tree.ts'

// Requests as the libraries of the time wrote them, to the letter of what was special about each.

const WAVE = await waveBytes(clip())
const MD5 = createHash('md5').update(WAVE).digest('hex')
const KEY = 'N6E4NIOVYMTHNDM8J'

async function keyed() {
  const music = await openLibrary()
  await music.keys.create({ apiKey: KEY })
  return { music, client: new Client(music, { rateLimit: 120 }) }
}

function post(path: string, body: string, type: string): Request {
  return new Request(BASE + path, { method: 'POST', body, headers: { 'content-type': type } })
}

describe('the Python library', () => {
  const form = (path: string, text: string) =>
    post(path, `${text}&api_key=${KEY}`, 'application/x-www-form-urlencoded')

  it('makes a catalog when its name is not known, updates and reads it', async () => {
    const { music, client } = await keyed()
    const api_key = KEY
    const unknown = await client.get('catalog/profile', { api_key, name: 'my_songs' })
    expect(unknown.status.code).toBe(5)
    const { data } = await client.send(form('catalog/create', 'type=song&name=my_songs'))
    const items = [
      {
        action: 'update',
        item: {
          item_id: '38937DDF04BC7FC4',
          artist_name: 'Nora Vale',
          song_name: 'Home',
          track_number: 9,
          play_count: 5,
          url: 'file://localhost/a%20b.m4a',
        },
      },
    ]
    const text = new URLSearchParams({ data: JSON.stringify(items), id: data.id }).toString()
    const { data: sent } = await client.send(form('catalog/update', text))
    await music.call('catalog/wait', { ticket: sent.ticket })
    const { data: status } = await client.get('catalog/status', { api_key, ticket: sent.ticket })
    expect(status).toMatchObject({ ticket_status: 'complete', update_info: [] })
    const { data: read } = await client.get('catalog/read', {
      api_key,
      id: data.id,
      results: 15,
      start: 0,
    })
    expect(read.catalog.items[0]).toMatchObject({
      song_id: SONGS.noraHome.id,
      play_count: 5,
      request: { item_id: '38937DDF04BC7FC4', track_number: 9 },
    })
    expect((await client.send(form('catalog/delete', `id=${data.id}`))).data.id).toBe(data.id)
  })

  it('asks for the md5, uploads the bytes when nobody knows it, and fetches the analysis', async () => {
    const { client } = await keyed()
    const query = { api_key: KEY, format: 'json', bucket: 'audio_summary' }
    expect((await client.get('track/profile', { ...query, md5: MD5 })).status).toMatchObject({
      code: 5,
      message: expect.stringMatching(/^The Identifier specified does not exist/),
    })
    const upload = { ...query, wait: 'true', filetype: 'wav' }
    const { data } = await client.postBytes('track/upload', upload, WAVE)
    expect(data.track.status).toBe('complete')
    const analysis = await client.handle(new Request(data.track.audio_summary.analysis_url))
    const document = JSON.parse(await analysis.text())
    expect(Object.keys(document)).toEqual([
      'meta',
      'track',
      'bars',
      'beats',
      'tatums',
      'sections',
      'segments',
    ])
    expect(document.track.duration).toBe(3)
  })

  it('identifies by a list of queries in a form, with other names beside it', async () => {
    const { client } = await keyed()
    const query = encodeURIComponent(
      JSON.stringify([{ code: 'eJx', metadata: { version: 3.15 }, tag: 0 }]),
    )
    const { data } = await client.send(form('song/identify', `query=${query}&title=x&version=3.15`))
    expect(data).toEqual({ songs: [] })
  })

  it('uploads with a bucket and never waits, by a form, and asks until the track is complete', async () => {
    const { music, client } = await keyed()
    const query = { api_key: KEY, format: 'json', bucket: 'audio_summary' }
    const upload = () =>
      client.postForm('track/upload', { ...query, filetype: 'wav' }, { track: new Blob([WAVE]) })
    const { id, status } = (await upload()).data.track
    expect(status).toBe('pending')
    await music.call('track/wait', { id })
    const { data } = await client.get('track/profile', { ...query, id })
    // It takes the summary out of every track that is complete, whatever the call.
    const analyzed = await client.post('track/analyze', { ...query, id })
    for (const track of [data.track, (await upload()).data.track, analyzed.data.track]) {
      expect(track).toMatchObject({ id, status: 'complete' })
      expect(track.audio_summary.analysis_url).toMatch(/^http/)
    }
  })

  it('uploads an address by a form, with bucket and wait', async () => {
    const { client } = await keyed()
    const url = 'http%3A%2F%2Flocalhost%2Fa.mp3'
    const { status } = await client.send(
      form('track/upload', `url=${url}&format=json&wait=true&bucket=audio_summary`),
    )
    expect(status.message).toMatch(/^url - Invalid parameter: "localhost" is no public address/)
  })

  it('transcodes and tries again at an error 5 for a file that is not known', async () => {
    const { client } = await keyed()
    const query = { api_key: KEY, filetype: 'mp3', wait: 'true', bucket: 'audio_summary' }
    const windowsMedia = Buffer.from('3026b2758e66cf11a6d900aa0062ce6c', 'hex')
    const first = await client.postForm('track/upload', query, { track: new Blob([windowsMedia]) })
    expect(first.status.code).toBe(5)
    const again = await client.postForm('track/upload', query, { track: new Blob([WAVE]) })
    expect(again.data.track.status).toBe('complete')
  })
})

describe('the C++ library', () => {
  it('sends everything in the address, and a multipart type without a boundary', async () => {
    const { client } = await keyed()
    const url = `catalog/create?api_key=${KEY}&format=xml&name=A%20B&type=song`
    const response = await client.handle(post(url, '', 'multipart/form-data'))
    const tree = xmlTree(await response.text())
    expect(at(tree).map(([name]) => name)).toEqual(['status', 'type', 'name', 'id'])
  })

  it('sends the entries in the address, too, and gives an md5 as the id of a track', async () => {
    const { music, client } = await keyed()
    const catalog = await music.as(KEY).catalogs.create({ name: 'A', type: 'song' })
    const data = encodeURIComponent(
      '[{"action":"update","item":{"item_id":"a","song_name":"Home","artist_name":"Nora Vale"}}]',
    )
    const url = `catalog/update?api_key=${KEY}&format=xml&id=${catalog.id}&data_type=json&data=${data}`
    const response = await client.handle(post(url, '', 'application/x-www-form-urlencoded'))
    expect(await response.text()).toMatch(/<ticket>[0-9a-f]{32}<\/ticket><\/response>$/)

    const track = await music.tracks.upload({ bytes: WAVE, wait: true })
    const analyze = `track/analyze?api_key=${KEY}&id=${MD5}&bucket=audio_summary&wait=true`
    const { data: found } = await client.send(
      post(analyze, '', 'application/x-www-form-urlencoded'),
    )
    expect(found.track.id).toBe(track.id)
  })

  it('reads the status by position, then the list', async () => {
    const { client } = await keyed()
    const text = await client.text('song/search', {
      api_key: KEY,
      format: 'xml',
      title: 'rust',
      artist: 'kettles',
    })
    const [[, status], [songs, list]] = at(xmlTree(text)) as [[string, unknown], [string, unknown]]
    expect(status).toEqual([
      ['version', '4.2'],
      ['code', '0'],
      ['message', 'Success'],
    ])
    expect([songs, (list as [string][])[0]?.[0]]).toEqual(['songs', 'song'])
  })
})

describe('the Java library', () => {
  it('sends a name without a value, and reads how many calls are left', async () => {
    const { client } = await keyed()
    const url = `track/upload?upload&url=${encodeURIComponent('http://localhost/a.mp3')}&wait=false&api_key=${KEY}`
    const { status, headers } = await client.send(
      post(url, '', 'application/x-www-form-urlencoded'),
    )
    expect(status.message).toMatch(/^url - Invalid parameter: "localhost" is no public address/)
    expect(headers.get('x-ratelimit-remaining')).toBe('119')
  })

  it('sends an update as a form whose parts are in no order, numbers as text', async () => {
    const { music, client } = await keyed()
    const catalog = await music.as(KEY).catalogs.create({ name: 'A', type: 'song' })
    const boundary = '-----------13c1b0f2a1'
    const entries = [
      {
        action: 'update',
        item: { item_id: 'a', song_name: 'Home', artist_name: 'Nora Vale', track_number: '9' },
      },
    ]
    const values = { data: JSON.stringify(entries), id: catalog.id, api_key: KEY }
    const parts = Object.entries(values).map(
      ([name, value]) =>
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    )
    const body = `${parts.join('')}--${boundary}--\r\n`
    const { data } = await client.send(
      post('catalog/update', body, `multipart/form-data;boundary=${boundary}`),
    )
    expect(await music.call('catalog/wait', { ticket: data.ticket })).toMatchObject({
      ticketStatus: 'complete',
      updateInfo: [],
    })
  })
})

describe('clients that read errors from a 200 only', () => {
  it('read that nobody knows the md5, and upload', async () => {
    const { music } = await keyed()
    const client = new Client(music, { errorStatus: 200 })
    const unknown = await client.get('track/profile', { api_key: KEY, md5: MD5 })
    expect([unknown.http, unknown.status.code]).toEqual([200, 5])
    expect(unknown.status.message).toMatch(/^The Identifier specified does not exist/)
    const query = { api_key: KEY, filetype: 'wav', wait: 'true' }
    expect((await client.postBytes('track/upload', query, WAVE)).data.track.md5).toBe(MD5)
  })
})

describe('scripts in pages', () => {
  it('ask for JSONP with a made-up callback and a number against caches', async () => {
    const { client } = await keyed()
    const query = {
      api_key: KEY,
      format: 'jsonp',
      callback: 'jQuery17209_1325',
      _: 1325462400000,
      results: 5,
    }
    expect(await client.text('catalog/list', query)).toMatch(/^jQuery17209_1325\(\n\{"response":/)
  })

  it('ask from any site by JSONP with a key of their own, and by XHR where they are let', async () => {
    const { music } = await keyed()
    const origin = 'https://jukebox.example'
    const client = new Client(music, { cors: [origin] })
    const query = { api_key: KEY, format: 'jsonp', callback: 'f' }
    const script = { headers: { 'sec-fetch-site': 'cross-site' } }
    const answer = await client.raw('catalog/list', query, script)
    expect(await answer.text()).toMatch(/^f\(\n\{"response":\{"status":\{[^}]*"code":0/)
    const xhr = await client.raw('catalog/list', { api_key: KEY }, { headers: { origin } })
    expect(xhr.headers.get('access-control-allow-origin')).toBe(origin)
  })

  it('identify with a format that the method does not have', async () => {
    const { client } = await keyed()
    const text = await client.text('song/identify', { api_key: KEY, code: 'eJx', format: 'xml' })
    expect(JSON.parse(text).response.songs).toEqual([])
  })
})

it('a fingerprint from the command line is sent as a file', async () => {
  const music = await openInline()
  const client = new Client(music)
  const body = new FormData()
  body.append(
    'query',
    new Blob(['[\n{"metadata":{"artist":"","version":4.12},"code":"eJx","tag":0}\n]\n']),
    'codes.json',
  )
  const { data } = await client.send(
    new Request(`${BASE}song/identify?api_key=local`, { method: 'POST', body }),
  )
  expect(data).toEqual({ songs: [] })
})
