import { describe, expect, it } from 'vitest'
import type { ArtistRecord, Skipped, SongRecord } from '../../src/import-entry.ts'
import { fromMusicBrainz } from '../../src/import-entry.ts'
import { openInline } from '../support/open.ts'
import { bytes, gzipped, pieces, readAll, readArtists, readSongs } from './read-all.ts'

const lines = (...documents: object[]) =>
  documents.map((document) => `${JSON.stringify(document)}\n`).join('')

const GROUP = {
  id: 'b10bbbfc-cf9e-42e0-be17-e2c3e1d2600d',
  name: 'The Testers',
  'sort-name': 'Testers, The',
  type: 'Group',
  gender: null,
  country: 'GB',
  'begin-area': { name: 'Liverpool', type: 'City' },
  area: { name: 'United Kingdom', type: 'Country', 'iso-3166-1-codes': ['GB'] },
  'life-span': { begin: '1957-03', end: '1970-04-10', ended: true },
  aliases: [{ name: 'Testers' }, { name: 'The Testers' }, { name: 'Testers' }, { name: 'Тестеры' }],
  genres: [{ name: 'rock', count: 40 }],
  tags: [
    { name: 'rock', count: 40 },
    { name: 'british', count: 10 },
    { name: 'not really', count: 0 },
    { name: 'voted down', count: -2 },
  ],
  relations: [
    { type: 'official homepage', ended: true, url: { resource: 'http://old.example' } },
    { type: 'official homepage', ended: false, url: { resource: 'https://testers.example/' } },
    { type: 'last.fm', url: { resource: 'https://www.last.fm/music/Testers' } },
    { type: 'purchase for download', url: { resource: 'https://itunes.apple.com/artist/id1' } },
    {
      type: 'streaming',
      url: { resource: 'https://open.spotify.com/artist/3WrFJ7ztbogyGnTHbHJFl2' },
    },
    { type: 'social network', url: { resource: 'https://example.org/testers' } },
    { type: 'member of band', artist: { id: 'x', name: 'Somebody' } },
  ],
}

const RECORDING = {
  id: 'b1a9c0e9-d987-4042-ae91-78d6a3267d69',
  title: 'A Song',
  length: 354_320,
  video: false,
  disambiguation: 'live, 1985-07-13: Wembley',
  'first-release-date': '1985-11-04',
  isrcs: ['GBUM71029604', 'GB-UM7-10-29605'],
  'artist-credit': [
    {
      name: 'Quinn',
      joinphrase: ' & ',
      artist: { id: 'a0000000-0000-4000-8000-000000000001', name: 'Quinn' },
    },
    {
      name: 'D. Bee',
      joinphrase: '',
      artist: { id: 'a0000000-0000-4000-8000-000000000002', name: 'David Bee' },
    },
  ],
  tags: [
    { name: 'christmas', count: 2 },
    { name: 'rock', count: 9 },
    { name: 'acoustic', count: 0 },
  ],
}

const artists = (text: string) => readArtists(fromMusicBrainz<ArtistRecord>(bytes(text)))
const songs = (text: string) => readSongs(fromMusicBrainz<SongRecord>(bytes(text)))

describe('fromMusicBrainz, artists', () => {
  it('gives names, place, years, terms, ids and addresses', async () => {
    expect(await artists(lines(GROUP))).toEqual([
      {
        name: 'The Testers',
        aliases: ['Testers', 'Тестеры'],
        location: {
          location: 'Liverpool, United Kingdom',
          city: 'Liverpool',
          country: 'United Kingdom',
        },
        yearsActive: [{ start: 1957, end: 1970 }],
        terms: [
          { name: 'rock', frequency: 1, kind: 'style' },
          { name: 'british', frequency: 0.25 },
        ],
        foreignIds: [
          { catalog: 'musicbrainz', foreignId: 'b10bbbfc-cf9e-42e0-be17-e2c3e1d2600d' },
          { catalog: 'spotify', foreignId: '3WrFJ7ztbogyGnTHbHJFl2' },
        ],
        urls: {
          officialUrl: 'https://testers.example/',
          lastfmUrl: 'https://www.last.fm/music/Testers',
          itunesUrl: 'https://itunes.apple.com/artist/id1',
          mbUrl: 'https://musicbrainz.org/artist/b10bbbfc-cf9e-42e0-be17-e2c3e1d2600d',
        },
      },
    ])
  })

  it.each([
    ['still there', { begin: '1957', end: null, ended: false }, [{ start: 1957 }]],
    ['ended, nobody knows when', { begin: '1957', end: null, ended: true }, undefined],
    ['of unknown beginning', { begin: null, end: '1970', ended: true }, undefined],
    ['backwards', { begin: '1970', end: '1957', ended: true }, undefined],
    [
      'in one year',
      { begin: '1970-01', end: '1970-12', ended: true },
      [{ start: 1970, end: 1970 }],
    ],
  ])('takes the span of a group %s', async (_, span, years) => {
    const [artist] = await artists(lines({ ...GROUP, 'life-span': span }))
    expect(artist?.yearsActive).toEqual(years)
  })

  it('takes no years of life for years of music', async () => {
    const [artist] = await artists(lines({ ...GROUP, type: 'Person' }))
    expect(artist).not.toHaveProperty('yearsActive')
  })

  it('names the country by its code, but not the whole world', async () => {
    const nowhere = { 'begin-area': null, area: null }
    const found = await artists(
      lines(
        { ...GROUP, ...nowhere, country: 'SE' },
        { ...GROUP, ...nowhere, country: 'XW' },
        { ...GROUP, ...nowhere, country: 'SE', area: { name: 'Göteborg', type: null } },
      ),
    )
    expect(found.map(({ location }) => location)).toEqual([
      { location: 'Sweden', country: 'Sweden' },
      undefined,
      { location: 'Göteborg, Sweden', country: 'Sweden' },
    ])
  })

  it('leaves out tags when told, for their licence', async () => {
    const [artist] = await readArtists(
      fromMusicBrainz<ArtistRecord>(bytes(lines(GROUP)), { tags: false }),
    )
    expect(artist).not.toHaveProperty('terms')
  })

  it('reads the least that an artist can be', async () => {
    expect(await artists(lines({ id: 'x', name: 'Alone', 'sort-name': 'Alone' }))).toEqual([
      {
        name: 'Alone',
        foreignIds: [{ catalog: 'musicbrainz', foreignId: 'x' }],
        urls: { mbUrl: 'https://musicbrainz.org/artist/x' },
      },
    ])
  })
})

describe('fromMusicBrainz, recordings and releases', () => {
  it.each([
    ['plain', pieces(lines(RECORDING), 50)],
    ['gzipped', gzipped(lines(RECORDING))],
  ])('gives songs as credited, %s', async (_, input) => {
    expect(await readSongs(fromMusicBrainz<SongRecord>(input))).toEqual([
      {
        title: 'A Song',
        artistName: 'Quinn & D. Bee',
        artistForeignIds: [
          { catalog: 'musicbrainz', foreignId: 'a0000000-0000-4000-8000-000000000001' },
        ],
        year: 1985,
        duration: 354.32,
        songType: ['christmas', 'live'],
        isrc: ['GBUM71029604', 'GB-UM7-10-29605'],
        musicbrainzId: 'b1a9c0e9-d987-4042-ae91-78d6a3267d69',
      },
    ])
  })

  it('leaves out what is not known', async () => {
    const { id, title, 'artist-credit': credit } = RECORDING
    const empty = {
      id,
      title,
      'artist-credit': credit,
      length: null,
      'first-release-date': '',
      isrcs: [],
      tags: [],
    }
    const [song] = await songs(lines(empty))
    expect(Object.keys(song ?? {}).sort()).toEqual([
      'artistForeignIds',
      'artistName',
      'musicbrainzId',
      'title',
    ])
  })

  it('gives the recordings of a release, with it and the track', async () => {
    const release = {
      id: 'f0000000-0000-4000-8000-000000000001',
      title: 'An Album',
      date: '1986-02',
      barcode: '',
      'artist-credit': [{ name: 'Various', joinphrase: '', artist: { id: 'v', name: 'Various' } }],
      media: [
        { position: 1, tracks: [{ id: 't1', title: 'A Song (on here)', recording: RECORDING }] },
        {
          position: 2,
          pregap: {
            id: 't2',
            title: 'Hidden',
            length: 1000,
            recording: { id: 'r2', title: 'Hidden' },
          },
          tracks: [],
        },
      ],
    }
    const found = await songs(lines(release))
    expect(found).toHaveLength(2)
    expect(found[0]).toMatchObject({
      title: 'A Song',
      artistName: 'Quinn & D. Bee',
      release: 'An Album',
      year: 1985,
      tracks: [
        {
          catalog: 'musicbrainz',
          foreignId: 't1',
          foreignReleaseId: 'musicbrainz:release:f0000000-0000-4000-8000-000000000001',
        },
      ],
    })
    expect(found[1]).toMatchObject({
      title: 'Hidden',
      artistName: 'Various',
      duration: 1,
      year: 1986,
      musicbrainzId: 'r2',
    })
  })

  it('reads the canonical data, which is CSV', async () => {
    const text = `id,artist_credit_id,artist_mbids,artist_credit_name,release_mbid,release_name,recording_mbid,recording_name,combined_lookup,score
1,1,"{a1,a2}","Quinn & D. Bee",r1,"An Album, Live",rec1,A Song,quinndbeeasong,1052.5
2,2,a3,Ø,r2,,rec2,Zwei,ozwei,12`
    const expected = [
      {
        title: 'A Song',
        artistName: 'Quinn & D. Bee',
        release: 'An Album, Live',
        musicbrainzId: 'rec1',
        artistForeignIds: [{ catalog: 'musicbrainz', foreignId: 'a1' }],
      },
      {
        title: 'Zwei',
        artistName: 'Ø',
        musicbrainzId: 'rec2',
        artistForeignIds: [{ catalog: 'musicbrainz', foreignId: 'a3' }],
      },
    ]
    for (const input of [bytes(text), gzipped(text), pieces(text, 7)]) {
      expect(await readSongs(fromMusicBrainz<SongRecord>(input))).toEqual(expected)
    }
  })
})

describe('fromMusicBrainz, lines that are something else', () => {
  it('passes over and tells what is bad, after what was good', async () => {
    const skipped: Skipped[] = []
    const label = { id: 'l', name: 'Label', 'sort-name': 'Label', 'label-code': 1 }
    const area = { id: 'a', name: 'Area', 'sort-name': 'Area', type: 'City' }
    const text = `${lines(RECORDING)}{"broken\n\n[1]\n${lines(label, area, RECORDING)}`
    const onSkipped = (one: Skipped) => skipped.push(one)
    const found = await readAll(fromMusicBrainz(bytes(text), { onSkipped }))
    expect(found).toHaveLength(2)
    expect(skipped).toEqual([
      { line: 2, reason: expect.stringContaining('is not a JSON document') },
      { line: 4, reason: 'is not a JSON object' },
      { line: 5, reason: 'is not an artist, recording or release; give the dump of one of these' },
      { line: 6, reason: 'is not an artist, recording or release; give the dump of one of these' },
    ])
  })

  it('refuses a file of something else, and one that is cut off', async () => {
    await expect(
      readAll(fromMusicBrainz(bytes('{"title":"A work","iswcs":[]}\n'))),
    ).rejects.toThrow('line 1: is not an artist, recording or release')
    const cut = (lines(RECORDING) + lines(RECORDING)).slice(0, -20)
    await expect(readAll(fromMusicBrainz(bytes(cut)))).rejects.toThrow(
      'ends in the middle of line 2',
    )
  })
})

describe('fromMusicBrainz, into a database', () => {
  it('gives artists and songs that know each other by their ids', async () => {
    const music = await openInline()
    const credit = [{ name: 'Testers', joinphrase: '', artist: { id: GROUP.id, name: GROUP.name } }]
    const result = await music.songs.import(
      fromMusicBrainz(bytes(lines({ ...RECORDING, 'artist-credit': credit }))),
    )
    expect(result).toMatchObject({ imported: 1, rejected: [] })
  })
})
