import { describe, expect, it } from 'vitest'
import { createHandler } from '../../src/wire-entry.ts'
import { openInline } from '../support/open.ts'
import { BASE, Client } from '../support/wire.ts'

describe('keys', () => {
  it('are needed, and have to be right, before anything else is looked at', async () => {
    const client = new Client(await openInline())
    const unkeyed = await client.send(new Request(`${BASE}catalog/list`))
    expect(unkeyed.http).toBe(400)
    expect(unkeyed.status).toEqual({
      version: '4.2',
      code: 1,
      message: 'api_key - Missing key: every call needs an api_key',
    })
    const invalid = 'api_key - Invalid key: "Weezer" is not a valid, active api key'
    for (const answer of [
      await client.get('catalog/list', { api_key: 'Weezer' }),
      await client.get('catalog/list', { api_key: 'Weezer', nonsense: 1, results: 'x' }),
      await client.get('song/search', { api_key: 'Weezer', format: 'yaml' }),
      await client.post('catalog/create', { api_key: 'Weezer' }),
      await client.postForm('track/upload', { api_key: 'Weezer' }, { track: new Blob(['x']) }),
      await client.postBytes('track/upload', { api_key: 'Weezer' }, 'x'),
    ]) {
      expect(answer.http).toBe(400)
      expect(answer.status).toEqual({ version: '4.2', code: 1, message: invalid })
      expect(answer.data).toEqual({})
    }
    const long = await client.get('catalog/list', { api_key: 'x'.repeat(5000) })
    expect(long.status).toMatchObject({ code: 1, message: expect.not.stringContaining('xxxxx') })
  })

  it('are those of the database, and end when they are revoked', async () => {
    const music = await openInline()
    const client = new Client(music)
    const { id, apiKey } = await music.keys.create({ apiKey: 'FIXED KEY & more' })
    expect((await client.get('catalog/list', { api_key: apiKey })).status.code).toBe(0)
    expect(
      (await client.post('catalog/create', { api_key: apiKey, name: 'A', type: 'song' })).http,
    ).toBe(200)
    await music.keys.revoke(id)
    expect((await client.get('catalog/list', { api_key: apiKey })).status.code).toBe(1)
  })
})

describe('what is not there', () => {
  it.each([
    'song/similar',
    'genre/list',
    'artist/profile',
    'song/Search',
    'song',
    'song/search/x',
    'constructor/x',
    '__proto__/x',
    'analysis/%E0%A4%A',
    '../api/v5/song/search',
  ])('%s is the page that the service had', async (path) => {
    const client = new Client(await openInline())
    const response = await client.raw(path)
    expect(response.status).toBe(404)
    expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(await response.text()).toBe(
      '<html><title>404: Not Found</title><body>404: Not Found</body></html>',
    )
  })

  it('is not a method asked for in the wrong way', async () => {
    const client = new Client(await openInline())
    const posted = await client.post('song/search', { title: 'x' })
    expect(posted.http).toBe(405)
    expect(posted.headers.get('allow')).toBe('GET')
    expect(posted.status).toMatchObject({
      code: 5,
      message: 'method - Invalid parameter: "POST"; ask for this one by GET',
    })
    const got = await client.get('catalog/create', { name: 'A', type: 'song' })
    expect([got.http, got.headers.get('allow'), got.status.code]).toEqual([405, 'POST', 5])
    expect((await client.get('catalog/list')).data.total).toBe(0)
    const put = await client.raw('song/identify', {}, { method: 'PUT', body: 'x' })
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, POST'])
  })
})

describe('failures of the engine', () => {
  it('are an unknown error, told to the host and to nobody else', async () => {
    const music = await openInline()
    const told: unknown[] = []
    const client = new Client(music, { onError: (error) => told.push(error) })
    await music.close()
    const { http, status, text } = await client.get('catalog/list')
    expect(http).toBe(500)
    expect(status).toEqual({ version: '4.2', code: -1, message: 'Unknown error' })
    expect(text).not.toMatch(/ at |\.ts|closed/)
    expect(told).toEqual([expect.objectContaining({ code: 'closed' })])
  })

  it('are answered even where the host’s own function throws', async () => {
    const music = await openInline()
    const client = new Client(music, {
      onError() {
        throw new Error('no log')
      },
    })
    await music.close()
    expect((await client.get('catalog/list')).status.code).toBe(-1)
  })

  it('end with their cause, also when the engine could not tell its methods', async () => {
    const music = await openInline()
    let failures = 1
    const failing = new Proxy(music, {
      get(target, name) {
        if (name === 'call' && failures-- > 0) return () => Promise.reject(new Error('busy'))
        const value: unknown = Reflect.get(target, name, target)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    const client = new Client(failing)
    expect((await client.get('catalog/list')).status.code).toBe(-1)
    expect((await client.get('catalog/list')).status.code).toBe(0)
  })
})

describe('the rate limit', () => {
  it('is told in headers, counted by key and minute', async () => {
    const music = await openInline()
    let now = Date.parse('2013-01-08T18:47:38Z')
    const client = new Client(music, { rateLimit: 2, now: () => now })
    const { apiKey } = await music.keys.create({})
    const told = ({ headers }: { headers: Headers }) =>
      ['limit', 'used', 'remaining'].map((name) => headers.get(`x-ratelimit-${name}`))
    expect(told(await client.get('catalog/list'))).toEqual(['2', '1', '1'])
    expect(told(await client.post('catalog/create'))).toEqual(['2', '2', '0'])
    const over = await client.get('catalog/list')
    expect(over.http).toBe(429)
    expect(over.status).toEqual({
      version: '4.2',
      code: 3,
      message: '3|You are limited to 2 accesses every minute.',
    })
    expect(told(over)).toEqual(['2', '2', '0'])
    expect(told(await client.get('catalog/list', { api_key: apiKey }))).toEqual(['2', '1', '1'])
    now += 22_000
    expect(told(await client.get('catalog/list'))).toEqual(['2', '1', '1'])
  })

  it('is not there unless it is asked for', async () => {
    const client = new Client(await openInline())
    expect((await client.get('catalog/list')).headers.get('x-ratelimit-limit')).toBeNull()
  })
})

describe('the option errorStatus', () => {
  it('has the errors of methods told in a 200, for clients that read no other', async () => {
    const music = await openInline()
    const client = new Client(music, { errorStatus: 200, rateLimit: 6, now: () => 0 })
    const md5 = '0'.repeat(32)
    const answers = [
      await client.get('track/profile', { md5 }),
      await client.get('track/profile', { id: 'TRXXXXX00000000000' }),
      await client.get('track/profile'),
      await client.get('track/profile', { api_key: 'nobody', md5 }),
      await client.get('catalog/create'),
      await client.get('catalog/list', { nonsense: 1 }),
      await client.get('catalog/list'),
      await client.get('catalog/list'),
      await client.get('catalog/list'),
    ]
    expect(answers.map(({ http }) => http)).toEqual(Array(9).fill(200))
    expect(answers.map(({ status }) => status.code)).toEqual([5, 5, 4, 1, 5, 5, 0, 0, 3])
    expect(answers[0]?.status.message).toMatch(/^The Identifier specified does not exist/)
    // What is no method of the service, and what is no answer of a method, stays what it is.
    expect((await client.raw('song/nothing')).status).toBe(404)
    expect((await client.raw('analysis/TRXXXXX00000000000')).status).toBe(400)
  })

  it('is 200 or absent', async () => {
    const music = await openInline()
    expect(() => createHandler(music, { errorStatus: 400 } as object)).toThrow(
      /^errorStatus - Invalid parameter/,
    )
  })
})

describe('headers', () => {
  it('keep answers out of caches, and from being taken for pages', async () => {
    const { headers, text } = await new Client(await openInline()).get('catalog/list')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('cache-control')).toBe('no-store')
    expect(headers.get('content-length')).toBe(String(text.length))
  })

  it('answer HEAD and OPTIONS', async () => {
    const client = new Client(await openInline())
    const head = await client.raw('catalog/list', {}, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
    const options = await client.raw('catalog/create', {}, { method: 'OPTIONS' })
    expect(options.status).toBe(204)
    expect(options.headers.get('allow')).toBe('GET, HEAD, POST, OPTIONS')
  })
})

describe('createHandler', () => {
  it('refuses options that there are not', async () => {
    const music = await openInline()
    expect(() => createHandler(music, { ratelimit: 1 } as object)).toThrow(
      'createHandler has no option "ratelimit"; did you mean "rateLimit"?',
    )
    expect(() => createHandler(music, { rateLimit: 0 })).toThrow(/^rateLimit - Invalid parameter/)
    expect(() => createHandler(music, { baseUrl: 'x' })).toThrow(/^baseUrl - Invalid parameter/)
    expect(() => createHandler(music, { secret: 'short' })).toThrow(/^secret - Invalid parameter/)
    expect(() => createHandler(music, { limits: { depth: 1000 } })).toThrow(/^limits\.depth/)
  })
})
