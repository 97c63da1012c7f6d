import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fromSpotifyData, spotifyPlaylists } from '../../src/import-entry.ts'
import { update } from '../support/catalogs.ts'
import { openInline } from '../support/open.ts'
import { scratch } from '../support/scratch.ts'
import { bytes, gzipped, pieces, readAll, readItems } from './read-all.ts'

const URI = 'spotify:track:1dFghVXANMlKmJXsNCbNlA'

/** A row of an extended history. */
const extended = (track: string | null, more: object = {}) => ({
  ts: '2021-03-02T14:05:30Z',
  platform: 'android',
  ms_played: 200_000,
  conn_country: 'DE',
  master_metadata_track_name: track,
  master_metadata_album_artist_name: track === null ? null : 'Ada',
  master_metadata_album_album_name: track === null ? null : 'Home',
  spotify_track_uri: track === null ? null : URI,
  episode_name: null,
  episode_show_name: null,
  spotify_episode_uri: null,
  reason_start: 'trackdone',
  reason_end: 'trackdone',
  shuffle: false,
  skipped: null,
  incognito_mode: false,
  ...more,
})
/** A row of a history of the account data. */
const short = (trackName: string | null, more: object = {}) => ({
  endTime: '2021-03-02 14:05',
  artistName: 'Ada',
  trackName,
  msPlayed: 200_000,
  ...more,
})
const LIBRARY = {
  tracks: [{ artist: 'Ada', album: 'Home', track: 'Saved', uri: URI }],
  albums: [{ artist: 'Ada', album: 'Home', uri: 'spotify:album:x' }],
  shows: [],
  episodes: [],
  bannedTracks: [{ artist: 'Bo', album: 'Away', track: 'Hated', uri: URI }],
  artists: [{ name: 'Ada', uri: 'spotify:artist:x' }],
  bannedArtists: [],
  other: [],
}
const track = (trackName: string | null) => ({
  trackName,
  artistName: 'Ada',
  albumName: 'Home',
  trackUri: URI,
})
const item = (more: object) => ({
  ...{ track: null, episode: null, audiobook: null, localTrack: null, addedDate: '2021-01-01' },
  ...more,
})
const PLAYLISTS = {
  playlists: [
    {
      name: 'Évening',
      lastModifiedDate: '2021-01-01',
      items: [
        item({ track: track('One') }),
        item({ localTrack: { uri: 'spotify:local:Bo+%26+Co:An+Album:Own%20File:200' } }),
        item({ track: track('One') }),
        item({ episode: { episodeName: 'Talk' } }),
        item({ track: track(null) }),
        item({}),
      ],
      description: null,
      numberOfFollowers: 0,
    },
    { name: 'Empty', lastModifiedDate: '2021-01-01', items: [], description: 'none' },
  ],
}
const json = (value: unknown) => bytes(JSON.stringify(value))
const time = (text: string) => Date.parse(text) / 1000

describe('fromSpotifyData', () => {
  it.each([
    ['as it comes', (text: string) => bytes(text)],
    ['with a BOM, gzipped', (text: string) => gzipped(`\uFEFF${text}`)],
    ['in small pieces', (text: string) => pieces(text, 7)],
  ])('reads an extended history, %s', async (_, as) => {
    const rows = [
      extended('Sóng "A"\\'),
      extended('sóng  "a"\\', { ts: '2021-03-03T00:00:01Z' }),
      extended('Other', { ts: '2022-01-01T00:00:00Z', spotify_track_uri: null }),
    ]
    const items = await readItems(fromSpotifyData(as(JSON.stringify(rows, null, 1))))
    expect(items).toEqual([
      {
        itemId: expect.stringMatching(/^[0-9a-f]{32}$/),
        songName: 'Sóng "A"\\',
        artistName: 'Ada',
        release: 'Home',
        url: URI,
        playCount: 2,
        plays: [time('2021-03-02T14:05:30Z'), time('2021-03-03T00:00:01Z')],
      },
      expect.objectContaining({ songName: 'Other', plays: [time('2022-01-01T00:00:00Z')] }),
    ])
  })

  it('counts plays and skips, and says what it leaves out', async () => {
    const records = fromSpotifyData(
      json([
        extended(null),
        extended(null, { episode_name: 'Talk', spotify_episode_uri: 'spotify:episode:x' }),
        extended(null, { audiobook_title: 'Book', audiobook_uri: 'spotify:show:x' }),
        extended('A', { ms_played: 0, reason_end: 'logout' }),
        extended('A', { ms_played: 0, reason_end: 'fwdbtn' }),
        extended('A', { ms_played: 4000, skipped: true, reason_end: 'unknown' }),
        extended('A', { ms_played: 4000, reason_end: 'endplay' }),
        extended('A', { ms_played: 20_000 }),
        extended('A', { ms_played: 90_000, skipped: true, ts: '2021-03-04T10:00:00Z' }),
        extended('A', { ms_played: 90_000, ts: null }),
        extended('A'),
        short('Unknown Track', { artistName: 'Unknown Artist' }),
        { endTime: '2021-03-02 14:05', podcastName: 'P', episodeName: 'E', msPlayed: 99_999 },
        { endTime: '2021-03-02 14:05', audiobookName: 'B', msPlayed: 99_999 },
        null,
        7,
        { other: 1 },
      ]),
      { onSkipped: () => {} },
    )
    const items = await readItems(records)
    expect(items).toMatchObject([{ songName: 'A', playCount: 3, skipCount: 2 }])
    expect(items[0]?.plays).toEqual([time('2021-03-02T14:05:30Z'), time('2021-03-04T10:00:00Z')])
    expect(records.report.leftOut.map(({ reason, count }) => [reason, count])).toEqual([
      ['a play names no song', 1],
      ['a play is of a podcast episode, not of a song', 2],
      ['a play is of an audiobook, not of a song', 2],
      ['a play has no length (0 ms)', 1],
      ['a play is shorter than 30 s', 1],
      ['a play is of an unknown song', 1],
      ['an element is not an object', 2],
      ['an object is no play, no library and no playlist', 1],
      ['a play stands twice', 1],
    ])
  })

  it('takes another length that must be heard', async () => {
    const rows = [short('A', { msPlayed: 4000 }), short('B', { msPlayed: 300_000 })]
    const items = await readItems(fromSpotifyData(json(rows), { minSeconds: 2 }))
    expect(items.map(({ songName, playCount }) => [songName, playCount])).toEqual([
      ['A', 1],
      ['B', 1],
    ])
  })

  it('joins the files of a folder, and names those of other kinds', async () => {
    const folder = scratch()
    const save = (name: string, value: unknown) =>
      writeFileSync(join(folder, name), JSON.stringify(value))
    mkdirSync(join(folder, 'MyData'))
    save('MyData/StreamingHistory_music_0.json', [
      short('Saved'),
      short('Saved', { endTime: '2021-04-01 09:00' }),
    ])
    save('Streaming_History_Audio_2021_0.json', [extended('SAVED')])
    save('YourLibrary.json', LIBRARY)
    save('Playlist1.json', PLAYLISTS)
    save('Userdata.json', { username: 'somebody' })
    save('empty.json', [])
    const records = fromSpotifyData(folder)
    const items = await readItems(records)
    expect(
      items.map(({ songName, playCount, favorite, banned }) => [
        songName,
        playCount,
        favorite,
        banned,
      ]),
    ).toEqual([
      ['Saved', 2, true, undefined],
      ['One', undefined, undefined, undefined],
      ['Own File', undefined, undefined, undefined],
      ['Hated', undefined, undefined, true],
    ])
    expect(items[0]?.plays).toEqual([time('2021-03-02T14:05:30Z'), time('2021-04-01T09:00:00Z')])
    expect(items[2]).toMatchObject({ artistName: 'Bo & Co', release: 'An Album' })
    const reasons = records.report.leftOut.map(({ reason, count }) => `${count} ${reason}`)
    expect(reasons).toContain('2 a file holds no history, no library and no playlist')
    expect(reasons).toContain('1 an item of a playlist is a podcast episode')
    expect(reasons).toContain('1 a saved song has no name')
    expect(reasons).toContain('1 the library has a saved album, which is no song')
    const only = await readItems(fromSpotifyData(folder, { parts: ['library'] }))
    expect(only.map(({ songName }) => songName)).toEqual(['Saved', 'Hated'])
  })

  it.each([
    ['a cut history', JSON.stringify([short('A'), short('B')]).slice(0, -20), 'ends in the middle'],
    ['a cut library', JSON.stringify(LIBRARY).slice(0, -9), 'ends in the middle'],
    ['an empty history', '[]', 'has nothing to import'],
    [
      'only podcasts',
      JSON.stringify([short(null, { podcastName: 'P', episodeName: 'E' })]),
      '1 × a play is of a podcast episode',
    ],
    ['an empty file', '', 'is empty'],
    ['another list', '[{"path":"a"}]', 'is no play'],
    ['an answer of the interface', '{"danceability":1}', 'fromSpotify()'],
  ])('refuses %s in words', async (_, text, message) => {
    await expect(readAll(fromSpotifyData(bytes(text)))).rejects.toThrow(message)
  })

  it('repeats into a catalog without counting twice', async () => {
    const music = await openInline()
    const catalog = await music.catalogs.create({ name: 'Spotify', type: 'song' })
    const whole = [extended('A'), extended('A', { ts: '2022-03-02T14:05:30Z' })]
    await update(catalog, fromSpotifyData(json(whole)))
    await update(catalog, fromSpotifyData(json([short('A')])))
    await update(catalog, fromSpotifyData(json(whole)))
    const { items } = await catalog.read({ bucket: 'plays' })
    expect(items).toMatchObject([
      {
        playCount: 2,
        lastPlayed: '2022-03-02T14:05:30',
        plays: ['2021-03-02T14:05:30', '2022-03-02T14:05:30'],
      },
    ])
  })
})

describe('spotifyPlaylists', () => {
  it('keeps the order, and songs that stand twice', async () => {
    const records = spotifyPlaylists(json(PLAYLISTS))
    const lists = await readAll(records)
    expect(
      lists.map(({ name, description, entries }) => [
        name,
        description,
        entries.map((one) => one.item.songName),
      ]),
    ).toEqual([
      ['Évening', undefined, ['One', 'Own File', 'One']],
      ['Empty', 'none', []],
    ])
    expect(records.report).toMatchObject({
      records: 2,
      leftOut: [{ count: 1 }, { count: 1 }, { count: 1 }],
    })
  })
})
