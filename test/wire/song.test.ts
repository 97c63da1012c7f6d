import { describe, expect, it } from 'vitest'
import { SONG_BUCKETS } from '../support/buckets.ts'
import { hearOnce } from '../support/heard-once.ts'
import { openInline } from '../support/open.ts'
import { ARTISTS, labelsOf, nativeId, openLibrary, SONGS } from '../support/reference-library.ts'
import { tune } from '../support/tune.ts'
import { type Answer, Client, type Query } from '../support/wire.ts'

hearOnce()

async function library() {
  const client = new Client(await openLibrary())
  const labels = async (query: Query) => {
    const { data, status } = await client.get('song/search', query)
    return status.code === 0 ? labelsOf(data.songs) : status.message
  }
  return { client, labels }
}

describe('song/search', () => {
  it('answers songs with id, title, artist_id and artist_name', async () => {
    const { client } = await library()
    const { data } = await client.get('song/search', { title: 'rust', artist: 'kettles' })
    expect(data).toEqual({
      songs: [
        {
          id: SONGS.rust.id,
          title: 'Rust',
          artist_id: ARTISTS.kettles.id,
          artist_name: 'The Iron Kettles',
        },
      ],
    })
  })

  // Each parameter, with a value that decides which songs are found.
  it.each<[Query, string[]]>([
    [{ title: 'Iron Home Blues' }, ['ironHome']],
    [{ artist: 'iron kettles', results: 1, sort: 'tempo-desc' }, ['ironHome']],
    [{ combined: 'nora vale help me home' }, ['helpMeHome']],
    [{ description: ['samba', '-rock'], sort: 'duration-asc', results: 1 }, ['manha']],
    [{ style: ['+samba'], sort: 'duration-asc', results: 1 }, ['manha']],
    [{ mood: 'sad', sort: 'tempo-desc', results: 1 }, ['ironHome']],
    [{ style: 'jazz', rank_type: 'familiarity', sort: 'tempo-asc', results: 1 }, ['helpMeHome']],
    [{ artist_id: ARTISTS.kettles.id, sort: 'tempo-asc' }, ['rust', 'ironHome']],
    [{ sort: 'tempo-desc', start: 1, results: 1, max_tempo: 130 }, ['rust']],
    [{ max_tempo: '80.0', min_tempo: 70 }, ['manha']],
    [{ min_duration: 290, max_duration: '3e2' }, ['rust']],
    [{ min_loudness: -7.5, max_loudness: -5 }, ['rust']],
    [{ artist_min_familiarity: 0.45, artist_max_familiarity: 0.55, key: 4 }, ['ironHome']],
    [{ artist_start_year_before: 1980, key: 'a' }, ['noraHome']],
    [{ artist_start_year_after: 2000, key: 11 }, ['manha']],
    [{ artist_end_year_before: 2000, mode: 'minor' }, ['noraHome']],
    [{ artist_end_year_after: 2012, key: 'b' }, ['manha']],
    [{ song_min_hotttnesss: 0.85, song_max_hotttnesss: 0.95 }, ['ironHome']],
    [{ artist_min_hotttnesss: 0.7, artist_max_hotttnesss: 0.85, key: 'c' }, ['helpMeHome']],
    [{ min_longitude: 150, max_longitude: 152, key: 'e' }, ['ironHome']],
    [{ min_latitude: 48, max_latitude: 49, key: 0 }, ['helpMeHome']],
    [{ min_danceability: 0.55, max_danceability: 0.65 }, ['manha']],
    [{ min_energy: 0.3, max_energy: 0.38 }, ['manha']],
    [{ mode: 1, key: 9 }, ['rust']],
    [{ bucket: 'id:spotify', limit: 'true' }, ['helpMeHome']],
    [{ bucket: 'id:spotify', limit: 'TRUE', title: 'Home' }, ['helpMeHome']],
    [{ title: 'Iron Home Blues', limit: 'false' }, ['ironHome']],
    [{ title: 'Iron Home Blues', artist: '', min_tempo: ' ' }, ['ironHome']],
  ])('finds by %j', async (query, expected) => {
    const { labels } = await library()
    const found = await labels(query)
    expect(found).toEqual(expected)
  })

  it.each([
    ['tempo', 'duration', 'loudness', 'artist_familiarity', 'artist_hotttnesss'],
    ['artist_start_year', 'artist_end_year', 'song_hotttnesss', 'latitude', 'longitude'],
    ['mode', 'key', 'energy', 'danceability'],
  ])('sorts by %s, %s, %s, %s, %s', async (...fields) => {
    const { client } = await library()
    for (const field of fields.filter((one) => one !== undefined)) {
      const first = async (sort: string) =>
        (await client.get('song/search', { sort, results: 1 })).data.songs[0].id
      const up = await first(field === 'song_hotttnesss' ? 'song_hotttness-asc' : `${field}-asc`)
      expect(await first(`${field}-desc`), field).not.toBe(up)
    }
  })

  it.each<[Query, string]>([
    [{ id: 'x' }, 'method - Invalid parameter: "id"; known are api_key, format, callback, title'],
    [{ titel: 'x' }, 'method - Invalid parameter: "titel"; known are'],
    [{ minTempo: 90 }, 'method - Invalid parameter: "minTempo"; known are'],
    [{ min_tempo: 'fast' }, 'min_tempo - Invalid parameter: "fast"'],
    [{ min_tempo: 501 }, 'min_tempo - Invalid parameter: "501" must be <= 500'],
    [{ min_tempo: -1 }, 'min_tempo - Invalid parameter: "-1" must be >= 0'],
    [
      { min_tempo: 120, max_tempo: 90 },
      'min_tempo - Invalid parameter: "120" is above max_tempo 90',
    ],
    [{ artist_min_familiarity: 2 }, 'artist_min_familiarity - Invalid parameter: "2" must be <= 1'],
    [{ min_longitude: -181 }, 'min_longitude - Invalid parameter: "-181" must be >= -180'],
    [{ results: 101 }, 'results - Invalid parameter: 101 must be <= 100'],
    [{ results: '1.5' }, 'results - Invalid parameter: "1.5" must be an integer'],
    [{ start: -1 }, 'start - Invalid parameter: -1 must be >= 0'],
    [{ key: 'h' }, 'key - Invalid parameter: "h" is no key, as "A minor"'],
    [{ mode: 2 }, 'mode - Invalid parameter: "2" is not one of "minor", "major"'],
    [{ artist_end_year_after: 'now' }, 'artist_end_year_after - Invalid parameter: "now"'],
    [{ sort: 'tempo' }, 'sort - Invalid parameter: "tempo" is not one of "tempo-asc"'],
    [{ rank_type: 'luck' }, 'rank_type - Invalid parameter: "luck" is not one of "relevance"'],
    [{ limit: 'maybe' }, 'limit - Invalid parameter: "maybe" is not one of "true", "false"'],
    [{ limit: true }, 'limit - Invalid parameter: "true" needs an id space'],
    [
      { bucket: 'fakebucket' },
      'bucket - Invalid parameter: bucket "fakebucket" is not one of "audio_summary"',
    ],
    [
      { bucket: ['song_type', 'fakebucket'] },
      'bucket - Invalid parameter: bucket "fakebucket" is not',
    ],
    [{ bucket: 'tracks' }, 'bucket - Invalid parameter: "tracks" needs an id space'],
    [{ title: ['a', 'b'] }, 'title - Invalid parameter: "b" beside "a"; give one of them'],
    [
      { description: 'jazz', title: 'x' },
      'description - Invalid parameter: "jazz" cannot be combined with title',
    ],
    [
      { description: 'jazz', artist_id: 'x' },
      'description - Invalid parameter: "jazz" cannot be combined with artist_id',
    ],
    [{ artist_id: 'nobody' }, 'The Identifier specified does not exist: nobody'],
    [{ artist_id: 'fooBarBaz' }, 'The Identifier specified does not exist: fooBarBaz'],
  ])('refuses %j', async (query, message) => {
    const { client } = await library()
    const { http, status } = await client.get('song/search', query)
    expect(http).toBe(400)
    expect(status.code).toBe(5)
    expect(status.message.slice(0, message.length)).toBe(message)
  })
})

describe('song/profile', () => {
  it('takes id and track_id several times, in their order', async () => {
    const { client } = await library()
    const { data } = await client.get('song/profile', {
      id: [SONGS.rust.id, 'spotify:song:sp1', 'SOXXXXX00000000000'],
      track_id: nativeId('TR', 1),
    })
    expect(labelsOf(data.songs)).toEqual(['rust', 'helpMeHome', 'helpMeHome'])
    expect((await client.get('song/profile')).status).toMatchObject({
      code: 4,
      message: 'id - Missing parameter: give id or track_id',
    })
  })

  it('gives every bucket in its recorded shape, key by key', async () => {
    const { client } = await library()
    const { data, text } = await client.get('song/profile', {
      id: SONGS.helpMeHome.id,
      bucket: [...SONG_BUCKETS, 'id:7digital-US', 'id:spotify', 'id:musicbrainz'],
    })
    expect(data.songs).toEqual([
      {
        id: SONGS.helpMeHome.id,
        title: 'Help Me Home',
        artist_id: ARTISTS.nora.id,
        artist_name: 'Nora Vale',
        audio_summary: {
          energy: 0.2,
          danceability: 0.3,
          duration: 200,
          tempo: 90,
          key: 0,
          mode: 1,
          time_signature: 4,
          loudness: -20,
        },
        song_hotttnesss: 0.5,
        song_type: ['studio', 'acoustic'],
        artist_familiarity: 0.9,
        artist_hotttnesss: 0.8,
        artist_location: { latitude: 48.85, longitude: 2.35, location: 'Paris, France' },
        foreign_ids: [{ catalog: 'spotify', foreign_id: 'spotify:song:sp1' }],
        tracks: [
          {
            catalog: '7digital-US',
            foreign_id: '7digital-US:track:111',
            id: nativeId('TR', 1),
            foreign_release_id: '7digital-US:release:9',
            preview_url: 'http://example.org/111.mp3',
            release_image: 'http://example.org/9.jpg',
          },
        ],
        artist_foreign_ids: [{ catalog: 'musicbrainz', foreign_id: 'musicbrainz:artist:mb-nora' }],
      },
    ])
    // Strict parsers tell integers from doubles by the point.
    for (const part of [
      '"tempo":90.0',
      '"loudness":-20.0',
      '"duration":200.0',
      '"key":0,',
      '"mode":1,',
    ]) {
      expect(text).toContain(part)
    }
  })

  it('leaves out, with limit, what the space does not know', async () => {
    const { client } = await library()
    const query = { id: [SONGS.rust.id, SONGS.helpMeHome.id], bucket: 'id:spotify', limit: true }
    expect(labelsOf((await client.get('song/profile', query)).data.songs)).toEqual(['helpMeHome'])
  })
})

describe('song/identify', () => {
  async function known() {
    const music = await openInline()
    const client = new Client(music)
    const { samples, sampleRate } = tune({ seed: 1 })
    const track = await music.tracks.upload({ samples, sampleRate, wait: true })
    const query = await music.songs.fingerprint({ samples, sampleRate }, { version: 4.12 })
    return { client, query, songId: track.answer.songId as string }
  }

  it('takes a code by GET and a query in each of the forms of POST', async () => {
    const { client, query, songId } = await known()
    const json = JSON.stringify(query)
    const found = {
      songs: [
        {
          id: songId,
          title: expect.any(String),
          score: expect.any(Number),
          message: expect.stringMatching(/^OK \(match type \d+\)$/),
        },
      ],
    }
    const { code } = query as { code: string }
    for (const answer of [
      await client.get('song/identify', { code, version: '4.12' }),
      await client.get('song/identify', { code, version: 4.12, duration: '20.0', genre: 'x' }),
      await client.post('song/identify', {
        code,
        version: 4.12,
        artist: 'x',
        title: 'y',
        release: 'z',
      }),
      await client.post('song/identify', { query: json }),
      await client.postForm('song/identify', { query: json }),
      await client.postForm('song/identify', {}, { query: new Blob([json]) }),
      await client.postBytes('song/identify', {}, json),
      await client.postBytes('song/identify', {}, `\ufeff[${json}]\n`),
    ]) {
      expect(answer.status.message).toBe('Success')
      expect(answer.data).toEqual(found)
      expect(Number.isInteger(answer.data.songs[0].score)).toBe(true)
    }
    expect((await client.get('song/identify', { code })).data).toEqual({ songs: expect.any(Array) })
  })

  it('takes a list of codes wherever it takes a code', async () => {
    const { client, query, songId } = await known()
    const { code } = query as { code: string }
    const list = JSON.stringify([code])
    const ids = (answer: Answer) => answer.data.songs.map(({ id }: { id: string }) => id)
    for (const answer of [
      await client.get('song/identify', { code: list, version: 4.12 }),
      await client.post('song/identify', { code: ` ${list}`, version: 4.12, title: 'x' }),
      await client.post('song/identify', { query: JSON.stringify({ ...query, code: [code] }) }),
      await client.postBytes('song/identify', {}, JSON.stringify([{ ...query, code: [code] }])),
    ]) {
      expect(answer.status.message).toBe('Success')
      expect(ids(answer)).toEqual([songId])
    }
    const both = [code, 'eJx', code]
    const several = JSON.stringify({ ...query, code: both, tag: 7 })
    const tagged = await client.post('song/identify', { query: several })
    expect(ids(tagged)).toEqual([songId, songId])
    expect(tagged.data.songs[1].tag).toBe(7)
    // The same in the URL and the body is one.
    for (const given of [both, [code, code], JSON.stringify(both)]) {
      const answer = await client.get('song/identify', {
        code: given,
        version: 4.12,
        duration: '9',
      })
      expect(ids(answer)).toEqual([songId])
    }
    for (const given of [code, both]) {
      const answer = await client.get('song/identify', { code: given, duration: 'long' })
      const message = 'duration - Invalid parameter: "long" must be a number'
      expect(answer.status).toMatchObject({ code: 5, message })
    }
    for (const wrong of ['[]', '["a"', '[1]', '[["a"]]', '[null]']) {
      const { http, status } = await client.get('song/identify', { code: wrong })
      // Text that is no list is a code that nobody knows.
      expect([http, status.code], wrong).toEqual(
        wrong === '["a"' ? [200, 0] : [400, wrong === '[]' ? 4 : 5],
      )
    }
    const empty = await client.post('song/identify', { query: '{"code":[]}' })
    expect(empty.status.code).toBe(5)
  })

  it('answers JSON whatever format is asked for', async () => {
    const client = new Client(await openInline())
    for (const format of ['xml', 'json', 'jsonp', 'yaml']) {
      const { http, data, headers } = await client.get('song/identify', { code: 'eJx', format })
      expect([http, data]).toEqual([200, { songs: [] }])
      expect(headers.get('content-type')).toBe('application/json; charset=utf-8')
      const { status } = await client.get('song/identify', { format })
      expect(status.code).toBe(4)
    }
  })

  it('answers a list in its order, each song with the tag of its query, and its buckets', async () => {
    const { client, query, songId } = await known()
    const tag = { someName: ['1.0', 1], __proto__: null }
    const queries = [
      { ...query, tag: 0 },
      { error: 'no sound', tag: 1 },
      { ...query, tag },
    ]
    const body = { query: JSON.stringify(queries), bucket: 'audio_summary' }
    const { data } = await client.post('song/identify', body)
    expect(data.songs.map((one: { id: string }) => one.id)).toEqual([songId, songId])
    expect(data.songs.map((one: { tag: unknown }) => one.tag)).toEqual([
      0,
      { someName: ['1.0', 1] },
    ])
    expect(data.songs[0].audio_summary).toHaveProperty('tempo')
  })

  it('has no songs for what nobody knows, and refuses what is no query', async () => {
    const client = new Client(await openInline())
    expect((await client.get('song/identify', { code: 'eJx' })).data).toEqual({ songs: [] })
    const answers = [
      await client.get('song/identify'),
      await client.get('song/identify', { query: '{}' }),
      await client.post('song/identify', { query: '{"code":' }),
      await client.post('song/identify', { query: '{}' }),
      await client.post('song/identify', { query: '{"code":"a"}', code: 'b' }),
      await client.post('song/identify', { code: 'b', file: '/etc/passwd' }),
      await client.post('song/identify', { query: `${'['.repeat(40)}${']'.repeat(40)}` }),
    ].map(({ status }) => [status.code, status.message])
    expect(answers).toEqual([
      [4, expect.stringMatching(/^code - Missing parameter/)],
      [5, expect.stringMatching(/^method - Invalid parameter: "query"; known are/)],
      [5, expect.stringMatching(/^query - Invalid parameter: must be a JSON dictionary/)],
      [4, expect.stringMatching(/code - Missing parameter/)],
      [5, expect.stringMatching(/code - Invalid parameter/)],
      [5, expect.stringMatching(/^method - Invalid parameter: "file"/)],
      [5, 'query - Invalid parameter: it is nested deeper than the 32 levels of limits.depth'],
    ])
  })
})
