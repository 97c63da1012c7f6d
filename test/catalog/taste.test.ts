import { describe, expect, it } from 'vitest'
import { Clock, newCatalog, update } from '../support/catalogs.ts'
import { openInline } from '../support/open.ts'

const DAY = 86_400

async function listened() {
  const clock = new Clock('2021-06-01T00:00:00Z')
  const music = await openInline({ now: clock.now })
  const now = clock.now() / 1000
  await music.songs.import([
    {
      ...{ title: 'One', artistName: 'Ada', year: 1999, terms: [{ name: 'dream pop' }] },
      audioSummary: { tempo: 120, key: 9, mode: 0, energy: 0.3 },
    },
    {
      ...{ title: 'Two', artistName: 'Bo', year: 2004 },
      audioSummary: { tempo: 99.9, key: 9, mode: 0, energy: 0.35 },
    },
  ])
  const catalog = await newCatalog(music)
  const item = (itemId: string, songName: string, artistName: string, more: object) => ({
    item: { itemId, songName, artistName, ...more },
  })
  await update(catalog, [
    item('1', 'One', 'Ada', { plays: [now - DAY, now - 2 * DAY, now - 100 * DAY] }),
    item('2', 'Two', 'Bo', { plays: [now - 120 * DAY, now - 121 * DAY, now - 400 * DAY] }),
    item('3', 'Unknown', 'Cy', { playCount: 4 }),
    item('4', 'Hated', 'Ada', { playCount: 90, banned: true }),
  ])
  return { music, catalog }
}

describe('catalog.taste', () => {
  it('tells what is liked, in counts of items and plays', async () => {
    const { catalog } = await listened()
    const taste = await catalog.taste()
    expect(taste).toMatchObject({
      ...{ items: 3, plays: 10, dated: 6, since: '2021-03-03T00:00:00' },
      tempo: {
        ...{ items: 2, plays: 6, mean: (120 + 99.9) / 2 },
        ranges: [
          { from: 90, to: 100, items: 1, plays: 3 },
          { from: 120, to: 130, items: 1, plays: 3 },
        ],
      },
      energy: { ranges: [{ from: 0.3, to: 0.4, items: 2, plays: 6 }] },
      keys: [{ key: 9, mode: 0, items: 2, plays: 6 }],
      years: [
        { year: 1999, items: 1, plays: 3 },
        { year: 2004, items: 1, plays: 3 },
      ],
      terms: [{ name: 'dream pop', items: 1, plays: 3 }],
      played: [
        { year: 2020, plays: 1 },
        { year: 2021, plays: 5 },
      ],
    })
    expect(taste.artists.map(({ name, plays }) => [name, plays])).toEqual([
      ['Cy', 4],
      ['Ada', 3],
      ['Bo', 3],
    ])
  })

  it('tells what grows and what fades', async () => {
    const { catalog } = await listened()
    const { growing, fading } = await catalog.taste()
    expect(growing).toEqual([
      { name: 'Ada', items: 1, plays: 3, recent: 2, before: 1, lastPlayed: '2021-05-31T00:00:00' },
    ])
    expect(fading).toMatchObject([{ name: 'Bo', recent: 0, before: 2 }])
    const { artists } = await catalog.taste({ days: 1 })
    expect(artists[1]).toMatchObject({ name: 'Ada', recent: 1, before: 1 })
  })

  it('of an empty catalog is empty, and of none an error', async () => {
    const { music } = await listened()
    const empty = await newCatalog(music, 'artist')
    expect(await empty.taste()).toMatchObject({ items: 0, plays: 0, tempo: { ranges: [] } })
    await empty.delete()
    await expect(empty.taste()).rejects.toMatchObject({ code: 'unknown_identifier' })
    const { catalog } = await listened()
    await expect(catalog.taste({ days: 0 })).rejects.toThrow('days - Invalid parameter')
  })
})
