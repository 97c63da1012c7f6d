import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import type { Audile } from '../../src/audile.ts'
import { AudileError, ClosedError } from '../../src/errors.ts'
import { clip, waveFile } from '../support/clips.ts'
import { failure } from '../support/failure.ts'
import { flakyProxy } from '../support/flaky-proxy.ts'
import { seeded } from '../support/music.ts'
import { openInline } from '../support/open.ts'
import { connect, serve } from '../support/remote.ts'
import { scratch } from '../support/scratch.ts'

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

  it('and is there again has uploads sent once more, if their bytes can be read again', async () => {
    const before = await openInline()
    const after = await openInline()
    const proxy = await flakyProxy((await serve(before)).address)
    const client = await connect(proxy.address)
    const sound = clip({ seconds: 2 })
    const file = await waveFile(scratch(), 'a.wav', sound)
    const bytes = new Uint8Array(await readFile(file))
    await client.tracks.list()
    proxy.silence()
    const uploads = [
      client.tracks.upload({ bytes }),
      client.tracks.upload({ bytes: bytes.buffer }),
      client.tracks.upload({ bytes: new Blob([bytes]) }),
      client.tracks.upload({ file }),
      client.tracks.upload(sound),
    ]
    const code = client.songs.fingerprint({ bytes })
    const once = client.tracks.upload({ bytes: new Blob([bytes]).stream() })
    const lost = failure(once)
    const address = failure(client.tracks.upload({ url: 'https://music.invalid/a' }))
    await new Promise(setImmediate)
    proxy.turnTo((await serve(after)).address)
    proxy.cut()
    const ids = (await Promise.all(uploads)).map(({ id }) => id)
    expect(new Set(ids.slice(0, 4)).size).toBe(1)
    expect((await after.tracks.list()).total).toBe(new Set(ids).size)
    expect((await code).metadata.seconds).toBe(2)
    for (const one of [lost, address]) expect(await one).toMatchObject({ code: 'unknown_outcome' })
  })

  it('in the middle of an upload is sent its bytes from their beginning', async () => {
    const before = await openInline()
    const after = await openInline()
    const proxy = await flakyProxy((await serve(before)).address)
    const client = await connect(proxy.address)
    const bytes = new Uint8Array(await readFile(await waveFile(scratch(), 'a.wav', clip())))
    const { host } = client.core
    const pull = host.pull.bind(host)
    let pulled = 0
    host.pull = async (...given) => {
      // The second piece is lost on the way.
      if (++pulled === 2) proxy.silence()
      const piece = await pull(...given)
      if (pulled === 2) {
        proxy.turnTo((await serve(after)).address)
        proxy.cut()
      }
      return piece
    }
    const { md5 } = (await client.tracks.upload({ bytes })).answer
    expect(pulled).toBe(4)
    expect(md5).toBe(createHash('md5').update(bytes).digest('hex'))
  })
})
