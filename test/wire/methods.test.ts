import { expect, it } from 'vitest'
import { servedMethods } from '../../src/wire/methods.ts'
import { createHandler } from '../../src/wire-entry.ts'
import { openInline } from '../support/open.ts'

const page = { results: 'integer', start: 'integer' }
const bucket = { bucket: 'audio_summary…' }

/** The parameters of the specification's methods; `…` stands for repeatable, words by `|`. */
const PARAMETERS = {
  'POST catalog/create': { 'name!': 'text', 'type!': 'artist|song' },
  'POST catalog/delete': { 'id!': 'text' },
  'GET catalog/feed': {
    'id!': 'text',
    bucket: 'news|blogs|reviews|audio|video…',
    ...page,
    since: 'text',
    high_relevance: 'flag',
  },
  'GET catalog/list': page,
  'GET catalog/profile': { id: 'text', name: 'text' },
  'GET catalog/read': { 'id!': 'text', item_id: 'text…', bucket: 'text…', ...page },
  'GET catalog/status': { 'ticket!': 'text' },
  'POST catalog/update': { 'id!': 'text', data_type: 'json', 'data!': 'file' },
  'GET,POST song/identify': {
    code: 'text…',
    artist: 'text',
    title: 'text',
    release: 'text',
    genre: 'text',
    duration: 'text',
    version: 'text',
    bucket: 'text…',
    query: 'file',
  },
  'GET song/profile': { id: 'text…', track_id: 'text…', bucket: 'text…', limit: 'flag' },
  'POST track/analyze': { id: 'text', md5: 'text', wait: 'flag', ...bucket },
  'GET track/profile': { id: 'text', md5: 'text', ...bucket },
  'POST track/upload': {
    url: 'text',
    filetype: 'wav|mp3|au|ogg|m4a|mp4|flac|opus|aiff',
    wait: 'flag',
    ...bucket,
    track: 'file',
  },
}

/** Those of song/search, which has many: what a request can give beside the texts of ranges. */
const SEARCH = {
  ...page,
  ...{ title: 'text', artist: 'text', combined: 'text', artist_id: 'text' },
  ...{ description: 'text…', style: 'text…', mood: 'text…', bucket: 'text…' },
  ...{ rank_type: 'relevance|familiarity', mode: 'text', key: 'text', limit: 'flag' },
  ...{ min_tempo: 'text', artist_max_familiarity: 'text', artist_end_year_after: 'text' },
}

async function parameters(): Promise<Record<string, Record<string, string>>> {
  const music = await openInline()
  const served = servedMethods(await music.call('engine/describe', {}))
  const told = [...served].map(([name, { verbs, kinds, required, fileParameter }]) => {
    const mark = (parameter: string) => (required.includes(parameter) ? `${parameter}!` : parameter)
    const { api_key: _key, format: _format, callback: _callback, ...own } = kinds
    const all = Object.entries(own).map(([parameter, { type, words, repeatable }]) => [
      mark(parameter),
      `${words?.join('|') ?? type}${repeatable ? '…' : ''}`,
    ])
    if (fileParameter) all.push([mark(fileParameter.name), 'file'])
    return [`${verbs.join()} ${name}`, Object.fromEntries(all)]
  })
  return Object.fromEntries(told)
}

it('serves the methods and parameters of the specification, and no other', async () => {
  const { 'GET song/search': search, ...others } = await parameters()
  expect(others).toEqual(PARAMETERS)
  expect(search).toMatchObject(SEARCH)
  expect(search?.sort).toMatch(/^tempo-asc\|tempo-desc\|/)
})

it('are known to a handler whose own key is not, for requests with keys of their own', async () => {
  const music = await openInline()
  const handle = createHandler(music.as('nobody'))
  const ask = (path: string, init?: RequestInit) =>
    handle(new Request(`http://localhost${path}`, init))
  expect((await ask('/api/v4/song/search?api_key=local&results=0')).status).toBe(200)
  expect((await ask('/api/v4/song/none?api_key=local')).status).toBe(404)
  expect((await ask('/api/v4/song/search', { method: 'OPTIONS' })).status).toBe(204)
})
