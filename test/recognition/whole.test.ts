import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/kernel/database/open.ts'
import { CodeIndex } from '../../src/recognition/index/code-index.ts'
import { Recognizer } from '../../src/recognition/recognize.ts'
import { RecordingStore } from '../../src/recognition/recording-store.ts'
import type { Codes } from '../../src/recognition/systems/codes.ts'
import { ECHOPRINT } from '../../src/recognition/systems/version.ts'
import { SongStore } from '../../src/song/store.ts'
import { addRecording, addSong } from '../support/made-recordings.ts'
import { seeded } from '../support/music.ts'

const NONE: Codes = { codes: new Uint32Array(0), times: new Uint32Array(0) }
const UNITS = 1000 / ECHOPRINT.timeUnit
const random = seeded(12)

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

class Library {
  readonly #db = openDatabase(':memory:')
  readonly #store = new RecordingStore(this.#db)
  readonly #songs = new SongStore(this.#db)
  readonly #recognizer = new Recognizer(this.#store, new CodeIndex(this.#store))

  /** Adds a recording of a song that came as a code string. */
  add(songId: string, codes: readonly number[], duration: number | null = codes.length / 5) {
    if (this.#songs.numOf(songId) === undefined) addSong(this.#db, songId)
    const about = { songId, duration, fingerprintVersion: '4.12' }
    addRecording(this.#store, { echoprint: timed(codes) }, about)
  }

  heard(codes: readonly number[], from = 0) {
    const echoprint = { codes: timed(codes, from), onsets: [] }
    const landmarks = {
      times: new Float32Array(0),
      frequencies: new Float32Array(0),
      saliences: new Float32Array(0),
    }
    const prints = { echoprint, landmarks, chroma: NONE }
    return this.#recognizer.whole(prints, from + codes.length / 5)
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
