import { describe, expect, it } from 'vitest'
import { analyze } from '../../src/analyzer.ts'
import type { Samples } from '../../src/client/samples.ts'
import {
  type Agreement,
  comparing,
  isSame,
  type Outline,
  outlining,
} from '../../src/track/same-recording.ts'
import { decoded } from '../support/decoded.ts'
import { oggBytes } from '../support/encode.ts'
import { knownPiece } from '../support/known-pieces.ts'
import { addTone, seeded, song, VOICES } from '../support/music.ts'

const RATE = 22_050

function atOnce<T>(steps: Generator<void, T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

const outlineOf = (audio: Samples): Outline =>
  atOnce(outlining(analyze({ ...audio, fingerprints: true })))
const mono = (samples: Float32Array): Samples => ({ samples: [samples], sampleRate: RATE })
const styled = (style: string, seed: number, bpm: number, bars: number, key = 0): Samples =>
  mono(knownPiece({ bpm, passages: [{ style, seed, bars, key, mode: 1 }] }).samples)

/** Chords that swell for a second: nothing of them is an onset. */
function pads(seed: number): Samples {
  const random = seeded(seed)
  const samples = new Float32Array(20 * RATE)
  for (let start = 0; start < 20; start += 2 + 2 * random())
    for (const third of [0, 4, 7]) {
      const pitch = 48 + Math.floor(12 * random()) + third
      const swell = { ...VOICES.strings!, attack: 1 }
      addTone(samples, RATE, { start, duration: 4, pitch, gain: 0.05 }, swell, random)
    }
  return mono(samples)
}

/** Soft music without drums, of which onsets tell little. */
function soft(seed: number): Samples {
  const voices = { chords: 'organ', lead: 'strings' }
  const plan = { seconds: 20, tempo: 90, drums: false, key: 3, gain: 0.15, ...voices }
  return mono(song(plan, seeded(seed)).samples)
}

/** What Ogg Vorbis at its lowest quality, so many times over, leaves of a recording. */
async function dulled(original: Samples, times = 1): Promise<Samples> {
  let audio = original
  for (let i = 0; i < times; i++) audio = await decoded(await oggBytes(audio, -1))
  return audio
}

describe('a copy at the lowest bit rate is known as the same recording', () => {
  it.each([
    ['a band that swings', () => styled('swing', 1, 158.5, 14, 3), 1],
    ['drums alone', () => styled('drums alone', 1, 122.5, 11), 1],
    ['a hymn', () => styled('hymn', 2, 89, 8), 1],
    ['chords that swell', () => pads(2), 1],
    ['soft music whose onsets agree best by chance', () => soft(3), 2],
  ] as const)('%s', async (_, make, times) => {
    const original = make()
    const one = outlineOf(original)
    const two = outlineOf(await dulled(original, times))
    const agreement = atOnce(comparing(one, two))
    expect(isSame(agreement)).toBe(true)
    expect(Math.abs(agreement?.offset ?? 9)).toBeLessThan(0.1)
    expect(isSame(atOnce(comparing(two, one)))).toBe(true)
  })
})

describe('what two recordings have to have in common', () => {
  /** Aligned all the way through, and nothing said of what they sound like. */
  const aligned: Agreement = {
    offset: 0,
    overlap: 0.7,
    agreeing: 20,
    codes: 0,
    chroma: 0,
    windows: 0.86,
    soundWindows: 0.86,
    timbreApart: 200,
    timbre: 1,
    pitchesApart: 1,
    pitches: 1,
  }

  /** Each way to be the same recording, at what is just enough of each. */
  const enough: [string, Partial<Agreement>][] = [
    ['onsets, roughly the sound and the pitches', { codes: 0.08, timbre: 0.75, pitches: 0.1 }],
    ['onsets, a dull sound and the pitches', { codes: 0.08, timbreApart: 45, pitches: 0.1 }],
    ['onsets, the sound, equal pitches', { codes: 0.08, timbre: 0.75, pitchesApart: 0.02 }],
    ['onsets, the sound and the chroma', { codes: 0.08, timbre: 0.75, chroma: 0.3 }],
    ['many onsets, closely the sound', { codes: 0.18, timbre: 0.3, pitchesApart: 0.15 }],
    ['still more, with untuned pitches', { codes: 0.25, timbre: 0.2, pitchesApart: 0.3 }],
    ['the chroma, closely the pitches', { chroma: 0.3, timbre: 0.65, pitches: 0.05 }],
    ['few onsets, very closely the rest', { codes: 0.035, timbre: 0.25, pitches: 0.06 }],
    ['some chroma, very closely the rest', { chroma: 0.2, timbre: 0.25, pitches: 0.06 }],
    ['few onsets, equal sound', { codes: 0.035, timbreApart: 20, pitches: 0.06 }],
    ['few onsets, equal pitches', { codes: 0.035, timbre: 0.25, pitchesApart: 0.01 }],
  ]
  const more = ['overlap', 'agreeing', 'codes', 'chroma', 'windows', 'soundWindows']

  it.each(enough)('%s are enough, and less of any is not', (_, given) => {
    expect(isSame({ ...aligned, ...given })).toBe(true)
    for (const [name, value] of Object.entries(given)) {
      const worse = more.includes(name) ? value - 0.005 : value * 1.05
      expect(isSame({ ...aligned, ...given, [name]: worse }), name).toBe(false)
    }
  })

  it.each([
    ['an excerpt', { overlap: 0.66 }],
    ['hardly any code', { agreeing: 19 }],
    ['codes that agree in some places only', { windows: 0.84 }],
    ['a sound that agrees in some places only', { soundWindows: 0.84 }],
  ])('%s is not enough, however much agrees', (_, lacking) => {
    const all = { codes: 1, chroma: 1, timbre: 0, timbreApart: 0, pitches: 0, pitchesApart: 0 }
    expect(isSame({ ...aligned, ...all })).toBe(true)
    expect(isSame({ ...aligned, ...all, ...lacking })).toBe(false)
  })

  it('nothing at all is not enough', () => {
    expect(isSame(undefined)).toBe(false)
    expect(isSame(aligned)).toBe(false)
  })
})
