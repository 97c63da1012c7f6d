import { Readable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import type { CatalogEntry } from '../../src/index.ts'
import { SONG_BUCKETS } from '../support/buckets.ts'
import { Clock, gather, itemOf, newCatalog, update } from '../support/catalogs.ts'
import { failure } from '../support/failure.ts'
import { openInline } from '../support/open.ts'
import { ARTISTS, nativeId, openLibrary, SONGS } from '../support/reference-library.ts'

const ids = (items: { request: { itemId: string } }[]) => items.map(({ request }) => request.itemId)
const numbered = (count: number): CatalogEntry[] =>
  Array.from({ length: count }, (_, i) => ({ item: { itemId: `${i}` } }))

describe('Catalog.update', () => {
  it('takes an array, an iterable, an async iterable and streams, of any length', async () => {
    const music = await openInline()
    const entries = numbered(2500)
    async function* slowly() {
      for (const entry of entries) {
        if (entry.item?.itemId === '1200') await new Promise((resolve) => setImmediate(resolve))
        yield entry
      }
    }
    const sources = [
      entries,
      new Set(entries),
      entries.values(),
      slowly(),
      Readable.from(entries),
      new ReadableStream<CatalogEntry>({
        start(controller) {
          for (const entry of entries) controller.enqueue(entry)
          controller.close()
        },
      }),
    ]
    for (const source of sources) {
      const catalog = await newCatalog(music)
      expect(await update(catalog, source as Iterable<CatalogEntry>)).toMatchObject({
        ticketStatus: 'complete',
        totalItems: 2500,
      })
      expect(ids(await gather(catalog.items()))).toEqual(entries.map(({ item }) => item?.itemId))
    }
  })

  it('applies nothing when its entries throw, or its signal aborts, on the way', async () => {
    const music = await openInline()
    const catalog = await newCatalog(music)
    const reason = new Error('enough')
    function* broken() {
      yield* numbered(2500)
      throw reason
    }
    expect(await failure(catalog.update(broken()))).toBe(reason)
    const abort = new AbortController()
    function* aborting() {
      yield* numbered(2500)
      abort.abort(reason)
      yield* numbered(10)
    }
    expect(await failure(catalog.update(aborting(), { signal: abort.signal }))).toBe(reason)
    expect(await failure(catalog.update([], { signal: abort.signal }))).toBe(reason)
    await update(catalog, [{ item: { itemId: 'x' } }])
    expect(await catalog.profile()).toMatchObject({ total: 1, pendingTickets: [] })
  })

  it('tells what is no list of entries', async () => {
    const music = await openInline()
    const catalog = await newCatalog(music)
    for (const wrong of [undefined, null, { item: { itemId: 'a' } }, 7, 'text']) {
      const error = await failure(catalog.update(wrong as never))
      expect(error.code).toBe('invalid_parameter')
      expect(error.message).toMatch(/^data - Invalid parameter/)
    }
    expect((await catalog.profile()).pendingTickets).toEqual([])
  })

  it('applies entries in their order, several of one item too', async () => {
    const music = await openInline()
    const catalog = await newCatalog(music)
    await update(catalog, [
      { item: { itemId: 'a', rating: 1, playCount: 7 } },
      { action: 'play', item: { itemId: 'a' } },
      { item: { itemId: 'a', rating: 2 } },
      { action: 'delete', item: { itemId: 'a' } },
      { action: 'play', item: { itemId: 'a' } },
      { item: { itemId: 'b', rating: 3 } },
      { item: { itemId: 'a', rating: 4 } },
      { action: 'skip', item: { itemId: 'a' } },
    ])
    const { items } = await catalog.read()
    expect(
      items.map(({ request, rating, playCount, skipCount }) => [
        request.itemId,
        rating,
        playCount,
        skipCount,
      ]),
    ).toEqual([
      ['b', 3, undefined, undefined],
      ['a', 4, undefined, 1],
    ])
  })

  it('applies updates in the order they were accepted', async () => {
    const music = await openInline()
    const catalog = await newCatalog(music)
    const tickets = []
    for (let i = 0; i < 30; i++) {
      const rating = i % 11
      tickets.push(
        await catalog.update([
          ...(i % 7 === 0 ? numbered(300) : []),
          { item: { itemId: 'a', rating } },
          { action: 'play', item: { itemId: 'a' } },
        ]),
      )
    }
    for (const ticket of tickets) expect((await ticket.done()).ticketStatus).toBe('complete')
    expect(await itemOf(catalog, 'a')).toMatchObject({ rating: 29 % 11, playCount: 30 })
  })

  it('… though the clock is set back between them', async () => {
    const clock = new Clock()
    const music = await openInline({ now: clock.now })
    const catalog = await newCatalog(music)
    const first = await catalog.update([...numbered(3000), { item: { itemId: 'a', rating: 1 } }])
    clock.time -= 3_600_000
    const second = await catalog.update([{ item: { itemId: 'a', rating: 2 } }])
    await first.done()
    await second.done()
    expect((await itemOf(catalog, 'a'))?.rating).toBe(2)
  })

  it('does not make a short one wait for the resolution of a long one', async () => {
    const music = await openLibrary()
    const [large, small] = [await newCatalog(music), await newCatalog(music)]
    const entries = Array.from({ length: 4000 }, (_, i) => ({
      item: { itemId: `${i}`, songId: `nowhere:song:${i}` },
    }))
    const long = await large.update(entries)
    await update(small, [{ item: { itemId: 'a', songId: SONGS.rust.id } }])
    expect((await itemOf(small, 'a'))?.songId).toBe(SONGS.rust.id)
    expect((await long.status()).ticketStatus).toBe('pending')
    await long.done()
  })

  it('play, skip, favorite, unfavorite, ban and unban do so, and no more', async () => {
    const music = await openLibrary()
    const catalog = await newCatalog(music)
    await update(catalog, [{ item: { itemId: 'a', songId: SONGS.rust.id } }])
    const plain = { songId: SONGS.rust.id, songName: 'Rust' }
    const act = async (action: CatalogEntry['action'] & string) => {
      const { updateInfo } = await update(catalog, [{ action, item: { itemId: 'a' } }])
      expect(updateInfo).toEqual([])
      const { songId, songName, playCount, skipCount, favorite, banned, rating } =
        (await itemOf(catalog, 'a')) ?? {}
      expect({ songId, songName, rating }).toEqual({ ...plain, rating: undefined })
      return [playCount, skipCount, favorite, banned]
    }
    expect(await act('play')).toEqual([1, undefined, undefined, undefined])
    expect(await act('play')).toEqual([2, undefined, undefined, undefined])
    expect(await act('skip')).toEqual([2, 1, undefined, undefined])
    expect(await act('favorite')).toEqual([2, 1, true, undefined])
    expect(await act('ban')).toEqual([2, 1, true, true])
    expect(await act('unfavorite')).toEqual([2, 1, false, true])
    expect(await act('unban')).toEqual([2, 1, false, false])
  })

  it.each([
    ['play', 'playCount'],
    ['skip', 'skipCount'],
  ] as const)('%s at the greatest count says so, and leaves it', async (action, name) => {
    const music = await openInline()
    const catalog = await newCatalog(music)
    const most = Number.MAX_SAFE_INTEGER
    const { updateInfo } = await update(catalog, [
      { item: { itemId: 'a', [name]: most - 1 } },
      { action, item: { itemId: 'a' } },
      { action, item: { itemId: 'a' } },
    ])
    expect(updateInfo).toEqual([{ itemId: 'a', info: expect.stringContaining(`${name} - `) }])
    expect((await itemOf(catalog, 'a'))?.[name]).toBe(most)
  })

  it('echoes texts and the numbers in them as they were submitted', async () => {
    const music = await openInline()
    const catalog = await newCatalog(music)
    const said = {
      songName: ' Help!  ',
      artistName: 'The Beatles ',
      release: '\tHelp!',
      trackNumber: '07',
      discNumber: ' 1 ',
      url: ' /music/help.mp3 ',
    }
    await update(catalog, [{ item: { itemId: 'a', ...said } }])
    expect((await itemOf(catalog, 'a'))?.request).toEqual({ itemId: 'a', ...said })
  })

  it('tells a name that is too long, and takes the other items', async () => {
    const music = await openInline()
    const catalog = await newCatalog(music)
    const { updateInfo } = await update(catalog, [
      { item: { itemId: 'a', songName: 'x'.repeat(513), artistName: 'A' } },
      { item: { itemId: 'b', songName: 'x'.repeat(512), artistName: 'A' } },
    ])
    const told = updateInfo?.find(({ itemId }) => itemId === 'a')
    expect(told?.info).toMatch(
      /^songName - Invalid parameter: "x+…" has 513 characters; give at most 512; it was left out$/,
    )
    expect(ids((await catalog.read()).items)).toContain('b')
  })

  it.each(['play', 'skip', 'delete', 'favorite', 'unfavorite', 'ban', 'unban'] as const)(
    '%s of an item that is not there makes none, and says so',
    async (action) => {
      const music = await openInline()
      const catalog = await newCatalog(music)
      const { updateInfo } = await update(catalog, [
        { item: { itemId: 'a' } },
        { action, item: { itemId: 'b' } },
      ])
      expect(updateInfo).toEqual([{ itemId: 'b', info: 'item not found' }])
      expect(ids((await catalog.read()).items)).toEqual(['a'])
    },
  )

  it('changes the fields that are given, clears those that are null, keeps the rest', async () => {
    const music = await openInline()
    const catalog = await newCatalog(music)
    const item = {
      itemId: 'a',
      songName: 'Nowhere',
      artistName: 'Nobody',
      release: 'R',
      genre: 'G',
      trackNumber: 1,
      discNumber: 2,
      url: 'http://example.org/a.mp3',
      favorite: true,
      banned: false,
      playCount: 3,
      skipCount: 4,
      rating: 5,
    }
    const { itemId, favorite, banned, playCount, skipCount, rating, ...said } = item
    await update(catalog, [{ item }])
    expect(await itemOf(catalog, 'a')).toMatchObject({
      request: { itemId, ...said },
      favorite,
      banned,
      playCount,
      skipCount,
      rating,
    })
    await update(catalog, [{ item: { itemId, rating: 6, genre: 'H', playCount: '9' as never } }])
    const changed = { ...said, genre: 'H' }
    expect(await itemOf(catalog, 'a')).toMatchObject({
      request: { itemId, ...changed },
      favorite: true,
      playCount: 9,
      skipCount: 4,
      rating: 6,
    })
    await update(catalog, [
      {
        item: {
          itemId,
          favorite: null,
          banned: null,
          playCount: null,
          skipCount: null,
          rating: null,
          release: null,
          trackNumber: null,
          discNumber: null,
          url: null,
        },
      },
    ])
    const { dateAdded, lastModified, foreignId, ...left } = (await itemOf(catalog, itemId)) ?? {}
    expect(left).toEqual({
      request: { itemId, songName: 'Nowhere', artistName: 'Nobody', genre: 'H' },
    })
    expect([dateAdded, lastModified, foreignId]).not.toContain(undefined)
  })

  it('dates what is added and what is changed', async () => {
    const clock = new Clock('2011-07-14T20:15:49.987Z')
    const music = await openLibrary({ now: clock.now })
    const catalog = await newCatalog(music)
    await update(catalog, [{ item: { itemId: 'a', songId: SONGS.rust.id } }])
    expect(await itemOf(catalog, 'a')).toMatchObject({
      dateAdded: '2011-07-14T20:15:49',
      lastModified: '2011-07-14T20:15:49',
    })
    clock.time += 1_000
    await update(catalog, [{ action: 'play', item: { itemId: 'a' } }])
    expect(await itemOf(catalog, 'a')).toMatchObject({
      dateAdded: '2011-07-14T20:15:49',
      lastModified: '2011-07-14T20:15:50',
    })
    clock.time += 86_400_000
    await update(catalog, [{ item: { itemId: 'a', songId: SONGS.manha.id } }])
    expect(await itemOf(catalog, 'a')).toMatchObject({
      dateAdded: '2011-07-14T20:15:49',
      lastModified: '2011-07-15T20:15:50',
    })
    await update(catalog, [{ action: 'delete', item: { itemId: 'a' } }, { item: { itemId: 'a' } }])
    expect((await itemOf(catalog, 'a'))?.dateAdded).toBe('2011-07-15T20:15:50')
  })

  it('keeps keys and values of items and of the catalog, at most 100 each', async () => {
    const music = await openInline()
    const catalog = await newCatalog(music)
    const pairs = (from: number, count: number) =>
      Object.fromEntries([...Array(count).keys()].map((i) => [`Key_${from + i}`, `${i}`]))
    await update(catalog, [
      { item: { itemId: 'a', itemKeyvalues: { snake_case: 'x', camelCase: 'y', '': 'z' } } },
      { item: { itemId: 'a', itemKeyvalues: { camelCase: 'Y' } } },
      { item: { itemId: 'a', rating: 3 } },
      { item: { itemId: 'b' } },
      { catalogKeyvalues: pairs(0, 60) },
    ])
    const kvstore = { snake_case: 'x', camelCase: 'Y', '': 'z' }
    expect((await itemOf(catalog, 'a', ['kvstore']))?.kvstore).toEqual(kvstore)
    expect((await itemOf(catalog, 'a', ['item_keyvalues']))?.itemKeyvalues).toEqual(kvstore)
    expect((await itemOf(catalog, 'b', ['kvstore']))?.kvstore).toEqual({})
    expect(await itemOf(catalog, 'a')).not.toHaveProperty('kvstore')
    // Together they would be more than 100: they are left out.
    const { updateInfo } = await update(catalog, [
      { item: { itemId: 'a', rating: 4, itemKeyvalues: pairs(0, 97) } },
      { item: { itemId: 'a', rating: 9, itemKeyvalues: pairs(97, 1) } },
      { item: { itemId: 'b', rating: 9 }, catalogKeyvalues: pairs(50, 60) },
    ])
    expect(updateInfo?.map(({ itemId }) => itemId)).toEqual(['a', 'b'])
    for (const { info } of updateInfo ?? []) expect(info).toContain('100')
    const [a, b] = (await catalog.read({ bucket: 'kvstore' })).items
    expect(a?.rating).toBe(9)
    expect(Object.keys(a?.kvstore ?? {})).toHaveLength(100)
    expect(a?.kvstore).not.toHaveProperty('Key_97')
    expect(b?.rating).toBe(9)
    // null removes one, or all.
    await update(catalog, [
      { item: { itemId: 'a', itemKeyvalues: { Key_0: null } } },
      { item: { itemId: 'b', itemKeyvalues: { list: ['x', { y: 1 }], n: 0.5 } } },
    ])
    const [less, more] = (await catalog.read({ bucket: 'kvstore' })).items
    expect(Object.keys(less?.kvstore ?? {})).toHaveLength(99)
    expect(more?.kvstore).toEqual({ list: '["x",{"y":1}]', n: '0.5' })
    await update(catalog, [{ item: { itemId: 'a', itemKeyvalues: null } }])
    expect((await itemOf(catalog, 'a', ['kvstore']))?.kvstore).toEqual({})
  })

  it('holds 100,000 items; an update that would make it more is not applied at all', async () => {
    const music = await openInline()
    const catalog = await newCatalog(music)
    const full = await update(catalog, numbered(100_000))
    expect(full).toMatchObject({ ticketStatus: 'complete', totalItems: 100_000 })
    const before = await catalog.profile()
    expect(before.total).toBe(100_000)

    const more = await catalog.update([
      { action: 'delete', item: { itemId: '7' } },
      { action: 'play', item: { itemId: '8' } },
      { item: { itemId: '9', rating: 1 } },
      { item: { itemId: 'new' } },
      { item: { itemId: 'newer' } },
    ])
    const error = await failure(more.done())
    expect(error.message).toContain('100000')
    expect(await more.status()).toEqual({ ticketStatus: 'error', details: expect.any(String) })
    expect(await catalog.profile()).toEqual(before)
    expect(await itemOf(catalog, '7')).toBeDefined()
    expect(await itemOf(catalog, '8')).not.toHaveProperty('playCount')
    expect(await itemOf(catalog, '9')).not.toHaveProperty('rating')

    // What counts is the state after the whole of it; bad entries do not count.
    const exchange = await update(catalog, [
      { item: { itemId: 'new' } },
      { item: { itemId: 'new', rating: 3 } },
      { item: { itemId: 'bad', songId: 'x', songName: 'y' } },
      { action: 'play', item: { itemId: 'other' } },
      { action: 'delete', item: { itemId: '7' } },
    ])
    expect(exchange.ticketStatus).toBe('complete')
    expect((await catalog.profile()).total).toBe(100_000)
    // A deletion that is refused makes no room; nor do two ids that begin alike take the same. An
    // action that is blank is an update.
    const long = 'x'.repeat(500)
    for (const entries of [
      [{ action: ['delete'], item: { itemId: '8' } }, { item: { itemId: 'y' } }],
      [{ action: ' ', item: { itemId: 'y' } }],
      [
        { action: 'delete', item: { itemId: '8' } },
        { item: { itemId: `${long}a` } },
        { item: { itemId: `${long}b` } },
      ],
    ]) {
      const ticket = await catalog.update(entries as CatalogEntry[])
      expect((await failure(ticket.done())).message).toContain('100000')
    }
    expect((await catalog.profile()).total).toBe(100_000)
  })

  it('takes no more of an update that was given whole', async () => {
    const music = await openInline()
    const catalog = await newCatalog(music)
    const ticket = await catalog.update([{ item: { itemId: 'x' } }])
    await ticket.done()
    const more = { id: catalog.id, ticket: ticket.id, data: [{ item: { itemId: 'y' } }] }
    const error = await failure(music.call('catalog/update', { ...more, more: false }))
    expect(error.code).toBe('invalid_parameter')
    expect(error.message).toContain('whose last part has come; begin another update')
    expect((await catalog.profile()).total).toBe(1)
  })
})

describe('Catalog.read', () => {
  it('answers id, name, type, start, total and items', async () => {
    const music = await openInline()
    const catalog = await newCatalog(music)
    const { id, name } = catalog
    expect(await catalog.read()).toEqual({ id, name, type: 'song', start: 0, total: 0, items: [] })
    await update(catalog, numbered(3))
    const page = await catalog.read({ start: 1, results: 1 })
    expect(page).toMatchObject({ id, name, type: 'song', start: 1, total: 3 })
    expect(ids(page.items)).toEqual(['1'])
  })

  it('a song item has the recorded shape', async () => {
    const clock = new Clock('2011-07-14T20:15:49Z')
    const music = await openLibrary({ now: clock.now })
    const catalog = await newCatalog(music)
    const { id } = SONGS.ironHome
    await update(catalog, [{ item: { itemId: id, songId: id } }])
    const item = await itemOf(catalog, id, ['artist_hotttnesss', 'audio_summary'])
    expect(item).toEqual({
      songName: 'Iron Home Blues',
      artistId: ARTISTS.kettles.id,
      artistName: 'The Iron Kettles',
      artistHotttnesss: 0.4,
      lastModified: '2011-07-14T20:15:49',
      dateAdded: '2011-07-14T20:15:49',
      foreignId: `${catalog.id}:song:${id}`,
      songId: id,
      request: { itemId: id, songId: id },
      audioSummary: {
        tempo: 150,
        loudness: -8,
        danceability: 0.7,
        energy: 0.9,
        key: 4,
        mode: 1,
        duration: 180,
      },
    })
  })

  it('an artist item has the recorded shape', async () => {
    const clock = new Clock('2011-07-14T20:15:49Z')
    const music = await openLibrary({ now: clock.now })
    const catalog = await newCatalog(music, 'artist')
    await update(catalog, [
      { item: { itemId: 'Nora', artistId: ARTISTS.nora.id, playCount: 18 } },
      { item: { itemId: 'who', artistName: 'Qqqq Zzzz' } },
    ])
    expect((await catalog.read()).items).toEqual([
      {
        artistId: ARTISTS.nora.id,
        artistName: 'Nora Vale',
        dateAdded: '2011-07-14T20:15:49',
        lastModified: '2011-07-14T20:15:49',
        foreignId: `${catalog.id}:artist:Nora`,
        playCount: 18,
        request: { itemId: 'Nora', artistId: ARTISTS.nora.id },
      },
      // One that is not resolved has no names but those it was given.
      {
        dateAdded: '2011-07-14T20:15:49',
        lastModified: '2011-07-14T20:15:49',
        foreignId: `${catalog.id}:artist:who`,
        request: { itemId: 'who', artistName: 'Qqqq Zzzz' },
      },
    ])
  })

  it('gives the songs’ buckets for resolved items only', async () => {
    const music = await openLibrary()
    const catalog = await newCatalog(music)
    await update(catalog, [
      { item: { itemId: 'a', songId: SONGS.helpMeHome.id } },
      { item: { itemId: 'b', songName: 'qqqqq', artistName: 'zzzzz', url: 'http://b' } },
      { item: { itemId: 'c', songId: SONGS.untitled.id } },
    ])
    const bucket = [
      'kvstore',
      ...SONG_BUCKETS,
      'id:7digital-US',
      'id:spotify',
      'id:musicbrainz',
    ] as const
    const [a, b, c] = (await catalog.read({ bucket })).items
    const { songId, songName, artistId, artistName, request, dateAdded, lastModified, foreignId } =
      a ?? {}
    expect(dateAdded).toBe(lastModified)
    expect(a).toEqual({
      request,
      dateAdded,
      lastModified,
      foreignId,
      songId,
      songName,
      artistId,
      artistName,
      kvstore: {},
      audioSummary: { ...SONGS.helpMeHome.audioSummary, duration: 200 },
      artistFamiliarity: 0.9,
      artistHotttnesss: 0.8,
      artistLocation: { latitude: 48.85, longitude: 2.35, location: 'Paris, France' },
      songHotttnesss: 0.5,
      songType: ['studio', 'acoustic'],
      foreignIds: [{ catalog: 'spotify', foreignId: 'spotify:song:sp1' }],
      tracks: [
        {
          id: nativeId('TR', 1),
          catalog: '7digital-US',
          foreignId: '7digital-US:track:111',
          foreignReleaseId: '7digital-US:release:9',
          previewUrl: 'http://example.org/111.mp3',
          releaseImage: 'http://example.org/9.jpg',
        },
      ],
      artistForeignIds: [{ catalog: 'musicbrainz', foreignId: 'musicbrainz:artist:mb-nora' }],
    })
    expect(Object.keys(b ?? {}).sort()).toEqual([
      'dateAdded',
      'foreignId',
      'kvstore',
      'lastModified',
      'request',
    ])
    // What is not known of a song is left out; lists that were asked for are empty.
    expect(c).toMatchObject({ foreignIds: [], tracks: [], artistForeignIds: [] })
    for (const name of ['audioSummary', 'songHotttnesss', 'artistFamiliarity', 'trackId'])
      expect(c).not.toHaveProperty(name)
    // Without buckets there is none of it.
    expect(Object.keys((await itemOf(catalog, 'a')) ?? {}).sort()).toEqual([
      'artistId',
      'artistName',
      'dateAdded',
      'foreignId',
      'lastModified',
      'request',
      'songId',
      'songName',
    ])
  })

  it('gives the artists’ buckets for resolved items only', async () => {
    const music = await openLibrary()
    const news = [{ name: 'Nora sings', url: 'http://n', dateFound: '2011-07-01T00:00:00' }]
    await music.artists.import([
      {
        id: ARTISTS.nora.id,
        name: 'Nora Vale',
        biographies: [{ text: 'She was born.', site: 'wiki' }],
        blogs: [{ name: 'A blog' }, { name: 'Another' }],
        news,
        reviews: [{ name: 'Good', release: 'First' }],
        images: [{ url: 'http://i' }],
        video: [{ title: 'Live' }],
        urls: { officialUrl: 'http://nora' },
      },
    ])
    const catalog = await newCatalog(music, 'artist')
    await update(catalog, [
      { item: { itemId: 'a', artistId: ARTISTS.nora.id } },
      { item: { itemId: 'b', artistId: ARTISTS.nobody.id } },
      { item: { itemId: 'c', artistName: 'Qqqq Zzzz' } },
    ])
    const bucket = [
      'biographies',
      'blogs',
      'doc_counts',
      'familiarity',
      'hotttnesss',
      'images',
      'item_keyvalues',
      'news',
      'reviews',
      'songs',
      'terms',
      'urls',
      'video',
      'years_active',
      'id:musicbrainz',
    ] as const
    const [a, b, c] = (await catalog.read({ bucket })).items
    const own = ['artistId', 'artistName', 'dateAdded', 'foreignId', 'lastModified', 'request']
    expect(Object.keys(a ?? {}).sort()).toEqual(
      [
        ...own,
        'biographies',
        'blogs',
        'docCounts',
        'familiarity',
        'foreignIds',
        'hotttnesss',
        'images',
        'itemKeyvalues',
        'news',
        'reviews',
        'songs',
        'terms',
        'urls',
        'video',
        'yearsActive',
      ].sort(),
    )
    expect(a).toMatchObject({
      artistName: 'Nora Vale',
      biographies: [{ text: 'She was born.', site: 'wiki' }],
      docCounts: {
        audio: 0,
        biographies: 1,
        blogs: 2,
        images: 1,
        news: 1,
        reviews: 1,
        songs: 2,
        video: 1,
      },
      familiarity: 0.9,
      hotttnesss: 0.8,
      news: [{ name: 'Nora sings', url: 'http://n', dateFound: '2011-07-01T00:00:00' }],
      songs: [
        { id: SONGS.helpMeHome.id, title: 'Help Me Home' },
        { id: SONGS.noraHome.id, title: 'Home' },
      ],
      terms: [
        { name: 'jazz', weight: 1, frequency: 0.9 },
        { name: 'mellow', weight: 0.6, frequency: 0.5 },
        { name: 'cool jazz', weight: 0.3, frequency: 1 },
      ],
      urls: { officialUrl: 'http://nora' },
      yearsActive: [{ start: 1970, end: 1980 }],
      foreignIds: [{ catalog: 'musicbrainz', foreignId: 'musicbrainz:artist:mb-nora' }],
      itemKeyvalues: {},
    })
    // A bucket without documents is an empty list.
    expect(b).toMatchObject({
      artistName: 'Nameless Four',
      biographies: [],
      blogs: [],
      news: [],
      reviews: [],
      images: [],
      video: [],
      terms: [],
      yearsActive: [],
      foreignIds: [],
    })
    expect(b).not.toHaveProperty('familiarity')
    expect(Object.keys(c ?? {}).sort()).toEqual([
      'dateAdded',
      'foreignId',
      'itemKeyvalues',
      'lastModified',
      'request',
    ])
  })

  it('refuses buckets that items of the type do not have, and names those they have', async () => {
    const music = await openInline()
    const songs = await newCatalog(music)
    const artists = await newCatalog(music, 'artist')
    for (const [catalog, bucket, known] of [
      [songs, 'biographies', '"audio_summary"'],
      [songs, 'fakebucket', '"artist_location"'],
      [artists, 'audio_summary', '"years_active"'],
      [artists, 'fakebucket', '"doc_counts"'],
      [songs, 'id:', '"id:<ID SPACE>"'],
    ] as const) {
      const error = await failure(catalog.read({ bucket: bucket as 'kvstore' }))
      expect(error.code).toBe('invalid_parameter')
      expect(error.message).toContain(`bucket - Invalid parameter: bucket "${bucket}" is not one`)
      expect(error.message).toContain(known)
    }
  })

  it('answers 15 items without being told, at most 100, from start on, in the order they came', async () => {
    const music = await openInline()
    const catalog = await newCatalog(music)
    await update(catalog, numbered(230))
    const read = async (query: object) => (await catalog.read(query)).items.map((item) => item)
    const range = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, i) => `${from + i}`)
    expect(ids(await read({}))).toEqual(range(0, 15))
    expect(ids(await read({ results: 100 }))).toEqual(range(0, 100))
    expect(ids(await read({ results: 100, start: 200 }))).toEqual(range(200, 230))
    expect(ids(await read({ start: 220, results: 3 }))).toEqual(range(220, 223))
    expect(await read({ start: 230 })).toEqual([])
    expect(await read({ results: 0 })).toEqual([])
    for (const query of [{ results: 101 }, { results: -1 }, { start: -1 }, { results: '5' }]) {
      expect((await failure(catalog.read(query as never))).code).toBe('invalid_parameter')
    }
    // An item that is updated keeps its place; one that is deleted and comes again is the last.
    await update(catalog, [
      { item: { itemId: '0', rating: 1 } },
      { action: 'delete', item: { itemId: '1' } },
      { item: { itemId: '1' } },
    ])
    expect(ids(await read({ results: 2 }))).toEqual(['0', '2'])
    expect(ids(await read({ start: 229 }))).toEqual(['1'])
  })

  it('answers thousands of items that are named; one call of the engine takes 1,000', async () => {
    const music = await openInline()
    const catalog = await newCatalog(music)
    await update(catalog, numbered(3200))
    const many = Array.from({ length: 3200 }, (_, i) => `${3199 - i}`)
    const { items, total } = await catalog.read({ itemId: [...many, ...many] })
    expect(ids(items)).toEqual(many)
    expect(total).toBe(3200)
    const call = music.call('catalog/read', { id: catalog.id, itemId: many })
    expect((await failure(call)).message).toMatch(/^itemId - .*more than 1000 items/)
  })

  it('answers the bucket tracks beside an id space, and not alone', async () => {
    const music = await openLibrary()
    const catalog = await newCatalog(music)
    await update(catalog, [{ item: { itemId: 'a', songId: SONGS.helpMeHome.id } }])
    const { message } = await failure(itemOf(catalog, 'a', ['tracks']))
    expect(message).toContain('"tracks" needs an id space beside it, e.g. "id:musicbrainz"')
    const beside = await itemOf(catalog, 'a', ['tracks', 'id:7digital-US'])
    expect(beside?.tracks).toHaveLength(1)
    // Of a song without any it is an empty list.
    await update(catalog, [{ item: { itemId: 'b', songId: SONGS.rust.id } }])
    expect((await itemOf(catalog, 'b', ['tracks', 'id:7digital-US']))?.tracks).toEqual([])
  })

  it('answers the items that are named, in that order, and no others', async () => {
    const music = await openInline()
    const catalog = await newCatalog(music)
    await update(catalog, numbered(230))
    expect(ids((await catalog.read({ itemId: '7' })).items)).toEqual(['7'])
    const page = await catalog.read({ itemId: ['100', '3', 'gone', '229'] })
    expect(ids(page.items)).toEqual(['100', '3', '229'])
    expect(page.total).toBe(230)
    // Each once, however often it is named; results and start are for whole catalogs.
    const many = Array.from({ length: 115 }, (_, i) => `${2 * i}`)
    expect(ids((await catalog.read({ itemId: [...many, ...many] })).items)).toEqual(many)
    const named = await catalog.read({ itemId: many, results: 3, start: 2 })
    expect(named).toMatchObject({ start: 0, total: 230 })
    expect(ids(named.items)).toEqual(many)
    expect((await catalog.read({ itemId: [] })).items).toEqual([])
  })

  it('shows what was submitted as it was submitted', async () => {
    const music = await openLibrary()
    const catalog = await newCatalog(music)
    const item = {
      itemId: 'a',
      songName: 'RUST',
      artistName: 'iron kettles',
      release: 'Ünïcode "release"',
      genre: "rock'n'roll",
      trackNumber: 0,
      discNumber: 2,
      url: 'C:\\music\\rust.mp3',
    }
    await update(catalog, [{ item }])
    expect((await itemOf(catalog, 'a'))?.request).toEqual(item)
    await update(catalog, [{ action: 'play', item: { itemId: 'a' } }])
    expect((await itemOf(catalog, 'a'))?.request).toEqual(item)
  })

  it('leaves out what was never set, and keeps what was set to nothing', async () => {
    const music = await openInline()
    const catalog = await newCatalog(music)
    await update(catalog, [
      { item: { itemId: 'a' } },
      {
        item: {
          itemId: 'b',
          favorite: false,
          banned: false,
          playCount: 0,
          skipCount: 0,
          rating: 0,
        },
      },
    ])
    const [a, b] = (await catalog.read()).items
    expect(Object.keys(a ?? {}).sort()).toEqual([
      'dateAdded',
      'foreignId',
      'lastModified',
      'request',
    ])
    expect(b).toMatchObject({
      favorite: false,
      banned: false,
      playCount: 0,
      skipCount: 0,
      rating: 0,
    })
  })
})

describe('Catalog.items', () => {
  it('goes through all, from start on, with buckets', async () => {
    const music = await openLibrary()
    const catalog = await newCatalog(music)
    const entries = Array.from({ length: 250 }, (_, i) => ({
      item: { itemId: `${i}`, songId: SONGS.rust.id },
    }))
    await update(catalog, entries)
    const all = await gather(catalog.items({ bucket: 'audio_summary' }))
    expect(ids(all)).toEqual(entries.map(({ item }) => item.itemId))
    for (const { audioSummary } of all) expect(audioSummary?.tempo).toBe(120)
    expect(ids(await gather(catalog.items({ start: 240 })))).toHaveLength(10)
    expect(ids(await gather(catalog.items({ itemId: ['5', '6'] })))).toEqual(['5', '6'])
    const empty = await newCatalog(music)
    expect(await gather(empty.items())).toEqual([])
  })

  it('goes through what is named, however much that is', async () => {
    const music = await openInline()
    const catalog = await newCatalog(music)
    await update(catalog, numbered(300))
    const itemId = Array.from({ length: 300 }, (_, i) => (i % 2 === 0 ? `${i}` : `gone${i}`))
    expect(ids(await gather(catalog.items({ itemId: [...itemId, '0'] })))).toEqual(
      itemId.filter((one) => !one.startsWith('gone')),
    )
  })

  it('misses none when those it has yielded are deleted', async () => {
    const music = await openInline()
    const catalog = await newCatalog(music)
    await update(catalog, numbered(350))
    const seen: string[] = []
    for await (const { request } of catalog.items()) {
      seen.push(request.itemId)
      if (seen.length % 50 === 0) {
        const gone = seen
          .slice(-50)
          .map((itemId) => ({ action: 'delete', item: { itemId } }) as const)
        await update(catalog, gone)
      }
    }
    expect(seen).toEqual(numbered(350).map(({ item }) => item?.itemId))
    expect((await catalog.profile()).total).toBe(0)
  })

  it('stops with its signal, and when it is left', async () => {
    const music = await openInline()
    const catalog = await newCatalog(music)
    await update(catalog, numbered(250))
    const abort = new AbortController()
    const reason = new Error('enough')
    let count = 0
    const all = (async () => {
      for await (const _ of catalog.items({ signal: abort.signal })) {
        if (++count === 100) abort.abort(reason)
      }
    })()
    expect(await failure(all)).toBe(reason)
    expect(count).toBe(100)
    for await (const _ of catalog.items()) break
  })
})

describe('Catalog.profile', () => {
  it('counts items and resolved ones, for artists too', async () => {
    const music = await openLibrary()
    for (const type of ['song', 'artist'] as const) {
      const catalog = await newCatalog(music, type)
      const named = type === 'song' ? { songId: SONGS.rust.id } : { artistId: ARTISTS.nora.id }
      await update(catalog, [
        { item: { itemId: 'a', ...named } },
        { item: { itemId: 'b' } },
        { item: { itemId: 'c', ...named } },
      ])
      expect(await catalog.profile()).toMatchObject({ total: 3, resolved: 2 })
      await update(catalog, [{ action: 'delete', item: { itemId: 'a' } }])
      expect(await catalog.profile()).toMatchObject({ total: 2, resolved: 1 })
    }
  })
})

describe('Catalog.feed', () => {
  it('answers documents of resolved artists, the newest first', async () => {
    const music = await openLibrary()
    const found = (day: number) => `2011-07-${String(day).padStart(2, '0')}T00:00:00`
    await music.artists.import([
      {
        id: ARTISTS.nora.id,
        name: 'Nora Vale',
        news: [
          { id: 'n1', name: 'Nora Vale sings', url: 'http://1', dateFound: found(3), summary: 's' },
          { id: 'n2', name: 'Weather', url: 'http://2', dateFound: found(1), datePosted: found(2) },
        ],
        blogs: [{ id: 'b1', name: 'Blog', url: 'http://3', dateFound: found(4) }],
        reviews: [{ id: 'r1', name: 'Review', url: 'http://4', dateFound: found(5) }],
        video: [{ id: 'v1', title: 'Video', url: 'http://5', dateFound: found(6) }],
      },
      {
        id: ARTISTS.kettles.id,
        name: 'The Iron Kettles',
        news: [{ id: 'n3', name: 'Kettles', url: 'http://6', dateFound: found(2) }],
      },
      {
        id: ARTISTS.sois.id,
        name: 'Os Sóis',
        news: [{ id: 'n4', name: 'x', dateFound: found(9) }],
      },
    ])
    const artists = await newCatalog(music, 'artist')
    await update(artists, [
      { item: { itemId: 'a', artistId: ARTISTS.nora.id } },
      { item: { itemId: 'b', artistId: ARTISTS.kettles.id } },
      { item: { itemId: 'c', artistName: 'Qqqq Zzzz' } },
    ])
    const songs = await newCatalog(music)
    await update(songs, [
      { item: { itemId: 'a', songId: SONGS.noraHome.id } },
      { item: { itemId: 'b', songId: SONGS.helpMeHome.id } },
      { item: { itemId: 'c', songId: SONGS.rust.id } },
    ])
    for (const catalog of [artists, songs]) {
      const feed = async (query: Parameters<typeof catalog.feed>[0]) =>
        (await catalog.feed(query)).map(({ id }) => id)
      expect(await feed({})).toEqual(['n1', 'n3', 'n2'])
      expect(await feed({ bucket: ['news', 'blogs', 'reviews', 'video', 'audio'] })).toEqual([
        'v1',
        'r1',
        'b1',
        'n1',
        'n3',
        'n2',
      ])
      expect(await feed({ bucket: 'blogs' })).toEqual(['b1'])
      expect(await feed({ results: 1, start: 1 })).toEqual(['n3'])
      expect(await feed({ since: '2011-07-02' })).toEqual(['n1', 'n3'])
      expect(await feed({ highRelevance: true })).not.toContain('n2')
    }
    // Found later, but posted before.
    await music.artists.import([
      {
        id: ARTISTS.kettles.id,
        name: 'The Iron Kettles',
        news: [
          { id: 'old', name: 'Old', dateFound: found(9), datePosted: '2009-01-01T00:00:00' },
          { id: 'due', name: 'Not yet', dateFound: found(3), datePosted: '2031-01-01T00:00:00' },
        ],
      },
    ])
    expect((await artists.feed()).map(({ id }) => id)).toEqual(['due', 'n1', 'n3', 'n2', 'old'])
    expect((await artists.feed({ since: '2011-07-03' })).map(({ id }) => id)).toEqual(['due', 'n1'])
    expect((await artists.feed()).find(({ id }) => id === 'n1')).toEqual({
      id: 'n1',
      type: 'news',
      name: 'Nora Vale sings',
      url: 'http://1',
      summary: 's',
      dateFound: found(3),
      references: [{ artistId: ARTISTS.nora.id, artistName: 'Nora Vale' }],
    })
  })

  it('refuses what is out of range', async () => {
    const music = await openInline()
    const catalog = await newCatalog(music)
    for (const query of [
      { results: 101 },
      { results: -1 },
      { start: -1 },
      { since: '2011-7-1' },
      { since: '2011-02-31x' },
      { bucket: 'images' },
      { bucket: ['news', 'nothing'] },
      { highRelevance: 'perhaps' },
    ]) {
      expect((await failure(catalog.feed(query as never))).code).toBe('invalid_parameter')
    }
  })
})

describe('foreign ids of a catalog', () => {
  it('stand for songs and artists wherever an id does', async () => {
    const music = await openLibrary()
    const songs = await newCatalog(music)
    const artists = await newCatalog(music, 'artist')
    await update(songs, [
      { item: { itemId: 'my.rust', songId: SONGS.rust.id } },
      { item: { itemId: 'who', songName: 'qqqqq', artistName: 'zzzzz' } },
    ])
    await update(artists, [{ item: { itemId: 'me-2', artistId: ARTISTS.kettles.id } }])
    const song = `${songs.id}:song:my.rust`
    const artist = `${artists.id}:artist:me-2`

    expect((await music.songs.profile({ id: song })).map(({ id }) => id)).toEqual([SONGS.rust.id])
    expect(
      await music.songs.profile({ id: [`${songs.id}:song:who`, `${songs.id}:song:x`] }),
    ).toEqual([])
    expect((await music.artists.get(artist)).name).toBe('The Iron Kettles')
    expect((await music.artists.get(`${songs.id}:artist:my.rust`)).name).toBe('The Iron Kettles')
    for (const id of [`${artists.id}:artist:x`, `CAAAAAA00000000000:artist:me-2`]) {
      expect((await failure(music.artists.get(id))).code).toBe('unknown_identifier')
    }
    const found = await music.songs.search({ artistId: artist })
    expect(found.map(({ id }) => id).sort()).toEqual([SONGS.ironHome.id, SONGS.rust.id])

    const third = await newCatalog(music)
    const fourth = await newCatalog(music, 'artist')
    await update(third, [
      { item: { itemId: 'a', songId: song } },
      { item: { itemId: 'b', trackId: `7digital-US:track:333` } },
      { item: { itemId: 'c', songId: 'spotify:song:sp1' } },
      { item: { itemId: 'd', trackId: nativeId('TR', 1) } },
    ])
    await update(fourth, [
      { item: { itemId: 'a', artistId: artist } },
      { item: { itemId: 'b', artistId: 'musicbrainz:artist:mb-nora' } },
    ])
    expect((await third.read()).items.map(({ songId }) => songId)).toEqual([
      SONGS.rust.id,
      SONGS.ironHome.id,
      SONGS.helpMeHome.id,
      SONGS.helpMeHome.id,
    ])
    expect((await fourth.read()).items.map(({ artistId }) => artistId)).toEqual([
      ARTISTS.kettles.id,
      ARTISTS.nora.id,
    ])
  })

  it('id:<catalog_id> tells a song’s ids in the catalog', async () => {
    const music = await openLibrary()
    const catalog = await newCatalog(music)
    await update(catalog, [
      { item: { itemId: 'a', songId: SONGS.rust.id } },
      { item: { itemId: 'b', songId: SONGS.rust.id } },
      { item: { itemId: 'c', songId: SONGS.manha.id } },
    ])
    const bucket = [`id:${catalog.id}` as const]
    const [rust] = await music.songs.profile({ id: SONGS.rust.id, bucket })
    const ab = ['a', 'b'].map((item) => ({
      catalog: catalog.id,
      foreignId: `${catalog.id}:song:${item}`,
    }))
    expect(rust?.foreignIds).toEqual(ab)
    expect((await itemOf(catalog, 'a', bucket))?.foreignIds).toEqual(ab)
    const found = await music.songs.search({ title: 'manhã', bucket })
    expect(found[0]?.foreignIds).toEqual([
      { catalog: catalog.id, foreignId: `${catalog.id}:song:c` },
    ])
  })

  it('id:<catalog_id> tells an artist’s ids in a catalog of artists', async () => {
    const music = await openLibrary()
    const catalog = await newCatalog(music, 'artist')
    await update(catalog, [{ item: { itemId: 'a', artistId: ARTISTS.nora.id } }])
    const bucket = [`id:${catalog.id}` as const]
    const ids = [{ catalog: catalog.id, foreignId: `${catalog.id}:artist:a` }]
    expect((await itemOf(catalog, 'a', bucket))?.foreignIds).toEqual(ids)
    expect((await music.artists.get(ARTISTS.nora.id, { bucket })).foreignIds).toEqual(ids)
  })

  it('limit: true keeps a search, and profiles, to the songs of a catalog', async () => {
    const music = await openLibrary()
    const songs = await newCatalog(music)
    const artists = await newCatalog(music, 'artist')
    await update(songs, [
      { item: { itemId: 'a', songId: SONGS.rust.id } },
      { item: { itemId: 'b', songId: SONGS.noraHome.id } },
      { item: { itemId: 'c', songName: 'qqqqq', artistName: 'zzzzz' } },
    ])
    await update(artists, [{ item: { itemId: 'a', artistId: ARTISTS.sois.id } }])
    const search = async (query: object, ...catalogs: { id: string }[]) =>
      (
        await music.songs.search({
          ...query,
          bucket: catalogs.map(({ id }) => `id:${id}` as const),
          limit: true,
        })
      )
        .map(({ id }) => id)
        .sort()
    expect(await search({}, songs)).toEqual([SONGS.noraHome.id, SONGS.rust.id])
    expect(await search({ title: 'home' }, songs)).toEqual([SONGS.noraHome.id])
    expect(await search({}, artists)).toEqual([SONGS.manha.id, SONGS.soisHome.id])
    expect(await search({}, songs, artists)).toEqual([
      SONGS.noraHome.id,
      SONGS.rust.id,
      SONGS.manha.id,
      SONGS.soisHome.id,
    ])
    expect(await search({}, await newCatalog(music))).toEqual([])
    const profiles = await music.songs.profile({
      id: [SONGS.rust.id, SONGS.manha.id],
      bucket: `id:${songs.id}`,
      limit: true,
    })
    expect(profiles.map(({ id }) => id)).toEqual([SONGS.rust.id])
    // What leaves the catalog leaves its searches.
    await update(songs, [{ action: 'delete', item: { itemId: 'a' } }])
    expect(await search({}, songs)).toEqual([SONGS.noraHome.id])
  })
})
