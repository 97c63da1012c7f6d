import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect, it } from 'vitest'
import { type Audile, ClosedError, type SongBucket, type SongRecord } from '../../src/index.ts'
import { SONG_BUCKETS } from '../support/buckets.ts'
import { failure } from '../support/failure.ts'
import { openInline } from '../support/open.ts'
import { nativeId } from '../support/reference-library.ts'
import { scratch } from '../support/scratch.ts'
import { tune } from '../support/tune.ts'

const MBID = 'B1A9C0E9-D987-4042-AE91-78D6A3267D69'

/** Everything that a record can say. */
const FULL = {
  id: nativeId('SO', 1),
  title: 'Long Way Down',
  artistId: nativeId('AR', 1),
  artistName: 'Nora Vale',
  release: 'Cellar Songs',
  year: 1977,
  duration: 201.5,
  songHotttnesss: 0.512345,
  songType: ['live', 'acoustic'],
  isrc: ['GB-AYE-77-00531', 'usabc7712345'],
  musicbrainzId: MBID,
  audioSummary: {
    tempo: 98.765,
    key: 9,
    mode: 0,
    timeSignature: 3,
    loudness: -11.5,
    energy: 0.61,
    danceability: 0.42,
    speechiness: 0.05,
    acousticness: 0.8,
    instrumentalness: 0.01,
    liveness: 0.9,
    valence: 0.33,
    duration: 202,
    audioMd5: '0123456789abcdef0123456789abcdef',
  },
  tracks: [
    {
      id: nativeId('TR', 1),
      catalog: '7digital-US',
      foreignId: '111',
      foreignReleaseId: '7digital-US:release:9',
      previewUrl: 'http://example.org/111.mp3',
      releaseImage: 'http://example.org/9.jpg',
    },
  ],
  foreignIds: [
    { catalog: 'spotify', foreignId: 'sp1' },
    { catalog: 'rdio', foreignId: 'rdio:song:r1' },
  ],
  artistHotttnesss: 0.7,
  artistFamiliarity: 0.8,
  artistLocation: { latitude: 48.85, longitude: 2.35, location: 'Paris, France' },
  artistForeignIds: [{ catalog: 'musicbrainz', foreignId: 'mb-nora' }],
  terms: [
    { name: 'Chanson', weight: 1, frequency: 0.7, kind: 'style' },
    { name: 'mellow', frequency: 0.4 },
  ],
} as const satisfies SongRecord

const first = async (music: Audile, id: string, bucket: SongBucket[] = []) => {
  const [song] = await music.songs.profile({ id, bucket })
  return song && { ...song }
}
const total = async (music: Audile) => (await music.songs.search({ results: 100 })).length

describe('songs.import', () => {
  it('keeps every field of a record', async () => {
    const music = await openInline()
    expect(await music.songs.import([FULL])).toEqual({ imported: 1, updated: 0, rejected: [] })
    const spaces = ['7digital-US', 'spotify', 'rdio', 'isrc', 'musicbrainz'].map(
      (s) => `id:${s}` as const,
    )
    const { duration: _, ...sound } = FULL.audioSummary
    expect(await first(music, FULL.id, [...SONG_BUCKETS, ...spaces])).toEqual({
      id: FULL.id,
      title: 'Long Way Down',
      artistId: FULL.artistId,
      artistName: 'Nora Vale',
      audioSummary: { ...sound, duration: 201.5 },
      songHotttnesss: 0.512345,
      songType: ['live', 'acoustic'],
      artistHotttnesss: 0.7,
      artistFamiliarity: 0.8,
      artistLocation: FULL.artistLocation,
      foreignIds: [
        { catalog: 'spotify', foreignId: 'spotify:song:sp1' },
        { catalog: 'rdio', foreignId: 'rdio:song:r1' },
        { catalog: 'isrc', foreignId: 'isrc:song:GBAYE7700531' },
        { catalog: 'isrc', foreignId: 'isrc:song:USABC7712345' },
        { catalog: 'musicbrainz', foreignId: `musicbrainz:song:${MBID.toLowerCase()}` },
      ],
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
    const artist = await music.artists.get(FULL.artistId, { bucket: ['terms', 'songs'] })
    expect(artist).toEqual({
      id: FULL.artistId,
      name: 'Nora Vale',
      terms: [
        { name: 'chanson', weight: 1, frequency: 0.7 },
        { name: 'mellow', weight: 0.4, frequency: 0.4 },
      ],
      songs: [{ id: FULL.id, title: 'Long Way Down' }],
    })
  })

  it('takes a record of nothing but names', async () => {
    const music = await openInline()
    await music.songs.import([{ title: ' Rust ', artistName: ' The Iron Kettles ' }])
    const [song] = await music.songs.search({ bucket: [...SONG_BUCKETS, 'id:spotify'] })
    expect({ ...song }).toEqual({
      id: expect.stringMatching(/^SO[A-Z]{5}[0-9A-F]{11}$/),
      title: 'Rust',
      artistId: expect.stringMatching(/^AR[A-Z]{5}[0-9A-F]{11}$/),
      artistName: 'The Iron Kettles',
      foreignIds: [],
      tracks: [],
      artistForeignIds: [],
    })
  })

  it('tells where the values came from', async () => {
    const music = await openInline()
    await music.songs.import([FULL, { id: 'bare', title: 'Rust', artistName: 'Kettles' }])
    expect((await first(music, FULL.id, ['origins']))?.origins).toEqual({
      title: 'import',
      artist_name: 'import',
      release: 'import',
      year: 'import',
      duration: 'import',
      audio_summary: 'import',
      song_hotttnesss: 'import',
      artist_familiarity: 'import',
      artist_hotttnesss: 'import',
      artist_location: 'import',
    })
    expect((await first(music, 'bare', ['origins']))?.origins).toEqual({
      title: 'import',
      artist_name: 'import',
    })
  })

  it('reads 0 and less as not known, and more than all as all', async () => {
    const music = await openInline()
    const sound = { tempo: 0, key: -1, mode: -1, timeSignature: -1, duration: 0, energy: 1.5 }
    await music.songs.import([
      {
        id: nativeId('SO', 1),
        title: 'Blank',
        artistName: 'Nobody',
        year: 0,
        duration: -1,
        songHotttnesss: 1.0825,
        audioSummary: { ...sound, danceability: -1 },
        artistHotttnesss: -1,
        artistFamiliarity: 1.01,
      },
    ])
    const song = await first(music, nativeId('SO', 1), [...SONG_BUCKETS.slice(0, -1), 'origins'])
    expect(song).toMatchObject({ songHotttnesss: 1, artistFamiliarity: 1 })
    expect(song?.audioSummary).toMatchObject({ energy: 1, danceability: null })
    expect(song).not.toHaveProperty('artistHotttnesss')
    expect(song?.origins).not.toHaveProperty('year')
    expect(song?.origins).not.toHaveProperty('duration')
  })

  it('takes the duration of the summary where the record has none of its own', async () => {
    const music = await openInline()
    const names = { title: 'Rust', artistName: 'Kettles', id: nativeId('SO', 1) }
    await music.songs.import([{ ...names, audioSummary: { duration: 99 } }])
    expect((await first(music, names.id, ['audio_summary']))?.audioSummary?.duration).toBe(99)
    expect(await music.songs.search({ minDuration: 99, maxDuration: 99 })).toHaveLength(1)
  })

  describe('run again', () => {
    const withIds = (id: (i: number) => SongRecord['id']) =>
      Array.from({ length: 5 }, (_, i) => {
        const given = id(i)
        return {
          title: `Song ${i}`,
          artistName: 'Band',
          duration: 100 + i,
          ...(given && { id: given }),
        }
      })

    it.each([
      ['ids of the service', withIds((i) => nativeId('SO', i))],
      ['ids of no form', withIds((i) => `track-${i}`)],
      ['foreign ids', withIds((i) => `elsewhere:song:${i}`)],
      ['no ids', withIds(() => undefined)],
      ['ISRCs', withIds(() => undefined).map((one, i) => ({ ...one, isrc: `GBAYE770053${i}` }))],
      [
        'no ids, and lengths that tell them apart',
        [100, 110, 120].map((duration) => ({ title: 'Blues', artistName: 'Band', duration })),
      ],
      ['no ids and no lengths', [{ title: 'Blues', artistName: 'Band' }]],
      ['featured artists', [{ title: 'Blues', artistName: 'Band feat. Guest', duration: 9 }]],
    ])('changes nothing: %s', async (_, records: SongRecord[]) => {
      const music = await openInline()
      const { length } = records
      expect(await music.songs.import(records)).toEqual({
        imported: length,
        updated: 0,
        rejected: [],
      })
      const before = (await music.songs.search({ results: 100 })).map((song) => ({ ...song }))
      expect(before).toHaveLength(length)
      for (let run = 0; run < 2; run++) {
        expect(await music.songs.import(records)).toEqual({
          imported: 0,
          updated: length,
          rejected: [],
        })
      }
      const after = (await music.songs.search({ results: 100 })).map((song) => ({ ...song }))
      expect(after).toEqual(before)
      expect(await music.artists.search('Band')).toHaveLength(1)
    })

    it('changes nothing when all came in one go, twice', async () => {
      const music = await openInline()
      const records = withIds(() => undefined)
      const result = await music.songs.import([...records, ...records])
      expect(result).toEqual({ imported: 5, updated: 5, rejected: [] })
      expect(await total(music)).toBe(5)
    })

    it('keeps the same fingerprint once', async () => {
      const elsewhere = await openInline()
      const { code } = await elsewhere.songs.fingerprint(tune({ seed: 4 }))
      const record = { title: 'Tune', artistName: 'Band', fingerprints: [{ version: 4.12, code }] }
      const database = join(scratch(), 'music.db')
      const music = await openInline({ database })
      await music.songs.import([record])
      await music.songs.import([record, record])
      expect(await music.songs.identify(tune({ seed: 4 }))).toHaveLength(1)
      const db = new Sqlite(database, { readonly: true })
      expect(db.prepare('SELECT count(*) FROM recordings').pluck().get()).toBe(1)
      db.close()
    })
  })

  describe('of a song that is known', () => {
    it('writes what the record says over what was known, and leaves the rest', async () => {
      const music = await openInline()
      await music.songs.import([FULL])
      const update = {
        id: FULL.id,
        title: 'Cellar Door',
        artistName: 'Nora Vale',
        artistId: FULL.artistId,
        songHotttnesss: 0.9,
        year: 0,
        audioSummary: { tempo: 100, key: -1 },
        foreignIds: [{ catalog: 'spotify', foreignId: 'sp2' }],
        tracks: [
          { catalog: '7digital-US', foreignId: '111', previewUrl: 'http://example.org/new' },
        ],
      }
      expect(await music.songs.import([update])).toMatchObject({ imported: 0, updated: 1 })
      const song = await first(music, FULL.id, [...SONG_BUCKETS, 'origins', 'id:spotify'])
      expect(song).toMatchObject({
        title: 'Cellar Door',
        songHotttnesss: 0.9,
        songType: ['live', 'acoustic'],
        audioSummary: { tempo: 100, key: 9, mode: 0, energy: 0.61, duration: 201.5 },
        artistFamiliarity: 0.8,
      })
      expect(song?.foreignIds?.map(({ foreignId }) => foreignId)).toEqual([
        'spotify:song:sp1',
        'spotify:song:sp2',
      ])
      expect(song?.origins).toMatchObject({ year: 'import', release: 'import' })
      const [old] = await music.songs.search({ title: 'long way down' })
      expect(old).toBeUndefined()
      expect(await music.songs.search({ title: 'cellar door', minTempo: 100 })).toHaveLength(1)
    })

    it('finds it by what the last record says, when several come together', async () => {
      const music = await openInline()
      const ids = { id: nativeId('SO', 1), artistName: 'Band' }
      const result = await music.songs.import([
        { ...ids, title: 'Rust', duration: 100, audioSummary: { tempo: 60, energy: 0.3 } },
        { ...ids, title: 'Cellar Door', audioSummary: { tempo: 90 } },
      ])
      expect(result).toEqual({ imported: 1, updated: 1, rejected: [] })
      expect(await music.songs.search({ title: 'rust' })).toEqual([])
      expect(await music.songs.search({ maxTempo: 60 })).toEqual([])
      const query = { title: 'cellar door', minTempo: 90, maxEnergy: 0.3, maxDuration: 100 }
      expect(await music.songs.search(query)).toHaveLength(1)
    })

    it('knows it by any of its ids', async () => {
      const music = await openInline()
      await music.songs.import([FULL])
      const names = { title: 'Long Way Down', artistName: 'Nora Vale' }
      const result = await music.songs.import([
        { ...names, id: 'spotify:song:sp1' },
        { ...names, foreignIds: [{ catalog: 'rdio', foreignId: 'r1' }] },
        { ...names, isrc: 'GBAYE7700531' },
        { ...names, musicbrainzId: MBID.toLowerCase() },
      ])
      expect(result).toEqual({ imported: 0, updated: 4, rejected: [] })
    })

    it('knows it by its names and length, when nothing says that it is another one', async () => {
      const music = await openInline()
      await music.songs.import([{ ...FULL, artistId: FULL.artistId }])
      const same = { title: 'long way  DOWN', artistName: 'NORA VALE', duration: 203 }
      expect(await music.songs.import([same])).toMatchObject({ updated: 1 })
      const others = [
        { ...same, isrc: 'GBAYE7799999' },
        { ...same, duration: 230 },
        { ...same, artistName: 'Nora Vale feat. Guest' },
        { ...same, artistName: 'Nora Valley' },
        { ...same, title: 'Long Way Down (live)' },
        { ...same, id: nativeId('SO', 9) },
      ]
      expect(await music.songs.import(others)).toEqual({ imported: 6, updated: 0, rejected: [] })
    })
  })

  describe('ids', () => {
    it('that are of no form are kept as foreign ids', async () => {
      const music = await openInline()
      await music.songs.import([
        { id: 'song-1', artistId: 'artist-1', title: 'One', artistName: 'Band' },
        { id: 'shop:song:2', artistId: 'shop:artist:b', title: 'Two', artistName: 'Other Band' },
        { id: nativeId('TR', 3), title: 'Three', artistName: 'Band' },
      ])
      const idOf = async (id: string) => (await first(music, id))?.title
      expect(await idOf('song-1')).toBe('One')
      expect(await idOf('imported:song:song-1')).toBe('One')
      expect(await idOf('shop:song:2')).toBe('Two')
      // Of another type, it is no id of a song.
      expect(await idOf(nativeId('TR', 3))).toBe('Three')
      const [one] = await music.songs.search({ title: 'one', bucket: 'id:imported' })
      expect(one?.foreignIds).toEqual([{ catalog: 'imported', foreignId: 'imported:song:song-1' }])
      expect(one?.id).toMatch(/^SO/)
      expect((await music.artists.get('artist-1')).name).toBe('Band')
      expect((await music.artists.get('shop:artist:b')).name).toBe('Other Band')
    })

    it('of tracks: with or without a space, and of no form', async () => {
      const music = await openInline()
      await music.songs.import([
        {
          id: nativeId('SO', 1),
          title: 'One',
          artistName: 'Band',
          tracks: [
            { id: nativeId('TR', 1) },
            { id: 'my-track' },
            { catalog: 'shop', foreignId: 'shop:track:7' },
            { catalog: 'shop', foreignId: '8', foreignReleaseId: '3' },
            { foreignId: 'other:track:9' },
            { id: nativeId('TR', 2), catalog: 'shop', foreignId: '10' },
          ],
        },
      ])
      const [song] = await music.songs.profile({
        id: nativeId('SO', 1),
        bucket: ['tracks', 'id:imported', 'id:shop', 'id:other'],
      })
      const id = expect.stringMatching(/^TR[0-9A-F]{16}$/)
      expect(new Set(song?.tracks?.map((track) => track.id)).size).toBe(6)
      expect(song?.tracks).toEqual(
        expect.arrayContaining([
          {
            catalog: 'imported',
            foreignId: `imported:track:${nativeId('TR', 1)}`,
            id: nativeId('TR', 1),
          },
          { id, catalog: 'imported', foreignId: 'imported:track:my-track' },
          { id, catalog: 'shop', foreignId: 'shop:track:7' },
          { id, catalog: 'shop', foreignId: 'shop:track:8', foreignReleaseId: 'shop:release:3' },
          { id, catalog: 'other', foreignId: 'other:track:9' },
          { catalog: 'shop', foreignId: 'shop:track:10', id: nativeId('TR', 2) },
        ]),
      )
      for (const trackId of [
        nativeId('TR', 1),
        nativeId('TR', 2),
        'shop:track:8',
        'other:track:9',
        'imported:track:my-track',
      ]) {
        expect((await music.songs.profile({ trackId })).map(({ title }) => title)).toEqual(['One'])
      }
    })

    it('of tracks without one of the service are given one, the same at every import', async () => {
      const record = {
        title: 'One',
        artistName: 'Band',
        tracks: [{ catalog: 'shop', foreignId: '7' }],
      }
      const given: string[] = []
      for (const _ of [1, 2]) {
        const music = await openInline()
        await music.songs.import([record])
        await music.songs.import([record])
        const [song] = await music.songs.search({ bucket: ['tracks', 'id:shop'] })
        const { id } = song!.tracks![0]!
        given.push(id)
        expect((await music.tracks.get(id)).answer.foreignId).toBe('shop:track:7')
        expect(await music.songs.profile({ trackId: id })).toHaveLength(1)
      }
      expect(given[0]).toBe(given[1])
    })

    it('of two artists of one name make two artists, each with their songs', async () => {
      const music = await openInline()
      await music.songs.import([
        { title: 'One', artistName: 'Nirvana', artistId: nativeId('AR', 1) },
        { title: 'Two', artistName: 'Nirvana', artistId: nativeId('AR', 2) },
        { title: 'Three', artistName: 'Nirvana', artistId: 'third' },
        {
          title: 'Four',
          artistName: 'Nirvana',
          artistForeignIds: [{ catalog: 'mb', foreignId: '4' }],
        },
        {
          title: 'Five',
          artistName: 'Nirvana',
          artistForeignIds: [{ catalog: 'mb', foreignId: '5' }],
        },
      ])
      const titlesOf = async (artistId: string) =>
        (await music.songs.search({ artistId })).map(({ title }) => title)
      expect(await titlesOf(nativeId('AR', 1))).toContain('One')
      expect(await titlesOf(nativeId('AR', 1))).not.toContain('Two')
      expect(await titlesOf(nativeId('AR', 2))).toContain('Two')
      expect(await titlesOf('mb:artist:4')).toContain('Four')
      expect(await titlesOf('mb:artist:4')).not.toContain('Five')
      expect(await titlesOf('mb:artist:5')).toContain('Five')
      expect(await titlesOf('mb:artist:5')).not.toContain('Four')
      expect(await music.songs.search({ artist: 'nirvana' })).toHaveLength(5)
    })
  })

  describe('artists', () => {
    it.each([
      'Jay Zee feat. Rio',
      'Jay Zee ft Rio',
      'Jay Zee (featuring Rio)',
      'JAY ZEE [feat. Rio]',
    ])('of "%s" the song is the first one’s, and the credit is kept', async (artistName) => {
      const music = await openInline()
      await music.songs.import([
        { title: 'Alone', artistName: 'Jay Zee' },
        { title: 'Together', artistName },
      ])
      const [alone] = await music.songs.search({ title: 'alone' })
      const [together] = await music.songs.search({ title: 'together' })
      expect(together).toMatchObject({ artistName, artistId: alone?.artistId })
      expect((await music.artists.get(alone?.artistId as string)).name).toBe('Jay Zee')
      expect(await music.artists.search('Jay Zee')).toHaveLength(1)
      const byGuest = await music.songs.search({ artist: 'rio' })
      expect(byGuest.map(({ title }) => title)).toEqual(['Together'])
    })

    const artistOf = async (music: Audile, title: string) => {
      const [song] = await music.songs.search({ title })
      return { id: song?.artistId, name: song?.artistName }
    }
    /** A track of Band, with a song and an artist of its own. */
    const ofBand = async (music: Audile) => {
      const audioFeatures = { duration_ms: 200_000, tempo: 100, energy: 0.5 }
      await music.tracks.import([{ title: 'Zero', artist: 'Band', audioFeatures }])
      const band = await artistOf(music, 'zero')
      expect(band.name).toBe('Band')
      return band
    }

    it('are the same in the next batch, also by another name that they were given', async () => {
      const music = await openInline()
      await music.songs.import([{ title: 'One', artistName: 'Band' }])
      const band = await artistOf(music, 'one')
      await music.songs.import([{ title: 'Two', artistName: 'Band' }])
      expect(await artistOf(music, 'two')).toEqual(band)
      await music.artists.import([{ id: band.id as string, name: 'The Kettles' }])
      await music.songs.import([{ title: 'Three', artistName: 'Band' }])
      expect(await artistOf(music, 'two')).toEqual({ id: band.id, name: 'The Kettles' })
      // As it is credited.
      expect(await artistOf(music, 'three')).toEqual(band)
    })

    it('are others after they were removed', async () => {
      const music = await openInline()
      const band = await ofBand(music)
      await music.songs.import([{ id: 'one', title: 'One', artistName: 'Band' }])
      expect(await artistOf(music, 'one')).toEqual(band)
      await music.songs.import([{ id: 'one', title: 'One', artistName: 'Kettles' }])
      const { tracks } = await music.tracks.search()
      for (const track of tracks) await music.tracks.remove(track)
      expect(await music.artists.search('Band')).toEqual([])
      await music.songs.import([{ title: 'Two', artistName: 'Band' }])
      const another = await artistOf(music, 'two')
      expect(another).toEqual({ id: expect.stringMatching(/^AR/), name: 'Band' })
      expect(another.id).not.toBe(band.id)
    })

    it('of one’s own tracks stand behind those that the same batch brings', async () => {
      const music = await openInline()
      const band = await ofBand(music)
      await music.songs.import([
        { title: 'One', artistName: 'Band' },
        { title: 'Two', artistName: 'Band', artistId: nativeId('AR', 7) },
        { title: 'Three', artistName: 'Band' },
      ])
      expect(await artistOf(music, 'one')).toEqual(band)
      expect((await artistOf(music, 'three')).id).toBe(nativeId('AR', 7))
    })

    it('are the same however the name is spelt', async () => {
      const music = await openInline()
      const names = ['The Sóis', 'SOIS', 'sóis!', 'The  Sois']
      await music.songs.import(names.map((artistName, i) => ({ title: `Song ${i}`, artistName })))
      const artists = new Set((await music.songs.search({})).map(({ artistId }) => artistId))
      expect(artists.size).toBe(1)
    })

    it('get what their songs say of them: the last word on each thing counts', async () => {
      const music = await openInline()
      const names = { artistName: 'Band', artistId: nativeId('AR', 1) }
      await music.songs.import([
        { ...names, title: 'One', artistFamiliarity: 0.2, terms: [{ name: 'rock' }] },
        { ...names, title: 'Two', artistFamiliarity: 0.6, artistHotttnesss: 0.3 },
        {
          ...names,
          title: 'Three',
          terms: [
            { name: 'jazz', weight: 0.8 },
            { name: 'rock', weight: 0.7 },
            { name: 'sad', weight: 0.1 },
          ],
        },
        { ...names, title: 'Four' },
      ])
      const bucket = ['terms', 'familiarity', 'hotttnesss'] as const
      expect(await music.artists.get(nativeId('AR', 1), { bucket })).toMatchObject({
        familiarity: 0.6,
        hotttnesss: 0.3,
        terms: [
          { name: 'jazz', weight: 0.8 },
          { name: 'rock', weight: 0.7 },
          { name: 'sad', weight: 0.1 },
        ],
      })
      expect(await music.songs.search({ style: 'rock', artistMinHotttnesss: 0.3 })).toHaveLength(4)
      expect(await music.songs.search({ mood: 'sad', artistMinFamiliarity: 0.6 })).toHaveLength(4)
    })
  })

  describe('bad records', () => {
    const names = { title: 'Song', artistName: 'Ghost' }
    it.each([
      [{ artistName: 'Ghost' }, /^title - Missing parameter$/],
      [{ title: 'Song' }, /^artistName - Missing parameter$/],
      [{ ...names, title: ' ' }, /^title - Invalid parameter: " "/],
      [{ ...names, title: 5 }, /^title - Invalid parameter: 5 must be a string/],
      [{ ...names, yaer: 1999 }, /"yaer"; did you mean "year"\?/],
      [{ ...names, song_hotttnesss: 0.5 }, /"song_hotttnesss"; did you mean "songHotttnesss"\?/],
      [{ ...names, audioSummary: { tempoo: 5 } }, /^audioSummary - Invalid parameter: "tempoo"/],
      [{ ...names, tracks: [{ foreignId: '1', url: 'x' }] }, /^tracks\.0 - Invalid.*"url"/],
      [{ ...names, terms: [{ name: 'a', kinds: 'style' }] }, /^terms\.0 - Invalid.*"kinds"/],
      [{ ...names, year: null }, /^year - Invalid parameter: null/],
      [{ ...names, year: 1977.5 }, /^year - Invalid parameter: 1977.5/],
      [{ ...names, year: '1977' }, /^year - Invalid parameter: "1977"/],
      [{ ...names, year: 20_000 }, /^year - Invalid parameter: 20000 must be <= 9998/],
      [{ ...names, duration: Number.NaN }, /^duration - Invalid parameter: NaN/],
      [{ ...names, audioSummary: { key: 12 } }, /^audioSummary\.key - Invalid parameter: 12/],
      [{ ...names, audioSummary: { mode: 2 } }, /^audioSummary\.mode - Invalid parameter: 2/],
      [{ ...names, audioSummary: { loudness: -101 } }, /^audioSummary\.loudness - .*-101/],
      [{ ...names, audioSummary: { tempo: 'fast' } }, /^audioSummary\.tempo - .*"fast"/],
      [{ ...names, artistLocation: { latitude: 91 } }, /^artistLocation\.latitude - .*91/],
      [{ ...names, foreignIds: [{ catalog: 'x' }] }, /^foreignIds\.0\.foreignId - Missing/],
      [{ ...names, tracks: [{ catalog: 'x' }] }, /^tracks\.0 - .*neither id nor foreignId/],
      [{ ...names, terms: [{ name: 'a', kind: 'genre' }] }, /^terms\.0\.kind - .*"genre"/],
      [{ ...names, fingerprints: [{ version: 4.12, code: '?' }] }, /^fingerprints - Invalid/],
      [{ ...names, fingerprints: [{ version: 99, code: 'eJw' }] }, /^fingerprints - Invalid/],
      ['a song', /"a song" must be an object/],
      [null, /null must be an object/],
      [[], /must be an object/],
    ])('%j is told, and leaves nothing behind', async (record, info) => {
      const music = await openInline()
      const records = [
        { title: 'Before', artistName: 'Band' },
        record as never,
        { title: 'After', artistName: 'Band' },
      ]
      const result = await music.songs.import(records)
      expect(result).toMatchObject({ imported: 2, updated: 0, rejected: [{ index: 1 }] })
      expect(result.rejected).toHaveLength(1)
      expect(result.rejected[0]?.info).toMatch(info)
      const found = await music.songs.search({})
      expect(found.map(({ title }) => title)).toEqual(['Before', 'After'])
      expect(await music.artists.search('Ghost')).toEqual([])
    })

    it('are counted over all batches', async () => {
      const music = await openInline()
      const records = Array.from({ length: 2600 }, (_, i) => ({
        id: nativeId('SO', i),
        title: i % 500 === 7 ? '' : `Song ${i}`,
        artistName: 'Band',
      }))
      const { imported, rejected } = await music.songs.import(records)
      expect(rejected.map(({ index }) => index)).toEqual([7, 507, 1007, 1507, 2007, 2507])
      expect(imported).toBe(2594)
    })
  })

  describe('on its way', () => {
    function* songs(count = Number.POSITIVE_INFINITY) {
      for (let i = 0; i < count; i++) {
        yield { id: nativeId('SO', i), title: `Song ${i}`, artistName: 'Band' }
      }
    }

    it('takes records as they come, and tells how far it is', async () => {
      const music = await openInline()
      async function* slowly() {
        for (let i = 0; i < 2100; i++) {
          if (i % 700 === 0) await new Promise((resolve) => setImmediate(resolve))
          yield { id: nativeId('SO', i % 2000), title: `Song ${i}`, artistName: i === 5 ? '' : 'B' }
        }
      }
      const told: object[] = []
      const onProgress = ({ done, imported, updated, rejected }: Progress) =>
        told.push({ done, imported, updated, rejected: rejected.length })
      const result = await music.songs.import(slowly(), { onProgress })
      expect(told).toEqual([
        { done: 1000, imported: 999, updated: 0, rejected: 1 },
        { done: 2000, imported: 1999, updated: 0, rejected: 1 },
        // The one that was refused is new now.
        { done: 2100, imported: 2000, updated: 99, rejected: 1 },
      ])
      expect(result).toMatchObject({ imported: 2000, updated: 99 })
    })

    it('takes nothing of nothing', async () => {
      const music = await openInline()
      expect(await music.songs.import([])).toEqual({ imported: 0, updated: 0, rejected: [] })
    })

    it('keeps what it has taken when it is stopped, and goes on when it is run again', async () => {
      const music = await openInline()
      const leave = new AbortController()
      let closed = false
      function* records() {
        try {
          yield* songs()
        } finally {
          closed = true
        }
      }
      const onProgress = ({ done }: Progress) => {
        if (done === 3000) leave.abort(new Error('enough'))
      }
      const importing = music.songs.import(records(), { signal: leave.signal, onProgress })
      expect((await failure(importing)).message).toBe('enough')
      expect(closed).toBe(true)
      const rest = [...songs(5000)]
      const { imported, updated } = await music.songs.import(rest)
      expect(updated).toBeGreaterThanOrEqual(3000)
      expect(imported + updated).toBe(5000)
    })

    it('takes nothing when it was stopped before', async () => {
      const music = await openInline()
      const signal = AbortSignal.abort(new Error('never mind'))
      expect((await failure(music.songs.import(songs(), { signal }))).message).toBe('never mind')
      expect(await total(music)).toBe(0)
    })

    it('passes on what the records throw, and what the listener throws', async () => {
      const music = await openInline()
      function* broken() {
        yield* songs(1500)
        throw new Error('no more')
      }
      expect((await failure(music.songs.import(broken()))).message).toBe('no more')
      expect((await music.songs.search({ title: 'song 999' })).length).toBeGreaterThan(0)
      const onProgress = () => {
        throw new Error('not listening')
      }
      const importing = music.songs.import(songs(), { onProgress })
      expect((await failure(importing)).message).toBe('not listening')
      expect(await music.songs.search({ results: 1 })).toHaveLength(1)
    })

    it('two at once take in both', async () => {
      const music = await openInline()
      const half = (from: number) =>
        Array.from({ length: 1500 }, (_, i) => ({
          id: nativeId('SO', from + i),
          title: `Song ${from + i}`,
          artistName: 'Band',
        }))
      const results = await Promise.all([
        music.songs.import(half(0)),
        music.songs.import(half(1000)),
      ])
      expect(results.reduce((sum, { imported }) => sum + imported, 0)).toBe(2500)
      expect(results.reduce((sum, { updated }) => sum + updated, 0)).toBe(500)
    })

    it('is refused when the database is closed', async () => {
      const music = await openInline()
      await music.close()
      const error = await failure(music.songs.import([{ title: 'A', artistName: 'B' }]))
      expect(error).toBeInstanceOf(ClosedError)
    })
  })
})

type Progress = { done: number; imported: number; updated: number; rejected: object[] }
