import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readTags, type Tags } from '../../src/audio/tags.ts'
import { TagReader } from '../../src/input/tag-reader.ts'
import { DecodeError } from '../../src/values/errors.ts'
import type { Workers } from '../../src/workers/workers.ts'
import { waveFile } from '../support/clips.ts'
import { openInline } from '../support/open.ts'
import { scratch } from '../support/scratch.ts'
import { taggedMp3 } from '../support/tagged-mp3.ts'

const RECORDING = '0a2e8a2c-1f5a-4d6e-9a3b-3a9a4f0c1d11'
const RELEASE = '1b2e8a2c-1f5a-4d6e-9a3b-3a9a4f0c1d22'
const ARTIST = '2c2e8a2c-1f5a-4d6e-9a3b-3a9a4f0c1d33'
const ACOUSTID = '3d2e8a2c-1f5a-4d6e-9a3b-3a9a4f0c1d44'

const FRAMES = {
  TIT2: 'El Scorcho ',
  TPE1: 'Weezer',
  TALB: 'Pinkerton',
  TCON: 'Alternative Rock',
  TMOO: 'joyous',
  TDRC: '1996',
  TRCK: '8/10',
  TPOS: '1',
  TSRC: 'USGF19642608',
  'UFID:http://musicbrainz.org': RECORDING,
  'TXXX:MusicBrainz Album Id': RELEASE,
  'TXXX:MusicBrainz Artist Id': ARTIST,
  'TXXX:Acoustid Id': ACOUSTID,
  'TXXX:replaygain_track_gain': '-7.89 dB',
  'TXXX:replaygain_track_peak': '0.977',
  'TXXX:replaygain_album_gain': '-6.5 dB',
}

function tagged(): string {
  const path = join(scratch(), 'song.mp3')
  writeFileSync(path, taggedMp3(FRAMES, 2))
  return path
}

describe('readTags', () => {
  it('reads names, numbers, ReplayGain and ids in other spaces', async () => {
    expect(await readTags(tagged())).toEqual({
      title: 'El Scorcho',
      artist: 'Weezer',
      release: 'Pinkerton',
      genres: ['Alternative Rock'],
      moods: ['joyous'],
      year: 1996,
      trackNumber: 8,
      trackTotal: 10,
      discNumber: 1,
      isrc: ['USGF19642608'],
      bitrate: 128,
      samplerate: 44_100,
      duration: expect.closeTo(2, 0),
      replayGain: { trackGain: -7.89, trackPeak: 0.977, albumGain: -6.5 },
      foreignIds: [
        { catalog: 'musicbrainz', type: 'track', id: RECORDING },
        { catalog: 'musicbrainz', type: 'release', id: RELEASE },
        { catalog: 'musicbrainz', type: 'artist', id: ARTIST },
        { catalog: 'acoustid', type: 'track', id: ACOUSTID },
        { catalog: 'isrc', type: 'track', id: 'USGF19642608' },
      ],
    })
  })

  it('finds nothing in what has none', async () => {
    const path = join(scratch(), 'noise.bin')
    writeFileSync(
      path,
      new Uint8Array(4096).map((_, i) => (i * 7919) % 251),
    )
    expect(await readTags(path)).toEqual({ foreignIds: [] })
    const wave = await readTags(await waveFile(scratch(), 'plain.wav'))
    expect(wave.title).toBeUndefined()
    expect(wave).toMatchObject({ samplerate: 22_050, foreignIds: [] })
  })
})

describe('tags without measure', () => {
  const file = (bytes: Uint8Array) => {
    const path = join(scratch(), 'song.mp3')
    writeFileSync(path, bytes)
    return path
  }

  it('are cut off: a text at 512 characters, a list at 100 values', async () => {
    const genres = Array.from({ length: 500 }, (_, i) => `Genre ${i}`)
    const frames = { TIT2: 'x'.repeat(5000), TCON: genres.join('\0') }
    const tags = await readTags(file(taggedMp3(frames)))
    expect(tags.title).toBe('x'.repeat(512))
    expect(tags.genres).toEqual(genres.slice(0, 100))
  })

  it('are not read beyond limits.tagBytes', async () => {
    const path = file(taggedMp3({ TIT2: 'Song', TXXX: `a\0${'x'.repeat(200_000)}` }))
    expect(await readTags(path, 300_000)).toMatchObject({ title: 'Song' })
    const error = await readTags(path, 150_000).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(DecodeError)
    expect((error as DecodeError).message).toBe(
      'It has more than the 150000 bytes of limits.tagBytes.',
    )
  })

  it('are passed over with a word when they take too long or fail, and the next are read', async () => {
    const said: string[] = []
    const stopped: unknown[] = []
    const readOrHang = (
      _kind: 'tags',
      { path, bytes }: { path: string; bytes: number },
      { signal }: { signal: AbortSignal },
    ) =>
      path === 'endless'
        ? new Promise<Tags>((_, reject) => {
            signal.addEventListener('abort', () => {
              stopped.push(signal.reason)
              reject(signal.reason)
            })
          })
        : Promise.resolve({ title: `${path} ${bytes}`, foreignIds: [] })
    const reader = new TagReader(
      { run: readOrHang as Workers['run'] },
      { tagBytes: 7, tagSeconds: 0.05 },
      { log: (level, message) => said.push(`${level} ${message}`) },
    )
    const { signal } = new AbortController()
    const both = await Promise.all([reader.read('endless', signal), reader.read('fine', signal)])
    expect(both).toEqual([{ foreignIds: [] }, { title: 'fine 7', foreignIds: [] }])
    expect(stopped).toHaveLength(1)
    expect(said).toEqual([
      'warn The tags of endless are passed over: It takes longer than the 0.05 s of limits.tagSeconds.',
    ])
    const leaving = new AbortController()
    const waiting = reader.read('endless', leaving.signal)
    leaving.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
  })
})

describe('a tagged track', () => {
  it('answers with its tags, and is found by its foreign ids', async () => {
    const music = await openInline()
    const { answer, id } = await music.tracks.upload({ file: tagged(), wait: true })
    expect(answer).toMatchObject({
      status: 'complete',
      title: 'El Scorcho',
      artist: 'Weezer',
      release: 'Pinkerton',
      bitrate: 128,
      samplerate: 44_100,
      catalog: 'musicbrainz',
      foreignId: `musicbrainz:track:${RECORDING}`,
      foreignReleaseId: `musicbrainz:release:${RELEASE}`,
    })
    for (const foreign of [
      `musicbrainz:track:${RECORDING}`,
      `acoustid:track:${ACOUSTID}`,
      'isrc:track:USGF19642608',
    ]) {
      expect((await music.tracks.profile({ id: foreign })).id).toBe(id)
    }
    const { meta } = await (await music.tracks.get(id)).analysis()
    expect(meta).toMatchObject({
      title: 'El Scorcho',
      artist: 'Weezer',
      album: 'Pinkerton',
      genre: 'Alternative Rock',
      bitrate: 128,
    })
  })
})
