import { describe, expect, it } from 'vitest'
import type { Audile } from '../../src/audile.ts'
import { AudileError, ClosedError } from '../../src/errors.ts'
import { flakyProxy } from '../support/flaky-proxy.ts'
import { seeded } from '../support/music.ts'
import { openInline } from '../support/open.ts'
import { connect, serve } from '../support/remote.ts'

/** How often each item of a catalog was played. */
async function playsOf(music: Audile, id: string): Promise<Map<string, number>> {
  const plays = new Map<string, number>()
  const catalog = await music.catalogs.get({ id })
  for await (const { request, playCount } of catalog.items()) {
    plays.set(request.itemId as string, playCount ?? 0)
  }
  return plays
}

async function playedCatalog(music: Audile, items: number) {
  const catalog = await music.catalogs.create({ name: 'Played', type: 'song' })
  const entries = Array.from({ length: items }, (_, i) => ({ item: { itemId: `${i}` } }))
  await (await catalog.update(entries)).done()
  return catalog.id
}

describe('a connection that is cut', () => {
  it('is made again, and each call is answered, and done once', async () => {
    const music = await openInline()
    const proxy = await flakyProxy((await serve(music)).address)
    const id = await playedCatalog(music, 1)
    const client = await connect(proxy.address)
    const catalog = await client.catalogs.get({ id })
    const random = seeded(7)
    const calls = 120
    let running = 0
    const play = async () => {
      running++
      await client.call('catalog/update', {
        id,
        data: [{ action: 'play', item: { itemId: '0' } }],
      })
      running--
    }
    const played: Promise<void>[] = []
    for (let i = 0; i < calls; i++) {
      played.push(play())
      if (random() < 0.15) {
        // On the way there, at work, on the way back: wherever it happens to be.
        for (let turns = random() * 12; turns > 0; turns--) await new Promise(setImmediate)
        proxy.cut()
      }
      if (running > 20) await played.at(-10)
    }
    await Promise.all(played)
    expect(proxy.count).toBeGreaterThan(5)
    await (await catalog.update([{ item: { itemId: 'last' } }])).done()
    expect((await playsOf(music, id)).get('0')).toBe(calls)
  })

  it('that falls silent is noticed', async () => {
    const music = await openInline()
    const proxy = await flakyProxy((await serve(music, { heartbeatSeconds: 0.05 })).address)
    const client = await connect(proxy.address)
    proxy.silence()
    expect(await client.tracks.list()).toMatchObject({ total: 0 })
    expect(proxy.count).toBe(2)
  })

  it('holds calls until it is there again', async () => {
    const music = await openInline()
    const proxy = await flakyProxy((await serve(music)).address)
    const client = await connect(proxy.address)
    proxy.refuse(true)
    const abort = new AbortController()
    const created = client.catalogs.create({ name: 'Later', type: 'song' })
    const left = client
      .call('catalog/list', {}, { signal: abort.signal })
      .catch((error: unknown) => error)
    const reason = new Error('no patience')
    abort.abort(reason)
    expect(await left).toBe(reason)
    expect((await music.catalogs.list()).total).toBe(0)
    proxy.refuse(false)
    const { id } = await created
    expect((await music.catalogs.list()).catalogs.map((one) => one.id)).toEqual([id])
  })

  it('ends the client when it does not come back', async () => {
    const music = await openInline()
    const proxy = await flakyProxy((await serve(music)).address)
    const client = await connect(proxy.address, { reconnectSeconds: 0.2 })
    proxy.refuse(true)
    await expect(client.tracks.list()).rejects.toThrow(ClosedError)
    proxy.refuse(false)
    await expect(client.tracks.list()).rejects.toThrow('Open a new Audile')
  })
})

describe('an engine that was ended', () => {
  it('and is there again answers reads, and says of all else that nobody knows', async () => {
    const before = await openInline()
    const after = await openInline()
    const proxy = await flakyProxy((await serve(before)).address)
    const client = await connect(proxy.address)
    const events: string[] = []
    client.on('ticket', ({ status }) => events.push(status))
    await client.tracks.list()
    // What is sent from here on is lost on the way.
    proxy.silence()
    const read = client.tracks.list()
    const write = client.catalogs.create({ name: 'Lost?', type: 'song' })
    await new Promise(setImmediate)
    proxy.turnTo((await serve(after)).address)
    proxy.cut()
    const lost = await write.catch((error: unknown) => error)
    expect(lost).toBeInstanceOf(AudileError)
    expect(lost).toMatchObject({ code: 'unknown_outcome' })
    expect(String(lost)).toContain('"catalog/create" was answered: it may or may not')
    expect(await read).toMatchObject({ total: 0 })
    // It goes on with the new one, and hears its events.
    const catalog = await client.catalogs.create({ name: 'New', type: 'song' })
    await (await catalog.update([{ item: { itemId: 'a' } }])).done()
    await expect.poll(() => events).toContain('complete')
    expect(await playsOf(after, catalog.id)).toEqual(new Map([['a', 0]]))
  })
})
