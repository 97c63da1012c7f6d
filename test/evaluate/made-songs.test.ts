import { describe, expect, it } from 'vitest'
import { MadeCodes } from '../programs/evaluate/made-codes.ts'
import { madeLandmarks } from '../programs/evaluate/made-landmarks.ts'
import {
  type Codes,
  LANDMARK_UNITS,
  type Landmarks,
  songCodes,
} from '../programs/evaluate/systems.ts'
import { seeded, whole } from '../support/chance.ts'

const { second, lowest, highest } = LANDMARK_UNITS
const SECONDS = 150

/** Semitones that are the same in all models, in figures that come again. */
function model(seed: number): Landmarks {
  const random = seeded(seed)
  const scale = Array.from({ length: 36 }, (_, step) => 60 * 2 ** (step / 12))
  const figure = Array.from({ length: 40 }, () => scale[whole(random, 0, scale.length)]!)
  const marks = Array.from({ length: 12 * SECONDS }, (_, i) => {
    const frequency =
      random() < 0.7 ? figure[i % figure.length]! : scale[whole(random, 0, scale.length)]!
    return { time: (i * second) / 12, frequency, salience: random() }
  })
  return {
    times: Float32Array.from(marks, ({ time }) => time),
    frequencies: Float32Array.from(marks, ({ frequency }) => frequency),
    saliences: Float32Array.from(marks, ({ salience }) => salience),
  }
}

const models = Array.from({ length: 12 }, (_, i) => model(i + 1))

function perSecond({ codes, times }: Codes): number {
  return (codes.length * second) / times.reduce((latest, time) => Math.max(latest, time), 0)
}

function mean(list: readonly number[]): number {
  return list.reduce((sum, value) => sum + value, 0) / list.length
}

/** The share of keys that two songs of a list have in common. */
function common(songs: readonly Codes[]): number {
  const sets = songs.map(({ codes }) => new Set(codes))
  return mean(
    sets.flatMap((set, i) =>
      sets
        .slice(0, i)
        .map(
          (other) =>
            [...set].filter((key) => other.has(key)).length / Math.min(set.size, other.size),
        ),
    ),
  )
}

/** How many different keys of one song occur in another at the same distance in time. */
function aligned(one: Codes, other: Codes): number {
  const times = new Map<number, number[]>()
  for (const [i, key] of other.codes.entries()) {
    times.set(key, [...(times.get(key) ?? []), other.times[i]!])
  }
  const agreed = new Map<number, Set<number>>()
  for (const [i, key] of one.codes.entries()) {
    for (const time of times.get(key) ?? []) {
      const offset = Math.round((time - one.times[i]!) / 2)
      agreed.set(offset, (agreed.get(offset) ?? new Set()).add(key))
    }
  }
  return Math.max(0, ...[...agreed.values()].map((keys) => keys.size))
}

describe('made landmarks', () => {
  const real = models.map(songCodes)
  const made = Array.from({ length: 12 }, (_, i) => songCodes(madeLandmarks(models, i)))

  it('are the same for the same number only', () => {
    expect(madeLandmarks(models, 3)).toEqual(madeLandmarks(models, 3))
    expect(madeLandmarks(models, 3)).not.toEqual(madeLandmarks(models, 4))
    expect(madeLandmarks(models, 3, 1)).not.toEqual(madeLandmarks(models, 3, 2))
  })

  it('come in the order of their times, at frequencies that landmarks have', () => {
    for (let number = 0; number < 12; number++) {
      const { times, frequencies } = madeLandmarks(models, number)
      expect([...times]).toEqual([...times].sort((a, b) => a - b))
      expect(Math.min(...frequencies)).toBeGreaterThanOrEqual(lowest)
      expect(Math.max(...frequencies)).toBeLessThan(highest)
    }
  })

  it('give as many codes as real ones, and songs have about as many keys in common', () => {
    expect(mean(made.map(perSecond)) / mean(real.map(perSecond))).toBeCloseTo(1, 0.5)
    expect(common(made) / common(real)).toBeGreaterThan(0.5)
    expect(common(made) / common(real)).toBeLessThan(1.5)
  })

  it('are nowhere in step with the songs that they are drawn from', () => {
    const own = mean(real.slice(0, 3).map((song) => aligned(song, song)))
    for (const song of real.slice(0, 6)) {
      for (const other of made) expect(aligned(song, other)).toBeLessThan(own / 10)
    }
  })
})

describe('made codes', () => {
  // Keys 0 to 29 are everywhere, the next 3,000 in some songs, the others in one.
  const real = Array.from({ length: 20 }, (_, song): Codes => {
    const random = seeded(song + 50)
    const own = Array.from({ length: 300 }, () => whole(random, 0, 3_000) + 30)
    const codes = Uint32Array.from({ length: 2_000 }, () => {
      const sort = random()
      if (sort < 0.1) return whole(random, 0, 30)
      if (sort < 0.6) return own[whole(random, 0, own.length)]!
      return whole(random, 4_000, 2 ** 20)
    })
    return { codes, times: Uint32Array.from(codes, (_, i) => 4 * i) }
  })
  const maker = new MadeCodes(real)
  const made = Array.from({ length: 20 }, (_, i) => maker.song(i))

  it('are the same for the same number only', () => {
    expect(maker.song(3)).toEqual(made[3])
    expect(maker.song(4)).not.toEqual(made[3])
  })

  it('repeat keys as real ones do, and songs have about as many in common', () => {
    const distinct = (songs: readonly Codes[]) =>
      mean(songs.map(({ codes }) => new Set(codes).size))
    expect(distinct(made) / distinct(real)).toBeCloseTo(1, 1)
    expect(common(made) / common(real)).toBeGreaterThan(0.8)
    expect(common(made) / common(real)).toBeLessThan(1.2)
  })

  it('are nowhere in step with the songs that they are drawn from', () => {
    for (const song of real.slice(0, 3)) {
      for (const other of made) expect(aligned(song, other)).toBeLessThan(60)
    }
  })

  it('cannot be drawn from nothing', () => {
    expect(() => new MadeCodes([])).toThrow('no song')
  })
})
