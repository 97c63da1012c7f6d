import { describe, expect, it } from 'vitest'
import {
  DESCRIPTOR_LENGTH,
  DESCRIPTOR_PARTS,
  describeSound,
  logDeterminant,
} from '../../src/analysis/descriptor.ts'
import { stringifyAnalysis } from '../../src/analysis/document.ts'
import { soundDistance } from '../../src/analysis/sound-distance.ts'
import { analyze } from '../../src/analyzer/analyzer.ts'
import { clip } from '../support/clips.ts'
import { type SongPlan, seeded, song } from '../support/music.ts'

const descriptorOf = (plan: Partial<SongPlan>, seed = 1) => {
  const { samples, sampleRate } = song({ seconds: 20, ...plan }, seeded(seed))
  return describeSound(analyze({ samples: [samples], sampleRate }))
}
const distance = (a: Float32Array, b: Float32Array) => soundDistance(a, 0, b, 0)

describe('describeSound', () => {
  it('is of one length and finite, whatever there is to hear', () => {
    const silence = { samples: [new Float32Array(30_000)], sampleRate: 22_050 }
    const sounds = [silence, clip({ seconds: 0.05 }), clip({ seconds: 1 }), clip({ seconds: 8 })]
    const descriptors = sounds.map((sound) => describeSound(analyze(sound)))
    for (const descriptor of descriptors) {
      expect(descriptor).toHaveLength(DESCRIPTOR_LENGTH)
      expect(descriptor.every(Number.isFinite)).toBe(true)
      for (const other of descriptors) {
        const apart = distance(descriptor, other)
        expect(apart).toBeGreaterThanOrEqual(0)
        expect(apart).toBeLessThan(100)
        expect(distance(other, descriptor)).toBeCloseTo(apart, 5)
      }
      expect(distance(descriptor, descriptor)).toBeLessThan(0.02)
    }
  })

  it('is the same of a document that was written and read', () => {
    const document = analyze(clip({ seconds: 6 }))
    const read = JSON.parse(stringifyAnalysis(document)) as typeof document
    expect(distance(describeSound(document), describeSound(read))).toBeLessThan(0.1)
  })

  it('has the mean, the spread and the tempo of what it describes', () => {
    const document = analyze(clip({ seconds: 8, bpm: 120 }))
    const descriptor = describeSound(document)
    const heard = document.segments.filter(({ loudness_max }) => loudness_max > -50)
    const seconds = heard.reduce((sum, { duration }) => sum + Math.min(duration, 2), 0)
    const mean = (of: (timbre: number[]) => number) =>
      heard.reduce((sum, s) => sum + (Math.min(s.duration, 2) / seconds) * of(s.timbre), 0)
    const [first, second] = [mean((t) => t[0] as number), mean((t) => t[1] as number)]
    expect(descriptor[DESCRIPTOR_PARTS.timbre]).toBeCloseTo(first, 3)
    expect(descriptor[DESCRIPTOR_PARTS.timbre + 1]).toBeCloseTo(second, 3)
    const product = mean((t) => ((t[0] as number) - first) * ((t[1] as number) - second))
    // The lower half of the covariance, row by row, after the twelve means.
    const covariance = descriptor[DESCRIPTOR_PARTS.timbre + 12 + 1] as number
    expect(Math.abs(covariance / product - 1)).toBeLessThan(1e-4)
    expect(descriptor[DESCRIPTOR_PARTS.tempo]).toBe(Math.fround(document.track.tempo))
  })

  it('puts onsets at their place in the beat', () => {
    const descriptor = descriptorOf({ tempo: 120, drums: true })
    const high = Array.from(
      { length: 12 },
      (_, i) => descriptor[DESCRIPTOR_PARTS.density - 12 + i] as number,
    )
    const on = [11, 0, 1].reduce((sum, i) => sum + (high[i] as number), 0)
    const half = [5, 6, 7].reduce((sum, i) => sum + (high[i] as number), 0)
    // A hat on each beat and between two: nothing at the other places.
    const all = high.reduce((sum, count) => sum + count, 0)
    expect((on + half) / all).toBeGreaterThan(0.8)
    expect(Math.min(on, half)).toBeGreaterThan(0.3)
  })

  it('is nearer to the same band with another tune in another key than to another band', () => {
    const band = { chords: 'piano', lead: 'flute', drums: false, tempo: 100 }
    const other = { chords: 'organ', lead: 'brass', drums: true, tempo: 140 }
    const one = descriptorOf({ ...band, key: 0, mode: 1 })
    const same = descriptorOf({ ...band, key: 6, mode: 1, tempo: 104 }, 2)
    const far = descriptorOf({ ...other, key: 0, mode: 1 })
    expect(distance(one, same)).toBeLessThan(0.6 * distance(one, far))
  })

  it('hardly minds double tempo', () => {
    const descriptor = descriptorOf({ tempo: 90 })
    const at = (tempo: number) => {
      const changed = descriptor.slice()
      changed[DESCRIPTOR_PARTS.tempo] = tempo
      return distance(descriptor, changed)
    }
    const tempo = descriptor[DESCRIPTOR_PARTS.tempo] as number
    expect(at(2 * tempo)).toBeLessThan(at(1.2 * tempo))
    expect(at(1.02 * tempo)).toBeLessThan(at(2 * tempo))
    expect(at(1.4 * tempo)).toBeGreaterThan(at(1.2 * tempo))
    expect(at(0)).toBeGreaterThan(at(2 * tempo))
  })
})

describe('logDeterminant', () => {
  it('is that of the matrix', () => {
    // 4 2 / 2 3: the determinant is 8.
    expect(logDeterminant(Float64Array.of(4, 2, 3), 2)).toBeCloseTo(Math.log(8), 12)
    // 2 0 0 / 1 3 0 / 1 1 4 by its lower half; 2·11 − 1·3 + 1·(1 − 3) = 17.
    expect(logDeterminant(Float64Array.of(2, 1, 3, 1, 1, 4), 3)).toBeCloseTo(Math.log(17), 12)
  })
})
