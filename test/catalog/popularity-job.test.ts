import { describe, expect, it } from 'vitest'
import { shrinkPopularity } from '../../src/artist/popularity.ts'
import type { Audile, Catalog } from '../../src/index.ts'
import { Clock, newCatalog, update, whenDue } from '../support/catalogs.ts'
import { openInline } from '../support/open.ts'
import { ARTISTS, openLibrary, SONGS } from '../support/reference-library.ts'

const DAY = 86_400_000
const JOB = 'catalog/popularity'

/** Three artists of whom nothing is said, with a song each. */
async function unknown() {
  const clock = new Clock()
  const music = await openInline({ now: clock.now })
  const names = ['One', 'Two', 'Three']
  await music.songs.import(names.map((name) => ({ id: name, title: name, artistName: name })))
  const song = (name: string) => `imported:song:${name}`
  return { clock, music, song }
}

async function heard(music: Audile, name: string) {
  const [artist] = await music.artists.search(name, { bucket: ['familiarity', 'hotttnesss'] })
  const bucket = ['song_hotttnesss', 'artist_familiarity', 'artist_hotttnesss', 'origins'] as const
  const [song] = await music.songs.profile({ id: `imported:song:${name}`, bucket })
  expect(song?.artistFamiliarity).toBe(artist?.familiarity)
  expect(song?.artistHotttnesss).toBe(artist?.hotttnesss)
  return {
    familiarity: artist?.familiarity,
    hotttnesss: artist?.hotttnesss,
    song: song?.songHotttnesss,
    origins: song?.origins,
  }
}

const play = (catalog: Catalog, itemId: string, times = 1) =>
  update(catalog, Array(times).fill({ action: 'play', item: { itemId } }))

describe('what is known of artists and songs from listening', () => {
  it('is nothing before any catalog holds them', async () => {
    const { music } = await unknown()
    const nothing = { familiarity: undefined, hotttnesss: undefined, song: undefined }
    expect(await heard(music, 'One')).toMatchObject(nothing)
  })

  it('each catalog counts as one listener for familiarity, plays for hotttnesss', async () => {
    const { clock, music, song } = await unknown()
    const [a, b, c] = [await newCatalog(music), await newCatalog(music), await newCatalog(music)]
    for (const catalog of [a, b, c]) {
      await update(catalog, [{ item: { itemId: 'one', songId: song('One') } }])
    }
    await update(a, [
      { item: { itemId: 'two', songId: song('Two') } },
      { item: { itemId: 'again', songId: song('Two') } },
    ])
    await play(a, 'one', 3)
    await play(a, 'two', 15)
    await whenDue(music, clock, JOB)
    const one = await heard(music, 'One')
    const two = await heard(music, 'Two')
    // Three listeners, and one.
    expect(one.familiarity).toBeCloseTo(shrinkPopularity(1, 3), 5)
    expect(two.familiarity).toBeCloseTo(shrinkPopularity(Math.log1p(1) / Math.log1p(3), 1), 5)
    expect(one.hotttnesss).toBeCloseTo(shrinkPopularity(0.5, 3), 5)
    expect(two.hotttnesss).toBeCloseTo(shrinkPopularity(1, 1), 5)
    expect(one.song).toBeCloseTo(shrinkPopularity(0.5, 3), 5)
    expect(two.song).toBeCloseTo(shrinkPopularity(1, 1), 5)
    expect(one.origins).toMatchObject({
      song_hotttnesss: 'listening',
      artist_familiarity: 'listening',
      artist_hotttnesss: 'listening',
    })
    expect(await heard(music, 'Three')).toMatchObject({ familiarity: undefined })
  })

  it('with one catalog, items and plays count', async () => {
    const { clock, music, song } = await unknown()
    const catalog = await newCatalog(music)
    await update(catalog, [
      { item: { itemId: 'one', songId: song('One'), playCount: 7 } },
      { item: { itemId: 'two', songId: song('Two') } },
    ])
    await whenDue(music, clock, JOB)
    expect((await heard(music, 'One')).familiarity).toBeCloseTo(shrinkPopularity(1, 1), 5)
    expect((await heard(music, 'Two')).familiarity).toBeCloseTo(
      shrinkPopularity(Math.log(2) / Math.log(9), 1),
      5,
    )
  })

  it('a play counts half after 60 days; a count that is given counts as plays', async () => {
    const { clock, music, song } = await unknown()
    const catalog = await newCatalog(music)
    await update(catalog, [
      { item: { itemId: 'one', songId: song('One'), playCount: 14 } },
      { item: { itemId: 'two', songId: song('Two') } },
    ])
    await whenDue(music, clock, JOB)
    clock.time += 60 * DAY
    // 14 plays then are worth 7 now.
    await play(catalog, 'two', 7)
    await whenDue(music, clock, JOB)
    expect((await heard(music, 'One')).hotttnesss).toBeCloseTo(shrinkPopularity(1, 1), 4)
    expect((await heard(music, 'Two')).hotttnesss).toBeCloseTo(shrinkPopularity(1, 1), 4)
    // A lower count takes nothing back, a higher one counts what is more.
    await update(catalog, [{ item: { itemId: 'two', playCount: 5 } }])
    await update(catalog, [{ item: { itemId: 'two', playCount: 13 } }])
    await whenDue(music, clock, JOB)
    expect((await heard(music, 'Two')).hotttnesss).toBeCloseTo(shrinkPopularity(1, 1), 4)
    expect((await heard(music, 'One')).hotttnesss).toBeCloseTo(
      shrinkPopularity(Math.log(8) / Math.log(16), 1),
      4,
    )
  })

  it('is found by search filters and sorts', async () => {
    const { clock, music, song } = await unknown()
    const catalog = await newCatalog(music)
    await update(catalog, [
      { item: { itemId: 'one', songId: song('One'), playCount: 1 } },
      { item: { itemId: 'two', songId: song('Two'), playCount: 3 } },
    ])
    await whenDue(music, clock, JOB)
    const titles = async (query: Parameters<typeof music.songs.search>[0]) =>
      (await music.songs.search(query)).map(({ title }) => title)
    expect(await titles({ sort: 'song_hotttnesss-desc' })).toEqual(['Two', 'One', 'Three'])
    expect(await titles({ artistMinFamiliarity: shrinkPopularity(0.9, 1) })).toEqual(['Two'])
    expect(
      await titles({ songMinHotttnesss: 0.001, songMaxHotttnesss: shrinkPopularity(0.9, 1) }),
    ).toEqual(['One'])
  })

  it('fades when items leave, and when their catalog is deleted', async () => {
    const { clock, music, song } = await unknown()
    const [a, b] = [await newCatalog(music), await newCatalog(music)]
    await update(a, [{ item: { itemId: 'one', songId: song('One'), playCount: 1 } }])
    await update(b, [
      { item: { itemId: 'one', songId: song('One') } },
      { item: { itemId: 'two', songId: song('Two'), playCount: 1 } },
    ])
    await whenDue(music, clock, JOB)
    expect((await heard(music, 'Two')).familiarity).toBeGreaterThan(0.01)
    await update(b, [{ action: 'delete', item: { itemId: 'two' } }])
    await whenDue(music, clock, JOB)
    expect(await heard(music, 'Two')).toMatchObject({ familiarity: 0, hotttnesss: 0, song: 0 })
    expect((await heard(music, 'One')).familiarity).toBeCloseTo(shrinkPopularity(1, 2), 5)
    await a.delete()
    await b.delete()
    await whenDue(music, clock, JOB)
    expect(await heard(music, 'One')).toMatchObject({ familiarity: 0, hotttnesss: 0, song: 0 })
  })

  it('goes behind what an import says', async () => {
    const clock = new Clock()
    const music = await openLibrary({ now: clock.now })
    const catalog = await newCatalog(music)
    await update(catalog, [
      { item: { itemId: 'a', songId: SONGS.helpMeHome.id, playCount: 9 } },
      { item: { itemId: 'b', songId: SONGS.untitled.id, playCount: 9 } },
    ])
    await whenDue(music, clock, JOB)
    const bucket = ['familiarity', 'hotttnesss', 'origins'] as const
    expect(await music.artists.get(ARTISTS.nora.id, { bucket })).toMatchObject({
      familiarity: 0.9,
      hotttnesss: 0.8,
      origins: { familiarity: 'import', hotttnesss: 'import' },
    })
    const nobody = await music.artists.get(ARTISTS.nobody.id, { bucket })
    expect(nobody.familiarity).toBeCloseTo(shrinkPopularity(1, 1), 5)
    expect(nobody.hotttnesss).toBeCloseTo(shrinkPopularity(1, 1), 5)
    expect(nobody.origins).toEqual({ familiarity: 'listening', hotttnesss: 'listening' })
    const [song] = await music.songs.profile({
      id: SONGS.helpMeHome.id,
      bucket: 'song_hotttnesss',
    })
    expect(song?.songHotttnesss).toBe(0.5)
  })

  it('artists of artist catalogs count as well', async () => {
    const clock = new Clock()
    const music = await openLibrary({ now: clock.now })
    const catalog = await newCatalog(music, 'artist')
    await update(catalog, [{ item: { itemId: 'a', artistId: ARTISTS.nobody.id } }])
    await whenDue(music, clock, JOB)
    const nobody = await music.artists.get(ARTISTS.nobody.id, { bucket: ['familiarity'] })
    expect(nobody.familiarity).toBeCloseTo(shrinkPopularity(1, 1), 5)
  })

  it('the only artist of the only catalog does not go before one who is imported as famous', async () => {
    const { clock, music, song } = await unknown()
    await music.artists.import([{ name: 'Famous One', familiarity: 0.95, hotttnesss: 0.9 }])
    await music.songs.import([{ title: 'Hit', artistName: 'Famous One', songHotttnesss: 0.9 }])
    const catalog = await newCatalog(music)
    await update(catalog, [{ item: { itemId: 'one', songId: song('One'), playCount: 99 } }])
    await whenDue(music, clock, JOB)
    expect((await music.artists.search('one')).map(({ name }) => name)).toEqual([
      'One',
      'Famous One',
    ])
    for (const by of ['artist_familiarity', 'artist_hotttnesss', 'song_hotttnesss'] as const) {
      const [first, second] = await music.songs.search({ sort: `${by}-desc` })
      expect([first?.title, second?.title]).toEqual(['Hit', 'One'])
    }
    expect(await music.songs.search({ artistMinFamiliarity: 0.5 })).toHaveLength(1)
  })
})
