import { describe, expect, it } from 'vitest'
import { joinedTimes, packedTimes, unpackedTimes } from '../../src/catalog/play-times.ts'
import type { CatalogEntry } from '../../src/index.ts'
import { Clock, itemOf, newCatalog, update } from '../support/catalogs.ts'
import { openInline } from '../support/open.ts'

const START = 1_600_000_020
const played = (...plays: (number | string | Date)[]): CatalogEntry => ({
  item: { itemId: 'a', plays },
})

async function opened() {
  const clock = new Clock()
  const music = await openInline({ now: clock.now })
  return { clock, catalog: await newCatalog(music) }
}

describe('the plays of an item', () => {
  it('keep their times, each once, and are counted', async () => {
    const { catalog } = await opened()
    const entry = played(
      START + 61,
      '2020-09-13T12:27:00Z',
      '2020-09-13 12:27',
      new Date(START * 1000),
    )
    expect((await update(catalog, [entry])).updateInfo).toEqual([])
    await update(catalog, [entry])
    expect(await itemOf(catalog, 'a', 'plays')).toMatchObject({
      playCount: 2,
      lastPlayed: '2020-09-13T12:28:01',
      plays: ['2020-09-13T12:27:00', '2020-09-13T12:28:01'],
    })
  })

  it('come one by one, at the time of the update', async () => {
    const { clock, catalog } = await opened()
    await update(catalog, [played()])
    await update(catalog, [{ action: 'play', item: { itemId: 'a' } }])
    clock.time += 86_400_000
    await update(catalog, [{ action: 'play', item: { itemId: 'a' } }])
    expect(await itemOf(catalog, 'a', ['plays'])).toMatchObject({
      playCount: 2,
      plays: ['2011-07-14T20:15:49', '2011-07-15T20:15:49'],
    })
  })

  it('are at least as many as their times, and others stay', async () => {
    const { catalog } = await opened()
    await update(catalog, [{ item: { itemId: 'a', playCount: 5 } }])
    await update(catalog, [played(START, START + 600)])
    expect((await itemOf(catalog, 'a'))?.playCount).toBe(7)
    await update(catalog, [{ item: { itemId: 'a', playCount: 1, plays: [START + 1200] } }])
    expect((await itemOf(catalog, 'a'))?.playCount).toBe(3)
    await update(catalog, [{ item: { itemId: 'a', plays: null } }])
    const item = await itemOf(catalog, 'a', 'plays')
    expect(item).toMatchObject({ playCount: 3, plays: [] })
    expect(item).not.toHaveProperty('lastPlayed')
  })

  it('leave out what is no time, and say so', async () => {
    const { catalog } = await opened()
    const { updateInfo } = await update(catalog, [played(START, 'yesterday', -1, 9e12)])
    expect(updateInfo).toEqual([
      { itemId: 'a', info: expect.stringContaining('"yesterday" is not a time') },
    ])
    expect(updateInfo?.[0]?.info).toContain('3 of 4 were left out')
    expect((await itemOf(catalog, 'a'))?.playCount).toBe(1)
  })
})

describe('times of plays', () => {
  it.each([[[]], [[1]], [[START, START + 1, START + 127, START + 128, 4_102_444_800]]])(
    'are the same after packing: %j',
    (times) => {
      expect(unpackedTimes(packedTimes(times))).toEqual(times)
    },
  )

  it('of a minute are the same as those of a second in it, in another list only', () => {
    expect(joinedTimes([START], [START + 59])).toEqual([START + 59])
    expect(joinedTimes([START + 59], [START])).toEqual([START + 59])
    expect(joinedTimes([START], [START + 60])).toEqual([START, START + 60])
    const both = [START, START + 30]
    expect(joinedTimes([], both)).toEqual(both)
    expect(joinedTimes(both, both)).toEqual(both)
  })
})
