import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { decodeMulti, encode as pack } from '@msgpack/msgpack'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { Audile } from '../../src/host/audile.ts'
import { serveEngine } from '../../src/host/serve.ts'
import type { RemoteOptions } from '../../src/remote/open-options.ts'
import type { ListenAddress } from '../../src/remote/serve-options.ts'
import { ClosedError, KeyError, ParameterError } from '../../src/values/errors.ts'
import { clip, waveFile } from '../support/clips.ts'
import { openInline } from '../support/open.ts'
import { connect, serve } from '../support/remote.ts'
import { scratch } from '../support/scratch.ts'

// Kinds of messages.
const REQUEST = 0
const ANSWER = 2
const NOTICE = 4

/** A frame as bytes. */
function encode(values: readonly unknown[]): Uint8Array {
  return Buffer.concat(values.map((value) => pack(value)))
}

/** A connection that keeps to no protocol. */
function rawSocket(address: string, apiKey: string): WebSocket {
  const socket = new WebSocket(address, 'audile.1', {
    headers: { authorization: `Bearer ${apiKey}` },
  })
  onTestFinished(() => socket.terminate())
  return socket
}

/** What a connection is sent: messages, bytes, and the number of the last frame. None is acknowledged. */
function readBy(socket: WebSocket) {
  const told: unknown[][] = []
  let bytes = 0
  let head = 0
  socket.on('message', (data: Buffer) => {
    const [number, , ...messages] = [...decodeMulti(data)] as [number, number, ...unknown[][]]
    told.push(...messages)
    bytes += data.length
    head = Math.max(head, number)
  })
  return { told, bytes: () => bytes, head: () => head }
}

/** The error of a call that the client would not make. */
async function rawFailure(address: string, apiKey: string, method: string, params: object) {
  const socket = rawSocket(address, apiKey)
  await once(socket, 'open')
  socket.send(encode([1, 0, [REQUEST, 1, 'call', { method, params }]]))
  const [data] = await once(socket, 'message')
  const [, , [kind, id, error]] = [...decodeMulti(data as Buffer)] as [0, 0, unknown[]]
  expect([kind, id]).toEqual([3, 1])
  return error
}

const failure = (promise: Promise<unknown>) => promise.catch((error: unknown) => error)

describe('an engine that is served', () => {
  it.each<[string, () => ListenAddress]>([
    ['a TCP port', () => ({ port: 0 })],
    ['a socket in the file system', () => `unix:${join(scratch(), 's')}`],
  ])('answers over %s as it does here', async (_where, listen) => {
    const music = await openInline()
    const client = await connect((await serve(music, { listen: listen() })).address)
    const catalog = await client.catalogs.create({ name: 'mine', type: 'song' })
    expect(await catalog.profile()).toMatchObject({ name: 'mine' })
    expect(await client.catalogs.list()).toEqual(await music.catalogs.list())
    const events: string[] = []
    const off = client.on('track', ({ id, status }) => events.push(`${id} ${status}`))
    const file = await waveFile(scratch(), 'a.wav', clip({ seconds: 2 }))
    const track = await client.tracks.upload({ file, wait: true })
    expect(track.answer.status).toBe('complete')
    expect(events.at(-1)).toBe(`${track.id} complete`)
    off()
    expect(await client.tracks.profile(track)).toEqual(await music.tracks.profile(track.id))
    const unknown = 'TRAAAAA12345678901'
    const there = await failure(client.tracks.get(unknown))
    expect(there).toBeInstanceOf(ParameterError)
    expect(there).toEqual(await failure(music.tracks.get(unknown)))
    expect(await client.keys.list()).toEqual(await music.keys.list())
  })

  it('reads the streams of a client, and the files of one on another machine', async () => {
    const music = await openInline()
    const { apiKey } = await music.keys.create()
    const { address } = await serve(music, { trusted: false })
    const client = await connect(address, { apiKey })
    const { samples, sampleRate } = {
      samples: [new Float32Array(90_000).fill(0.25)],
      sampleRate: 44_100,
    }
    const track = await client.tracks.upload({ samples, sampleRate, wait: true })
    expect(track.answer.status).toBe('complete')
    const file = await waveFile(scratch(), 'a.wav', clip({ seconds: 2 }))
    const sent = await client.tracks.upload({ file, wait: true })
    // Read here, and kept there: the engine knows no path of it.
    expect(sent.answer.status).toBe('complete')
    expect(await failure(client.tracks.get({ file }))).toBeInstanceOf(ParameterError)
    const missing = await failure(client.tracks.upload({ file: `${file}.not` }))
    expect(String(missing)).toContain('there is no such file')
    const broken = (async function* () {
      yield new Uint8Array(10)
      throw new RangeError('half of it is gone')
    })()
    const failed = await failure(client.tracks.upload({ bytes: broken }))
    expect(failed).toMatchObject({ name: 'RangeError', message: 'half of it is gone' })
  })

  it('stops a call that the client aborts, with its own reason', async () => {
    const music = await openInline()
    const client = await connect((await serve(music)).address)
    const abort = new AbortController()
    const reason = new Error('enough')
    let cancelled = false
    const bytes = new ReadableStream<Uint8Array>({
      pull: () => new Promise(() => abort.abort(reason)),
      cancel: () => {
        cancelled = true
      },
    })
    const failed = failure(client.tracks.upload({ bytes, signal: abort.signal }))
    expect(await failed).toBe(reason)
    await expect.poll(() => cancelled).toBe(true)
  })

  it('ends what a client waits for when it leaves, and nothing else', async () => {
    const music = await openInline()
    const server = await serve(music)
    const client = await connect(server.address)
    const other = await connect(server.address)
    expect(server.clients).toBe(2)
    const bytes = new ReadableStream<Uint8Array>({ pull: () => new Promise(() => {}) })
    const failed = failure(client.tracks.upload({ bytes }))
    await client.close()
    expect(await failed).toBeInstanceOf(ClosedError)
    expect(await failure(client.tracks.list())).toBeInstanceOf(ClosedError)
    await expect.poll(() => server.clients).toBe(1)
    expect((await other.tracks.list()).total).toBe((await music.tracks.list()).total)
  })

  it('may be on a server of the application, beside what that answers', async () => {
    const music = await openInline()
    const own = createServer((_request, response) => response.end('hello'))
    own.listen(0, '127.0.0.1')
    await once(own, 'listening')
    onTestFinished(() => void own.close())
    const { port } = own.address() as AddressInfo
    const server = await serve(music, { listen: { server: own, path: '/engine' } })
    const client = await connect(`ws://127.0.0.1:${port}${server.address}`)
    expect(await client.tracks.list()).toEqual(await music.tracks.list())
    await server.close()
    expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('hello')
  })

  it('takes the place of a socket that a killed server left, but not of one in use', async () => {
    const music = await openInline()
    const listen: ListenAddress = `unix:${join(scratch(), 's')}`
    const server = await serve(music, { listen })
    if (process.platform !== 'win32') {
      expect(statSync(listen.slice('unix:'.length)).mode & 0o777).toBe(0o600)
    }
    const taken = await failure(serveEngine(music, { listen }))
    expect(taken).toBeInstanceOf(ParameterError)
    expect(String(taken)).toContain('EADDRINUSE')
    await server.close()
    const left = join(scratch(), 's')
    const killed = `net.createServer().listen(process.argv[1], () => process.kill(process.pid, 'SIGKILL'))`
    spawnSync(process.execPath, ['-e', killed, left])
    expect(existsSync(left)).toBe(process.platform !== 'win32')
    const again = await serve(music, { listen: `unix:${left}` })
    expect(await (await connect(again.address)).tracks.list()).toMatchObject({ total: 0 })
  })
})

describe('who may call', () => {
  it('is who has a key of the database', async () => {
    const music = await openInline()
    const { address } = await serve(music)
    const failed = await failure(connect(address, { apiKey: 'nobody' }))
    expect(failed).toBeInstanceOf(KeyError)
    expect(failed).toMatchObject({ code: 'invalid_key' })
    const { id, apiKey } = await music.keys.create()
    const client = await connect(address, { apiKey })
    const mine = await client.catalogs.create({ name: 'theirs', type: 'song' })
    const other = await music.keys.create()
    const stolen = await failure(
      (await client.as(other.apiKey).catalogs.get({ id: mine.id })).delete(),
    )
    expect(stolen).toBeInstanceOf(KeyError)
    await music.keys.revoke({ id })
    expect(await failure(client.tracks.list())).toMatchObject({ code: 'invalid_key' })
  })

  it('is cut off when the key is revoked', async () => {
    const music = await openInline()
    const { id, apiKey } = await music.keys.create()
    const server = await serve(music, { heartbeatSeconds: 0.05 })
    const client = await connect(server.address, { apiKey })
    await music.keys.revoke({ id })
    await expect.poll(() => server.clients).toBe(0)
    expect(await failure(client.tracks.list())).toBeInstanceOf(KeyError)
  })

  it('is whom the server admits besides', async () => {
    const music = await openInline()
    let admits = false
    const { address } = await serve(music, {
      authorize: async ({ headers }) => admits && headers.authorization !== undefined,
    })
    expect(await failure(connect(address))).toMatchObject({ code: 'not_allowed' })
    admits = true
    expect(await (await connect(address)).tracks.list()).toMatchObject({ total: 0 })
  })

  it('may not do what is the owner’s, unless trusted', async () => {
    const music = await openInline()
    const { address } = await serve(music, { trusted: false })
    expect(await failure(connect(address))).toMatchObject({ code: 'invalid_key' })
    const { apiKey } = await music.keys.create()
    const client = await connect(address, { apiKey })
    expect(await failure(client.as('local').tracks.list())).toMatchObject({ code: 'invalid_key' })
    const refused = [
      client.keys.create(),
      client.backup('/somewhere/else.db'),
      client.feeds.add({ url: 'http://10.0.0.1/feed', type: 'news' }),
      client.tracks.upload({ url: 'http://10.0.0.1/song.mp3' }),
      client.tracks.import([{ file: '/etc/passwd', title: 'A' }]),
      client.tracks.scan('/etc')[Symbol.asyncIterator]().next(),
      client.tracks.watch('/etc').next(),
      client.tracks.uploadFolder('/etc').next(),
    ]
    for (const call of refused) {
      const error = await failure(call)
      expect(error).toBeInstanceOf(KeyError)
      expect(error).toMatchObject({ code: 'not_allowed' })
    }
    // A client that is not this one may name files in its calls.
    const raw = await rawFailure(address, apiKey, 'track/upload', { file: '/etc/passwd' })
    expect(raw).toMatchObject({ kind: 'KeyError', code: 'not_allowed' })
    // Where the engine's code is, is not told.
    expect(raw).toMatchObject({ stack: expect.not.stringContaining('    at ') })
  })
})

describe('limits', () => {
  it('of clients, calls and bytes are kept', async () => {
    const music = await openInline()
    const server = await serve(music, { connections: 1, calls: 2, messageBytes: 10_000 })
    const client = await connect(server.address)
    expect(await failure(connect(server.address))).toMatchObject({ code: 'closed' })
    const many = await Promise.all(Array.from({ length: 20 }, () => client.tracks.list()))
    expect(many.every(({ total }) => total === 0)).toBe(true)
    const long = await failure(client.songs.search({ title: 'x'.repeat(20_000) }))
    expect(long).toMatchObject({ code: 'limit_exceeded' })
    expect(await client.tracks.list()).toMatchObject({ total: 0 })
  })

  it('of what a client leaves unread: above it no call of that client is begun', async () => {
    const music = await openInline()
    const { address } = await serve(music, { backlogBytes: 1_000 })
    const [catalog] = await Promise.all(
      ['a', 'b', 'c'].map((letter) =>
        music.catalogs.create({ name: letter.repeat(500), type: 'song' }),
      ),
    )
    const socket = rawSocket(address, 'local')
    await once(socket, 'open')
    const { told, head } = readBy(socket)
    const answered = () => told.flatMap(([kind, id]) => (kind === ANSWER ? [id] : []))
    const list = (id: number) => [REQUEST, id, 'call', { method: 'catalog/list', params: {} }]
    socket.send(encode([1, 0, list(1)]))
    await expect.poll(answered).toEqual([1])
    // The event tells that the request before it came.
    socket.send(encode([2, 0, list(2), [NOTICE, 'listen', 'ticket']]))
    await expect
      .poll(async () => {
        await catalog?.update([{ item: { itemId: 'a' } }])
        return told.some(([kind]) => kind === NOTICE)
      })
      .toBe(true)
    expect(answered()).toEqual([1])
    socket.send(encode([0, head()]))
    await expect.poll(answered).toEqual([1, 2])
  })

  it('of what is kept for a client that does not read', async () => {
    const logged: string[] = []
    const music = await openInline({ logger: { warn: (message) => logged.push(message) } })
    const server = await serve(music, { backlogBytes: 1_000 })
    const catalog = await music.catalogs.create({ name: 'a', type: 'song' })
    const socket = rawSocket(server.address, 'local')
    await once(socket, 'open')
    const { bytes } = readBy(socket)
    const closed = once(socket, 'close')
    socket.send(encode([1, 0, [NOTICE, 'listen', 'ticket']]))
    // As many as it takes: how soon the client listens, and how many share a frame, is not said.
    await expect
      .poll(() => catalog.update([{ item: { itemId: 'a' } }]).then(() => server.clients), {
        interval: 1,
      })
      .toBe(0)
    expect(await closed).toEqual([4408, expect.anything()])
    expect(bytes()).toBeGreaterThan(8_000)
    expect(bytes()).toBeLessThan(12_000)
    expect(logged.join()).toContain('does not read')
  })

  it.each<[string, Uint8Array]>([
    ['nonsense', new Uint8Array([0xc1, 1, 2])],
    ['no frame', encode(['a', 'b'])],
    ['a frame that is not the next', encode([2, 0])],
    ['an acknowledgement of what was never sent', encode([1, 5])],
    ['a message that is none', encode([1, 0, 7])],
    ['a message of no kind', encode([1, 0, [9, 1]])],
    ['a request without a name', encode([1, 0, [0, 1, 2, {}]])],
    ['an error that is none', encode([1, 0, [3, 1, { kind: 1 }]])],
    ['more than is allowed', new Uint8Array(200_000)],
  ])('%s ends that connection only, and is logged', async (_what, bytes) => {
    const logged: string[] = []
    const music = await openInline({ logger: { warn: (message) => logged.push(message) } })
    const server = await serve(music, { messageBytes: 10_000 })
    const client = await connect(server.address)
    const socket = rawSocket(server.address, 'local')
    await once(socket, 'open')
    expect(server.clients).toBe(2)
    socket.send(bytes)
    await once(socket, 'close')
    await expect.poll(() => server.clients).toBe(1)
    expect(logged.join()).toContain('A client of the engine was dropped')
    expect(await client.tracks.list()).toMatchObject({ total: 0 })
  })
})

describe('options', () => {
  it('of the engine’s own process are refused by their names', async () => {
    const options = { engine: 'unix:/nowhere', database: 'a.db', workers: 2 }
    const error = await failure(Audile.open(options as RemoteOptions))
    expect(error).toBeInstanceOf(ParameterError)
    expect(String(error)).toContain('database, workers')
  })

  it('name a pipe on Windows', async () => {
    const music = await openInline()
    const { platform } = process
    onTestFinished(() => void Object.defineProperty(process, 'platform', { value: platform }))
    Object.defineProperty(process, 'platform', { value: 'win32' })
    const error = await failure(serveEngine(music, { listen: `unix:${join(scratch(), 's')}` }))
    expect(error).toBeInstanceOf(ParameterError)
    expect(String(error)).toContain('give unix:\\\\.\\pipe\\NAME')
  })

  it('name an engine that must be there', async () => {
    const engine = `unix:${join(scratch(), 'none')}` as const
    const error = await failure(Audile.open({ engine }))
    expect(error).toBeInstanceOf(ClosedError)
    expect(String(error)).toContain('none')
  })

  it.each([
    '',
    'http://127.0.0.1:8080',
    'WS://127.0.0.1:8080',
    '127.0.0.1:8080',
    '/run/music.sock',
    'unix:',
    'ws://127.0.0.1:8080/#music',
  ])('name the forms of an address where it is wrong: %j', async (engine) => {
    const error = await failure(Audile.open({ engine } as RemoteOptions))
    expect(error).toBeInstanceOf(ParameterError)
    expect(String(error)).toContain(
      `engine - Invalid parameter: "${engine}" must be unix:/path, ws:`,
    )
  })

  it('take a key that is no text for a fault of the caller', async () => {
    const error = await failure(Audile.open({ engine: 'ws://127.0.0.1:1', apiKey: '\ud800' }))
    expect(error).toBeInstanceOf(ParameterError)
    expect(String(error)).toContain('apiKey')
  })

  it.each(['ws://127.0.0.1:0', 'unix:', 8080])('name what to listen on: %j', async (listen) => {
    const music = await openInline()
    const error = await failure(serveEngine(music, { listen } as never))
    expect(error).toBeInstanceOf(ParameterError)
    expect(String(error)).toContain('must be unix:/path, { port, host } or { server, path }')
  })

  it.each([
    { listen: 'tcp:1' },
    { listen: { port: -1 } },
    { listen: { port: 0 }, calls: 0 },
    { listen: { port: 0 }, unknown: 1 },
  ])('of serveEngine are checked: %o', async (options) => {
    const music = await openInline()
    const error = await failure(serveEngine(music, options as never))
    expect(error).toBeInstanceOf(ParameterError)
  })
})
