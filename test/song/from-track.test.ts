import { describe, expect, it } from 'vitest'
import type { Audile, Params } from '../../src/index.ts'
import { failure } from '../support/failure.ts'
import { hearOnce } from '../support/heard-once.ts'
import { openInline } from '../support/open.ts'
import { nativeId } from '../support/reference-library.ts'
import { type Frames, taggedMp3 } from '../support/tagged-mp3.ts'
import { tune } from '../support/tune.ts'

hearOnce()

/** Uploads silence with tags, and waits until it is analysed. */
async function upload(music: Audile, frames: Frames, seconds?: number) {
  const track = await music.tracks.upload({ bytes: taggedMp3(frames, seconds), wait: true })
  expect(track.answer.status).toBe('complete')
  return { track, songId: track.answer.songId as string }
}

const titlesOf = async (music: Audile, query: Params<'song/search'>) =>
  (await music.songs.search(query)).map(({ title }) => title)

describe('a track of one’s own', () => {
  it('becomes a song of its tags', async () => {
    const music = await openInline()
    const { songId } = await upload(music, {
      TIT2: 'Rust',
      TPE1: 'The Iron Kettles feat. Nora Vale',
      TALB: 'Oxide',
      TDRC: '1994',
    })
    const [song] = await music.songs.search({ title: 'rust', bucket: 'origins' })
    expect({ ...song }).toEqual({
      id: songId,
      title: 'Rust',
      artistId: expect.stringMatching(/^AR/),
      artistName: 'The Iron Kettles feat. Nora Vale',
      origins: {
        title: 'tags',
        artist_name: 'tags',
        release: 'tags',
        year: 'tags',
        duration: 'analysis',
        audio_summary: 'analysis',
      },
    })
    expect((await music.artists.get(song?.artistId as string)).name).toBe('The Iron Kettles')
    expect(await titlesOf(music, { artist: 'iron kettles' })).toEqual(['Rust'])
    expect(await titlesOf(music, { combined: 'nora rust' })).toEqual(['Rust'])
  })

  it('has genres for styles, and moods for moods', async () => {
    const music = await openInline()
    await upload(music, { TIT2: 'One', TPE1: 'A', TCON: 'Hip-Hop/Rap', TMOO: 'Gloomy' })
    await upload(music, { TIT2: 'Two', TPE1: 'B', TCON: 'Jazz; Smooth  Jazz' }, 2)
    await upload(music, { TIT2: 'Three', TPE1: 'C', TMOO: 'Jazz, Mellow' }, 3)
    expect(await titlesOf(music, { style: 'rap' })).toEqual(['One'])
    expect(await titlesOf(music, { style: 'hip-hop' })).toEqual(['One'])
    expect(await titlesOf(music, { mood: 'gloomy' })).toEqual(['One'])
    expect(await titlesOf(music, { style: 'gloomy' })).toEqual([])
    expect(await titlesOf(music, { style: 'smooth jazz' })).toEqual(['Two'])
    expect(await titlesOf(music, { style: 'jazz' })).toEqual(['Two'])
    expect(await titlesOf(music, { mood: 'jazz' })).toEqual(['Three'])
    expect((await titlesOf(music, { description: 'jazz' })).sort()).toEqual(['Three', 'Two'])
    expect(await titlesOf(music, { description: ['jazz', '-mellow'] })).toEqual(['Two'])
    expect(await titlesOf(music, { mood: ['+jazz', '+mellow'] })).toEqual(['Three'])
  })

  it('has its own terms and its artist’s', async () => {
    const music = await openInline()
    await music.artists.import([
      {
        name: 'A',
        terms: [
          { name: 'rock', weight: 0.5 },
          { name: 'loud', weight: 0.1 },
        ],
      },
    ])
    await upload(music, { TIT2: 'Rocking', TPE1: 'A', TCON: 'Rock' })
    await upload(music, { TIT2: 'Plain', TPE1: 'A' }, 5)
    expect(await titlesOf(music, { style: 'rock' })).toEqual(['Rocking', 'Plain'])
    expect(await titlesOf(music, { style: ['rock', '+loud'] })).toEqual(['Rocking', 'Plain'])
  })

  it('is found by what its analysis says', async () => {
    const music = await openInline()
    const track = await music.tracks.upload({ ...tune({ seed: 3 }), wait: true })
    const { audioSummary } = await track.profile({ bucket: 'audio_summary' })
    const { tempo = 0, key = 0, mode = 0, duration = 0, loudness = 0 } = audioSummary ?? {}
    const query = {
      minTempo: tempo - 0.001,
      maxTempo: tempo + 0.001,
      minDuration: duration,
      maxDuration: duration,
      minLoudness: loudness,
      maxLoudness: loudness,
      key,
      mode,
    }
    const [song, ...others] = await music.songs.search({ ...query, bucket: 'audio_summary' })
    expect(others).toEqual([])
    expect(song?.id).toBe(track.answer.songId)
    expect(song?.audioSummary).toMatchObject({ ...audioSummary })
    expect(await music.songs.search({ ...query, key: (key + 1) % 12 })).toEqual([])
  })

  it('without tags is called as its file, and has no artist to be found by', async () => {
    const music = await openInline()
    const { songId } = await upload(music, {})
    await music.songs.import([
      { title: 'Known', artistName: 'A', artistFamiliarity: 0.5, artistHotttnesss: 0.5 },
    ])
    const found = await music.songs.search({ minDuration: 0.5, maxDuration: 2 })
    expect(found.map(({ id }) => id)).toEqual([songId])
    expect(found[0]).not.toHaveProperty('artistId')
    expect(await titlesOf(music, { artistMinFamiliarity: 0.1 })).toEqual(['Known'])
    expect(await titlesOf(music, { artistStartYearAfter: 1 })).toEqual([])
    for (const sort of ['artist_familiarity-asc', 'artist_familiarity-desc'] as const) {
      expect((await music.songs.search({ sort })).at(-1)?.id).toBe(songId)
    }
  })

  it('goes from the search with its last track', async () => {
    const music = await openInline()
    const { track } = await upload(music, { TIT2: 'Rust', TPE1: 'Kettles', TCON: 'Rock' })
    expect(await titlesOf(music, { style: 'rock', title: 'rust' })).toEqual(['Rust'])
    await music.tracks.remove(track.id)
    for (const query of [{}, { title: 'rust' }, { artist: 'kettles' }, { style: 'rock' }]) {
      expect(await music.songs.search(query)).toEqual([])
    }
    expect(await music.artists.search('kettles')).toEqual([])
  })
})

describe('a track of one’s own and a reference song', () => {
  const NAMES = { title: 'Iron Home Blues', artistName: 'The Iron Kettles' }
  const TAGS = { TIT2: 'Iron Home Blues', TPE1: 'The Iron Kettles' }
  const reference = { ...NAMES, id: nativeId('SO', 1), songHotttnesss: 0.4 }

  it('are one by names and length', async () => {
    const music = await openInline()
    await music.songs.import([
      { ...reference, duration: 9, audioSummary: { tempo: 111, energy: 0.3, valence: 0.7 } },
    ])
    const { track, songId } = await upload(music, { ...TAGS, TCON: 'Blues' }, 10)
    expect(songId).toBe(reference.id)
    const [song, ...others] = await music.songs.search({
      style: 'blues',
      bucket: ['audio_summary', 'song_hotttnesss', 'origins'],
    })
    expect(others).toEqual([])
    // What one's own analysis says goes before what was imported.
    expect(song).toMatchObject({
      id: reference.id,
      songHotttnesss: 0.4,
      audioSummary: { analysisUrl: `audile:analysis/${track.id}`, valence: 0.7 },
      origins: { title: 'import', duration: 'analysis', audio_summary: 'analysis' },
    })
    expect(await music.songs.search({ maxDuration: 9.5 })).toEqual([])
    await music.tracks.remove(track.id)
    // The imported song is there still, with what was imported.
    const [left] = await music.songs.search({ maxDuration: 9.5, bucket: 'audio_summary' })
    expect(left?.id).toBe(reference.id)
    expect(left?.audioSummary).toEqual({
      tempo: 111,
      energy: 0.3,
      danceability: null,
      valence: 0.7,
      duration: 9,
    })
  })

  it('are two when they differ much in length', async () => {
    const music = await openInline()
    await music.songs.import([{ ...reference, duration: 95 }])
    const { songId } = await upload(music, TAGS, 10)
    expect(songId).not.toBe(reference.id)
    expect(await titlesOf(music, { title: 'iron home blues' })).toHaveLength(2)
  })

  it('are two when they are not called alike', async () => {
    const music = await openInline()
    await music.songs.import([{ ...reference, duration: 10 }])
    for (const tags of [
      { ...TAGS, TIT2: 'Rust' },
      { ...TAGS, TPE1: 'Nora Vale' },
      { TIT2: TAGS.TIT2 },
      { TPE1: TAGS.TPE1 },
    ]) {
      const { track, songId } = await upload(music, tags, 10)
      expect(songId).not.toBe(reference.id)
      await music.tracks.remove(track.id)
    }
  })

  it('are two when the song has a recording that sounds otherwise', async () => {
    const elsewhere = await openInline()
    const { code } = await elsewhere.songs.fingerprint(tune({ seed: 4 }))
    const music = await openInline()
    await music.songs.import([
      { ...reference, duration: 10, fingerprints: [{ version: 4.12, code }] },
    ])
    const { songId } = await upload(music, TAGS, 10)
    expect(songId).not.toBe(reference.id)
  })

  it('are one by ISRC, whatever they are called', async () => {
    const music = await openInline()
    await music.songs.import([{ ...reference, isrc: 'GB-AYE-77-00531', duration: 95 }])
    const tags = { TIT2: 'Blues (Album Version)', TPE1: 'Iron Kettles', TSRC: 'GBAYE7700531' }
    expect((await upload(music, tags, 10)).songId).toBe(reference.id)
  })

  it('are one by the recording’s MusicBrainz id', async () => {
    const music = await openInline()
    const mbid = 'b1a9c0e9-d987-4042-ae91-78d6a3267d69'
    await music.songs.import([{ ...reference, musicbrainzId: mbid.toUpperCase(), duration: 95 }])
    const tags = { TIT2: 'Other', TPE1: 'Iron Kettles', 'UFID:http://musicbrainz.org': mbid }
    expect((await upload(music, tags, 10)).songId).toBe(reference.id)
  })

  it('are one when the reference comes later', async () => {
    const music = await openInline()
    const { track, songId } = await upload(music, TAGS, 10)
    const record = { ...NAMES, duration: 11, year: 1977, artistFamiliarity: 0.5 }
    expect(await music.songs.import([record])).toMatchObject({ imported: 0, updated: 1 })
    const [song] = await music.songs.profile({ id: songId, bucket: 'origins' })
    expect(song?.origins).toMatchObject({
      title: 'import',
      year: 'import',
      duration: 'analysis',
      artist_familiarity: 'import',
    })
    // It is not only the track's any more.
    await music.tracks.remove(track.id)
    expect((await music.songs.profile({ id: songId })).map(({ title }) => title)).toEqual([
      NAMES.title,
    ])
    expect(await titlesOf(music, { artistMinFamiliarity: 0.5 })).toEqual([NAMES.title])
  })

  it('share the artist', async () => {
    const music = await openInline()
    await music.artists.import([{ id: nativeId('AR', 1), name: 'The Iron Kettles' }])
    const { track, songId } = await upload(music, { TIT2: 'Rust', TPE1: 'IRON KETTLES' })
    const [song] = await music.songs.profile({ id: songId })
    expect(song?.artistId).toBe(nativeId('AR', 1))
    await music.tracks.remove(track.id)
    expect((await music.artists.get(nativeId('AR', 1))).name).toBe('The Iron Kettles')
    expect((await failure(song?.profile() as Promise<unknown>)).code).toBe('unknown_identifier')
  })
})
