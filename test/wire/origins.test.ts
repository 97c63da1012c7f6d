import { describe, expect, it } from 'vitest'
import type { Audile } from '../../src/index.ts'
import { createHandler, type WireOptions } from '../../src/wire-entry.ts'
import { openInline } from '../support/open.ts'
import { encoded, type Query } from '../support/wire.ts'

const HOST = 'http://127.0.0.1:8080'
const KEY = 'N6E4NIOVYMTHNDM8J'

/** Asks for the list of catalogs as a browser or a program would. */
async function ask(
  music: Audile,
  options: WireOptions,
  headers: Record<string, string>,
  { base = HOST, method = 'GET', ...query }: Query & { base?: string; method?: string } = {},
) {
  const url = `${base}/api/v4/catalog/list?${encoded({ api_key: 'local', ...query })}`
  const response = await createHandler(music, options)(new Request(url, { method, headers }))
  const text = await response.text()
  const code = text === '' ? undefined : JSON.parse(text).response.status.code
  return { response, code, text, allowed: response.headers.get('access-control-allow-origin') }
}

describe('pages of other origins', () => {
  it('cannot read answers unless their origin is named', async () => {
    const music = await openInline()
    await music.keys.create({ apiKey: KEY })
    const page = { origin: 'https://page.example' }
    const query = { api_key: KEY }
    const closed = await ask(music, {}, page, query)
    expect([closed.code, closed.allowed]).toEqual([0, null])
    expect(closed.response.headers.get('vary')).toBeNull()

    const cors = ['https://PAGE.example:443/', 'app://mine', 'http://[::1]:80']
    for (const origin of ['https://page.example', 'app://mine', 'http://[::1]']) {
      const { response, allowed } = await ask(music, { cors }, { origin }, query)
      expect(allowed).toBe(origin)
      expect(response.headers.get('vary')).toBe('Origin')
      expect(response.headers.get('access-control-expose-headers')).toMatch(/X-RateLimit-Remaining/)
    }
    for (const origin of [
      'http://page.example',
      'https://page.example:8443',
      'https://page.example.evil.example',
      'https://evil.example/https://page.example',
      'app://mine2',
      'null',
      '',
    ]) {
      const { response, allowed } = await ask(music, { cors }, { origin }, query)
      expect(allowed, origin).toBeNull()
      expect(response.headers.get('vary')).toBe('Origin')
    }
    const { response } = await ask(music, { cors }, {}, query)
    expect(response.headers.get('vary')).toBe('Origin')

    const open = await ask(music, { cors: true }, { origin: 'null' }, query)
    expect([open.allowed, open.response.headers.get('vary')]).toEqual(['*', null])
  })

  it('are told by a preflight, for a day, what they may send', async () => {
    const music = await openInline()
    const preflight = async (cors: true | string[] | undefined, origin: string) => {
      const { response } = await ask(music, { cors }, { origin }, { method: 'OPTIONS' })
      expect(response.status).toBe(204)
      return Object.fromEntries(response.headers)
    }
    const granted = {
      'access-control-allow-methods': 'GET, POST',
      'access-control-allow-headers': 'content-type, if-none-match',
      'access-control-max-age': '86400',
    }
    expect(await preflight(['https://page.example'], 'https://page.example')).toMatchObject(granted)
    expect(await preflight(true, 'https://any.example')).toMatchObject(granted)
    for (const cors of [undefined, ['https://other.example']]) {
      const headers = await preflight(cors, 'https://page.example')
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([])
    }
  })

  it.each([
    'page.example',
    'https://page.example/path',
    'https://page.example?x',
    'https://me:secret@page.example',
    'null',
    '*',
    '',
  ])('are not named by %j', async (origin) => {
    const music = await openInline()
    expect(() => createHandler(music, { cors: [origin] })).toThrow(
      /^cors.* - Invalid parameter: .*must be an origin, as https:\/\/example\.org/,
    )
  })
})

describe('the key local', () => {
  it.each([
    ['a page of the web', { origin: 'http://evil.example' }],
    ['a page without an origin', { origin: 'null' }],
    ['a page on another port', { origin: 'http://127.0.0.1:3000' }],
    ['a page by another name of this machine', { origin: 'http://localhost:8080' }],
    ['a page of another scheme', { origin: 'app://127.0.0.1:8080' }],
    ['a file', { origin: 'file://' }],
    ['several origins', { origin: `${HOST}, http://evil.example` }],
    ['a script of another site', { 'sec-fetch-site': 'cross-site' }],
    ['a script of another port', { 'sec-fetch-site': 'same-site' }],
  ])('is refused to %s', async (_, headers) => {
    const music = await openInline()
    await music.keys.create({ apiKey: KEY })
    const { response, code, text } = await ask(music, {}, headers as Record<string, string>)
    expect([response.status, code]).toEqual([403, 2])
    expect(text).toMatch(/api_key - API key not allowed: .*keys\.create.*cors/)
    // For another key it is enough that nobody knows it.
    expect((await ask(music, {}, headers as Record<string, string>, { api_key: KEY })).code).toBe(0)
  })

  it.each([
    ['programs', {}],
    ['its own pages', { origin: HOST }],
    ['its own pages, as told by the browser', { 'sec-fetch-site': 'same-origin' }],
    ['who types the address', { 'sec-fetch-site': 'none' }],
  ])('is for %s', async (_, headers) => {
    const music = await openInline()
    expect((await ask(music, {}, headers as Record<string, string>)).code).toBe(0)
  })

  it('gives a script to pages that their browser calls the handler’s own, and to no other', async () => {
    const music = await openInline()
    const status = async (headers: Record<string, string>, cors?: string[]) => {
      const query = encoded({ api_key: 'local', format: 'jsonp', callback: 'f' })
      const url = `http://nas.example:8080/api/v4/catalog/list?${query}`
      const handle = createHandler(music, cors ? { cors } : {})
      const text = await (await handle(new Request(url, { headers }))).text()
      return JSON.parse(/^f\((.*)\)$/s.exec(text)![1]!).response.status.code
    }
    // To such an address browsers send neither an Origin for a script nor Sec-Fetch-Site.
    expect(await status({})).toBe(2)
    expect(await status({ referer: 'http://evil.example/page' })).toBe(2)
    expect(await status({ referer: 'http://nas.example:8080/page' })).toBe(0)
    expect(await status({ referer: 'http://page.example/' }, ['http://page.example'])).toBe(0)
    expect(await status({ 'sec-fetch-site': 'same-origin' })).toBe(0)
  })

  it('is for programs that ask under the name of an origin that is named', async () => {
    const music = await openInline()
    const options = { baseUrl: 'https://music.example' }
    const query = { base: 'http://backend:3000' }
    expect((await ask(music, options, {}, query)).code).toBe(2)
    const cors = ['http://backend:3000']
    expect((await ask(music, { ...options, cors }, {}, query)).code).toBe(0)
  })

  it('is for pages whose origin is named, not for all because all may read', async () => {
    const music = await openInline()
    const page = { origin: 'https://page.example', 'sec-fetch-site': 'cross-site' }
    expect((await ask(music, { cors: ['https://page.example'] }, page)).code).toBe(0)
    expect((await ask(music, { cors: true }, page)).code).toBe(2)
  })

  it('is for own pages before a proxy, on a scheme of one’s own, and by IPv6', async () => {
    const music = await openInline()
    for (const [base, origin] of [
      ['http://music.example', 'https://music.example'],
      ['http://MUSIC.example', 'http://music.example:80'],
      ['http://[::1]:8080', 'http://[::1]:8080'],
      ['audile://app', 'audile://app'],
    ] as const) {
      expect((await ask(music, {}, { origin }, { base })).code, origin).toBe(0)
    }
    const baseUrl = 'https://music.example/lib'
    const origin = 'https://music.example'
    expect((await ask(music, { baseUrl }, { origin }, { base: HOST })).code).toBe(0)
  })

  it('is refused under a foreign name that was made to stand for this machine', async () => {
    const music = await openInline()
    const baseUrl = HOST
    const base = 'http://evil.example:8080'
    for (const headers of [{}, { origin: base }, { 'sec-fetch-site': 'same-origin' }]) {
      const told = headers as Record<string, string>
      expect((await ask(music, { baseUrl }, told, { base })).code).toBe(2)
    }
    for (const name of ['http://localhost:8080', 'http://[::1]:8080', HOST]) {
      expect((await ask(music, { baseUrl }, {}, { base: name })).code, name).toBe(0)
    }
  })

  it('is refused before a page can change anything or use up calls', async () => {
    const music = await openInline()
    const handle = createHandler(music, { rateLimit: 1, now: () => 0 })
    const post = (origin: string) =>
      handle(
        new Request(`${HOST}/api/v4/catalog/create`, {
          method: 'POST',
          headers: { origin },
          body: encoded({ api_key: 'local', name: 'A', type: 'song' }),
        }),
      )
    for (let i = 0; i < 3; i++) expect((await post('http://evil.example')).status).toBe(403)
    expect((await music.catalogs.list()).total).toBe(0)
    expect((await post(HOST)).status).toBe(200)
  })
})
