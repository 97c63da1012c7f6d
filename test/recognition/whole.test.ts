import { describe, expect, it, vi } from 'vitest'
import { openDatabase } from '../../src/kernel/database/open.ts'
import { CodeIndex } from '../../src/recognition/index/code-index.ts'
import { Recognizer } from '../../src/recognition/recognize.ts'
import { RecordingStore } from '../../src/recognition/recording-store.ts'
import type { Codes } from '../../src/recognition/systems/codes.ts'
import type { Landmarks } from '../../src/recognition/systems/landmarks.ts'
import { recordingPrints } from '../../src/recognition/systems/recording-prints.ts'
import { songCodes } from '../../src/recognition/systems/triplets.ts'
import { ECHOPRINT_SYSTEM, UNITS_PER_SECOND } from '../../src/recognition/systems/version.ts'
import { SongStore } from '../../src/song/store.ts'
import { addRecording, addSong, pack } from '../support/made-recordings.ts'
import { seeded } from '../support/music.ts'

const NONE: Codes = { codes: new Uint32Array(0), times: new Uint32Array(0) }
const UNITS = 1000 / ECHOPRINT_SYSTEM.timeUnit
const random = seeded(12)
const FRAMES = UNITS_PER_SECOND.triplets
/** The share of each ten seconds of a song that leaves a trace of it, and no more. */
const TRACE = 0.18

/** Five codes a second that nothing else has. */
function made(seconds: number): number[] {
  return Array.from({ length: 5 * seconds }, () => Math.floor(random() * 2 ** 20))
}

function timed(codes: readonly number[], from = 0): Codes {
  return {
    codes: Uint32Array.from(codes),
    times: Uint32Array.from(codes, (_, i) => Math.round((from + i / 5) * UNITS)),
  }
}

/** Landmarks of as many seconds as nothing else has. */
function landmarksOf(seconds: number): Landmarks {
  const times = Array.from({ length: 8 * seconds }, (_, i) => ((i + random()) / 8) * FRAMES)
  return {
    times: Float32Array.from(times),
    frequencies: Float32Array.from(times, () => 60 + 560 * random()),
    saliences: Float32Array.from(times, () => 1 + random()),
  }
}

class Library {
  readonly #db = openDatabase(':memory:')
  readonly #store = new RecordingStore(this.#db)
  readonly #songs = new SongStore(this.#db)
  readonly #index = new CodeIndex(this.#store)
  readonly #recognizer = new Recognizer(this.#store, this.#index)

  /** Adds a recording of a song that came as a code string. */
  add(songId: string, codes: readonly number[], duration: number | null = codes.length / 5) {
    if (this.#songs.numOf(songId) === undefined) addSong(this.#db, songId)
    const about = { songId, duration, fingerprintVersion: '4.12' }
    addRecording(this.#store, { echoprint: timed(codes) }, about)
  }

  /** Adds a recording of a song by its landmarks. */
  addSound(songId: string, landmarks: Landmarks, seconds: number) {
    if (this.#songs.numOf(songId) === undefined) addSong(this.#db, songId)
    const about = { songId, duration: seconds, fingerprintVersion: '2' }
    addRecording(this.#store, { triplets: songCodes(landmarks) }, about)
  }

  /** What a sound is, and how many of its codes were asked for. */
  heardSound(landmarks: Landmarks, seconds: number) {
    const lookups = vi.spyOn(this.#index, 'openLookups')
    const all = CodeIndex.prototype.openLookups.bind(this.#index)
    let asked = 0
    lookups.mockImplementation(() => {
      const given = all()
      return (family) => {
        const lookup = given(family)
        const frequency = (code: number) => {
          asked++
          return lookup.frequency(code)
        }
        return family === 'triplets' ? { ...lookup, frequency } : lookup
      }
    })
    const prints = { echoprint: { codes: NONE, onsets: [] }, landmarks, chroma: NONE }
    const heard = this.#recognizer.songOfWholeFile(recordingPrints(prints), seconds)
    lookups.mockRestore()
    return { songId: heard?.songId, share: asked / new Set(songCodes(landmarks).codes).size }
  }

  async pack() {
    await pack(this.#store)
  }

  heard(codes: readonly number[], from = 0) {
    const echoprint = { codes: timed(codes, from), onsets: [] }
    const landmarks = {
      times: new Float32Array(0),
      frequencies: new Float32Array(0),
      saliences: new Float32Array(0),
    }
    const prints = recordingPrints({ echoprint, landmarks, chroma: NONE })
    return this.#recognizer.songOfWholeFile(prints, from + codes.length / 5)
  }
}

describe('a whole file', () => {
  const song = made(150)
  const library = new Library()
  for (let i = 0; i < 5; i++) library.add(`other ${i}`, made(150))
  library.add('song', song)

  /** The song, of which some fifths are something else. */
  const without = (...fifths: number[]) => {
    const other = made(150)
    return song.map((code, i) => (fifths.includes(Math.floor(i / 150)) ? other[i]! : code))
  }

  it('is the recording that it holds, and tells where it begins', () => {
    const { songId, evidence } = library.heard(song.slice(50))!
    expect(songId).toBe('song')
    expect(evidence).toMatchObject({
      system: 'echoprint',
      offset: expect.closeTo(10, 1),
      lengths: { query: 140, recording: 150 },
    })
    expect(evidence.aligned).toBeGreaterThan(0.99)
    expect(library.heard(song, 4)?.evidence.offset).toBeCloseTo(-4, 1)
  })

  it('is none that it does not hold', () => {
    expect(library.heard(made(150))).toBeUndefined()
  })

  it('is it with a passage changed, but not with two', () => {
    expect(library.heard(without(2))?.songId).toBe('song')
    expect(library.heard(without(1))?.evidence.aligned).toBeCloseTo(0.8, 1)
    expect(library.heard(without(1, 3))).toBeUndefined()
  })

  it('is not the recording whose parts it has in another order', () => {
    const parts = [0, 1, 2, 3, 4].map((i) => song.slice(150 * i, 150 * (i + 1)))
    expect(library.heard([4, 3, 2, 1, 0].flatMap((i) => parts[i]!))).toBeUndefined()
  })

  it('is not the recording of which it is an excerpt, nor the one that it quotes', () => {
    expect(library.heard(song.slice(0, 5 * 89))).toBeUndefined()
    expect(library.heard(song.slice(0, 5 * 91))?.songId).toBe('song')
    expect(library.heard([...song, ...made(150)])).toBeUndefined()
  })

  it('is any of the recordings of a song', () => {
    const library = new Library()
    library.add('song', [...song, ...made(150)])
    expect(library.heard(song)).toBeUndefined()
    // A shorter version, of which less is known.
    library.add(
      'song',
      song.map((code, i) => (i % 3 === 0 ? i : code)),
    )
    expect(library.heard(song)?.songId).toBe('song')
  })
})

describe('the sound of a whole file', () => {
  const library = new Library()
  const [song, long, damaged] = [landmarksOf(150), landmarksOf(150), landmarksOf(150)]
  library.addSound('song', song, 150)
  library.addSound('long', long, 150)
  for (let i = 0; i < 5; i++) library.addSound(`other ${i}`, landmarksOf(150), 150)
  const SAMPLED = 0.15

  it('is looked up by a tenth of its codes where that says what it is, or that it is unknown', () => {
    const known = library.heardSound(song, 150)
    expect(known.songId).toBe('song')
    expect(known.share).toBeLessThan(SAMPLED)
    const unknown = library.heardSound(landmarksOf(150), 150)
    expect(unknown.songId).toBeUndefined()
    expect(unknown.share).toBeLessThan(SAMPLED)
  })

  it('is looked up by all where it is short', () => {
    const short = landmarksOf(40)
    library.addSound('short', short, 40)
    const heard = library.heardSound(short, 40)
    expect(heard.songId).toBe('short')
    expect(heard.share).toBeGreaterThan(0.9)
  })

  it('is looked up by all where the sample holds only a trace', () => {
    const kept = (landmarks: Landmarks, isKept: (share: number) => boolean) =>
      [...landmarks.times.keys()].filter((i) => isKept((landmarks.times[i]! / FRAMES / 10) % 1))
    const parts = [
      ...kept(song, (share) => share < TRACE).map((i) => [song, i] as const),
      ...kept(damaged, (share) => share >= TRACE).map((i) => [damaged, i] as const),
    ].sort(([one, i], [other, j]) => one.times[i]! - other.times[j]!)
    const of = (name: keyof Landmarks) => Float32Array.from(parts, ([from, i]) => from[name][i]!)
    const mixed = {
      times: of('times'),
      frequencies: of('frequencies'),
      saliences: of('saliences'),
    }
    const heard = library.heardSound(mixed, 150)
    expect(heard.songId).toBe('song')
    expect(heard.share).toBeGreaterThan(0.9)
  })

  it('is looked up by all where several recordings agree', () => {
    library.addSound('copy', long, 150)
    const heard = library.heardSound(long, 150)
    expect(['long', 'copy']).toContain(heard.songId)
    expect(heard.share).toBeGreaterThan(0.9)
  })
})
