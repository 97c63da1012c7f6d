import { beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { artistRecordSchema } from '../../src/artist/record.ts'
import { DETAILS, IDENTITY } from '../../src/catalog/item.ts'
import { METHODS_BY_NAME, type MethodName } from '../../src/engine/methods.ts'
import { Audile } from '../../src/host/audile.ts'
import { songRecordSchema } from '../../src/song/record.ts'
import { readFeed } from '../../src/syndication/read-feed.ts'
import { LONGEST_NAME } from '../../src/values/text.ts'
import { failure } from '../support/failure.ts'
import { openInline } from '../support/open.ts'

const LONG = 65_536
/** How often the control reads its text. */
const PASSES = 400
/**
 * What a call may take, in times of the control. Who reads a text once for every one of its
 * characters takes over 160 of them, and most calls not one.
 */
const MOST_CONTROLS = 20

/** What makes patterns slow that try more than one way to read it. */
const PIECES = [
  '(',
  ')',
  '[x',
  ' ',
  '\t\n',
  '\u00a0',
  '\u0301',
  'e\u0301\u0308',
  '\u200f',
  'feat. ',
  ' feat. x & ',
  'the ',
  ', the ',
  '&',
  '- ',
  ' - ',
  '-',
  ',',
  ', ',
  ' by ',
  ' in the style of ',
  '1',
  '1 ',
  '1.',
  'cd1 ',
  '"',
  "'",
  '&amp;',
  '&#38;',
  'Ã©',
  'Ã© ',
  '$',
  'a$',
  '^',
  'abc/',
  '😀',
  '漢',
  'a',
  'a ',
  '<link type="application/rss+',
  'x (feat. y) - z & the "1" ',
]

/** The texts of a length, each named after what it repeats. */
function texts(length: number): [name: string, text: string][] {
  const repeated = PIECES.map((piece): [string, string] => [
    JSON.stringify(piece),
    piece.repeat(Math.ceil(length / piece.length)).slice(0, length),
  ])
  const mixed = PIECES.join('')
  const all = mixed.repeat(Math.ceil(length / mixed.length)).slice(0, length)
  // What nearly matches, and does not at the very end.
  const ended = repeated
    .filter((_, i) => PIECES[i]?.startsWith(' ') || PIECES[i]?.endsWith(' '))
    .map(([name, text]): [string, string] => [`${name} and x`, `x${text.slice(2)}x`])
  return [...repeated, ...ended, ['all of them', all]]
}

/** Parameters of a call in which one more can be set. */
type Base = () => Record<string, unknown>

let music: Audile
let catalog = ''
/** Seconds that a call may take. */
let most = 0
const nothing: Base = () => ({})
const named: Base = () => ({ id: catalog })

/** What each method needs beside the parameter that is tried. */
const BASES: Record<MethodName, Base> = {
  'artist/import': () => ({ records: [] }),
  'artist/profile': () => ({ id: 'AR0000000000000000' }),
  'artist/search': () => ({ name: 'Bell' }),
  'catalog/create': () => ({ name: 'Another', type: 'song' }),
  'catalog/delete': () => ({ id: 'CA0000000000000000' }),
  'catalog/feed': named,
  'catalog/list': nothing,
  'catalog/profile': named,
  'catalog/read': named,
  'catalog/wait': () => ({ ticket: 'none' }),
  'catalog/status': () => ({ ticket: 'none' }),
  'catalog/taste': named,
  'catalog/update': () => ({ id: catalog, data: [] }),
  'engine/describe': () => ({}),
  'feed/add': () => ({ url: 'http://127.0.0.1:9/' }),
  'feed/list': nothing,
  'feed/refresh': () => ({ id: [] }),
  'feed/remove': () => ({ id: 'none' }),
  'feed/wait': () => ({ ids: [] }),
  'fleet/metrics': nothing,
  'fleet/status': nothing,
  'key/create': nothing,
  'key/list': nothing,
  'key/revoke': () => ({ id: 'none' }),
  'mix/create': nothing,
  'mix/next': () => ({ state: { wish: {}, seed: 1, played: [], skipped: [], more: [], less: [] } }),
  'mix/path': () => ({ from: { id: 'none' }, to: { id: 'none' } }),
  'mix/save': () => ({ id: catalog, name: 'Kept' }),
  'mix/saved': named,
  'song/export': nothing,
  'song/merge': nothing,
  'song/stat': nothing,
  'song/fingerprint': nothing,
  'song/identify': () => ({ code: '' }),
  'song/identify-partly': () => ({ code: '' }),
  'song/import': () => ({ records: [] }),
  'song/profile': () => ({ id: [] }),
  'song/resolve': () => ({ title: 'Bell' }),
  'song/search': nothing,
  'song/shard-frequencies': () => ({ family: 'triplets', codes: new Uint8Array() }),
  'song/shard-shortlist': () => ({
    ...{ family: 'triplets', query: new Uint8Array(), end: 1, songs: 1, origin: 0, last: 0 },
    ...{ bin: 1, common: 16, shortlist: 30, rates: [1] },
  }),
  'song/shard-size': nothing,
  'song/shard-songs': () => ({ songs: [] }),
  'track/albums': nothing,
  'track/analysis': () => ({ id: 'none' }),
  'track/analyze': () => ({ id: 'none' }),
  'track/artists': nothing,
  'track/correct': () => ({ id: 'none' }),
  'track/corrections': () => ({ id: 'none' }),
  'track/cover': () => ({ id: 'none' }),
  'track/cues': () => ({ id: 'none' }),
  'track/own-cues': () => ({ id: 'none' }),
  'track/own-cues-set': () => ({ id: 'none', cues: [] }),
  'track/own-cues-remove': () => ({ id: 'none', numbers: 'all' }),
  'track/duplicates': nothing,
  'track/export': nothing,
  'track/ids': nothing,
  'track/import': () => ({ records: [] }),
  'track/list': nothing,
  'track/match': () => ({ records: [] }),
  'track/missing': () => ({ files: [], folders: [] }),
  'track/profile': () => ({ id: 'none' }),
  'track/profiles': () => ({ ids: [] }),
  'track/remove': () => ({ id: 'none' }),
  'track/search': nothing,
  'track/audio-files': () => ({ folder: '/nowhere' }),
  'track/scan': () => ({ folders: ['/nowhere'] }),
  'track/scan-end': () => ({ scan: 0 }),
  'track/scan-missing': () => ({ scan: 0 }),
  'track/scan-next': () => ({ scan: 0 }),
  'track/wait': () => ({ id: 'none' }),
  'track/similar': () => ({ id: 'none' }),
  'track/sounds': () => ({ id: 'none' }),
  'track/register-file': () => ({ file: '/nowhere' }),
  'track/upload': nothing,
  'track/watch': () => ({ folders: ['/nowhere'] }),
  'track/watch-end': () => ({ watch: 0 }),
  'track/watch-next': () => ({ watch: 0 }),
  'track/waveform': () => ({ id: 'TR0000000000000000' }),
  'track/write-tags': () => ({ id: 'TR0000000000000000' }),
  'upkeep/backup': () => ({ path: '/nowhere/at/all.db' }),
  'upkeep/check': nothing,
  'upkeep/vacuum': nothing,
}

const fieldsOf = (schema: unknown) =>
  Object.keys((schema as { shape: Record<string, z.ZodType> }).shape)

/** Every parameter of every method, as its schema has it. */
const PARAMETERS = [...METHODS_BY_NAME.values()].flatMap(({ name: method, parameters }) =>
  fieldsOf(parameters).map((name): [MethodName, string] => [method, name]),
)

interface Call {
  method: MethodName
  params: Record<string, unknown>
}

/** Calls in which a text is the one parameter that is tried, alone and as a list. */
function calls(method: MethodName, name: string, text: string): Call[] {
  const base = BASES[method]
  return [text, [text]].map((value) => ({ method, params: { ...base(), [name]: value } }))
}

/** Calls that give a text in a place further inside. */
function nestedCalls(text: string): Call[] {
  const song = { title: 'A', artistName: 'B' }
  const artist = { name: 'B' }
  return [
    ...fieldsOf(songRecordSchema).map((field) =>
      records('song/import', { ...song, [field]: text }),
    ),
    records('song/import', { ...song, terms: [{ name: text }] }),
    ...fieldsOf(artistRecordSchema).map((field) =>
      records('artist/import', { ...artist, [field]: text }),
    ),
    records('artist/import', { ...artist, aliases: [text] }),
    records('artist/import', { ...artist, news: [{ name: text, summary: text }] }),
    ...[...IDENTITY, ...DETAILS].map((field) => items({ [field]: text })),
    items({ songName: text, artistName: text }),
    items({ songName: 'Song 3', artistName: text }),
    items({ songName: text, artistName: 'Bell 3' }),
    { method: 'song/search', params: { title: text, artist: text } },
    { method: 'song/search', params: { style: text, mood: text } },
    { method: 'song/identify', params: { code: '', title: text, artist: text } },
    { method: 'song/identify', params: { query: { code: '', metadata: { title: text } } } },
  ]
}

function records(method: MethodName, record: unknown): Call {
  return { method, params: { records: [record] } }
}

function items(fields: Record<string, unknown>): Call {
  return {
    method: 'catalog/update',
    params: { id: catalog, data: [{ item: { itemId: 'a', ...fields } }] },
  }
}

/** Seconds of the processor that work takes, whatever else the machine does. */
async function secondsOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  await work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

/** Reads a long text some hundred times: what a fast machine does faster, and a slow one slower. */
function control(): number {
  const text = PIECES.join('').repeat(1000).slice(0, LONG)
  let sum = 0
  for (let pass = 0; pass < PASSES; pass++) {
    for (let i = 0; i < LONG; i++) sum = (Math.imul(sum, 31) + text.charCodeAt(i)) | 0
  }
  return sum
}

/** Makes a call, and waits for what it begins; it may be refused. */
async function make({ method, params }: Call): Promise<void> {
  const answer = await music
    .call(method, params as never)
    .catch((error: Error) => error as Error & { ticket?: string })
  if (method === 'catalog/update' && 'ticket' in answer) {
    await music.call('catalog/wait', { ticket: answer.ticket as string })
  }
}

async function expectFast(all: readonly Call[], what: string): Promise<void> {
  for (const call of all) {
    const spent = await secondsOf(() => make(call))
    expect(spent, `${call.method} ${Object.keys(call.params)} of ${what}`).toBeLessThan(most)
  }
}

beforeAll(async () => {
  const controls = [await secondsOf(control), await secondsOf(control), await secondsOf(control)]
  most = MOST_CONTROLS * Math.max(...controls)
  music = await Audile.open({ database: ':memory:', engine: 'inline', workers: 0 })
  catalog = (await music.catalogs.create({ name: 'All', type: 'song' })).id
  await music.songs.import(
    Array.from({ length: 300 }, (_, i) => ({
      title: `Song ${i} (Live) - the ${'feat. x & '.repeat(i % 3)}end`,
      artistName: `Bell ${i}, the ${i} feat. Nora & Vale`,
    })),
  )
  return () => music.close()
})

it('has a base for every method', () => {
  expect(Object.keys(BASES).sort()).toEqual([...METHODS_BY_NAME.keys()].sort())
  expect(PARAMETERS.length).toBeGreaterThan(100)
})

describe.each([
  ['64 kB', LONG],
  ['the longest name', LONGEST_NAME],
])('texts of %s', (_, length) => {
  const tried = texts(length).map(([name, text], i) => [name, text, i] as const)
  it.each(tried)('of %s hold up no call', async (name, text, at) => {
    // What is not bounded takes longest in the longest text. Each parameter meets every third of
    // them, and every text a third of the parameters.
    const all = length === LONG ? PARAMETERS.filter((_, i) => (i + at) % 3 === 0) : []
    await expectFast(
      all.flatMap(([method, parameter]) => calls(method, parameter, text)),
      name,
    )
    await expectFast(nestedCalls(text), name)
  })

  it.each(texts(length))('of %s in a feed hold up no reader', async (_name, text) => {
    const entry = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
    const item = `<item><title>${entry}</title><link>${entry}</link><pubDate>${entry}</pubDate>
      <description>${entry}</description></item>`
    for (const feed of [
      `<rss version="2.0"><channel><title>${entry}</title>${item}</channel></rss>`,
      `<html>${text}`,
      text,
    ]) {
      const read = { url: 'http://example.org/', prefer: 'page', known: new Map() } as const
      const bytes = Buffer.from(feed)
      const spent = await secondsOf(() => readFeed({ ...read, bytes }).catch(() => {}))
      expect(spent).toBeLessThan(most)
    }
  })
})

it('names the parameter, the length and the limit of a name that is too long', async () => {
  const engine = await openInline()
  const long = 'x'.repeat(LONGEST_NAME + 1)
  const told = /^(\S+) - Invalid parameter: "x+…" has 513 characters; give at most 512$/
  const refused: [string, Promise<unknown>][] = [
    ['title', engine.songs.search({ title: long })],
    ['artist', engine.songs.search({ artist: long })],
    ['combined', engine.songs.search({ combined: long })],
    ['style', engine.songs.search({ style: long })],
    ['mood.1', engine.songs.search({ mood: ['sad', long] })],
    ['description', engine.songs.search({ description: long })],
    ['name', engine.artists.search(long)],
    ['name', engine.catalogs.create({ name: long, type: 'song' })],
    ['artistName', engine.feeds.add({ url: 'http://example.org/', artistName: long })],
    ['title', engine.call('song/identify', { code: '', title: long })],
  ]
  for (const [name, promise] of refused) {
    const error = await failure(promise)
    expect(error).toMatchObject({ code: 'invalid_parameter', status: 5 })
    expect(told.exec(error.message)?.[1], error.message).toBe(name)
  }
  await engine.songs.search({ title: long.slice(1) })
})

it('tells an import what is too long, and takes the other records', async () => {
  const engine = await openInline()
  const long = 'x'.repeat(LONGEST_NAME + 1)
  const result = await engine.songs.import([
    { title: long, artistName: 'A' },
    { title: 'A', artistName: 'A' },
    { title: 'A', artistName: 'A', terms: [{ name: long }] },
  ])
  expect(result).toMatchObject({ imported: 1, updated: 0 })
  expect(result.rejected.map(({ info }) => info)).toEqual([
    expect.stringMatching(/^title - .* has 513 characters; give at most 512$/),
    expect.stringMatching(/^terms\.0\.name - .* has 513 characters; give at most 512$/),
  ])
})
