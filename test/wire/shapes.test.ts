import { expect, it } from 'vitest'
import { ARTIST_BUCKETS, ARTIST_LISTS } from '../support/buckets.ts'
import { Clock } from '../support/catalogs.ts'
import { clip } from '../support/clips.ts'
import { openInline } from '../support/open.ts'
import { nativeId } from '../support/reference-library.ts'
import { Client } from '../support/wire.ts'

// The shapes of catalog items as they were recorded, key by key.

const ARTIST = nativeId('AR', 9)
const FOUND = '2011-02-06T07:50:25'
const POSTED = '2011-02-06T07:50:23'
const LICENSE = {
  type: 'cc-by-sa',
  attribution: 'a',
  'attribution-url': 'b',
  url: 'c',
  version: '3.0',
}

it('an artist item, with every bucket', async () => {
  const clock = new Clock()
  const music = await openInline({ now: clock.now })
  const client = new Client(music)
  const page = { name: 'n', url: 'http://example.org/', summary: '<span>n</span>', id: 'a1' }
  await music.artists.import([
    {
      id: ARTIST,
      name: 'Kings of Leon',
      familiarity: 0.838481,
      hotttnesss: 0.912345,
      location: {
        city: 'Nashville',
        region: 'TN',
        country: 'United States',
        location: 'Nashville, TN',
      },
      yearsActive: [{ start: 1999 }],
      terms: [{ name: 'rock', weight: 1, frequency: 0.5 }],
      foreignIds: [{ catalog: 'musicbrainz', foreignId: 'x-1' }],
      biographies: [{ text: 't', site: 's', url: 'u', license: LICENSE, truncated: true }],
      blogs: [{ ...page, datePosted: POSTED, dateFound: FOUND }],
      news: [{ ...page, id: 'a2', url: 'http://example.org/2', dateFound: FOUND }],
      reviews: [{ ...page, id: 'a3', dateFound: FOUND, imageUrl: 'i', release: 'r' }],
      images: [{ url: 'i', license: LICENSE }],
      video: [{ title: 't', url: 'u', site: 's', dateFound: FOUND, imageUrl: 'i', id: 'a4' }],
      urls: {
        officialUrl: '1',
        lastfmUrl: '2',
        mbUrl: '3',
        amazonUrl: '4',
        wikipediaUrl: '5',
        itunesUrl: '6',
        myspaceUrl: '7',
      },
    },
  ])
  await music.songs.import([
    { id: nativeId('SO', 9), title: 'Closer', artistName: 'Kings of Leon', artistId: ARTIST },
  ])
  const { data } = await client.post('catalog/create', { name: 'A', type: 'artist' })
  const entries = [
    {
      item: {
        item_id: 'k',
        artist_name: 'Kings Of Leon',
        play_count: 18,
        favorite: true,
        banned: false,
        skip_count: 0,
        rating: 8,
        item_keyvalues: { Some_Key: '1' },
      },
    },
  ]
  const sent = await client.post('catalog/update', { id: data.id, data: JSON.stringify(entries) })
  await music.call('catalog/wait', { ticket: sent.data.ticket })
  const bucket = [...ARTIST_BUCKETS, 'id:musicbrainz', 'kvstore', 'item_keyvalues']
  const { data: read } = await client.get('catalog/read', { id: data.id, bucket })
  expect(Object.keys(read.catalog)).toEqual(['name', 'items', 'start', 'total', 'type', 'id'])
  expect(read.catalog.items).toEqual([
    {
      biographies: [{ text: 't', site: 's', url: 'u', license: LICENSE, truncated: true }],
      blogs: [{ ...page, date_posted: POSTED, date_found: FOUND }],
      news: [{ ...page, id: 'a2', url: 'http://example.org/2', date_found: FOUND }],
      reviews: [{ ...page, id: 'a3', date_found: FOUND, image_url: 'i', release: 'r' }],
      images: [{ url: 'i', license: LICENSE }],
      video: [{ title: 't', url: 'u', site: 's', date_found: FOUND, image_url: 'i', id: 'a4' }],
      doc_counts: {
        audio: 0,
        biographies: 1,
        blogs: 1,
        images: 1,
        news: 1,
        reviews: 1,
        songs: 1,
        video: 1,
      },
      familiarity: 0.838481,
      hotttnesss: 0.912345,
      songs: [{ id: nativeId('SO', 9), title: 'Closer' }],
      terms: [{ name: 'rock', weight: 1, frequency: 0.5 }],
      urls: {
        official_url: '1',
        lastfm_url: '2',
        mb_url: '3',
        amazon_url: '4',
        wikipedia_url: '5',
        itunes_url: '6',
        myspace_url: '7',
      },
      years_active: [{ start: 1999 }],
      artist_location: {
        city: 'Nashville',
        region: 'TN',
        country: 'United States',
        location: 'Nashville, TN',
      },
      foreign_ids: [{ catalog: 'musicbrainz', foreign_id: 'musicbrainz:artist:x-1' }],
      kvstore: { Some_Key: '1' },
      item_keyvalues: { Some_Key: '1' },
      play_count: 18,
      skip_count: 0,
      favorite: true,
      banned: false,
      rating: 8,
      last_modified: '2011-07-14T20:15:49',
      date_added: '2011-07-14T20:15:49',
      artist_id: ARTIST,
      artist_name: 'Kings of Leon',
      foreign_id: `${data.id}:artist:k`,
      request: { item_id: 'k', artist_name: 'Kings Of Leon' },
    },
  ])
})

it('an artist without documents has empty lists', async () => {
  const music = await openInline()
  const client = new Client(music)
  await music.artists.import([{ id: ARTIST, name: 'Nobody' }])
  const { data } = await client.post('catalog/create', { name: 'A', type: 'artist' })
  const sent = await client.post('catalog/update', {
    id: data.id,
    data: `[{"item":{"item_id":"a","artist_id":"${ARTIST}"}}]`,
  })
  await music.call('catalog/wait', { ticket: sent.data.ticket })
  const { data: read } = await client.get('catalog/read', {
    id: data.id,
    bucket: [...ARTIST_LISTS, 'kvstore'],
  })
  for (const list of ARTIST_LISTS) expect(read.catalog.items[0][list], list).toEqual([])
  expect(read.catalog.items[0].kvstore).toEqual({})
})

it('a song item, with its audio summary', async () => {
  const clock = new Clock()
  const music = await openInline({ now: clock.now })
  const client = new Client(music)
  await music.songs.import([
    {
      id: nativeId('SO', 9),
      title: 'The Cave',
      artistName: 'Mumford and Sons',
      artistId: ARTIST,
      artistHotttnesss: 0.687461,
      audioSummary: {
        ...{
          energy: 0.5,
          tempo: 142,
          speechiness: 0.1,
          key: 4,
          duration: 217.8,
          audioMd5: '0'.repeat(32),
        },
        ...{
          liveness: 0.2,
          acousticness: 0.3,
          mode: 1,
          timeSignature: 4,
          loudness: -7,
          valence: 0.4,
        },
        danceability: 0.6,
      },
    },
  ])
  const { data } = await client.post('catalog/create', { name: 'A', type: 'song' })
  const song = nativeId('SO', 9)
  const entries = [
    { item: { item_id: song, song_id: song } },
    { item: { item_id: 'x', song_name: 'Nowhere', fp_code: null } },
  ]
  const sent = await client.post('catalog/update', { id: data.id, data: JSON.stringify(entries) })
  await music.call('catalog/wait', { ticket: sent.data.ticket })
  const bucket = ['audio_summary', 'artist_hotttnesss']
  const { data: read, text } = await client.get('catalog/read', { id: data.id, bucket })
  const dates = { last_modified: '2011-07-14T20:15:49', date_added: '2011-07-14T20:15:49' }
  expect(read.catalog.items).toEqual([
    {
      song_name: 'The Cave',
      artist_id: ARTIST,
      artist_name: 'Mumford and Sons',
      artist_hotttnesss: 0.687461,
      ...dates,
      foreign_id: `${data.id}:song:${song}`,
      song_id: song,
      request: { item_id: song, song_id: song },
      audio_summary: {
        ...{
          energy: 0.5,
          tempo: 142,
          speechiness: 0.1,
          key: 4,
          duration: 217.8,
          audio_md5: '0'.repeat(32),
        },
        ...{
          liveness: 0.2,
          acousticness: 0.3,
          mode: 1,
          time_signature: 4,
          loudness: -7,
          valence: 0.4,
        },
        danceability: 0.6,
      },
    },
    { ...dates, foreign_id: `${data.id}:song:x`, request: { item_id: 'x', song_name: 'Nowhere' } },
  ])
  expect(text).toContain('"tempo":142.0')
  expect(text).toContain('"time_signature":4')
})

it('a track that is analysed, and its song', async () => {
  const music = await openInline()
  const client = new Client(music)
  const track = await music.tracks.upload({ ...clip(), wait: true })
  const { data } = await client.get('song/profile', { track_id: track.id, bucket: 'audio_summary' })
  expect(Object.keys(data.songs[0])).toEqual(['id', 'title', 'audio_summary'])
  expect(data.songs[0].id).toBe(track.answer.songId)
})
