import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { Audile } from '../../src/host/audile.ts'
import { waveFile } from '../support/clips.ts'
import { mp3Bytes } from '../support/encode.ts'
import { scratch } from '../support/scratch.ts'
import { tune } from '../support/tune.ts'

afterEach(() => {
  vi.useRealTimers()
})

/** All that an application does in a test of its own, with time standing still. */
async function use(opener: typeof Audile): Promise<unknown> {
  const folder = scratch()
  const bytes = await mp3Bytes(tune({ seed: 1, seconds: 5 }), 128)
  const file = await waveFile(folder, 'song.wav', tune({ seed: 2, seconds: 5 }))
  const options = { database: join(folder, 'music.db'), engine: 'inline', workers: 0 } as const
  const music = await opener.open(options)
  const first = await music.tracks.upload({ bytes, wait: true })
  const second = await music.tracks.upload({ file, wait: true })
  await music.songs.identify({ file })
  await music.songs.import([{ title: 'Help!', artistName: 'The Beatles' }])
  const catalog = await music.catalogs.create({ name: 'Mine', type: 'song' })
  const ticket = await catalog.update([
    { item: { itemId: 'a', artistName: 'Beatles', songName: 'Help!' } },
  ])
  const { ticketStatus } = await ticket.done()
  await music.tracks.duplicates()
  await music.check()
  await music.close()
  return [first.answer.status, second.answer.status, ticketStatus]
}

const DONE = ['complete', 'complete', 'complete']

describe("an inline engine under a test runner's fake timers", () => {
  it('opens, analyses, resolves and closes', async () => {
    vi.useFakeTimers()
    expect(await use(Audile)).toEqual(DONE)
  })

  it('does so when audile is loaded after they were installed', async () => {
    vi.useFakeTimers()
    vi.resetModules()
    const again = await import('../../src/host/audile.ts')
    expect(again.Audile).not.toBe(Audile)
    expect(await use(again.Audile)).toEqual(DONE)
  })

  it('tells the time of the faked clock, when it was faked after open() too', async () => {
    const music = await Audile.open({ database: ':memory:', engine: 'inline', workers: 0 })
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2031, 4, 5) })
    const catalog = await music.catalogs.create({ name: 'Later', type: 'song' })
    await (await catalog.update([{ item: { itemId: 'a', songName: 'A', artistName: 'B' } }])).done()
    const { items } = await catalog.read()
    expect(items[0]?.dateAdded).toContain('2031-05-05')
    await music.close()
  })
})
