import { describe, expect, it } from 'vitest'
import { Resampler } from '../../src/audio/resample.ts'
import { LandmarkCoder, type Landmarks } from '../../src/recognition/systems/landmarks.ts'
import {
  excerptCodes,
  moveCodes,
  songCodes,
  TRIPLET_BREADTHS,
} from '../../src/recognition/systems/triplets.ts'
import {
  ECHOPRINT_SYSTEM,
  LANDMARK_SYSTEM,
  TRIPLET_SYSTEM,
} from '../../src/recognition/systems/version.ts'
import { seeded, song } from '../support/music.ts'

const RATE = ECHOPRINT_SYSTEM.sampleRate

/** Made once: it takes longer than what is tested. */
const MINUTE = song({ seconds: 60, sampleRate: RATE, tempo: 113 }, seeded(5)).samples

function music(seconds: number): Float32Array {
  return MINUTE.slice(0, seconds * RATE)
}

function landmarksOf(...pieces: Float32Array[]): Landmarks {
  const coder = new LandmarkCoder()
  for (const piece of pieces) coder.push(piece)
  return coder.finish()
}

describe('landmarks', () => {
  it('are the same however the sound is cut', () => {
    const samples = music(20)
    const whole = landmarksOf(samples)
    expect(whole.times.length).toBeGreaterThan(200)
    const random = seeded(3)
    for (const largest of [1, 100, 9000]) {
      const pieces: Float32Array[] = []
      for (let from = 0; from < samples.length; ) {
        const to = from + 1 + Math.floor(random() * largest)
        pieces.push(samples.subarray(from, to))
        from = to
        if (largest === 1 && from > 30_000) {
          pieces.push(samples.subarray(from))
          break
        }
      }
      expect(landmarksOf(...pieces)).toEqual(whole)
    }
  })

  it('lie where a tone begins, at its frequency', () => {
    const samples = new Float32Array(4 * RATE)
    for (let i = 2 * RATE; i < 2.5 * RATE; i++) {
      samples[i] = 0.3 * Math.sin((2 * Math.PI * 1003 * i) / RATE)
    }
    const { times, frequencies, saliences } = landmarksOf(samples)
    const best = saliences.indexOf(Math.max(...saliences))
    expect(frequencies[best]! * (RATE / LANDMARK_SYSTEM.peaks.size)).toBeCloseTo(1003, 0)
    expect(times[best]! / LANDMARK_SYSTEM.secondFrames).toBeGreaterThan(1.9)
    expect(times[best]! / LANDMARK_SYSTEM.secondFrames).toBeLessThan(2.6)
  })

  it('do not depend on the level', () => {
    const samples = music(15)
    const loud = songCodes(landmarksOf(samples))
    const soft = songCodes(landmarksOf(samples.map((sample) => 0.25 * sample)))
    const set = new Set(loud.codes)
    const common = soft.codes.filter((code) => set.has(code)).length
    expect(common).toBeGreaterThan(0.8 * soft.codes.length)
  })

  it('make few codes of a song and many of an excerpt, all of 30 bits', () => {
    const landmarks = landmarksOf(music(60))
    const few = songCodes(landmarks)
    const many = excerptCodes(landmarks, { breadth: TRIPLET_BREADTHS.broad })
    expect(few.codes.length / 60).toBeGreaterThan(7)
    expect(few.codes.length / 60).toBeLessThan(13)
    expect(many.codes.length).toBeGreaterThan(10 * few.codes.length)
    expect(Math.max(...many.codes)).toBeLessThan(2 ** 30)
    expect(few.times.length).toBe(few.codes.length)
    // What a song is found by is nearly all among what its excerpts are looked up by.
    const probes = new Set(many.codes)
    const found = few.codes.filter((code) => probes.has(code)).length
    expect(found).toBeGreaterThan(0.9 * few.codes.length)
  })

  it('of music at another speed become those of the song', () => {
    const samples = music(30)
    // 3 % faster: the same samples count as those of a higher rate.
    const converter = new Resampler(Math.round(RATE * 1.03), RATE)
    const faster = Float32Array.from([...converter.push(samples), ...converter.flush()])
    const codes = new Set(songCodes(landmarksOf(samples)).codes)
    const found = (factor: number) => {
      const playing = { pitch: factor, tempo: factor }
      const own = excerptCodes(landmarksOf(faster), { playing, breadth: TRIPLET_BREADTHS.narrow })
      return new Set(own.codes.filter((code) => codes.has(code))).size
    }
    expect(found(1.03)).toBeGreaterThan(0.25 * codes.size)
    expect(found(1.03)).toBeGreaterThan(1.5 * found(1))
  })

  it('move by whole steps with pitch and tempo, but for those that fit no longer', () => {
    const landmarks = landmarksOf(music(30))
    const codes = excerptCodes(landmarks, { breadth: TRIPLET_BREADTHS.narrow })
    const { steps } = TRIPLET_SYSTEM
    for (const [pitch, span] of [
      [2, 0],
      [-3, 0],
      [0, 1],
      [1, -1],
    ] as const) {
      const playing = { pitch: 2 ** (-pitch * steps.pitch), tempo: 2 ** (span * steps.span) }
      const made = new Set(
        excerptCodes(landmarks, { playing, breadth: TRIPLET_BREADTHS.narrow }).codes,
      )
      const shifted = moveCodes(codes, pitch, span)
      expect(shifted.codes.length).toBeGreaterThan(0.9 * codes.codes.length)
      const equal = shifted.codes.filter((code) => made.has(code)).length
      // A tempo moves the seconds of which the most salient landmarks are taken, and the zone.
      expect(equal / shifted.codes.length).toBeGreaterThan(span === 0 ? 0.999 : 0.5)
    }
    expect(moveCodes(codes, 0, 0)).toEqual(codes)
    expect(moveCodes(codes, 128, 0).codes.length).toBe(0)
    expect(moveCodes(codes, 0, -32).codes.length).toBe(0)
  })

  it('find each other, however few a second has', () => {
    // A tone every two seconds: no three of them lie within the usual zone.
    const samples = new Float32Array(60 * RATE)
    const random = seeded(8)
    for (let from = 0; from < samples.length; from += 2 * RATE) {
      const frequency = 400 + 400 * random()
      for (let i = 0; i < RATE / 2; i++) {
        samples[from + i] = 0.3 * Math.sin((2 * Math.PI * frequency * i) / RATE)
      }
    }
    expect(songCodes(landmarksOf(samples)).codes.length).toBeGreaterThan(20)
  })

  it('are none in silence, in one sample and in nothing', () => {
    for (const samples of [
      new Float32Array(0),
      Float32Array.of(0.5),
      new Float32Array(10 * RATE),
      new Float32Array(3 * RATE).fill(1e-7),
    ]) {
      const landmarks = landmarksOf(samples)
      expect(songCodes(landmarks).codes.length).toBe(0)
      expect(excerptCodes(landmarks, { breadth: TRIPLET_BREADTHS.widest }).codes.length).toBe(0)
    }
  })

  it('are finite numbers in full-scale noise and clicks', () => {
    const random = seeded(9)
    const noise = Float32Array.from({ length: 10 * RATE }, () => 2 * random() - 1)
    const clicks = new Float32Array(10 * RATE)
    for (let i = 0; i < clicks.length; i += 2000) clicks[i] = 1
    for (const samples of [noise, clicks]) {
      const { times, frequencies, saliences } = landmarksOf(samples)
      expect(times.length).toBeLessThanOrEqual(LANDMARK_SYSTEM.perSecond * 11)
      for (const list of [times, frequencies, saliences]) {
        expect(list.every((value) => Number.isFinite(value))).toBe(true)
      }
    }
  })
})
