import { once } from 'node:events'
import { connect as connectNet } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { decodeMulti, encode as pack } from '@msgpack/msgpack'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import { decodeFrame, FrameFault } from '../../src/remote/frames.ts'
import { seeded } from '../support/music.ts'
import { openInline } from '../support/open.ts'
import { connect, serve } from '../support/remote.ts'
import { scratch } from '../support/scratch.ts'

/** Values of MessagePack one after the other. */
const encode = (...values: unknown[]) => Buffer.concat(values.map((value) => pack(value)))

/** A connection that keeps to no protocol. */
async function rawSocket(address: string, headers: Record<string, string> = {}, autoPong = true) {
  const socket = new WebSocket(address, 'audile.1', {
    headers: { authorization: 'Bearer local', ...headers },
    autoPong,
  })
  socket.on('error', () => {})
  onTestFinished(() => socket.terminate())
  await once(socket, 'open')
  return socket
}

/** The fault of a frame of these bytes, after its head. */
function faultOf(bytes: Uint8Array, mostContainers?: number): unknown {
  try {
    decodeFrame(Buffer.concat([encode(1, 0), bytes]), mostContainers)
    return undefined
  } catch (error) {
    return error
  }
}

/** Within each other, lists of a length that is written only. */
const bomb = (depth: number) =>
  Buffer.concat(Array.from({ length: depth }, () => [0xdd, 1, 0xc0, 0, 0]).map(Buffer.from))

describe('a frame that is made to do harm', () => {
  it('takes no memory by lengths that are only written', () => {
    const before = process.memoryUsage().heapUsed
    expect(faultOf(bomb(4))).toBeInstanceOf(FrameFault)
    // Four lists of 29 million values.
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(2 ** 28)
  })

  it.each([0xdc, 0xdd, 0xde, 0xdf, 0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xd9, 0xda, 0xdb, 0xc1])(
    'is refused when the length behind %i is not that of what came',
    (kind) => {
      for (let length = 0; length < 8; length++) {
        const bytes = Buffer.concat([Buffer.from([kind]), Buffer.alloc(length, 0xff)])
        expect(faultOf(bytes)).toBeInstanceOf(FrameFault)
      }
    },
  )

  it('is refused when it is too deep, or too full of lists', () => {
    const deep = (depth: number) => Buffer.concat([Buffer.alloc(depth, 0x91), encode(1)])
    expect(String(faultOf(deep(101)))).toContain('100 deep')
    // Read, though it is no message.
    expect(String(faultOf(deep(100)))).toContain('no number')
    const full = (count: number) =>
      Buffer.concat([
        Buffer.from([0x94, 4, 0xa1, 0x61, 0xdd, 0, 0, count >> 8, count & 255]),
        Buffer.alloc(count, 0x80),
        encode(0),
      ])
    expect(String(faultOf(full(999), 1_000))).toContain('more than 1000 lists')
    expect(faultOf(full(998), 1_000)).toBeUndefined()
  })

  it('ends its own connection only, whatever it is', async () => {
    const music = await openInline()
    const server = await serve(music, { messageBytes: 100_000 })
    const client = await connect(server.address)
    const random = seeded(11)
    const call = ['call', { method: 'catalog/list', params: { results: 15, text: 'x'.repeat(40) } }]
    const sockets = await Promise.all(
      Array.from({ length: 60 }, async (_, i) => {
        const socket = await rawSocket(server.address)
        const bytes = encode(1, 0, [0, 1, ...call])
        const changes = 1 + random() * 8
        for (let change = 0; change < changes; change++) {
          bytes[Math.floor(random() * bytes.length)] = Math.floor(random() * 256)
        }
        if (i % 4 === 0) socket.send(Buffer.from(bytes.map(() => random() * 256)))
        else if (i % 4 === 1) socket.send(bytes.subarray(0, random() * bytes.length))
        else if (i % 4 === 2) socket.send(Buffer.concat([bytes, bomb(1 + random() * 40)]))
        else socket.send(bytes)
        return socket
      }),
    )
    expect(await client.tracks.list()).toMatchObject({ total: 0 })
    for (const socket of sockets) socket.close(1000)
    await expect.poll(() => server.clients).toBe(1)
    expect(await client.tracks.list()).toMatchObject({ total: 0 })
  })
})

describe('a client that means harm', () => {
  it.each(['-1', 'x', '1.5', '7'])(
    'and has received frame %s ends its connection',
    async (received) => {
      const music = await openInline()
      const server = await serve(music)
      const first = new WebSocket(server.address, 'audile.1', {
        headers: { authorization: 'Bearer local' },
      })
      const [{ headers }] = await once(first, 'upgrade')
      const { session } = JSON.parse(headers['audile-welcome']) as { session: string }
      first.terminate()
      const socket = await rawSocket(server.address, {
        'audile-session': session,
        'audile-received': received,
      })
      const code = socket.readyState === socket.OPEN ? (await once(socket, 'close'))[0] : 4400
      expect(code).toBe(4400)
      await expect.poll(() => server.clients).toBe(0)
    },
  )

  it('and asks more than it may, without reading, is dropped', async () => {
    const music = await openInline()
    const server = await serve(music, { calls: 1, backlogBytes: 1_000, messageBytes: 10_000 })
    const socket = await rawSocket(server.address)
    const closed = once(socket, 'close')
    // Its one call waits for a stream.
    socket.send(encode(1, 0, [0, 1, 'call', { method: 'track/upload', params: { source: 1 } }]))
    for (let n = 2; n < 200 && socket.readyState === socket.OPEN; n++) {
      socket.send(encode(n, 0, [0, n, 'call', { method: 'track/list', params: {} }]))
      if (n % 20 === 0) await music.tracks.list()
    }
    expect((await closed)[0]).toBe(4408)
    expect(server.clients).toBe(0)
  })

  it('has only some large calls under way', async () => {
    const music = await openInline()
    const server = await serve(music)
    const socket = await rawSocket(server.address)
    const text = 'x'.repeat(70_000)
    const params = { text }
    const ask = Array.from({ length: 17 }, (_, i) => [
      0,
      i,
      'call',
      { method: 'track/list', params },
    ])
    socket.send(encode(1, 0, ...ask))
    const refused: [id: number, code: string][] = []
    socket.on('message', (data: Buffer) => {
      const [, , ...messages] = [...decodeMulti(data)] as [0, 0, ...[3, number, { code: string }][]]
      for (const [, id, { code }] of messages) refused.push([id, code])
    })
    await expect.poll(() => refused.length).toBe(17)
    expect(refused.filter(([, code]) => code === 'rate_limited')).toEqual([[16, 'rate_limited']])
  })

  it('and does not read the answers to its pings gets no more of them', async () => {
    const music = await openInline()
    const { address } = await serve(music, { listen: `unix:${join(scratch(), 's')}` })
    const socket = connectNet(address.slice('unix:'.length))
    onTestFinished(() => void socket.destroy())
    socket.write(
      [
        'GET / HTTP/1.1',
        'host: localhost',
        'upgrade: websocket',
        'connection: Upgrade',
        'sec-websocket-version: 13',
        'sec-websocket-protocol: audile.1',
        'sec-websocket-key: AAAAAAAAAAAAAAAAAAAAAA==',
        'authorization: Bearer local',
        '\r\n',
      ].join('\r\n'),
    )
    await once(socket, 'readable')
    // 16 MB of pings, each of 125 bytes and masked with 0.
    const ping = Buffer.concat([Buffer.from([0x89, 0x80 | 125, 0, 0, 0, 0]), Buffer.alloc(125)])
    const many = Buffer.concat(Array.from({ length: 1_000 }, () => ping))
    for (let i = 0; i < 125; i++) {
      await new Promise<void>((sent) => socket.write(many, () => sent()))
    }
    let answered = 0
    socket.on('data', (data: Buffer) => {
      answered += data.length
    })
    await expect.poll(() => answered).toBeGreaterThan(0)
    await sleep(200)
    expect(answered).toBeLessThan(4_000_000)
  })

  it('and falls silent in the middle of an upload is forgotten', async () => {
    const music = await openInline()
    const server = await serve(music, { heartbeatSeconds: 0.05, sessionSeconds: 0.1 })
    const client = await connect(server.address)
    const socket = await rawSocket(server.address, {}, false)
    socket.send(encode(1, 0, [0, 1, 'call', { method: 'track/upload', params: { source: 1 } }]))
    const said: unknown[] = []
    socket.on('message', (data) => said.push([...decodeMulti(data as Buffer)].at(-1)))
    // It is asked for the first piece, perhaps after heartbeats.
    await expect.poll(() => said).toContainEqual([0, 1, 'pull', 1])
    socket.send(encode(2, 1, [2, 1, new Uint8Array(1_000)]))
    expect(await client.tracks.list()).toMatchObject({ total: 0 })
    await expect.poll(() => server.clients).toBe(1)
    expect((await client.tracks.list()).total).toBe(0)
  })

  it('and opens connections on which it says nothing keeps nobody out', async () => {
    const music = await openInline()
    const server = await serve(music, { connections: 2 })
    const { hostname, port } = new URL(server.address)
    const idle = Array.from({ length: 200 }, () => connectNet(Number(port), hostname))
    onTestFinished(() => {
      for (const socket of idle) socket.destroy()
    })
    await Promise.all(idle.map((socket) => once(socket, 'connect')))
    for (const socket of idle) socket.write('GET / HTTP/1.1\r\nhost: x\r\n')
    expect(await (await connect(server.address)).tracks.list()).toMatchObject({ total: 0 })
    expect(server.clients).toBe(1)
  })
})
