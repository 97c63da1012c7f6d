import { describe, expect, it } from 'vitest'
import { estimatedDistance, VECTOR_LENGTH } from '../../src/analysis/sound-vector.ts'
import { mutualProximity, spreadApartness, TYPICAL_APARTNESS } from '../../src/track/proximity.ts'
import { VectorMoments } from '../../src/track/vector-moments.ts'
import { seeded } from '../support/chance.ts'

const usual = { mean: 11, deviation: 1.5 }

describe('proximity', () => {
  it('is the chance that others are farther, for both', () => {
    expect(mutualProximity(11, usual, usual)).toBeCloseTo(0.25, 6)
    expect(mutualProximity(9.5, usual, usual)).toBeCloseTo(0.841345 ** 2, 5)
    expect(mutualProximity(12.5, usual, { mean: 12.5, deviation: 1 })).toBeCloseTo(0.158655 / 2, 5)
  })

  it('is 10 for any two, and falls with their distance even where it hardly differs from 1', () => {
    expect(spreadApartness(11, usual, usual)).toBeCloseTo(TYPICAL_APARTNESS, 5)
    const near = [5, 4, 3, 2].map((distance) => spreadApartness(distance, usual, usual))
    expect(near).toEqual([...near].sort((a, b) => b - a))
    expect(near[0]! - near[3]!).toBeGreaterThan(3)
    expect(spreadApartness(60, usual, usual)).toBeLessThan(300)
  })

  it('holds against a track that is near to everything', () => {
    const hub = { mean: 8, deviation: 1.5 }
    expect(spreadApartness(7.5, usual, hub)).toBeGreaterThan(spreadApartness(8.5, usual, usual))
    expect(mutualProximity(7.5, usual, hub)).toBeLessThan(mutualProximity(8.5, usual, usual))
  })
})

describe('the moments of vectors', () => {
  it('are those of the squared distances, computed one by one', () => {
    const random = seeded(3)
    const row = () =>
      Int8Array.from({ length: VECTOR_LENGTH }, () => Math.round(100 * random() - 50))
    const sample = Array.from({ length: 40 }, row)
    const vector = row()
    const squared = sample.map((other) =>
      other.reduce((sum, value, k) => sum + (value - vector[k]!) ** 2, 0),
    )
    const mean = squared.reduce((sum, one) => sum + one, 0) / squared.length
    const variance = squared.reduce((sum, one) => sum + (one - mean) ** 2, 0) / squared.length
    const found = new VectorMoments(sample).distanceMoments(vector)
    expect(found.mean / mean).toBeCloseTo(1, 9)
    expect(found.variance / variance).toBeCloseTo(1, 6)
    expect(estimatedDistance(found.mean)).toBeGreaterThan(estimatedDistance(0))
  })
})
