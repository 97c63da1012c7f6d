import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Audile, DatabaseError, KeyError, ParameterError, serveEngine } from '../../src/index.ts'
import type { AudileOptions } from '../../src/options/options.ts'
import { parseServeOptions } from '../../src/remote/serve-options.ts'
import { openServer } from '../../src/remote/server.ts'
import { failure } from '../support/failure.ts'
import { flakyProxy } from '../support/flaky-proxy.ts'
import { hearOnce } from '../support/heard-once.ts'
import { openInline } from '../support/open.ts'
import { serve } from '../support/remote.ts'
import { scratch } from '../support/scratch.ts'
import { tune } from '../support/tune.ts'

hearOnce()

type References = NonNullable<AudileOptions['references']>

const opening = (references: References, more: Partial<AudileOptions> = {}) =>
  Audile.open({ database: ':memory:', engine: 'inline', workers: 0, references, ...more })

/** A database that knows a tune, and the code by which it is asked for. */
async function library(seed = 1) {
  const music = await openInline()
  await music.tracks.upload({ ...tune({ seed }), wait: true })
  const query = await music.songs.fingerprint(tune({ seed }), { version: 4.12 })
  return { music, query }
}

/** An engine that is served, whose methods do something else than its database's. */
async function servedStandIn(methods: Record<string, (signal: AbortSignal) => Promise<unknown>>) {
  const music = await openInline()
  const { engine, ...core } = music.core
  const call: typeof engine.call = async (method, params, options) => {
    const other = methods[method]
    return other && options.signal ? other(options.signal) : engine.call(method, params, options)
  }
  const other = { ...core, engine: { call, ended: engine.ended, close: async () => {} } }
  const serving = parseServeOptions({ listen: `unix:${join(scratch(), 'socket')}` })
  const server = await openServer(other, serving)
  onTestFinished(() => server.close())
  return server.address
}

describe('a served reference', () => {
  it('that is away when the database is opened is named, as a missing file is', async () => {
    const address = `unix:${join(scratch(), 'none')}`
    const refused = opening([address])
    await expect(refused).rejects.toThrow(DatabaseError)
    await expect(refused).rejects.toThrow(`The reference ${address} cannot be asked:`)
    await expect(refused).rejects.toThrow('see that its database is open and served there.')
  })

  it('takes a key of its database, and names itself where it refuses one', async () => {
    const { music, query } = await library()
    const { address } = await serve(music, { trusted: false })
    const refused = opening([{ engine: address as `ws://${string}`, apiKey: 'wrong' }])
    await expect(refused).rejects.toThrow(KeyError)
    await expect(refused).rejects.toThrow(address)
    await expect(refused).rejects.toThrow('give the apiKey of its database')
    const { apiKey, id } = await music.keys.create()
    const engine = address as `ws://${string}`
    const reader = await openInline({ references: [{ engine, apiKey }] })
    expect(await reader.songs.identify(query)).toMatchObject([{ reference: address }])
    await music.keys.revoke(id)
    await expect(reader.songs.identify(query)).rejects.toThrow(KeyError)
  })

  it.each<[References, string]>([
    [[{ engine: ['unix:/a', 'unix:/a'] }], '"unix:/a" is named twice'],
    [['unix:/a', { engine: ['unix:/b', 'unix:/a'] }], '"unix:/a" is named twice'],
    [[{ engine: [] }], 'references'],
    [['ws://'], '"ws://" is no address of an engine; give unix:/path'],
    [['unix:'], '"unix:" is no address of an engine'],
    [['unix:/a', { engine: 'unix:/a', apiKey: 'b' }], '"unix:/a" is named twice'],
    [
      [{ engine: 'http://a' as never }],
      'must be unix:/path, ws://host:port/path or wss://host/path',
    ],
    [[{ engine: 'unix:/a', key: 'b' } as never], 'references'],
  ])('must have an address of its own: %j', async (references, message) => {
    await expect(opening(references)).rejects.toThrow(ParameterError)
    await expect(opening(references)).rejects.toThrow(message)
  })

  it('is asked again after a cut, also one in the middle of a question', async () => {
    const { music, query } = await library()
    const proxy = await flakyProxy((await serve(music)).address)
    const reader = await openInline({ references: [proxy.address] })
    expect(await reader.songs.identify(query)).toHaveLength(1)
    proxy.cut()
    expect(await reader.songs.identify(query)).toHaveLength(1)
    const asked = reader.songs.identify(query)
    await new Promise(setImmediate)
    proxy.cut()
    expect(await asked).toHaveLength(1)
    expect(proxy.count).toBe(3)
  })

  it('that refuses to go on is connected to anew, once', async () => {
    const { music, query } = await library()
    let refusals = 0
    const { address } = await serve(music, { authorize: () => refusals-- <= 0 })
    const proxy = await flakyProxy(address)
    const reader = await openInline({ references: [proxy.address] })
    const identified = async () => {
      const found = await Promise.all([1, 2, 3].map(() => reader.songs.identify(query)))
      return found.map((songs) => songs.length)
    }
    refusals = 1
    proxy.cut()
    expect(await identified()).toEqual([1, 1, 1])
    // The first one, the refused one, and that of all three.
    expect(proxy.count).toBe(3)
    refusals = Number.POSITIVE_INFINITY
    proxy.cut()
    const refused = reader.songs.identify(query)
    await expect(refused).rejects.toThrow(KeyError)
    await expect(refused).rejects.toThrow(`The reference ${proxy.address}`)
    refusals = 0
    expect(await identified()).toEqual([1, 1, 1])
  })

  it('whose engine is gone fails the call, and answers again when it is back', async () => {
    const { music, query } = await library(1)
    const near = await library(2)
    const listen = `unix:${join(scratch(), 'socket')}` as const
    const server = await serveEngine(music, { listen })
    const { address } = await serve(near.music)
    const reader = await openInline({
      ...{ references: [address, listen], limits: { referenceSeconds: 0.5 } },
    })
    expect(await reader.songs.identify(query)).toMatchObject([{ reference: listen }])
    await server.close()
    // Not even what others know: an answer is of all, or it is none.
    for (const one of [query, near.query]) {
      const failed = await reader.songs.identify(one).catch((error: unknown) => error)
      expect(failed).toBeInstanceOf(DatabaseError)
      expect(String(failed)).toContain(listen)
      expect(String(failed)).toContain('see that its database is open and served there')
    }
    const again = await serveEngine(music, { listen })
    onTestFinished(() => again.close())
    await expect
      .poll(() => reader.songs.identify(query).catch(() => []))
      .toMatchObject([{ reference: listen }])
  })

  it('that says nothing is waited for as long as the limit, and then not', async () => {
    const { music, query } = await library()
    const proxy = await flakyProxy((await serve(music, { heartbeatSeconds: 0.3 })).address)
    const limits = { referenceSeconds: 0.2 }
    const reader = await openInline({ references: [proxy.address], limits })
    proxy.silence()
    const failed = await reader.songs.identify(query).catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(DatabaseError)
    expect(String(failed)).toContain('did not answer within 0.2 s (limits.referenceSeconds)')
    await expect.poll(() => reader.songs.identify(query).catch(() => [])).toHaveLength(1)
  })

  it('is told when the call is aborted', async () => {
    const { query } = await library()
    let begin = (_signal: AbortSignal) => {}
    const begun = new Promise<AbortSignal>((resolve) => {
      begin = resolve
    })
    const address = await servedStandIn({
      'song/shard-frequencies': (signal) => {
        begin(signal)
        return new Promise(() => {})
      },
    })
    const reader = await openInline({ references: [address] })
    const abort = new AbortController()
    const asked = reader.call('song/identify', { query } as never, { signal: abort.signal })
    const there = await begun
    const reason = new Error('no patience')
    abort.abort(reason)
    await expect(asked).rejects.toBe(reason)
    await expect.poll(() => there.aborted).toBe(true)
  })

  it('that answers otherwise is of another version', async () => {
    const size = await servedStandIn({ 'song/shard-size': async () => ({ songs: -1 }) })
    await expect(opening([size])).rejects.toThrow('it answers as another version does')
    const { query } = await library()
    const few = await servedStandIn({ 'song/shard-frequencies': async () => new Uint8Array(1) })
    const reader = await openInline({ references: [few] })
    await expect(reader.songs.identify(query)).rejects.toThrow(
      /of \d+ codes it says how frequent 1/,
    )
  })
})

describe('a reference of several addresses', () => {
  it('is asked at the next one while one is away, and named by the first', async () => {
    const { music, query } = await library()
    const first = await serveEngine(music, { listen: `unix:${join(scratch(), 'a')}` })
    const proxy = await flakyProxy((await serve(music)).address)
    const engine = [first.address, proxy.address] as [`unix:${string}`, `ws://${string}`]
    // A question that is under way when its server goes waits so long.
    const limits = { referenceSeconds: 3 }
    const reader = await openInline({ references: [{ engine }], limits })
    const known = [{ reference: first.address }]
    expect(await reader.songs.identify(query)).toMatchObject(known)
    expect(proxy.count).toBe(0)
    await first.close()
    expect(await reader.songs.identify(query)).toMatchObject(known)
    expect(proxy.count).toBe(1)
    // Also when the database is opened.
    const late = await openInline({ references: [{ engine }], limits })
    expect(await late.songs.identify(query)).toMatchObject(known)
    const again = await serveEngine(music, { listen: first.address as `unix:${string}` })
    onTestFinished(() => again.close())
    proxy.refuse(true)
    expect(await reader.songs.identify(query)).toMatchObject(known)
    expect(await late.songs.identify(query)).toMatchObject(known)
  })

  it('says why each of them does not answer', async () => {
    const { music, query } = await library()
    const proxies = await Promise.all(
      [1, 2].map(async () => flakyProxy((await serve(music)).address)),
    )
    const engine = proxies.map(({ address }) => address)
    const limits = { referenceSeconds: 0.2 }
    const reader = await openInline({ references: [{ engine }], limits })
    for (const proxy of proxies) proxy.refuse(true)
    const failed = await failure(reader.songs.identify(query))
    expect(failed).toBeInstanceOf(DatabaseError)
    expect(failed.message).toContain(`The reference ${engine[0]} cannot be asked:`)
    expect(failed.message).toContain('did not answer within 0.2 s (limits.referenceSeconds)')
    expect(failed.message).toContain(`${engine[1]} cannot be reached`)
    for (const proxy of proxies) proxy.refuse(false)
    await expect.poll(() => reader.songs.identify(query).catch(() => [])).toHaveLength(1)
  })
})

describe('an answer that is partial on request', () => {
  it('is of those that can be asked, and names the others', async () => {
    const near = await library(1)
    const far = await library(2)
    const { address } = await serve(near.music)
    const listen = `unix:${join(scratch(), 'socket')}` as const
    const server = await serveEngine(far.music, { listen })
    const references = [address, { engine: listen, partial: true }]
    const reader = await openInline({ references, limits: { referenceSeconds: 1 } })
    const asked = { ...near.query, partial: true } as const
    const known = [{ reference: address }]
    expect(await reader.songs.identify(asked)).toMatchObject({ songs: known, notAsked: [] })
    await server.close()
    const reason = expect.stringContaining(`The reference ${listen} cannot be asked:`)
    const partly = { songs: known, notAsked: [{ reference: listen, reason }] }
    for (const answer of [
      await reader.songs.identify(asked),
      await reader.songs.identify([near.query], { partial: true }),
      await reader.songs.identify({ ...tune({ seed: 1 }), partial: true }),
    ]) {
      expect(answer).toMatchObject(partly)
    }
    expect(await failure(reader.songs.identify(near.query))).toBeInstanceOf(DatabaseError)
    const logged: string[] = []
    const logger = { warn: (message: string) => logged.push(message) }
    const late = await openInline({ references, logger, limits: { referenceSeconds: 1 } })
    expect(logged.join()).toContain(`The reference ${listen} cannot be asked:`)
    expect(await late.songs.identify(asked)).toMatchObject(partly)
    expect(await failure(late.songs.identify(near.query))).toBeInstanceOf(DatabaseError)
    const again = await serveEngine(far.music, { listen })
    onTestFinished(() => again.close())
    for (const music of [reader, late]) {
      await expect
        .poll(() => music.songs.identify({ ...far.query, partial: true }))
        .toMatchObject({ songs: [{ reference: listen }], notAsked: [] })
    }
  })

  it('is of the others when one fails in the middle of the search', async () => {
    const near = await library()
    const { address } = await serve(near.music)
    const broken = await servedStandIn({
      'song/shard-shortlist': () => Promise.reject(new Error('no disk')),
    })
    const reader = await openInline({ references: [address, broken] })
    const { songs, notAsked } = await reader.songs.identify({ ...near.query, partial: true })
    expect(songs).toMatchObject([{ reference: address }])
    expect(notAsked).toMatchObject([
      { reference: broken, reason: expect.stringContaining('no disk') },
    ])
    // Not away: it is asked by the next call.
    expect(await reader.songs.identify({ ...near.query, partial: true })).toMatchObject({
      notAsked: [{ reference: broken }],
    })
  })

  it('does not open a database whose reference refuses the key', async () => {
    const { music } = await library()
    const { address } = await serve(music, { trusted: false })
    const engine = address as `ws://${string}`
    const opened = opening([{ engine, apiKey: 'wrong', partial: true }])
    await expect(opened).rejects.toThrow(KeyError)
  })
})
