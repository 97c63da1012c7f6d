import { describe, expect, it } from 'vitest'
import { ParameterError, Song, type SongBucket } from '../../src/index.ts'
import { SONG_BUCKETS } from '../support/buckets.ts'
import { failure } from '../support/failure.ts'
import { ARTISTS, labelsOf, nativeId, openLibrary, SONGS } from '../support/reference-library.ts'
import { taggedMp3 } from '../support/tagged-mp3.ts'

const ALL: readonly SongBucket[] = [...SONG_BUCKETS, 'origins']

describe('songs.profile', () => {
  it('answers songs with id, title, artistId and artistName', async () => {
    const music = await openLibrary()
    const [song, ...others] = await music.songs.profile({ id: SONGS.soisHome.id })
    expect(others).toEqual([])
    expect(song).toBeInstanceOf(Song)
    expect({ ...song }).toEqual({
      id: SONGS.soisHome.id,
      title: 'Home',
      artistId: ARTISTS.sois.id,
      artistName: 'Os Sóis feat. Nora Vale',
    })
  })

  it('takes several ids, and answers in their order', async () => {
    const music = await openLibrary()
    const id = [SONGS.rust.id, SONGS.helpMeHome.id, SONGS.manha.id]
    expect(labelsOf(await music.songs.profile({ id }))).toEqual(['rust', 'helpMeHome', 'manha'])
    const trackId = [nativeId('TR', 1), '7digital-US:track:333']
    expect(labelsOf(await music.songs.profile({ trackId }))).toEqual(['helpMeHome', 'ironHome'])
    expect(labelsOf(await music.songs.profile({ id, trackId: nativeId('TR', 1) }))).toEqual([
      'rust',
      'helpMeHome',
      'manha',
      'helpMeHome',
    ])
  })

  it.each([
    ['spotify:song:sp1', 'helpMeHome'],
    ['7digital-US:track:111', 'helpMeHome'],
    ['7digital-US:track:333', 'ironHome'],
    [SONGS.untitled.id, 'untitled'],
  ])('takes %s for an id', async (id, label) => {
    const music = await openLibrary()
    expect(labelsOf(await music.songs.profile({ id }))).toEqual([label])
  })

  it('takes the id of a track of one’s own, and the ids in its tags', async () => {
    const music = await openLibrary()
    const isrc = 'GBAYE7700531'
    const bytes = taggedMp3({ TIT2: 'Mine', TPE1: 'Me', TSRC: isrc })
    const track = await music.tracks.upload({ bytes, wait: true })
    for (const trackId of [track.id, `isrc:track:${isrc}`]) {
      expect((await music.songs.profile({ trackId })).map(({ title }) => title)).toEqual(['Mine'])
    }
    const [song] = await music.songs.profile({ id: `isrc:song:${isrc}`, bucket: 'id:isrc' })
    expect(song?.tracks).toEqual([
      { catalog: 'isrc', foreignId: `isrc:track:${isrc}`, id: track.id },
    ])
    expect(song?.foreignIds).toEqual([{ catalog: 'isrc', foreignId: `isrc:song:${isrc}` }])
  })

  it('leaves out what is not known', async () => {
    const music = await openLibrary()
    const unknown = [nativeId('SO', 99), 'spotify:song:nothing', 'nothing', nativeId('TR', 1)]
    const id = [unknown[0] as string, SONGS.rust.id, ...unknown.slice(1)]
    expect(labelsOf(await music.songs.profile({ id }))).toEqual(['rust'])
    const trackId = [nativeId('TR', 99), SONGS.rust.id, 'spotify:track:nothing']
    expect(await music.songs.profile({ trackId })).toEqual([])
    expect(await music.songs.profile({ id: unknown })).toEqual([])
  })

  it('has numbers flat, the place and the sound as objects, and lists', async () => {
    const music = await openLibrary()
    const [song] = await music.songs.profile({
      id: SONGS.helpMeHome.id,
      bucket: [...ALL, 'id:7digital-US', 'id:spotify', 'id:musicbrainz'],
    })
    expect({ ...song }).toEqual({
      id: SONGS.helpMeHome.id,
      title: 'Help Me Home',
      artistId: ARTISTS.nora.id,
      artistName: 'Nora Vale',
      songHotttnesss: 0.5,
      songType: ['studio', 'acoustic'],
      artistHotttnesss: 0.8,
      artistFamiliarity: 0.9,
      artistLocation: { latitude: 48.85, longitude: 2.35, location: 'Paris, France' },
      audioSummary: {
        tempo: 90,
        loudness: -20,
        danceability: 0.3,
        energy: 0.2,
        key: 0,
        mode: 1,
        timeSignature: 4,
        duration: 200,
      },
      foreignIds: [{ catalog: 'spotify', foreignId: 'spotify:song:sp1' }],
      tracks: [
        {
          catalog: '7digital-US',
          foreignId: '7digital-US:track:111',
          id: nativeId('TR', 1),
          foreignReleaseId: '7digital-US:release:9',
          previewUrl: 'http://example.org/111.mp3',
          releaseImage: 'http://example.org/9.jpg',
        },
      ],
      artistForeignIds: [{ catalog: 'musicbrainz', foreignId: 'musicbrainz:artist:mb-nora' }],
      origins: {
        title: 'import',
        artist_name: 'import',
        duration: 'import',
        audio_summary: 'import',
        song_hotttnesss: 'import',
        artist_familiarity: 'import',
        artist_hotttnesss: 'import',
        artist_location: 'import',
      },
    })
  })

  it('answers as much as the search with the same buckets', async () => {
    const music = await openLibrary()
    const bucket = [...ALL, 'id:7digital-US', 'id:spotify'] as const
    const found = await music.songs.search({ bucket })
    expect(found).toHaveLength(8)
    const id = found.map((song) => song.id)
    expect((await music.songs.profile({ id, bucket })).map((song) => ({ ...song }))).toEqual(
      found.map((song) => ({ ...song })),
    )
  })

  it('answers foreign ids and tracks in the order of the spaces', async () => {
    const music = await openLibrary()
    const ids = await Promise.all(
      (
        [
          ['id:spotify', 'id:7digital-US'],
          ['id:7digital-US', 'id:spotify', 'id:spotify'],
        ] as const
      ).map(async (bucket) => (await music.songs.profile({ id: SONGS.helpMeHome.id, bucket }))[0]),
    )
    for (const song of ids) {
      expect(song?.foreignIds).toHaveLength(1)
      expect(song?.tracks).toEqual([
        { catalog: '7digital-US', foreignId: '7digital-US:track:111', id: nativeId('TR', 1) },
      ])
    }
  })

  it('limit leaves out songs that are known in none of the spaces', async () => {
    const music = await openLibrary()
    const id = Object.values(SONGS).map((song) => song.id)
    const ask = async (bucket: SongBucket | SongBucket[], limit: boolean | 'true' | 'false') =>
      labelsOf(await music.songs.profile({ id, bucket, limit: limit as boolean }))
    expect(await ask('id:spotify', true)).toEqual(['helpMeHome'])
    expect(await ask('id:7digital-US', 'true')).toEqual(['helpMeHome', 'ironHome'])
    expect(await ask(['id:spotify', 'id:7digital-US'], true)).toEqual(['helpMeHome', 'ironHome'])
    expect(await ask('id:nowhere', true)).toEqual([])
    expect(await ask('id:spotify', false)).toHaveLength(8)
    expect(await ask('id:spotify', 'false')).toHaveLength(8)
  })

  it('of a song answers anew what is known of it', async () => {
    const music = await openLibrary()
    const [song] = await music.songs.search({ title: 'rust' })
    const { title, artistName } = SONGS.rust
    await music.songs.import([{ id: SONGS.rust.id, title, artistName, songHotttnesss: 0.25 }])
    expect((await song?.profile({ bucket: 'song_hotttnesss' }))?.songHotttnesss).toBe(0.25)
  })

  it.each([
    [{}, 'missing_parameter', /^id - Missing parameter/],
    [{ bucket: 'audio_summary' }, 'missing_parameter', /^id - Missing parameter/],
    [{ id: '' }, 'invalid_parameter', /^id - Invalid parameter: ""/],
    [{ id: ['SO1', ''] }, 'invalid_parameter', /^id\.1 - Invalid parameter: ""/],
    [{ id: 5 }, 'invalid_parameter', /^id - Invalid parameter: 5/],
    [
      { track_id: 'TR1' },
      'invalid_parameter',
      /^track_id - Unknown parameter; did you mean "trackId"\?/,
    ],
    [{ id: 'SO1', results: 3 }, 'invalid_parameter', /^results - Unknown parameter/],
    [{ id: 'SO1', limit: 'maybe' }, 'invalid_parameter', /^limit - Invalid parameter: "maybe"/],
    [{ id: 'SO1', limit: true }, 'invalid_parameter', /^limit - .*needs an id space/],
    [{ id: 'SO1', bucket: 'tracks' }, 'invalid_parameter', /^bucket - .*"tracks" needs an id/],
    [
      { id: 'SO1', bucket: ['audio_summary', 'fake'] },
      'invalid_parameter',
      /^bucket\.1 - Invalid parameter: "fake" is not one of "audio_summary"/,
    ],
  ])('refuses %j', async (query, code, message) => {
    const music = await openLibrary()
    const error = await failure(music.songs.profile(query as never))
    expect(error).toBeInstanceOf(ParameterError)
    expect(error).toMatchObject({ code, status: code === 'missing_parameter' ? 4 : 5 })
    expect(error.message).toMatch(message)
  })

  it('rejects with the reason of its signal', async () => {
    const music = await openLibrary()
    const signal = AbortSignal.abort(new Error('enough'))
    const asking = music.songs.profile({ id: SONGS.rust.id }, { signal })
    expect((await failure(asking)).message).toBe('enough')
  })
})
