import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import type { Audile, CatalogEntry } from '../../src/index.ts'
import { Clock, gather, itemOf, newCatalog, update, whenDue } from '../support/catalogs.ts'
import { waveBytes, waveFile } from '../support/clips.ts'
import { hearOnce } from '../support/heard-once.ts'
import { openInline } from '../support/open.ts'
import { ARTISTS, nativeId, openLibrary, SONGS } from '../support/reference-library.ts'
import { scratch } from '../support/scratch.ts'
import { tune } from '../support/tune.ts'

hearOnce()

/** What one item is resolved to, and what the update told of it. */
async function resolved(music: Audile, item: NonNullable<CatalogEntry['item']>, type = 'song') {
  const catalog = await newCatalog(music, type as 'song')
  const { updateInfo = [] } = await update(catalog, [{ item }])
  const { songId, songName, artistId, artistName, trackId } =
    (await itemOf(catalog, item.itemId)) ?? {}
  return { catalog, updateInfo, songId, songName, artistId, artistName, trackId }
}

/** A song of the reference data that is known by its sound. */
async function withSound(music: Audile, seed: number, version = 4.12) {
  const { code } = await music.songs.fingerprint(tune({ seed }), { version })
  const id = nativeId('SO', 100 + seed)
  const record = { id, title: `Tune ${seed}`, artistName: 'The Synthesisers', duration: 20 }
  const { imported } = await music.songs.import([{ ...record, fingerprints: [{ version, code }] }])
  expect(imported).toBe(1)
  return { id, code, version, fpCode: { version, code } }
}

describe('an item of a song catalog is resolved', () => {
  it('by songId, of the service or a foreign one', async () => {
    const music = await openLibrary()
    await music.songs.import([{ id: 'my-id', title: 'Mine', artistName: 'Me' }])
    for (const [songId, songName] of [
      [SONGS.rust.id, 'Rust'],
      ['spotify:song:sp1', 'Help Me Home'],
      ['my-id', 'Mine'],
    ]) {
      const found = await resolved(music, { itemId: 'a', songId })
      expect(found).toMatchObject({ songName, updateInfo: [] })
      expect(found.songId).toMatch(/^SO/)
    }
    expect(await resolved(music, { itemId: 'a', songId: SONGS.rust.id })).toMatchObject({
      songId: SONGS.rust.id,
      artistId: ARTISTS.kettles.id,
      artistName: 'The Iron Kettles',
    })
  })

  it('by trackId, of the service or a foreign one', async () => {
    const music = await openLibrary()
    for (const [trackId, songId] of [
      [nativeId('TR', 1), SONGS.helpMeHome.id],
      ['7digital-US:track:111', SONGS.helpMeHome.id],
      ['7digital-US:track:333', SONGS.ironHome.id],
    ]) {
      expect(await resolved(music, { itemId: 'a', trackId })).toMatchObject({
        songId,
        updateInfo: [],
      })
    }
  })

  it('by the trackId of a track of one’s own: at once, or when it has been analysed', async () => {
    const music = await openInline()
    const done = await music.tracks.upload({ ...tune({ seed: 1 }), wait: true })
    const { songId } = await done.profile()
    expect(await resolved(music, { itemId: 'a', trackId: done.id })).toMatchObject({
      songId,
      trackId: done.id,
      updateInfo: [],
    })
    const pending = await music.tracks.upload(tune({ seed: 2 }))
    const { catalog, ...found } = await resolved(music, { itemId: 'a', trackId: pending.id })
    expect(found).toMatchObject({ trackId: pending.id, updateInfo: [] })
    const answer = await pending.analyzed()
    expect(await itemOf(catalog, 'a')).toMatchObject({
      songId: answer.songId,
      trackId: pending.id,
      request: { itemId: 'a', trackId: pending.id },
    })
  })

  it.each([
    [{ songName: 'Rust', artistName: 'The Iron Kettles' }, SONGS.rust.id],
    [{ songName: 'rust', artistName: 'iron kettles' }, SONGS.rust.id],
    [{ songName: 'MANHA', artistName: 'Os Sois' }, SONGS.manha.id],
    [{ songName: 'Home', artistName: 'Nora Vale' }, SONGS.noraHome.id],
    [{ songName: 'Home', artistName: 'Os Sóis feat. Nora Vale' }, SONGS.soisHome.id],
    [{ songName: 'Iron Home Blues', artistName: 'The Iron Ketles' }, SONGS.ironHome.id],
    [{ songName: 'Home', artistId: ARTISTS.nora.id }, SONGS.noraHome.id],
    [{ songName: 'Home', artistId: 'musicbrainz:artist:mb-nora' }, SONGS.noraHome.id],
  ])('by names: %j', async (names, songId) => {
    const music = await openLibrary()
    expect(await resolved(music, { itemId: 'a', ...names })).toMatchObject({
      songId,
      updateInfo: [],
    })
  })

  it('not by names that are nothing’s', async () => {
    const music = await openLibrary()
    for (const names of [
      { songName: 'Qqqq Zzzz', artistName: 'Nora Vale' },
      { songName: 'Rust', artistName: 'Qqqq Zzzz' },
      { artistName: 'Nora Vale' },
      { artistId: ARTISTS.nora.id },
      { songName: 'Rust', artistId: 'ARAAAAA00000000000' },
    ]) {
      const { songId, songName, artistId, artistName, updateInfo } = await resolved(music, {
        itemId: 'a',
        ...names,
      })
      expect([songId, songName, artistId, artistName]).toEqual(Array(4).fill(undefined))
      expect(updateInfo).toEqual([
        { itemId: 'a', info: expect.stringMatching(/^(couldn't resolve item|lookup failed)/) },
      ])
    }
  })

  it.each([3.15, 4.11, 4.12])('by its fpCode of version %s', async (version) => {
    const music = await openInline()
    const { id, fpCode, code } = await withSound(music, 4, version)
    await withSound(music, 5, version)
    expect(await resolved(music, { itemId: 'a', fpCode })).toMatchObject({
      songId: id,
      songName: 'Tune 4',
      updateInfo: [],
    })
    if (version === 3.15) {
      expect(await resolved(music, { itemId: 'a', fpCode: code })).toMatchObject({ songId: id })
    }
  })

  it('by its fpCode rather than by all else, and says when they disagree', async () => {
    const music = await openLibrary()
    const { id, fpCode } = await withSound(music, 4)
    const { updateInfo, ...found } = await resolved(music, {
      itemId: 'a',
      fpCode,
      songId: SONGS.rust.id,
    })
    expect(found).toMatchObject({ songId: id, artistName: 'The Synthesisers' })
    expect(updateInfo).toHaveLength(1)
    expect(updateInfo[0]?.itemId).toBe('a')
    expect(updateInfo[0]?.info).toMatch(/conflict.*"Rust".*fingerprint wins/)
    // What agrees, or names nothing, is no conflict.
    expect(await resolved(music, { itemId: 'a', fpCode, songId: id })).toMatchObject({
      songId: id,
      updateInfo: [],
    })
    expect(
      await resolved(music, { itemId: 'a', fpCode, songName: 'Qqqq', artistName: 'Zzzz' }),
    ).toMatchObject({ songId: id, updateInfo: [] })
  })

  it('by its fpCode and its names together: of songs with one recording, the one of that name', async () => {
    const music = await openLibrary()
    const { code } = await music.songs.fingerprint(tune({ seed: 6, seconds: 32 }))
    const titles = ['Single', 'Album']
    await music.songs.import(
      titles.map((title) => ({
        title,
        artistName: 'The Synthesisers',
        fingerprints: [{ version: 4.12, code }],
      })),
    )
    const fpCode = { code, version: 4.12 }
    for (const songName of titles) {
      const names = { songName, artistName: 'Synthesisers' }
      expect(await resolved(music, { itemId: songName, fpCode, ...names })).toMatchObject({
        songName,
        updateInfo: [],
      })
    }
  })

  it('by its names when nothing is known of its fpCode', async () => {
    const music = await openLibrary()
    await withSound(music, 4)
    const { code } = await music.songs.fingerprint(tune({ seed: 6 }), { version: 4.12 })
    const fpCode = { code, version: 4.12 }
    expect(await resolved(music, { itemId: 'a', fpCode, songId: SONGS.rust.id })).toMatchObject({
      songId: SONGS.rust.id,
      updateInfo: [],
    })
    const { songId, updateInfo } = await resolved(music, { itemId: 'a', fpCode })
    expect(songId).toBeUndefined()
    expect(updateInfo).toHaveLength(1)
  })
})

describe('what a generator or a reader of tags writes', () => {
  it('is resolved by its names, whatever else of it is empty or untidy', async () => {
    const music = await openLibrary()
    const names = { songName: 'Home', artistName: 'Nora Vale' }
    for (const more of [
      { release: '', genre: '', artistId: '', songId: '', trackId: '', url: ' ' },
      {
        trackNumber: '3/12',
        discNumber: '',
        favorite: 1,
        banned: '0',
        playCount: '7.0',
        rating: '',
      },
    ]) {
      const found = await resolved(music, { itemId: 'a', ...names, ...(more as object) })
      expect(found).toMatchObject({ songId: SONGS.noraHome.id, updateInfo: [] })
    }
    for (const [field, value] of Object.entries({
      fpCode: 'rubbish',
      playCount: Number.NaN,
      release: Number.NaN,
      discNumber: [Number.NaN],
      url: [],
      genre: { name: 'Pop' },
      trackNumber: 'A1',
      artistId: ['x', 'y'],
      rating: Number.POSITIVE_INFINITY,
      bpm: 120,
    })) {
      const item = { itemId: 'a', ...names, [field]: value }
      const { songId, catalog, updateInfo } = await resolved(music, item)
      expect(songId).toBe(SONGS.noraHome.id)
      expect(updateInfo).toEqual([{ itemId: 'a', info: expect.stringContaining(`${field} - `) }])
      expect((await itemOf(catalog, 'a'))?.request).toEqual({ itemId: 'a', ...names })
    }
  })

  it('is by its names where its fingerprint is none, and told', async () => {
    const music = await openLibrary()
    const { code } = await withSound(music, 4)
    for (const fpCode of ['', 'rubbish', code.slice(0, -9), { version: 5, code }, {}]) {
      const item = { itemId: 'a', songId: SONGS.rust.id, fpCode: fpCode as string }
      const { songId, updateInfo } = await resolved(music, item)
      expect(songId).toBe(SONGS.rust.id)
      expect(updateInfo).toEqual([
        { itemId: 'a', info: expect.stringMatching(/^fpCode.* left out$/) },
      ])
    }
  })
})

describe('an item of an artist catalog is resolved', () => {
  it('by artistId, of the service or a foreign one', async () => {
    const music = await openLibrary()
    for (const artistId of [ARTISTS.nora.id, 'musicbrainz:artist:mb-nora']) {
      expect(await resolved(music, { itemId: 'a', artistId }, 'artist')).toMatchObject({
        artistId: ARTISTS.nora.id,
        artistName: 'Nora Vale',
        updateInfo: [],
      })
    }
    const { artistId, updateInfo } = await resolved(
      music,
      { itemId: 'a', artistId: 'ARAAAAA00000000000' },
      'artist',
    )
    expect(artistId).toBeUndefined()
    expect(updateInfo[0]?.info).toContain('ARAAAAA00000000000')
  })

  it.each([
    ['Nora Vale', ARTISTS.nora.id],
    ['NORA VALE', ARTISTS.nora.id],
    ['nora v.', ARTISTS.nora.id],
    ['Iron Kettles', ARTISTS.kettles.id],
    ['os sois', ARTISTS.sois.id],
    ['Qqqq Zzzz', undefined],
  ])('by artistName: %s', async (artistName, artistId) => {
    const music = await openLibrary()
    const found = await resolved(music, { itemId: 'a', artistName }, 'artist')
    expect(found.artistId).toBe(artistId)
    expect(found.updateInfo).toHaveLength(artistId === undefined ? 1 : 0)
  })
})

describe('an item that is resolved', () => {
  it('is resolved from scratch when it is named otherwise; counts and flags stay', async () => {
    const music = await openLibrary()
    const catalog = await newCatalog(music)
    await update(catalog, [
      {
        item: {
          itemId: 'a',
          songId: SONGS.rust.id,
          release: 'First',
          favorite: true,
          banned: false,
          playCount: 3,
          skipCount: 2,
          rating: 8,
          itemKeyvalues: { k: 'v' },
        },
      },
    ])
    const { dateAdded } = (await itemOf(catalog, 'a')) ?? {}
    await update(catalog, [{ item: { itemId: 'a', songId: SONGS.manha.id } }])
    expect(await itemOf(catalog, 'a', ['kvstore'])).toMatchObject({
      songId: SONGS.manha.id,
      artistId: ARTISTS.sois.id,
      request: { itemId: 'a', songId: SONGS.manha.id, release: 'First' },
      dateAdded,
      favorite: true,
      banned: false,
      playCount: 3,
      skipCount: 2,
      rating: 8,
      kvstore: { k: 'v' },
    })
    // To something that there is not: it is not what it was.
    const { updateInfo } = await update(catalog, [
      { item: { itemId: 'a', songId: 'SOAAAAA00000000000' } },
    ])
    expect(updateInfo).toHaveLength(1)
    const unresolved = await itemOf(catalog, 'a')
    for (const name of ['songId', 'songName', 'artistId', 'artistName', 'trackId'])
      expect(unresolved).not.toHaveProperty(name)
    expect(unresolved).toMatchObject({ playCount: 3, rating: 8 })
    expect(await catalog.profile()).toMatchObject({ total: 1, resolved: 0 })
  })

  it('keeps its names beside a fingerprint that comes later, which decides when it is known', async () => {
    const music = await openLibrary()
    const { id, fpCode } = await withSound(music, 4)
    const { code } = await music.songs.fingerprint(tune({ seed: 6 }), { version: 4.12 })
    const catalog = await newCatalog(music)
    const names = { songName: 'Rust', artistName: 'The Iron Kettles' }
    const details = { release: 'R', genre: 'G', trackNumber: 3, url: 'http://a' }
    await update(catalog, [{ item: { itemId: 'a', ...names, ...details } }])
    const unknown = { code, version: 4.12 }
    const { updateInfo } = await update(catalog, [{ item: { itemId: 'a', fpCode: unknown } }])
    expect(updateInfo).toEqual([])
    expect(await itemOf(catalog, 'a')).toMatchObject({
      songId: SONGS.rust.id,
      request: { ...names, ...details, fpCode: unknown },
    })
    const known = await update(catalog, [{ item: { itemId: 'a', fpCode } }])
    expect(known.updateInfo?.[0]?.info).toMatch(/conflict.*"Rust"/)
    expect(await itemOf(catalog, 'a')).toMatchObject({
      songId: id,
      request: { ...names, ...details, fpCode },
    })
  })

  it('keeps its artist, and what is said of it, when its title alone is corrected', async () => {
    const music = await openLibrary()
    const catalog = await newCatalog(music)
    const said = { artistName: 'The Iron Kettles', release: 'R', genre: 'G', trackNumber: 3 }
    await update(catalog, [{ item: { itemId: 'a', songName: 'Qqqq', ...said } }])
    await update(catalog, [{ item: { itemId: 'a', songName: 'Rust' } }])
    expect(await itemOf(catalog, 'a')).toMatchObject({
      songId: SONGS.rust.id,
      request: { itemId: 'a', songName: 'Rust', ...said },
    })
  })

  it('is not when it is named as before, or only rated, counted or described', async () => {
    const music = await openLibrary()
    const catalog = await newCatalog(music)
    await update(catalog, [{ item: { itemId: 'a', songId: 'spotify:song:sp1' } }])
    for (const entry of [
      { item: { itemId: 'a', songId: 'spotify:song:sp1' } },
      { item: { itemId: 'a', rating: 3, playCount: 1, favorite: true } },
      { item: { itemId: 'a', release: 'x', genre: 'y', url: 'z' } },
      { action: 'play', item: { itemId: 'a' } },
    ] as const) {
      const ticket = await catalog.update([entry])
      await ticket.done()
      expect((await itemOf(catalog, 'a'))?.songId).toBe(SONGS.helpMeHome.id)
    }
  })

  it('is nothing any more when what named it is cleared', async () => {
    const music = await openLibrary()
    const catalog = await newCatalog(music)
    await update(catalog, [{ item: { itemId: 'a', songId: SONGS.rust.id, rating: 3 } }])
    await update(catalog, [{ item: { itemId: 'a', songId: null } }])
    const { dateAdded, lastModified, ...item } = (await itemOf(catalog, 'a')) ?? {}
    expect(dateAdded).toBe(lastModified)
    expect(item).toEqual({
      request: { itemId: 'a' },
      foreignId: `${catalog.id}:song:a`,
      rating: 3,
    })
    expect(await catalog.profile()).toMatchObject({ total: 1, resolved: 0, pendingTickets: [] })
    const artists = await newCatalog(music, 'artist')
    await update(artists, [
      { item: { itemId: 'a', artistId: ARTISTS.nora.id } },
      { item: { itemId: 'a', artistId: null } },
    ])
    expect(await artists.profile()).toMatchObject({ total: 1, resolved: 0 })
  })

  it('is unresolved again when its song is gone', async () => {
    const clock = new Clock()
    const music = await openInline({ now: clock.now })
    const track = await music.tracks.upload({ ...tune({ seed: 1 }), wait: true })
    const { songId } = await track.profile()
    const { catalog } = await resolved(music, { itemId: 'a', songId: songId as string })
    await music.tracks.remove(track.id)
    expect(await catalog.profile()).toMatchObject({ total: 1, resolved: 0 })
    expect(await itemOf(catalog, 'a')).not.toHaveProperty('songId')
    // The same id comes back with reference data.
    await music.songs.import([{ id: songId as string, title: 'Again', artistName: 'Someone' }])
    await whenDue(music, clock, 'catalog/retry')
    expect(await itemOf(catalog, 'a')).toMatchObject({ songId, songName: 'Again' })
  })
})

describe('an item that could not be resolved', () => {
  it('is tried again when reference data comes', async () => {
    const clock = new Clock()
    const music = await openInline({ now: clock.now })
    const songs = await newCatalog(music)
    const artists = await newCatalog(music, 'artist')
    await update(songs, [
      { item: { itemId: 'id', songId: SONGS.rust.id } },
      { item: { itemId: 'track', trackId: '7digital-US:track:333' } },
      { item: { itemId: 'never', songId: 'SOAAAAA00000000000' } },
    ])
    await update(artists, [
      { item: { itemId: 'nora', artistId: ARTISTS.nora.id } },
      { item: { itemId: 'never', artistId: 'ARAAAAA00000000000' } },
    ])
    expect(await songs.profile()).toMatchObject({ total: 3, resolved: 0 })
    await music.songs.import([SONGS.rust, SONGS.ironHome])
    await whenDue(music, clock, 'catalog/retry')
    expect((await songs.read()).items.map(({ songId }) => songId)).toEqual([
      SONGS.rust.id,
      SONGS.ironHome.id,
      undefined,
    ])
    expect(await artists.profile()).toMatchObject({ resolved: 0 })
    await music.artists.import([ARTISTS.nora])
    await whenDue(music, clock, 'catalog/retry')
    expect((await artists.read()).items.map(({ artistId }) => artistId)).toEqual([
      ARTISTS.nora.id,
      undefined,
    ])
    expect(await songs.profile()).toMatchObject({ total: 3, resolved: 2, pendingTickets: [] })
  })

  it('is tried once more, and told, each time that it is sent again', async () => {
    const music = await openLibrary()
    const catalog = await newCatalog(music)
    const artists = await newCatalog(music, 'artist')
    const item = { itemId: 'a', songName: 'Qqqq', artistName: 'Zzzz' }
    const told = [{ itemId: 'a', info: "couldn't resolve item" }]
    for (const again of [
      item,
      item,
      { itemId: 'a', songName: 'Qqqq' },
      { itemId: 'a', rating: 3 },
    ]) {
      expect((await update(catalog, [{ item: again }])).updateInfo).toEqual(told)
    }
    for (let i = 0; i < 2; i++) {
      const artist = { itemId: 'a', artistName: 'Zzzz Qqqq' }
      expect((await update(artists, [{ item: artist }])).updateInfo).toEqual(told)
    }
    // A play says nothing of what it is.
    const played = await update(catalog, [{ action: 'play', item: { itemId: 'a' } }])
    expect(played.updateInfo).toEqual([])
    await music.songs.import([{ title: 'Qqqq', artistName: 'Zzzz' }])
    const last = await update(catalog, [{ item }])
    expect(last.updateInfo).toEqual([])
    expect((await itemOf(catalog, 'a'))?.songName).toBe('Qqqq')
    // What is resolved is not looked at again.
    expect((await update(catalog, [{ item }])).updateInfo).toEqual([])
  })

  it('is tried again by its names', async () => {
    const clock = new Clock()
    const music = await openInline({ now: clock.now })
    const songs = await newCatalog(music)
    const artists = await newCatalog(music, 'artist')
    await update(songs, [{ item: { itemId: 'a', songName: 'rust', artistName: 'iron kettles' } }])
    await update(artists, [{ item: { itemId: 'a', artistName: 'nora vale' } }])
    await music.artists.import([ARTISTS.kettles, ARTISTS.nora])
    await music.songs.import([SONGS.rust])
    await whenDue(music, clock, 'catalog/retry')
    expect((await itemOf(songs, 'a'))?.songId).toBe(SONGS.rust.id)
    expect((await itemOf(artists, 'a'))?.artistId).toBe(ARTISTS.nora.id)
  })

  it('is tried again by its fingerprint, when reference data or a track of that sound comes', async () => {
    const clock = new Clock()
    const music = await openInline({ now: clock.now })
    const catalog = await newCatalog(music)
    const entries = await Promise.all(
      [4, 5].map(async (seed) => {
        const { code } = await music.songs.fingerprint(tune({ seed }), { version: 4.12 })
        return { item: { itemId: `${seed}`, fpCode: { code, version: 4.12 } } }
      }),
    )
    await update(catalog, entries)
    expect(await catalog.profile()).toMatchObject({ resolved: 0 })
    const { id } = await withSound(music, 4)
    await whenDue(music, clock, 'catalog/retry')
    expect((await itemOf(catalog, '4'))?.songId).toBe(id)
    const track = await music.tracks.upload({ ...tune({ seed: 5 }), wait: true })
    await whenDue(music, clock, 'catalog/retry')
    const { songId } = await track.profile()
    expect(songId).toBeDefined()
    expect((await itemOf(catalog, '5'))?.songId).toBe(songId)
  })

  it('is not tried over and over when nothing has changed', async () => {
    const clock = new Clock()
    const music = await openLibrary({ now: clock.now })
    const catalog = await newCatalog(music)
    const kinds: string[] = []
    music.on('job', ({ kind, state }) => {
      if (state === 'queued') kinds.push(kind)
    })
    await update(catalog, [{ item: { itemId: 'a', songId: 'SOAAAAA00000000000' } }])
    clock.time += 60_000
    await update(catalog, [{ action: 'play', item: { itemId: 'a' } }])
    expect(kinds).not.toContain('catalog/retry')
    await music.songs.import([{ title: 'Another', artistName: 'Someone' }])
    await whenDue(music, clock, 'catalog/retry')
    const tries = kinds.filter((kind) => kind === 'catalog/retry').length
    clock.time += 60_000
    await update(catalog, [{ action: 'play', item: { itemId: 'a' } }])
    expect(kinds.filter((kind) => kind === 'catalog/retry')).toHaveLength(tries)
  })
})

describe('an item that refers to another', () => {
  const rust = { songName: 'Rust', artistName: 'The Iron Kettles' }
  const known = async (catalog: Awaited<ReturnType<typeof newCatalog>>) =>
    Object.fromEntries(
      (await gather(catalog.items())).map(({ request, songId }) => [request.itemId, songId]),
    )

  it('of the same update is resolved after it, in whatever order they come', async () => {
    const music = await openLibrary()
    const catalog = await newCatalog(music)
    const of = (itemId: string) => `${catalog.id}:song:${itemId}`
    const { updateInfo } = await update(catalog, [
      { item: { itemId: 'chain', songId: of('forward') } },
      { item: { itemId: 'forward', songId: of('named') } },
      { item: { itemId: 'named', ...rust } },
      { item: { itemId: 'backward', trackId: of('named') } },
      { item: { itemId: 'artist', songName: 'Rust', artistId: `${catalog.id}:artist:backward` } },
    ])
    expect(updateInfo).toEqual([])
    const { id } = SONGS.rust
    const all = { chain: id, forward: id, named: id, backward: id, artist: id }
    expect(await known(catalog)).toEqual(all)
    expect(await catalog.profile()).toMatchObject({ total: 5, resolved: 5, pendingTickets: [] })
  })

  it('at the start of a long chain is resolved, and each of the chain', async () => {
    const music = await openLibrary()
    const catalog = await newCatalog(music)
    const entries = Array.from({ length: 3000 }, (_, i) => ({
      item: { itemId: `${i}`, songId: `${catalog.id}:song:${i + 1}` },
    }))
    const { updateInfo } = await update(catalog, [
      ...entries,
      { item: { itemId: '3000', ...rust } },
    ])
    expect(updateInfo).toEqual([])
    expect(await catalog.profile()).toMatchObject({ total: 3001, resolved: 3001 })
  })

  it('that refers back to it is told, unless one of them is known otherwise', async () => {
    const music = await openLibrary()
    const { id, fpCode } = await withSound(music, 4)
    const catalog = await newCatalog(music)
    const of = (itemId: string) => ({
      itemId: itemId.slice(0, 2),
      songId: `${catalog.id}:song:${itemId.slice(3)}`,
    })
    const { updateInfo } = await update(catalog, [
      { item: of('a1>a1') },
      { item: of('b1>b2') },
      { item: of('b2>b1') },
      { item: { ...of('c1>c2'), fpCode } },
      { item: of('c2>c3') },
      { item: of('c3>c1') },
      { item: of('d1>d0') },
    ])
    expect(await known(catalog)).toEqual({ c1: id, c2: id, c3: id })
    expect(updateInfo?.map(({ itemId }) => itemId).sort()).toEqual(['a1', 'b1', 'b2', 'd1'])
  })

  it('of an update that is still under way, or of another catalog, is resolved after it', async () => {
    const music = await openLibrary()
    const first = await newCatalog(music)
    const second = await newCatalog(music)
    const artists = await newCatalog(music, 'artist')
    const busy = Array.from({ length: 3000 }, (_, i) => ({
      item: { itemId: `${i}`, songName: `Qqqq ${i}`, artistName: 'Zzzz' },
    }))
    const long = await first.update([...busy, { item: { itemId: 'named', ...rust } }])
    const short = await first.update([
      { item: { itemId: 'same', songId: `${first.id}:song:named` } },
    ])
    await short.done()
    expect((await long.status()).ticketStatus).toBe('pending')
    expect((await itemOf(first, 'same'))?.songId).toBe(SONGS.rust.id)
    await update(second, [{ item: { itemId: 'a', songId: `${first.id}:song:same` } }])
    await update(artists, [{ item: { itemId: 'a', artistId: `${second.id}:artist:a` } }])
    expect(await known(second)).toEqual({ a: SONGS.rust.id })
    expect((await itemOf(artists, 'a'))?.artistId).toBe(ARTISTS.kettles.id)
    await long.done()
    expect((await itemOf(first, 'named'))?.songId).toBe(SONGS.rust.id)
  })

  it('is tried again with it when reference data comes', async () => {
    const clock = new Clock()
    const music = await openInline({ now: clock.now })
    const catalog = await newCatalog(music)
    await update(catalog, [
      { item: { itemId: 'forward', songId: `${catalog.id}:song:named` } },
      { item: { itemId: 'named', ...rust } },
    ])
    expect(await catalog.profile()).toMatchObject({ resolved: 0 })
    await music.songs.import([SONGS.rust])
    await whenDue(music, clock, 'catalog/retry')
    expect(await known(catalog)).toEqual({ forward: SONGS.rust.id, named: SONGS.rust.id })
  })
})

describe('the file that an item names with url', () => {
  it('is analysed on request: the item is its song from then on', async () => {
    const music = await openInline()
    const folder = scratch()
    const catalog = await newCatalog(music)
    const file = await waveFile(folder, 'a b.wav', tune({ seed: 1 }))
    const other = await waveFile(folder, 'c.wav', tune({ seed: 2 }))
    const { updateInfo } = await update(
      catalog,
      [
        { item: { itemId: 'path', url: file } },
        { item: { itemId: 'url', url: pathToFileURL(other).href } },
      ],
      { analyze: true },
    )
    expect(updateInfo).toEqual([])
    const { items } = await catalog.read()
    for (const { trackId, request } of items) {
      expect(trackId).toMatch(/^TR/)
      const track = await music.tracks.get(trackId as string)
      const { songId } = await track.analyzed()
      expect(songId).toBeDefined()
      const item = await itemOf(catalog, request.itemId, ['audio_summary'])
      expect(item).toMatchObject({ songId, trackId })
      expect(item?.audioSummary?.duration).toBeCloseTo(20, 2)
      expect(item?.request).toEqual(request)
    }
    expect(await catalog.profile()).toMatchObject({ total: 2, resolved: 2 })
    // It can be found by its sound in another catalog.
    const { code } = await music.songs.fingerprint(tune({ seed: 1 }), { version: 4.12 })
    expect((await resolved(music, { itemId: 'x', fpCode: { code, version: 4.12 } })).songId).toBe(
      (await itemOf(catalog, 'path'))?.songId,
    )
  })

  it('is left alone without it, wherever it is', async () => {
    const music = await openInline()
    const file = await waveFile(scratch(), 'a.wav', tune({ seed: 1 }))
    const catalog = await newCatalog(music)
    await update(catalog, [{ item: { itemId: 'a', url: file } }])
    await update(catalog, [{ item: { itemId: 'b', url: 'http://music.invalid/b.mp3' } }], {
      analyze: true,
    })
    expect((await music.tracks.list()).total).toBe(0)
    // Asked for later, it is.
    await update(catalog, [{ item: { itemId: 'a', url: file } }], { analyze: true })
    const { trackId } = (await itemOf(catalog, 'a')) ?? {}
    const track = await music.tracks.get(trackId as string)
    await track.analyzed()
    expect((await itemOf(catalog, 'a'))?.songId).toBeDefined()
  })

  it('that cannot be read is told, and the rest goes on', async () => {
    const music = await openLibrary()
    const folder = scratch()
    const text = join(folder, 'text.wav')
    writeFileSync(text, 'this is no music')
    const catalog = await newCatalog(music)
    const { ticketStatus, updateInfo } = await update(
      catalog,
      [
        { item: { itemId: 'gone', url: join(folder, 'gone.mp3') } },
        { item: { itemId: 'text', url: text } },
        { item: { itemId: 'named', songId: SONGS.rust.id, url: join(folder, 'gone.mp3') } },
        { item: { itemId: 'good', songId: SONGS.rust.id } },
      ],
      { analyze: true },
    )
    expect(ticketStatus).toBe('complete')
    const told = new Set(updateInfo?.map(({ itemId }) => itemId))
    expect(told).toContain('gone')
    expect(told).toContain('named')
    expect(told).not.toContain('good')
    expect((await itemOf(catalog, 'named'))?.songId).toBe(SONGS.rust.id)
    expect(await catalog.profile()).toMatchObject({ total: 4, resolved: 2 })
  })

  it('of a sound that is known makes the item that song, whatever it is called', async () => {
    const music = await openLibrary()
    const { id } = await withSound(music, 4)
    const file = await waveFile(scratch(), 'a.wav', tune({ seed: 4 }))
    const catalog = await newCatalog(music)
    const entry = { item: { itemId: 'a', songId: SONGS.rust.id, url: file } }
    await update(catalog, [entry], { analyze: true })
    const { trackId } = (await itemOf(catalog, 'a')) ?? {}
    const track = await music.tracks.get(trackId as string)
    expect((await track.analyzed()).songId).toBe(id)
    expect((await itemOf(catalog, 'a'))?.songId).toBe(id)
    // Known from the beginning, it is said that they disagree.
    const again = await newCatalog(music)
    const { updateInfo } = await update(again, [entry], { analyze: true })
    expect(updateInfo?.[0]?.info).toMatch(/conflict.*"Rust"/)
    expect((await itemOf(again, 'a'))?.songId).toBe(id)
  })

  it('of a sound that nobody knows leaves the item what it is called', async () => {
    const music = await openLibrary()
    const bytes = await waveBytes(tune({ seed: 7 }))
    const file = join(scratch(), 'untagged.wav')
    writeFileSync(file, bytes)
    const catalog = await newCatalog(music)
    await update(catalog, [{ item: { itemId: 'a', songId: SONGS.rust.id, url: file } }], {
      analyze: true,
    })
    const { trackId } = (await itemOf(catalog, 'a')) ?? {}
    const track = await music.tracks.get(trackId as string)
    await track.analyzed()
    expect(await itemOf(catalog, 'a')).toMatchObject({ songId: SONGS.rust.id, trackId })
  })
})
