import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Samples } from '../../src/client/audio-input.ts'
import {
  type Audile,
  type AudileError,
  DecodeError,
  ParameterError,
  type Track,
} from '../../src/index.ts'
import { clip, waveBytes } from '../support/clips.ts'
import { mp3Bytes, oggBytes } from '../support/encode.ts'
import { hearOnce } from '../support/heard-once.ts'
import { type SongPlan, seeded, song } from '../support/music.ts'
import { openInline } from '../support/open.ts'
import { scratch } from '../support/scratch.ts'

hearOnce()

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => {
      throw new Error('was not rejected')
    },
    (error: unknown) => error as AudileError,
  )

/** Three bands: what they play on, with or without drums, how fast. */
const ALBUMS: Record<string, Omit<SongPlan, 'seconds'>> = {
  church: { chords: 'organ', lead: 'brass', drums: false, tempo: 66, beatsPerBar: 3 },
  parlour: { chords: 'piano', lead: 'flute', drums: false, tempo: 96 },
  club: { chords: 'bell', lead: 'guitar', drums: true, tempo: 128 },
}

const made = new Map<string, Samples>()

/** A piece of an album: its own tune and key, and about the album's tempo. */
function piece(album: string, number: number): Samples {
  const known = made.get(`${album} ${number}`)
  if (known) return known
  const plan = ALBUMS[album] as SongPlan
  const random = seeded(100 + number)
  const tempo = (plan.tempo as number) * (0.94 + 0.04 * number)
  const { samples, sampleRate } = song(
    { ...plan, seconds: 12, tempo, key: (5 * number) % 12, mode: number % 2 === 0 ? 0 : 1 },
    random,
  )
  const audio = { samples: [samples], sampleRate }
  made.set(`${album} ${number}`, audio)
  return audio
}

async function addAlbums(music: Audile, pieces: number): Promise<Map<string, string>> {
  const albums = new Map<string, string>()
  for (let number = 0; number < pieces; number++) {
    for (const album of Object.keys(ALBUMS)) {
      const track = await music.tracks.upload({ ...piece(album, number), wait: true })
      albums.set(track.id, album)
    }
  }
  return albums
}

describe('tracks.similar', () => {
  it('ranks the pieces of one album above all others', async () => {
    const music = await openInline()
    const albums = await addAlbums(music, 4)
    for (const [id, album] of albums) {
      const found = await music.tracks.similar(id)
      expect(found.map((track) => albums.get(track.id)).slice(0, 3)).toEqual([album, album, album])
      expect(found).toHaveLength(albums.size - 1)
      expect(found.map((track) => track.id)).not.toContain(id)
      const similarities = found.map(({ answer }) => answer.similarity as number)
      expect(similarities).toEqual([...similarities].sort((a, b) => b - a))
      expect(Math.min(...similarities)).toBeGreaterThanOrEqual(0)
      expect(Math.max(...similarities)).toBeLessThanOrEqual(1)
      // Far apart: an album's pieces are in each other's neighbourhood, other albums' are not.
      expect(similarities[2]! - similarities[3]!).toBeGreaterThan(0.1)
    }
  })

  it('is mutual, and fills what is asked for', async () => {
    const music = await openInline()
    const ids = [...(await addAlbums(music, 2)).keys()]
    const [one, other] = [ids[0] as string, ids[4] as string]
    const of = (found: Track[], id: string) => found.find((track) => track.id === id)?.answer
    const there = of(await music.tracks.similar(one), other)
    const back = of(await music.tracks.similar(other), one)
    expect(there?.similarity).toBe(back?.similarity)
    const [first, ...rest] = await music.tracks.similar(one, {
      results: 1,
      bucket: 'audio_summary',
    })
    expect(rest).toEqual([])
    expect(first?.answer).toMatchObject({ status: 'complete', audioSummary: { duration: 12 } })
    const track = await music.tracks.get(one)
    const byHandle = await track.similar({ results: 1, bucket: 'audio_summary' })
    expect(byHandle.map(({ answer }) => answer)).toEqual([first?.answer])
    expect(await music.call('track/similar', { md5: first?.answer.md5, results: 2 })).toHaveLength(
      2,
    )
  })

  it('leaves out copies of the track, and all but one of any other', async () => {
    const music = await openInline()
    const add = (bytes: Uint8Array) => music.tracks.upload({ bytes, wait: true })
    const tracks: Track[] = []
    for (const number of [1, 2]) {
      const original = piece('club', number)
      tracks.push(await add(await waveBytes(original)), await add(await mp3Bytes(original, 64)))
      tracks.push(await add(await oggBytes(original, 2)))
    }
    const parlour = await add(await waveBytes(piece('parlour', 1)))
    for (const { id } of tracks.slice(0, 3)) {
      const found = (await music.tracks.similar(id)).map((track) => track.id)
      expect(found).toHaveLength(2)
      expect(tracks.slice(3).map((track) => track.id)).toContain(found[0])
      expect(found[1]).toBe(parlour.id)
    }
  })

  it('sees at once what comes and goes, whoever brings it', async () => {
    const database = join(scratch(), 'music.db')
    const music = await openInline({ database })
    const beside = await openInline({ database })
    const add = (album: string, number: number, to = music) =>
      to.tracks.upload({ ...piece(album, number), wait: true })
    const asked = await add('club', 0)
    const nearest = async () => (await music.tracks.similar(asked.id)).map(({ id }) => id)
    expect(await nearest()).toEqual([])
    const far = await add('church', 0)
    expect(await nearest()).toEqual([far.id])
    const near = await add('club', 1, beside)
    expect(await nearest()).toEqual([near.id, far.id])
    await beside.tracks.remove(near.id)
    expect(await nearest()).toEqual([far.id])
    const another = await add('club', 2, beside)
    expect(await nearest()).toEqual([another.id, far.id])
    const fresh = await openInline({ database })
    expect((await fresh.tracks.similar(asked.id)).map(({ id }) => id)).toEqual([another.id, far.id])
  })

  it('answers many at once while tracks come and go', async () => {
    const music = await openInline()
    const ids = [...(await addAlbums(music, 2)).keys()]
    const gone = ids.pop() as string
    const asked = Promise.all(ids.map((id) => music.tracks.similar(id, { results: 3 })))
    await music.tracks.remove(gone)
    for (const found of await asked) expect(found).toHaveLength(3)
    const later = await Promise.all(ids.map((id) => music.tracks.similar(id)))
    for (const found of later) {
      expect(found).toHaveLength(ids.length - 1)
      expect(found.map(({ id }) => id)).not.toContain(gone)
    }
  })

  it('hears silence, and hardly anything', async () => {
    const music = await openInline()
    const silence = { samples: [new Float32Array(40_000)], sampleRate: 22_050 }
    const inputs = [silence, clip({ seconds: 0.2 }), clip({ seconds: 2 })]
    const ids: string[] = []
    for (const input of inputs) ids.push((await music.tracks.upload({ ...input, wait: true })).id)
    for (const id of ids) {
      const found = await music.tracks.similar(id)
      expect(found).toHaveLength(2)
      for (const { answer } of found) expect(Number.isFinite(answer.similarity)).toBe(true)
    }
  })

  it('says what is unknown, not ready, failed or out of range', async () => {
    const music = await openInline()
    const unknown = await failure(music.tracks.similar('TRXXXXX00000000000'))
    expect(unknown).toBeInstanceOf(ParameterError)
    expect(unknown).toMatchObject({ code: 'unknown_identifier', status: 5 })
    const { id } = await music.tracks.upload(clip())
    expect(await failure(music.tracks.similar(id))).toMatchObject({ code: 'not_ready', status: 5 })
    const bytes = (await waveBytes(clip())).subarray(0, 40)
    const bad = await music.tracks.upload({ bytes, wait: true })
    const failed = await failure(music.tracks.similar(bad.id))
    expect(failed).toMatchObject({ code: 'not_ready', status: 5 })
    expect(failed.message).toMatch(new RegExp(`^${bad.id} has no analysis `))
    expect((failed.cause as Error).cause).toBeInstanceOf(DecodeError)
    for (const results of [0, 101, 1.5, Number.NaN]) {
      const error = await failure(music.tracks.similar(id, { results }))
      expect(error).toMatchObject({ code: 'invalid_parameter', status: 5 })
      expect(error.message).toMatch(/^results - Invalid parameter: /)
    }
    const signal = AbortSignal.abort(new Error('enough'))
    expect((await failure(music.tracks.similar(id, { signal }))).message).toBe('enough')
    await music.close()
    expect((await failure(music.tracks.similar(id))).code).toBe('closed')
  })
})
