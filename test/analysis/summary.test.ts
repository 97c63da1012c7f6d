import { describe, expect, it } from 'vitest'
import { AnalysisStream } from '../../src/analysis/analysis-stream.ts'
import type { AnalysisSummary } from '../../src/analysis/document-summary.ts'
import { addDrum, seeded, song } from '../support/music.ts'

const RATE = 22_050

function summaryOf(samples: Float32Array): AnalysisSummary {
  const analyzer = new AnalysisStream({ sampleRate: RATE, channels: 1 })
  analyzer.push([samples])
  return analyzer.finish().summary
}

/** Kick and hats at 115 BPM; each stroke off by up to `jitter` seconds. */
function strokes(jitter: number): Float32Array {
  const tempo = 115
  const random = seeded(4)
  const samples = new Float32Array(30 * RATE)
  for (let beat = 0; beat < 29 * (tempo / 60); beat++) {
    const start = 0.1 + (beat * 60) / tempo + jitter * (2 * random() - 1)
    addDrum(samples, RATE, { start, gain: 0.6 }, 'kick', random)
    addDrum(samples, RATE, { start: start + 30 / tempo, gain: 0.15 }, 'hat', random)
  }
  return samples
}

describe('energy', () => {
  it('rises with level and with drums, and falls behind a low pass', () => {
    const plain = song({ seconds: 20, drums: false, gain: 0.5 }).samples
    const energy = summaryOf(plain).energy!
    expect(summaryOf(plain.map((x) => 2 * x)).energy).toBeGreaterThan(energy)
    expect(summaryOf(song({ seconds: 20, drums: true, gain: 0.5 }).samples).energy).toBeGreaterThan(
      energy,
    )
    let low = 0
    expect(summaryOf(plain.map((x) => (low += 0.1 * (x - low)))).energy).toBeLessThan(energy)
  })

  it('is higher for noise than for a sine of the same level, and 0 for silence', () => {
    const random = seeded(6)
    const noise = Float32Array.from({ length: 10 * RATE }, () => 0.5 * (random() - 0.5))
    const sine = Float32Array.from({ length: 10 * RATE }, (_, i) => 0.2 * Math.sin(i * 0.125))
    expect(summaryOf(noise).energy).toBeGreaterThan(summaryOf(sine).energy!)
    expect(summaryOf(new Float32Array(5 * RATE))).toMatchObject({ energy: 0, danceability: 0 })
  })
})

describe('danceability', () => {
  it('falls as strokes lose their place', () => {
    const [exact, loose, lost] = [0, 0.03, 0.12].map((j) => summaryOf(strokes(j)).danceability!)
    expect(exact).toBeGreaterThan(loose!)
    expect(loose).toBeGreaterThan(lost!)
  })

  it('does not know the level', () => {
    const samples = strokes(0)
    expect(summaryOf(samples.map((x) => 0.2 * x)).danceability).toBeCloseTo(
      summaryOf(samples).danceability!,
      2,
    )
  })
})

it('leaves speechiness null rather than invent it', () => {
  expect(summaryOf(strokes(0)).speechiness).toBeNull()
})
