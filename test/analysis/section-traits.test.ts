import { describe, expect, it } from 'vitest'
import { describeSections } from '../../src/analysis/sections.ts'

/** Beats of these lengths, one behind the other. */
function beatsOf(lengths: readonly number[]) {
  let start = 0
  return lengths.map((duration) => {
    const beat = { start, duration, confidence: 0.5 }
    start += duration
    return beat
  })
}

const part = (start: number, duration: number) => ({ start, duration, confidence: 1 })

describe('the tempo of a section', () => {
  // 12 s of a swaying 120 BPM, 12 s of an even 100, and three beats that are left.
  const lengths = [
    ...Array.from({ length: 24 }, (_, i) => (i % 2 === 0 ? 0.46 : 0.54)),
    ...Array<number>(20).fill(0.6),
    ...[0.3, 0.3, 0.3],
  ]
  const chroma = {
    fps: 1,
    start: 0,
    frames: 25,
    classes: new Float32Array(25 * 12),
    top: new Float32Array(25),
  }
  const levels = {
    ...{ fps: 1, frames: 25, loudness: new Float32Array(25).fill(-20) },
    ...{ readBands: () => {}, loudestBand: () => -20 },
  }
  const track = {
    tempo: 120,
    tempoConfidence: 0.8,
    timeSignature: 4,
    timeSignatureConfidence: 0.5,
  }
  const sections = describeSections(
    [part(0, 12), part(12, 12), part(24, 1)],
    beatsOf(lengths),
    levels,
    chroma,
    track,
  )
  const [swaying, even, short] = sections as [
    (typeof sections)[0],
    (typeof sections)[0],
    (typeof sections)[0],
  ]

  it('is that of all its beats, not of the one in the middle', () => {
    // Half of the beats are as long as 130 BPM, half as 111.
    expect(Math.abs(swaying.tempo - 120)).toBeLessThan(2)
    expect(Math.abs(even.tempo - 100)).toBeLessThan(2)
  })

  it('is the less sure the less even its beats are, and never surer than that of the track', () => {
    expect(even.tempo_confidence).toBeLessThanOrEqual(0.8)
    expect(even.tempo_confidence).toBeGreaterThan(0.6)
    expect(swaying.tempo_confidence).toBeLessThan(even.tempo_confidence)
  })

  it('is that of the track, at half its confidence or less, where there are few beats', () => {
    expect(short.tempo).toBe(120)
    expect(short.tempo_confidence).toBeGreaterThan(0)
    expect(short.tempo_confidence).toBeLessThanOrEqual(0.4)
  })
})
