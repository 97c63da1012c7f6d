import { once } from 'node:events'
import { decodeMulti, encode as pack } from '@msgpack/msgpack'
import { describe, expect, it, onTestFinished } from 'vitest'
import { WebSocket } from 'ws'
import type { ServeOptions } from '../../src/remote/serve-options.ts'
import { parseServeOptions } from '../../src/remote/serve-options.ts'
import { openServer } from '../../src/remote/server.ts'
import { flakyProxy } from '../support/flaky-proxy.ts'
import { openInline } from '../support/open.ts'
import { connect, serve } from '../support/remote.ts'

/** An engine that begins one call after the other, as its thread does, when it may; and who called, in order. */
async function serialEngine(options: Partial<ServeOptions> = {}, answer?: unknown) {
  const music = await openInline()
  const { engine, ...core } = music.core
  const begun: string[] = []
  let open = () => {}
  let last = new Promise<void>((resolve) => {
    open = resolve
  })
  let entered = 0
  const call: typeof engine.call = async (method, params, given) => {
    const { text } = (params ?? {}) as { text?: string }
    if (text === undefined) {
      // Clients are greeted at once.
      if (method !== '') return engine.call(method, params, given)
    } else entered++
    last = last.then(() => new Promise(setImmediate))
    await last
    if (text !== undefined) begun.push(text)
    return answer
  }
  const other = { ...core, engine: { call, ended: engine.ended, close: async () => {} } }
  const serving = parseServeOptions({ listen: { port: 0 }, trusted: true, ...options })
  const server = await openServer(other, serving)
  onTestFinished(() => server.close())
  return { music, server, begun, open, entered: () => entered }
}

/** A client that acknowledges nothing. `sent` resolves when the server has what was sent. */
async function greedy(address: string) {
  const socket = new WebSocket(address, 'audile.1', {
    headers: { authorization: 'Bearer local' },
  })
  onTestFinished(() => socket.terminate())
  let bytes = 0
  socket.on('message', (data: Buffer) => {
    bytes += data.length
    for (const value of decodeMulti(data)) if (Array.isArray(value)) answered.push(value[1])
  })
  const answered: number[] = []
  await once(socket, 'open')
  const ask = async (text: string, calls: number) => {
    const requests = Array.from({ length: calls }, (_, id) =>
      pack([0, id, 'call', { method: 'song/search', params: { text } }]),
    )
    socket.send(Buffer.concat([pack(1), pack(0), ...requests]))
    socket.ping()
    await once(socket, 'pong')
  }
  return { ask, answered, bytes: () => bytes }
}

describe('clients of one engine', () => {
  it('take turns: hundreds of calls of one are not before the one of another', async () => {
    const { server, begun, open, entered } = await serialEngine()
    const many = await greedy(server.address)
    const one = await greedy(server.address)
    await many.ask('many', 300)
    await one.ask('one', 1)
    const few = entered()
    open()
    await expect.poll(() => one.answered).toEqual([0])
    expect(few).toBe(17)
    expect(begun.indexOf('one')).toBeLessThan(few)
    await expect.poll(() => begun.length).toBe(301)
  })

  it('have one budget for what they do not read, and those that read have room', async () => {
    const size = 1_000
    const backlogBytes = 40_000
    const { server, begun, open, entered } = await serialEngine({ backlogBytes }, 'x'.repeat(size))
    open()
    const deaf = await Promise.all(Array.from({ length: 6 }, () => greedy(server.address)))
    await Promise.all(deaf.map(({ ask }, i) => ask(`deaf ${i}`, 100)))
    const reader = await connect(server.address)
    for (let i = 0; i < 100; i++) await reader.call('song/search', { text: 'reader' } as never)
    expect(begun.filter((who) => who === 'reader')).toHaveLength(100)
    expect(entered()).toBe(begun.length)
    // Each has some of it, and all together not more than the budget and the calls that were under way.
    expect(new Set(begun).size).toBe(7)
    expect((begun.length - 100) * size).toBeLessThan(backlogBytes + 16 * size)
    expect(server.clients).toBe(7)
  })

  it('leave their places to others while they only wait', async () => {
    const server = await serve(await openInline())
    const client = await connect(server.address)
    const other = await connect(server.address)
    const abort = new AbortController()
    const waiting = Array.from({ length: 100 }, () => {
      const bytes = new ReadableStream<Uint8Array>({ pull: () => new Promise(() => {}) })
      return client.tracks.upload({ bytes, signal: abort.signal }).catch((error) => error)
    })
    expect(await other.tracks.list()).toMatchObject({ total: 0 })
    expect(await client.tracks.list()).toMatchObject({ total: 0 })
    abort.abort(new Error('enough'))
    for (const error of await Promise.all(waiting)) expect(error).toBe(abort.signal.reason)
  })

  it('ask the next service what waited for its turn when one was closed', async () => {
    const { server, open, entered, begun } = await serialEngine()
    const proxy = await flakyProxy(server.address)
    const client = await connect(proxy.address)
    const asked = Array.from({ length: 100 }, () =>
      client.call('catalog/create', { text: 'a' } as never),
    )
    await expect.poll(entered).toBeGreaterThan(0)
    const next = await serialEngine()
    next.open()
    const closed = server.close()
    open()
    await closed
    proxy.turnTo(next.server.address)
    await Promise.all(asked)
    expect(begun.length).toBeLessThan(40)
    expect(begun.length + next.begun.length).toBe(100)
  })
})
