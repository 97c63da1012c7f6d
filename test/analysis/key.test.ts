import { describe, expect, it } from 'vitest'
import { chromaOf, meanChroma } from '../../src/analysis/chroma.ts'
import { findKey } from '../../src/analysis/key.ts'
import { windowOf } from '../../src/analysis/meyda.ts'
import { PEAKS, PeakFront, tuningOf } from '../../src/analysis/peaks.ts'
import { SpectrumStream } from '../../src/audio/spectra/spectrum-stream.ts'
import { addTone, seeded, song, VOICES } from '../support/music.ts'

const RATE = PEAKS.rate

function peaksOf(samples: Float32Array) {
  const front = new PeakFront()
  const stream = new SpectrumStream(windowOf('blackman', PEAKS.size), PEAKS.hop, (m) =>
    front.push(m),
  )
  stream.push(samples)
  stream.finish()
  return front.finish()
}

describe('key', () => {
  it.each([0, 1].flatMap((mode) => [0, 2, 5, 7, 8, 11].map((key) => [key, mode] as const)))(
    'finds pitch class %i, mode %i, with drums and without',
    (key, mode) => {
      for (const drums of [false, true]) {
        const plan = { seconds: 20, sampleRate: RATE, key, mode: mode as 0 | 1, drums }
        const found = findKey(chromaOf(peaksOf(song(plan).samples)))
        expect([found.key, found.mode]).toEqual([key, mode])
        expect(found.keyConfidence).toBeGreaterThan(0.5)
      }
    },
  )

  it.each([-40, -15, 0, 25, 45])('hears a tuning of %i cents and is not misled by it', (cents) => {
    const samples = new Float32Array(10 * RATE)
    for (const pitch of [60, 64, 67, 72])
      addTone(
        samples,
        RATE,
        { start: 0, duration: 10, pitch: pitch + cents / 100, gain: 0.2 },
        VOICES.organ!,
      )
    const peaks = peaksOf(samples)
    expect(tuningOf(peaks)).toBeCloseTo(cents, -0.7)
    expect(findKey(chromaOf(peaks)).key).toBe(0)
  })

  it('says little of noise and nothing of silence', () => {
    const random = seeded(2)
    const noise = Float32Array.from({ length: 10 * RATE }, () => random() - 0.5)
    expect(findKey(chromaOf(peaksOf(noise))).keyConfidence).toBeLessThan(0.45)
    const silent = findKey(chromaOf(peaksOf(new Float32Array(2 * RATE))))
    expect(silent).toMatchObject({ key: 0, keyConfidence: 0, modeConfidence: 0 })
  })

  it.each([[1], [1, 0.5, 0.33, 0.25]])('says nothing of one tone: %j', (...gains) => {
    for (const frequency of [100, 220, 440]) {
      const tone = Float32Array.from({ length: 10 * RATE }, (_, i) =>
        gains.reduce((sum, gain, h) => {
          return sum + 0.1 * gain * Math.sin((2 * Math.PI * frequency * (h + 1) * i) / RATE)
        }, 0),
      )
      const { keyConfidence, modeConfidence } = findKey(chromaOf(peaksOf(tone)))
      expect([keyConfidence, modeConfidence]).toEqual([0, 0])
    }
  })

  it('is as sure of the mode as the third that sounds', () => {
    const heard = (pitches: readonly number[]) => {
      const samples = new Float32Array(10 * RATE)
      for (const pitch of pitches)
        addTone(samples, RATE, { start: 0, duration: 10, pitch, gain: 0.1 }, VOICES.flute!)
      return findKey(chromaOf(peaksOf(samples)))
    }
    const [fifth, major, minor] = [
      [48, 55, 60],
      [48, 55, 60, 64],
      [48, 55, 60, 63],
    ].map(heard)
    expect(major).toMatchObject({ key: 0, mode: 1 })
    expect(minor).toMatchObject({ key: 0, mode: 0 })
    expect(major!.modeConfidence).toBeGreaterThan(0.9)
    expect(minor!.modeConfidence).toBeGreaterThan(0.9)
    expect(fifth).toMatchObject({ key: 0 })
    expect(fifth!.keyConfidence).toBeGreaterThan(0.8)
    expect(fifth!.modeConfidence).toBeLessThan(0.7)
  })

  it('doubts between relatives, and is sure of neither', () => {
    // The notes of C major and A minor, each as long.
    const classes = Float32Array.from([1, 0, 1, 0, 1, 1, 0, 1, 0, 1, 0, 1])
    const chroma = { fps: 1, start: 0, frames: 1, classes, top: Float32Array.of(1) }
    const doubtful = findKey(chroma)
    const cadence = findKey({
      ...chroma,
      classes: classes.map((v, c) => (c % 4 === 0 || c === 7 ? v : v / 3)),
    })
    expect(doubtful.keyConfidence).toBeLessThan(0.6)
    expect(cadence).toMatchObject({ key: 0, mode: 1 })
    expect(cadence.keyConfidence).toBeGreaterThan(0.9)
  })

  it('gives every note the class it has', () => {
    for (let pitch = 40; pitch < 84; pitch++) {
      const samples = new Float32Array(2 * RATE)
      addTone(samples, RATE, { start: 0, duration: 2, pitch, gain: 0.3 }, VOICES.piano!)
      const classes = new Float32Array(12)
      meanChroma(chromaOf(peaksOf(samples)), 0.2, 1.2, classes, 0)
      expect(classes.indexOf(Math.max(...classes)), `pitch ${pitch}`).toBe(pitch % 12)
    }
  })
})
