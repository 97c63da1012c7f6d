import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import {
  type ArtistBucket,
  type ArtistRecord,
  type Audile,
  ParameterError,
} from '../../src/index.ts'
import { ARTIST_BUCKETS } from '../support/buckets.ts'
import { failure } from '../support/failure.ts'
import { openInline } from '../support/open.ts'
import { nativeId } from '../support/reference-library.ts'

const LICENSE = { type: 'cc-by-sa', attribution: 'n/a', url: 'http://example.org/license' }

/** Everything that a record can say. */
const FULL = {
  id: nativeId('AR', 1),
  name: 'Nora Vale',
  aliases: ['Nora V.', 'N. Vale'],
  hotttnesss: 0.654321,
  familiarity: 0.812345,
  location: {
    latitude: 51.67,
    longitude: -1.28,
    location: 'Abingdon, England, GB',
    city: 'Abingdon',
    region: 'England',
    country: 'GB',
  },
  yearsActive: [{ start: 2001 }, { start: 1970, end: 1980 }],
  terms: [
    { name: 'folk', weight: 0.5, frequency: 1, kind: 'style' },
    { name: 'Jazz', weight: 1, frequency: 0.9, kind: 'style' },
    { name: 'mellow', weight: 0.7, frequency: 0.2 },
    { name: 'smoky voice', weight: 0.1, frequency: 0.1, kind: 'description' },
  ],
  foreignIds: [
    { catalog: 'musicbrainz', foreignId: 'musicbrainz:artist:mb-nora' },
    { catalog: '7digital-US', foreignId: '304' },
  ],
  biographies: [
    {
      text: 'She sang in cellars.',
      site: 'Cellarpedia',
      url: 'http://example.org/nora',
      license: LICENSE,
      truncated: true,
    },
  ],
  blogs: [
    {
      name: 'A night with Nora',
      url: 'http://example.org/blog/1',
      datePosted: '2013-05-10T00:00:00',
      dateFound: '2013-05-11T00:00:00',
      summary: 'It was <span>Nora</span>.',
      id: '0123456789abcdef0123456789abcdef',
    },
  ],
  news: [
    { name: 'Nora is back', url: 'http://example.org/news/1', dateFound: '2013-05-12T10:00:00' },
  ],
  reviews: [
    {
      name: 'Cellar Songs',
      url: 'http://example.org/review/1',
      summary: 'Good.',
      dateFound: '2013-05-13T10:00:00',
      imageUrl: 'http://example.org/cover.jpg',
      release: 'Cellar Songs',
      id: 'rev1',
    },
  ],
  images: [{ url: 'http://example.org/nora.jpg', license: LICENSE }],
  video: [
    {
      title: 'Nora live',
      url: 'http://example.org/video/1',
      site: 'Videos',
      dateFound: '2013-05-14T10:00:00',
      imageUrl: 'http://example.org/video/1.jpg',
      id: 'vid1',
    },
  ],
  urls: {
    officialUrl: 'http://example.org/official',
    lastfmUrl: 'http://example.org/lastfm',
    shopUrl: 'http://example.org/shop',
  },
} as const satisfies ArtistRecord

const BUCKETS = [...ARTIST_BUCKETS, 'id:musicbrainz', 'id:7digital-US'] as const

const idsOf = (artists: readonly { id: string }[]) => artists.map(({ id }) => id)
const namesOf = (artists: readonly { name: string }[]) => artists.map(({ name }) => name)
const get = (music: Audile, id: string, bucket: ArtistBucket | readonly ArtistBucket[] = []) =>
  music.artists.get(id, { bucket })

describe('artists.import', () => {
  it('keeps every field of a record, in the shapes of the service', async () => {
    const music = await openInline()
    expect(await music.artists.import([FULL])).toEqual({ imported: 1, updated: 0, rejected: [] })
    expect(await get(music, FULL.id, BUCKETS)).toEqual({
      id: FULL.id,
      name: 'Nora Vale',
      biographies: FULL.biographies,
      blogs: FULL.blogs,
      news: [{ ...FULL.news[0], id: expect.stringMatching(/^[0-9a-f]{32}$/) }],
      reviews: [FULL.reviews[0]],
      images: [{ url: 'http://example.org/nora.jpg', license: LICENSE }],
      video: [FULL.video[0]],
      docCounts: {
        audio: 0,
        biographies: 1,
        blogs: 1,
        images: 1,
        news: 1,
        reviews: 1,
        songs: 0,
        video: 1,
      },
      familiarity: 0.812345,
      hotttnesss: 0.654321,
      songs: [],
      terms: [
        { name: 'jazz', weight: 1, frequency: 0.9 },
        { name: 'mellow', weight: 0.7, frequency: 0.2 },
        { name: 'folk', weight: 0.5, frequency: 1 },
        { name: 'smoky voice', weight: 0.1, frequency: 0.1 },
      ],
      urls: FULL.urls,
      yearsActive: [{ start: 1970, end: 1980 }, { start: 2001 }],
      artistLocation: FULL.location,
      foreignIds: [
        { catalog: 'musicbrainz', foreignId: 'musicbrainz:artist:mb-nora' },
        { catalog: '7digital-US', foreignId: '7digital-US:artist:304' },
      ],
    })
  })

  it('takes a record of nothing but a name; lists that were asked for are empty then', async () => {
    const music = await openInline()
    await music.artists.import([{ name: ' Nobody ' }])
    const [artist] = await music.artists.search('nobody', { bucket: BUCKETS })
    const none = { biographies: 0, blogs: 0, images: 0, news: 0, reviews: 0, songs: 0, video: 0 }
    expect(artist).toEqual({
      id: expect.stringMatching(/^AR[A-Z]{5}[0-9A-F]{11}$/),
      name: 'Nobody',
      biographies: [],
      blogs: [],
      images: [],
      news: [],
      reviews: [],
      songs: [],
      terms: [],
      video: [],
      urls: {},
      yearsActive: [],
      foreignIds: [],
      artistLocation: {},
      docCounts: { ...none, audio: 0 },
    })
  })

  it('answers nothing that was not asked for', async () => {
    const music = await openInline()
    await music.artists.import([FULL])
    expect(await music.artists.get(FULL.id)).toEqual({ id: FULL.id, name: 'Nora Vale' })
    expect(await get(music, FULL.id, 'hotttnesss')).toEqual({
      id: FULL.id,
      name: 'Nora Vale',
      hotttnesss: 0.654321,
    })
  })

  it.each([
    ['an id of the service', FULL],
    ['an id of no form', { ...FULL, id: 'artist-1' }],
    ['a foreign id', { ...FULL, id: 'shop:artist:1' }],
    ['foreign ids alone', { ...FULL, id: undefined }],
    ['its name alone', { ...FULL, id: undefined, foreignIds: undefined }],
    ['a name that looks like a credit', { name: 'Fun feat. Games' }],
  ])('run again changes nothing: %s', async (_, given) => {
    const record = Object.fromEntries(
      Object.entries(given).filter(([, value]) => value !== undefined),
    ) as unknown as ArtistRecord
    const music = await openInline()
    expect(await music.artists.import([record])).toMatchObject({ imported: 1, updated: 0 })
    const [before] = await music.artists.search(record.name, { bucket: BUCKETS })
    for (let run = 0; run < 2; run++) {
      expect(await music.artists.import([record, record])).toEqual({
        imported: 0,
        updated: 2,
        rejected: [],
      })
    }
    expect(await music.artists.search(record.name, { bucket: BUCKETS })).toEqual([before])
  })

  it('writes what a record says over what was known, and leaves the rest', async () => {
    const music = await openInline()
    await music.artists.import([FULL])
    const result = await music.artists.import([
      {
        id: FULL.id,
        name: 'Nora Vale',
        hotttnesss: 0.1,
        location: { city: 'Oxford' },
        yearsActive: [{ start: 1999, end: 2000 }],
        terms: [{ name: 'soul' }],
        news: [
          { name: 'Nora is back, really', url: 'http://example.org/news/1' },
          { name: 'More', url: 'http://example.org/news/2', dateFound: '2014-01-01T00:00:00' },
        ],
        urls: { shopUrl: 'http://example.org/new-shop', mbUrl: 'http://example.org/mb' },
      },
    ])
    expect(result).toEqual({ imported: 0, updated: 1, rejected: [] })
    const artist = await get(music, FULL.id, BUCKETS)
    expect(artist).toMatchObject({
      hotttnesss: 0.1,
      familiarity: 0.812345,
      artistLocation: { ...FULL.location, city: 'Oxford' },
      yearsActive: [{ start: 1999, end: 2000 }],
      urls: {
        ...FULL.urls,
        shopUrl: 'http://example.org/new-shop',
        mbUrl: 'http://example.org/mb',
      },
    })
    expect(artist.terms).toEqual([{ name: 'soul', weight: 1, frequency: 1 }])
    // The same address is the same document.
    expect(artist.news?.map(({ name }) => name)).toEqual(['More', 'Nora is back, really'])
    expect(artist.blogs).toHaveLength(1)
  })

  it('answers the newest documents first, 15 of a kind', async () => {
    const music = await openInline()
    const day = (i: number) => `2013-01-${String(i).padStart(2, '0')}T00:00:00`
    const news = Array.from({ length: 20 }, (_, i) => ({
      name: `News ${i}`,
      url: `http://example.org/${i}`,
      dateFound: day(1 + ((i * 7) % 20)),
    }))
    const blogs = [
      { name: 'undated' },
      { name: 'found', dateFound: day(2), datePosted: day(1) },
      { name: 'posted later', dateFound: day(2), datePosted: day(2) },
      { name: 'found later', dateFound: day(3) },
    ]
    await music.artists.import([{ id: nativeId('AR', 1), name: 'Nora', news, blogs }])
    const bucket = ['news', 'blogs', 'doc_counts'] as const
    const artist = await get(music, nativeId('AR', 1), bucket)
    const found = artist.news?.map(({ dateFound }) => dateFound)
    expect(found).toEqual(Array.from({ length: 15 }, (_, i) => day(20 - i)))
    expect(artist.docCounts).toMatchObject({ news: 20, blogs: 4 })
    expect(artist.blogs?.map(({ name }) => name)).toEqual([
      'found later',
      'posted later',
      'found',
      'undated',
    ])
  })

  it('knows a document without an id and an address by the digest of its JSON', async () => {
    const music = await openInline()
    const document = {
      dateFound: '2011-07-15',
      datePosted: '2011-07-14',
      summary: 'On the road again.',
      name: 'A tour',
    }
    const id = createHash('md5')
      .update(
        '{"name":"A tour","summary":"On the road again.","datePosted":"2011-07-14","dateFound":"2011-07-15"}',
      )
      .digest('hex')
    for (let times = 0; times < 2; times++) {
      await music.artists.import([{ id: nativeId('AR', 7), name: 'Nora', news: [document] }])
    }
    const { news } = await music.artists.get(nativeId('AR', 7), { bucket: 'news' })
    expect(news).toEqual([{ ...document, id }])
  })

  it('reads less than 0 as not known, and more than 1 as 1', async () => {
    const music = await openInline()
    await music.artists.import([
      { id: nativeId('AR', 1), name: 'Nora', familiarity: -1, hotttnesss: 1.0825 },
    ])
    expect(await get(music, nativeId('AR', 1), ['familiarity', 'hotttnesss'])).toEqual({
      id: nativeId('AR', 1),
      name: 'Nora',
      hotttnesss: 1,
    })
  })

  it('lists the songs of an artist, those that are talked of most first', async () => {
    const music = await openInline()
    const names = { artistName: 'Nora', artistId: nativeId('AR', 1) }
    await music.songs.import([
      { ...names, id: nativeId('SO', 1), title: 'Cold' },
      { ...names, id: nativeId('SO', 2), title: 'Warm', songHotttnesss: 0.2 },
      { ...names, id: nativeId('SO', 3), title: 'Hot', songHotttnesss: 0.9 },
      ...Array.from({ length: 20 }, (_, i) => ({ ...names, title: `Cold ${i}` })),
    ])
    const { songs, docCounts } = await get(music, nativeId('AR', 1), ['songs', 'doc_counts'])
    expect(songs).toHaveLength(15)
    expect(songs?.slice(0, 3)).toEqual([
      { id: nativeId('SO', 3), title: 'Hot' },
      { id: nativeId('SO', 2), title: 'Warm' },
      { id: nativeId('SO', 1), title: 'Cold' },
    ])
    expect(docCounts?.songs).toBe(23)
  })

  describe('terms', () => {
    it('without a kind are styles, and moods as well when they are in the list of moods', async () => {
      const music = await openInline()
      await music.artists.import([
        {
          name: 'Open',
          terms: [{ name: 'jazz' }, { name: 'Party  Music' }, { name: 'laid-back' }],
        },
        {
          name: 'Told',
          terms: [
            { name: 'jazz', kind: 'mood' },
            { name: 'laid-back', kind: 'style' },
            { name: 'party music', kind: 'description' },
          ],
        },
      ])
      await music.songs.import([
        { title: 'A', artistName: 'Open' },
        { title: 'B', artistName: 'Told' },
      ])
      const by = async (query: object) =>
        (await music.songs.search(query)).map(({ title }) => title).join('')
      expect(await by({ style: 'jazz' })).toBe('A')
      expect(await by({ mood: 'jazz' })).toBe('B')
      expect(await by({ style: 'party music' })).toBe('A')
      expect(await by({ mood: 'party music' })).toBe('A')
      expect(await by({ description: 'party music' })).toBe('AB')
      expect(await by({ style: 'laid-back' })).toBe('AB')
      expect(await by({ mood: 'laid-back' })).toBe('A')
    })

    it('said twice are one, of both kinds and with what was said last', async () => {
      const music = await openInline()
      await music.artists.import([
        {
          id: nativeId('AR', 1),
          name: 'Nora',
          terms: [
            { name: 'Smooth', weight: 0.2, frequency: 0.9, kind: 'style' },
            { name: 'smooth ', weight: 0.6, frequency: 0.3, kind: 'mood' },
            { name: 'often', frequency: 0.4 },
            { name: 'hardly', weight: 0 },
          ],
        },
      ])
      await music.songs.import([{ title: 'A', artistName: 'Nora' }])
      expect((await get(music, nativeId('AR', 1), 'terms')).terms).toEqual([
        { name: 'smooth', weight: 0.6, frequency: 0.3 },
        { name: 'often', weight: 0.4, frequency: 0.4 },
        { name: 'hardly', weight: 0, frequency: 0 },
      ])
      for (const query of [{ style: 'smooth' }, { mood: 'smooth' }, { style: 'hardly' }]) {
        expect(await music.songs.search(query)).toHaveLength(1)
      }
    })
  })

  describe('names and ids', () => {
    it('of one name but different ids are two artists', async () => {
      const music = await openInline()
      const records = [
        { id: nativeId('AR', 1), name: 'Nirvana', familiarity: 0.2 },
        { id: nativeId('AR', 2), name: 'Nirvana', familiarity: 0.9 },
      ]
      expect(await music.artists.import(records)).toMatchObject({ imported: 2 })
      expect(idsOf(await music.artists.search('nirvana'))).toEqual(idsOf(records))
      const other = await openInline()
      const foreign = ['1', '2'].map((foreignId) => ({
        name: 'Nirvana',
        foreignIds: [{ catalog: 'musicbrainz', foreignId }],
      }))
      expect(await other.artists.import(foreign)).toMatchObject({ imported: 2, updated: 0 })
      expect(await other.artists.import(foreign)).toMatchObject({ imported: 0, updated: 2 })
      const bare = ['x1', 'x2'].map((id) => ({ name: 'Nirvana', id }))
      expect(await other.artists.import(bare)).toMatchObject({ imported: 0, updated: 2 })
      expect((await other.artists.get('x1')).id).toBe((await get(other, 'musicbrainz:artist:1')).id)
    })

    it('of one name and nothing that tells them apart are one', async () => {
      const music = await openInline()
      const records = ['The Sóis', 'SOIS', 'Sóis!'].map((name) => ({ name }))
      expect(await music.artists.import(records)).toMatchObject({ imported: 1, updated: 2 })
    })

    it('that name an artist who is known by another id name it ever after', async () => {
      const music = await openInline()
      const foreignIds = [{ catalog: 'musicbrainz', foreignId: 'mb-1' }]
      await music.artists.import([{ name: 'Nora', foreignIds }])
      const known = await get(music, 'musicbrainz:artist:mb-1')
      const native = nativeId('AR', 7)
      const records = [
        { id: native, name: 'Nora', foreignIds },
        { id: native, name: 'Nora' },
      ]
      expect(await music.artists.import(records)).toMatchObject({ imported: 0, updated: 2 })
      expect((await music.artists.get(native)).id).toBe(known.id)
      await music.songs.import([{ title: 'A', artistName: 'Nora', artistId: native }])
      expect(await music.songs.search({ artistId: known.id })).toHaveLength(1)
      expect(await music.songs.search({ artistId: native })).toHaveLength(1)
      expect(await music.artists.search('nora')).toHaveLength(1)
    })

    it('that look like a credit are the artist’s own', async () => {
      const music = await openInline()
      await music.artists.import([{ name: 'Fun' }, { name: 'Fun feat. Games' }])
      expect(namesOf(await music.artists.search('fun'))).toEqual(['Fun', 'Fun feat. Games'])
      await music.artists.import([{ id: nativeId('AR', 1), name: 'Solo feat. Friends' }])
      expect((await music.artists.get(nativeId('AR', 1))).name).toBe('Solo feat. Friends')
    })

    it('that are aliases are found, and are not the name', async () => {
      const music = await openInline()
      await music.artists.import([FULL])
      await music.songs.import([{ title: 'One', artistName: 'N. Vale' }])
      for (const name of ['Nora V.', 'n vale', 'vale', 'nora vale']) {
        expect(namesOf(await music.artists.search(name))).toEqual(['Nora Vale'])
      }
      const [song] = await music.songs.search({ artist: 'nora vale' })
      expect(song).toMatchObject({ artistId: FULL.id, artistName: 'N. Vale', title: 'One' })
    })

    it('that change are answered at once; the old name is still found', async () => {
      const music = await openInline()
      await music.artists.import([{ id: nativeId('AR', 1), name: 'Prinz' }])
      await music.songs.import([
        { title: 'One', artistName: 'Prinz', artistId: nativeId('AR', 1) },
        { title: 'Two', artistName: 'Prinz feat. Guest', artistId: nativeId('AR', 1) },
      ])
      await music.artists.import([{ id: nativeId('AR', 1), name: 'The Artist' }])
      const find = async (query: object) =>
        (await music.songs.search(query)).map(({ artistName, title }) => `${title}: ${artistName}`)
      expect(await find({ artist: 'the artist' })).toEqual([
        'One: The Artist',
        'Two: Prinz feat. Guest',
      ])
      expect(await find({ artist: 'prinz' })).toHaveLength(2)
      expect(await find({ combined: 'artist one' })).toEqual(['One: The Artist'])
      expect(await find({ combined: 'prinz' })).toEqual(['Two: Prinz feat. Guest'])
      expect(namesOf(await music.artists.search('prinz'))).toEqual(['The Artist'])
    })

    it('bring songs that came before to their artist’s facts', async () => {
      const music = await openInline()
      await music.songs.import([{ title: 'One', artistName: 'nora vale' }])
      expect(await music.artists.import([{ ...FULL, id: 'my-nora' }])).toMatchObject({ updated: 1 })
      const [song] = await music.songs.search({
        style: 'jazz',
        artistMinFamiliarity: 0.8,
        minLatitude: 51,
        artistStartYearBefore: 1971,
        artistEndYearAfter: 'present',
        bucket: ['artist_location', 'artist_familiarity', 'artist_hotttnesss', 'origins'],
      })
      expect(song).toMatchObject({
        artistName: 'Nora Vale',
        artistFamiliarity: 0.812345,
        artistHotttnesss: 0.654321,
        artistLocation: { latitude: 51.67, longitude: -1.28, location: 'Abingdon, England, GB' },
        origins: { artist_familiarity: 'import', artist_location: 'import' },
      })
    })
  })

  describe('bad records', () => {
    it.each([
      [{}, /^name - Missing parameter$/],
      [{ name: '' }, /^name - Invalid parameter: ""/],
      [{ name: 'Ghost', hottness: 1 }, /"hottness"; did you mean "hotttnesss"\?/],
      [{ name: 'Ghost', familiarity: null }, /^familiarity - Invalid parameter: null/],
      [{ name: 'Ghost', familiarity: 'high' }, /^familiarity - Invalid parameter: "high"/],
      [
        { name: 'Ghost', location: { latitude: -91 } },
        /^location\.latitude - .*-91 must be >= -90/,
      ],
      [{ name: 'Ghost', location: { longitude: 181 } }, /^location\.longitude - .*181/],
      [{ name: 'Ghost', location: 'Paris' }, /^location - Invalid parameter: "Paris"/],
      [{ name: 'Ghost', yearsActive: [{ end: 1990 }] }, /^yearsActive\.0\.start - Missing/],
      [
        { name: 'Ghost', yearsActive: [{ start: 1990, end: 1980 }] },
        /^yearsActive\.0 - .*ends before it starts/,
      ],
      [{ name: 'Ghost', yearsActive: [{ start: 0 }] }, /^yearsActive\.0\.start - .*0 must be/],
      [{ name: 'Ghost', terms: [{ name: ' ' }] }, /^terms\.0\.name - /],
      [{ name: 'Ghost', terms: [{ name: 'a', kind: 'x' }] }, /^terms\.0\.kind - .*"x" is not one/],
      [{ name: 'Ghost', foreignIds: [{ foreignId: '1' }] }, /^foreignIds\.0\.catalog - Missing/],
      [{ name: 'Ghost', biographies: [{ url: 'x' }] }, /^biographies\.0\.text - Missing/],
      [{ name: 'Ghost', news: [{ name: 'a', date_found: 'x' }] }, /^news\.0 - .*"date_found"/],
      [{ name: 'Ghost', urls: { officialUrl: 5 } }, /^urls\.officialUrl - .*5/],
      [{ name: 'Ghost', aliases: 'Spirit' }, /^aliases - Invalid parameter: "Spirit"/],
      ['Ghost', /"Ghost" must be an object/],
    ])('%j is told, and leaves nothing behind', async (record, info) => {
      const music = await openInline()
      const result = await music.artists.import([
        { name: 'Before' },
        record as never,
        { name: 'After' },
      ])
      expect(result).toMatchObject({ imported: 2, updated: 0, rejected: [{ index: 1 }] })
      expect(result.rejected[0]?.info).toMatch(info)
      expect(await music.artists.search('ghost')).toEqual([])
    })
  })

  describe('on its way', () => {
    function* artists(count = Number.POSITIVE_INFINITY) {
      for (let i = 0; i < count; i++) yield { id: nativeId('AR', i), name: `Artist ${i}` }
    }

    it('tells how far it is, and keeps what it has taken when it is stopped', async () => {
      const music = await openInline()
      const leave = new AbortController()
      const told: number[] = []
      const onProgress = ({ done }: { done: number }) => {
        told.push(done)
        if (done === 2000) leave.abort(new Error('enough'))
      }
      const importing = music.artists.import(artists(), { signal: leave.signal, onProgress })
      expect((await failure(importing)).message).toBe('enough')
      expect(told.slice(0, 2)).toEqual([1000, 2000])
      expect(await music.artists.search('artist 1999')).toHaveLength(1)
      const { imported, updated } = await music.artists.import(artists(4000))
      expect(updated).toBeGreaterThanOrEqual(2000)
      expect(imported + updated).toBe(4000)
    })

    it('takes records as they come, and passes on what they throw', async () => {
      const music = await openInline()
      async function* broken() {
        for (const record of artists(1200)) {
          if (record.name === 'Artist 500') await new Promise((resolve) => setImmediate(resolve))
          yield record
        }
        throw new Error('no more')
      }
      expect((await failure(music.artists.import(broken()))).message).toBe('no more')
      expect(await music.artists.search('artist 999')).toHaveLength(1)
    })
  })
})

describe('artists.get', () => {
  it('takes foreign ids, and ids of no form', async () => {
    const music = await openInline()
    await music.artists.import([FULL, { id: 'bare', name: 'Bare' }])
    for (const id of [FULL.id, 'musicbrainz:artist:mb-nora', '7digital-US:artist:304']) {
      expect((await music.artists.get(id)).id).toBe(FULL.id)
    }
    for (const id of ['bare', 'imported:artist:bare']) {
      expect(await get(music, id, 'id:imported')).toMatchObject({
        name: 'Bare',
        foreignIds: [{ catalog: 'imported', foreignId: 'imported:artist:bare' }],
      })
    }
  })

  it.each([nativeId('AR', 99), 'musicbrainz:artist:nobody', 'nobody'])(
    'tells that there is no %s',
    async (id) => {
      const music = await openInline()
      const error = await failure(music.artists.get(id))
      expect(error).toBeInstanceOf(ParameterError)
      expect(error).toMatchObject({ code: 'unknown_identifier', status: 5 })
      expect(error.message).toBe(`The Identifier specified does not exist: ${id}`)
    },
  )

  it('tells what it cannot take', async () => {
    const music = await openInline()
    const bucket = await failure(get(music, 'AR1', ['terms', 'fakebucket' as never]))
    expect(bucket).toMatchObject({ code: 'invalid_parameter', status: 5 })
    expect(bucket.message).toMatch(/"fakebucket" is not one of "biographies"/)
    const missing = await failure(music.artists.get(undefined as never))
    expect(missing).toMatchObject({ code: 'missing_parameter', status: 4 })
    expect(missing.message).toBe('id - Missing parameter')
    const signal = AbortSignal.abort(new Error('enough'))
    expect((await failure(music.artists.get('AR1', { signal }))).message).toBe('enough')
  })
})

describe('artists.search', () => {
  const NAMES = [
    'Sun',
    'Red Sun',
    'The Sun',
    'Sun Trio Berlin',
    'Sunny',
    'Björk',
    '!!!',
    '夢',
    'The The',
  ]

  async function open() {
    const music = await openInline()
    await music.artists.import(
      NAMES.map((name, i) => ({
        id: nativeId('AR', i),
        name,
        ...(i !== 1 && { familiarity: i / 10 }),
      })),
    )
    return music
  }

  it('finds those who are called exactly so first, then the better known', async () => {
    const music = await open()
    expect(namesOf(await music.artists.search('sun'))).toEqual([
      'Sun',
      'The Sun',
      'Sun Trio Berlin',
      'Red Sun',
    ])
    expect(namesOf(await music.artists.search('berlin  SUN'))).toEqual(['Sun Trio Berlin'])
  })

  it.each([
    ['bjork', 'Björk'],
    ['BJÖRK!', 'Björk'],
    ['!!!', '!!!'],
    ['夢', '夢'],
    ['the the', 'The The'],
  ])('finds %s as %s', async (asked, name) => {
    const music = await open()
    expect(namesOf(await music.artists.search(asked))[0]).toBe(name)
  })

  it('answers page by page, with buckets', async () => {
    const music = await open()
    const all = await music.artists.search('sun')
    expect(await music.artists.search('sun', { results: 2 })).toEqual(all.slice(0, 2))
    expect(await music.artists.search('sun', { results: 2, start: 2 })).toEqual(all.slice(2))
    expect(await music.artists.search('sun', { start: 4 })).toEqual([])
    expect(await music.artists.search('sun', { results: 0 })).toEqual([])
    const [, second] = await music.artists.search('sun', { bucket: 'familiarity' })
    expect(second).toEqual({ id: nativeId('AR', 2), name: 'The Sun', familiarity: 0.2 })
  })

  it('answers 15 at first', async () => {
    const music = await openInline()
    await music.artists.import(
      Array.from({ length: 20 }, (_, i) => ({ id: nativeId('AR', i), name: `Sun ${i}` })),
    )
    expect(await music.artists.search('sun')).toHaveLength(15)
    expect(await music.artists.search('sun', { results: 100 })).toHaveLength(20)
  })

  it('finds nobody of that name', async () => {
    const music = await open()
    expect(await music.artists.search('xylophone quartet')).toEqual([])
    expect(await music.artists.search('???')).toEqual([])
  })

  it.each([
    [{ results: 101 }, /^results - Invalid parameter: 101/],
    [{ results: -1 }, /^results - Invalid parameter: -1/],
    [{ start: -1 }, /^start - Invalid parameter: -1/],
    [{ bucket: 'audio_summary' }, /^bucket - Invalid parameter: "audio_summary" is not one of/],
    [{ limits: 3 }, /^limits - Unknown parameter/],
  ])('refuses %j', async (query, message) => {
    const music = await open()
    const error = await failure(music.artists.search('sun', query as never))
    expect(error).toMatchObject({ code: 'invalid_parameter', status: 5 })
    expect(error.message).toMatch(message)
    const empty = await failure(music.artists.search('  '))
    expect(empty.message).toMatch(/^name - Invalid parameter: " {2}"/)
  })
})
