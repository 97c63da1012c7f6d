import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { Outage } from '../../src/remote/outage.ts'
import { ClosedError } from '../../src/values/errors.ts'
import { failure } from '../support/failure.ts'
import { flakyProxy } from '../support/flaky-proxy.ts'
import { openInline } from '../support/open.ts'
import { connect, serve } from '../support/remote.ts'
import { scratch } from '../support/scratch.ts'

/** A stream whose bytes a test gives, and that is read as soon as somebody asks. */
function given() {
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  let read = () => {}
  const isRead = new Promise<void>((resolve) => {
    read = resolve
  })
  const bytes = new ReadableStream<Uint8Array>(
    {
      start: (own) => {
        controller = own
      },
      pull: () => {
        read()
        return new Promise(() => {})
      },
    },
    { highWaterMark: 0 },
  )
  return { bytes, isRead, fail: (error: Error) => controller?.error(error) }
}

describe('a service that is closed', () => {
  it('lets the calls under way end, and has its clients send the others to the next one', async () => {
    const music = await openInline()
    const first = await serve(music)
    const proxy = await flakyProxy(first.address)
    const client = await connect(proxy.address)
    await client.tracks.list()
    const { bytes, isRead, fail } = given()
    const underWay = failure(client.tracks.upload({ bytes }))
    await isRead
    const closed = first.close()
    // These reach a service that begins nothing any more, or wait here.
    const created = Array.from({ length: 50 }, async (_, i) => {
      for (let turns = 0; turns < i % 10; turns++) await new Promise(setImmediate)
      return client.catalogs.create({ name: `c${i}`, type: 'song' })
    })
    await sleep(50)
    expect((await music.catalogs.list()).total).toBe(0)
    fail(new RangeError('half of it is gone'))
    expect(await underWay).toMatchObject({ name: 'RangeError', message: 'half of it is gone' })
    await closed
    proxy.turnTo((await serve(music)).address)
    expect(new Set((await Promise.all(created)).map(({ id }) => id)).size).toBe(50)
    expect((await music.catalogs.list()).total).toBe(50)
  })

  it('cuts calls that do not end, and nobody knows whether they were done', async () => {
    const music = await openInline()
    const server = await serve(music)
    const client = await connect(server.address)
    const { bytes, isRead } = given()
    const underWay = failure(client.tracks.upload({ bytes }))
    await isRead
    await server.close()
    expect(await underWay).toMatchObject({ code: 'unknown_outcome' })
  })

  it('does not wait for those who only wait', async () => {
    const music = await openInline()
    const server = await serve(music)
    const busy = await serve(music)
    const client = await connect(server.address, { reconnectSeconds: 0 })
    const folders = [scratch()]
    const { watch } = await client.call('track/watch', { folders })
    const watched = failure(client.call('track/watch-next', { watch }))
    await client.tracks.list()
    const uploader = await connect(busy.address, { reconnectSeconds: 0 })
    const { bytes, isRead } = given()
    const upload = failure(uploader.tracks.upload({ bytes }))
    await isRead
    const took = async (end: Promise<void>) => {
      const began = performance.now()
      await end
      return performance.now() - began
    }
    // The one waits for the upload, in vain.
    const [all, waiting] = [await took(busy.close()), await took(server.close())]
    expect(waiting).toBeLessThan(all / 2)
    await Promise.all([watched, upload])
  })

  it('is named when it does not come back, also if its engine was closed', async () => {
    const music = await openInline()
    const server = await serve(music)
    const client = await connect(server.address, { reconnectSeconds: 0.2 })
    const other = await openInline()
    const orphan = await connect((await serve(other)).address, { reconnectSeconds: 0.2 })
    await Promise.all([server.close(), other.close()])
    const failed = await failure(client.tracks.list())
    expect(failed).toBeInstanceOf(ClosedError)
    expect(String(failed)).toMatch(/was closed there: it is served no more\. .* Open a new Audile/)
    expect(String(await failure(orphan.tracks.list()))).toContain('closed there: it has ended')
  })
})

describe('an absence', () => {
  it('holds those who wait until its end, or to its limit', async () => {
    const never = new AbortController().signal
    const absence = new Outage()
    await absence.awaitEnd(never)
    absence.beginOutage()
    let isOver = false
    const waited = absence.awaitEnd(never).then(() => {
      isOver = true
    })
    await sleep(5)
    expect(isOver).toBe(false)
    absence.endOutage()
    await waited
    absence.beginOutage()
    const late = failure(absence.awaitEnd(never))
    absence.limitWait(10, 'It was closed.')
    expect(await late).toBeInstanceOf(ClosedError)
    expect(String(await failure(absence.awaitEnd(never)))).toContain('It was closed.')
    absence.endOutage()
    await absence.awaitEnd(never)
  })
})
