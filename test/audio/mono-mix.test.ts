import { describe, expect, it } from 'vitest'
import { AnalysisStream } from '../../src/analysis/analysis-stream.ts'
import { MonoMix } from '../../src/audio/mono-mix.ts'
import { beatTimes, play, ROCK } from '../analysis/drum-patterns.ts'
import { seeded } from '../support/music.ts'
import { tracesOf } from '../support/prints.ts'

const RATE = 8_000

function noise(seconds: number, seed: number, level = 0.5): Float32Array {
  const random = seeded(seed)
  return Float32Array.from({ length: seconds * RATE }, () => level * (2 * random() - 1))
}

/** The mix of channels that arrive in parts of a length, and the channels that came with it. */
function mixed(
  channels: readonly Float32Array[],
  part = 1_000,
): { mono: number[]; first: number[] } {
  const mono: number[] = []
  const first: number[] = []
  const mix = new MonoMix(RATE, (samples, [left]) => {
    mono.push(...samples)
    first.push(...left!)
  })
  for (let from = 0; from < channels[0]!.length; from += part)
    mix.push(channels.map((samples) => samples.subarray(from, from + part)))
  mix.finish()
  return { mono, first }
}

const inverted = (samples: Float32Array): Float32Array => samples.map((x) => -x)
const joined = (...parts: Float32Array[]): Float32Array =>
  Float32Array.from(parts.flatMap((part) => Array.from(part)))

describe('the mix to mono', () => {
  const left = noise(3, 1)
  const right = noise(3, 2)

  it('is the mean of the channels', () => {
    const { mono, first } = mixed([left, right])
    expect(first).toEqual(Array.from(left))
    for (const [i, x] of mono.entries()) expect(x).toBeCloseTo(0.5 * (left[i]! + right[i]!), 6)
    expect(mixed([left, right, right, noise(3, 3)]).mono[9]).toBeCloseTo(
      0.25 * (left[9]! + 2 * right[9]! + noise(3, 3)[9]!),
      6,
    )
  })

  it('is one channel as it is', () => {
    expect(mixed([left]).mono).toEqual(Array.from(left))
  })

  it('is the first channel where the others cancel it', () => {
    const { mono, first } = mixed([left, inverted(left)])
    expect(mono).toEqual(Array.from(left))
    expect(first).toEqual(Array.from(left))
    // What a lossy codec adds to it.
    const coded = inverted(left).map((x, i) => x + 0.05 * right[i]!)
    for (const [i, x] of mixed([left, coded]).mono.entries())
      expect(x).toBeCloseTo(left[i]! + 0.025 * right[i]!, 6)
  })

  it('has what only the other channel has after channels that cancel each other out', () => {
    const silent = new Float32Array(left.length)
    const { mono } = mixed([joined(left, silent), joined(inverted(left), right)])
    for (const [i, x] of mono.slice(left.length).entries())
      expect(x).toBeCloseTo(0.5 * right[i]!, 6)
  })

  it('is not decided by silence or hiss in front', () => {
    const quiet = noise(2, 4, 5e-4)
    const a = joined(new Float32Array(RATE), quiet, left)
    const b = joined(new Float32Array(RATE), quiet, inverted(left))
    expect(mixed([a, b]).mono.slice(3 * RATE)).toEqual(Array.from(left))
  })

  it('stays the mean where channels cancel each other out later, or nearly', () => {
    const later = mixed([joined(left, left), joined(right, inverted(left))]).mono
    expect(Math.max(...later.slice(3 * RATE).map(Math.abs))).toBe(0)
    const wide = inverted(left).map((x, i) => x + 0.4 * right[i]!)
    const near = mixed([left, wide]).mono
    for (const [i, x] of near.entries()) expect(x).toBeCloseTo(0.2 * right[i]!, 6)
  })

  it.each([1, 37, 8_000, 50_000])('is the same in parts of %i samples', (part) => {
    const channels = [joined(noise(1, 5, 1e-4), left), joined(noise(1, 5, 1e-4), inverted(left))]
    expect(mixed(channels, part)).toEqual(mixed(channels))
  })

  it('is all there of less than a second, and of nothing', () => {
    expect(mixed([left.subarray(0, 100), inverted(left.subarray(0, 100))]).mono).toHaveLength(100)
    expect(mixed([new Float32Array(5), new Float32Array(5)]).mono).toEqual([0, 0, 0, 0, 0])
    expect(mixed([new Float32Array(0), new Float32Array(0)]).mono).toEqual([])
  })

  it('takes values that are no sound for silence', () => {
    const broken = left.slice()
    broken.set([Number.NaN, Number.POSITIVE_INFINITY, 1e30], 20)
    const { mono } = mixed([broken, right])
    expect(mono[20]).toBeCloseTo(0.5 * right[20]!, 6)
    expect(mono[21]).toBeCloseTo(0.5 * right[21]!, 6)
    expect(mono[22]).toBeCloseTo(5e5, -2)
  })
})

describe('channels that cancel each other out and have values that are no sound', () => {
  it('are both given without them', () => {
    const left = noise(3, 1)
    const right = inverted(left)
    right.set([Number.NaN, Number.NEGATIVE_INFINITY], 2 * RATE)
    const mix = new MonoMix(RATE, (mono, channels) => {
      for (const samples of [mono, ...channels])
        expect(samples.every((x) => Math.abs(x) <= 1)).toBe(true)
    })
    mix.push([left, right])
    mix.finish()
  })
})

describe('a recording of which one channel is inverted', () => {
  const rate = 22_050
  const samples = play(ROCK, beatTimes(112, 20), 20)
  const channels = [samples, inverted(samples)]

  it('is heard as it sounds', () => {
    const [one, both] = [[samples], channels].map((given) => {
      const stream = new AnalysisStream({ sampleRate: rate, channels: given.length })
      stream.push(given)
      return stream.finish().document
    })
    expect(both!.track.tempo).toBe(one!.track.tempo)
    expect(Math.abs(both!.track.tempo - 112)).toBeLessThan(1)
    expect(both!.beats).toEqual(one!.beats)
    expect(both!.segments).toEqual(one!.segments)
  })

  it('has the fingerprint of its sound', () => {
    const [one, both] = [[samples], channels].map((given) => {
      return tracesOf({ samples: given, sampleRate: rate })
    })
    expect(both).toEqual(one)
  })
})
