import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { openInline } from '../support/open.ts'
import { scratch } from '../support/scratch.ts'
import { BASE, Client, encoded } from '../support/wire.ts'

/** Temporary files of the wire. */
const spilled = () => readdirSync(tmpdir()).filter((name) => /^audile-.*-wire-/.test(name))

/** Gives the running test a temporary folder: other tests have files of the wire at the same time. */
function ownTemporary(): void {
  vi.stubEnv('TMPDIR', scratch())
  onTestFinished(() => void vi.unstubAllEnvs())
}

function post(path: string, type: string | undefined, body: RequestInit['body']): Request {
  const headers = type === undefined ? {} : { 'content-type': type }
  const stream = body instanceof ReadableStream ? { duplex: 'half' as const } : {}
  return new Request(BASE + path, { method: 'POST', headers, body, ...stream } as RequestInit)
}

/** A body that comes in pieces of a few bytes, as over a slow line. */
function trickled(text: string, size = 3): ReadableStream<Uint8Array> {
  const bytes = Buffer.from(text)
  let at = 0
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) return controller.close()
      controller.enqueue(new Uint8Array(bytes.subarray(at, at + size)))
      at += size
    },
  })
}

const FORM = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data; boundary=XX'
const NAME = 'Äb & c=d+e %20 "f" 日本'

function parts(...all: [head: string, value: string][]): string {
  const texts = all.map(
    ([head, value]) => `--XX\r\nContent-Disposition: form-data; ${head}\r\n\r\n${value}\r\n`,
  )
  return `${texts.join('')}--XX--\r\n`
}

describe('parameters', () => {
  it.each([
    ['the URL, and an empty urlencoded body', FORM, ''],
    ['the URL, and an empty multipart body without a boundary', 'multipart/form-data', ''],
    ['the URL, and no body', undefined, undefined],
  ])('come from %s', async (_, type, body) => {
    const client = new Client(await openInline())
    const query = encoded({ api_key: 'local', name: NAME, type: 'song' })
    const { data } = await client.send(post(`catalog/create?${query}`, type, body))
    expect(data).toMatchObject({ name: NAME, type: 'song' })
  })

  it.each([
    ['an urlencoded body', FORM, encoded({ api_key: 'local', name: NAME }).toString()],
    [
      'an urlencoded body with a charset',
      `${FORM}; charset=UTF-8`,
      `name=${encodeURIComponent(NAME)}`,
    ],
    ['a multipart body', MULTIPART, parts(['name="name"', NAME], ['name="api_key"', 'local'])],
    ['a multipart body, unquoted', MULTIPART, parts(['name=name', NAME])],
  ])('come from %s and the URL, mixed, however small the pieces', async (_, type, body) => {
    const client = new Client(await openInline())
    const url = 'catalog/create?type=song&api_key=local'
    const whole = await client.send(post(url, type, body))
    expect(whole.data).toMatchObject({ name: NAME, type: 'song' })
    await client.post('catalog/delete', { id: whole.data.id })
    const slow = await client.send(post(url, type, trickled(body)))
    expect(slow.data).toMatchObject({ name: NAME, type: 'song' })
  })

  it('may stand in both alike, but not contradict each other', async () => {
    const client = new Client(await openInline())
    const body = 'name=A&type=song'
    const same = await client.send(post('catalog/create?api_key=local&name=A', FORM, body))
    expect(same.data.name).toBe('A')
    const other = await client.send(post('catalog/create?api_key=local&name=B', FORM, body))
    expect(other.status.message).toBe('name - Invalid parameter: "A" beside "B"; give one of them')
  })

  it('without a value are none', async () => {
    const client = new Client(await openInline())
    const query = 'song/search?api_key=local&artist=&&upload&=&min_tempo=%20'
    expect((await client.send(new Request(BASE + query))).status.code).toBe(0)
  })

  it('stand for themselves where their escapes are none', async () => {
    const client = new Client(await openInline())
    for (const [given, name] of [
      ['100%', '100%'],
      ['%zz%4', '%zz%4'],
      ['%41%', 'A%'],
      ['%%41', '%A'],
      ['%2', '%2'],
    ]) {
      const body = `api_key=local&type=song&name=${given}`
      for (const send of [body, trickled(body, 1)]) {
        const { data } = await client.send(post('catalog/create', FORM, send))
        expect(data.name).toBe(name)
        await client.post('catalog/delete', { id: data.id })
      }
    }
  })

  it.each([
    ['text/plain', 'name=A'],
    ['application/octet-stream', 'name=A'],
    ['application/json', '{"name":"A"}'],
    ['multipart/form-data', 'x'],
    ['multipart/form-data; boundary=', 'x'],
    ['multipart/form-data; boundary=YY', parts(['name="name"', 'A'])],
    [MULTIPART, '--XX\r\nContent-Disposition: form-data; name="name"\r\n\r\nA'],
    [MULTIPART, '--XX\r\n'],
    [MULTIPART, parts(['filename="a"', 'A'])],
    [MULTIPART, 'no parts at all'],
    ['image/png', 'x'],
  ])('do not come from %s %j', async (type, body) => {
    const client = new Client(await openInline())
    const url = 'catalog/create?api_key=local&type=song&name=A'
    const { http, status } = await client.send(post(url, type, body))
    expect(http).toBe(400)
    expect(status.code).toBe(5)
    expect(status.message).toMatch(/^method - Invalid parameter: the body cannot be read: /)
    expect((await client.get('catalog/list')).data.total).toBe(0)
  })
})

describe('limits', () => {
  it.each([
    ['urlencoded', { parameterBytes: 100 }, FORM, `name=${'x'.repeat(101)}`, 'parameterBytes'],
    [
      'multipart',
      { parameterBytes: 100 },
      MULTIPART,
      parts(['name="name"', 'x'.repeat(101)]),
      'parameterBytes',
    ],
    ['many small', { parameterBytes: 100 }, FORM, 'name=aaaaaaaaaa&'.repeat(20), 'parameterBytes'],
    ['many parameters', { parameters: 5 }, FORM, 'name=a&'.repeat(10), 'parameters'],
    [
      'many parts',
      { parameters: 5 },
      MULTIPART,
      parts(...Array(20).fill(['name="name"', 'a'])),
      'parameters',
    ],
  ])('hold for %s', async (_, limits, type, body, name) => {
    const client = new Client(await openInline(), { limits })
    const { http, status } = await client.send(post('catalog/create?api_key=local', type, body))
    expect([http, status.code]).toEqual([400, 5])
    expect(status.message).toContain(`limits.${name}`)
  })

  it('hold for names without an end', async () => {
    const client = new Client(await openInline())
    const { status } = await client.send(
      post('catalog/create?api_key=local', FORM, 'x'.repeat(5000)),
    )
    expect(status).toMatchObject({
      code: 5,
      message: expect.stringContaining('a name has more than'),
    })
  })

  it('hold for uploads, in every form, and nothing is left', async () => {
    ownTemporary()
    const client = new Client(await openInline(), { limits: { uploadBytes: 500_000 } })
    const bytes = new Uint8Array(600_000)
    for (const answer of [
      await client.postForm('track/upload', { filetype: 'wav' }, { track: new Blob([bytes]) }),
      await client.postBytes('track/upload', { filetype: 'wav' }, bytes),
    ]) {
      expect(answer.http).toBe(400)
      expect(answer.status).toMatchObject({
        code: 5,
        message:
          'track - Invalid parameter: it has more than the 500000 bytes of limits.uploadBytes',
      })
    }
    expect(spilled()).toEqual([])
  })

  it('hold for updates and their entries, and for queries', async () => {
    const music = await openInline()
    const limits = { updateBytes: 300_000, entryBytes: 1000, queryBytes: 100, depth: 5 }
    const client = new Client(music, { limits })
    const { data } = await client.post('catalog/create', { name: 'A', type: 'song' })
    const update = (entries: string) =>
      client.post('catalog/update', { id: data.id, data: entries })
    const long = `[{"item":{"item_id":"a","genre":"${'x'.repeat(200_000)}"}}]`
    const many = `[${Array(20_000).fill('{"item":{"item_id":"a"}}').join(',')}]`
    const deep = `[${'{"item":'.repeat(10)}1${'}'.repeat(10)}]`
    const messages = [
      (await update(long)).status.message,
      (await update(many)).status.message,
      (await update(deep)).status.message,
      (await client.post('song/identify', { query: `{"code":"${'x'.repeat(200)}"}` })).status
        .message,
      (await client.postBytes('song/identify', {}, `{"code":"${'x'.repeat(200)}"}`)).status.message,
    ]
    expect(messages).toEqual([
      expect.stringContaining('limits.entryBytes'),
      expect.stringContaining('limits.updateBytes'),
      expect.stringContaining('limits.depth'),
      expect.stringContaining('limits.queryBytes'),
      expect.stringContaining('limits.queryBytes'),
    ])
    expect((await client.get('catalog/profile', { id: data.id })).data.catalog.total).toBe(0)
  })

  it('hold for bodies that stand still', async () => {
    const client = new Client(await openInline(), { limits: { stalledSeconds: 0.02 } })
    const still = (text: string) =>
      new ReadableStream<Uint8Array>({
        start: (controller) => controller.enqueue(new TextEncoder().encode(text)),
      })
    for (const request of [
      post('catalog/create?api_key=local', FORM, still('name=A&typ')),
      post('catalog/create?api_key=local', MULTIPART, still('--XX\r\nContent-Disposition: fo')),
      post('track/upload?api_key=local&filetype=wav', 'application/octet-stream', still('RIFF')),
      post(
        'track/upload?api_key=local&filetype=wav',
        MULTIPART,
        still('--XX\r\nContent-Disposition: form-data; name="track"\r\n\r\nRIFF'),
      ),
    ]) {
      const { http, status } = await client.send(request)
      expect([http, status.code]).toEqual([400, 5])
      expect(status.message).toContain('limits.stalledSeconds')
    }
  })
})

describe('large parts', () => {
  it('come in any order, and leave nothing behind', async () => {
    ownTemporary()
    const music = await openInline()
    const client = new Client(music)
    const { data } = await client.post('catalog/create', { name: 'A', type: 'song' })
    const entries = Array.from({ length: 12_000 }, (_, i) => ({
      item: { item_id: `i${i}`, genre: 'x'.repeat(30) },
    }))
    const text = JSON.stringify(entries)
    const body = parts(
      ['name="data"; filename="a.json"', text],
      ['name="id"', data.id],
      ['name="api_key"', 'local'],
    )
    const answer = await client.send(post('catalog/update', MULTIPART, body))
    expect(answer.status.message).toBe('Success')
    const urlencoded = await client.post('catalog/update', { data: text, id: data.id })
    expect(urlencoded.status.message).toBe('Success')
    await music.call('catalog/wait', { ticket: urlencoded.data.ticket })
    expect((await client.get('catalog/profile', { id: data.id })).data.catalog.total).toBe(12_000)
    expect(spilled()).toEqual([])
  })

  it('are to be given once', async () => {
    const client = new Client(await openInline())
    const { data } = await client.post('catalog/create', { name: 'A', type: 'song' })
    const body = parts(['name="data"', '[]'], ['name="data"', '[]'])
    const url = `catalog/update?api_key=local&id=${data.id}`
    const { status } = await client.send(post(url, MULTIPART, body))
    expect(status.message).toBe('data - Invalid parameter: it is given twice; give it once')
  })
})

it('gives up when the caller has', async () => {
  const music = await openInline()
  const told: unknown[] = []
  const client = new Client(music, { onError: (error) => told.push(error) })
  const leave = new AbortController()
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      controller.enqueue(new Uint8Array(1000))
      leave.abort(new Error('gone'))
    },
  })
  const request = new Request(`${BASE}track/upload?api_key=local&filetype=wav`, {
    method: 'POST',
    headers: { 'content-type': 'application/octet-stream' },
    body,
    duplex: 'half',
    signal: leave.signal,
  } as RequestInit)
  expect((await client.send(request)).status.code).toBe(-1)
  expect(told).toEqual([])
})
