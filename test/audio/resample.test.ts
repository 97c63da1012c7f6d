import { describe, expect, test } from 'vitest'
import { Resampler } from '../../src/audio/resample.ts'
import {
  filterBank,
  HALF_BAND,
  halfLength,
  TABLE_PHASES,
} from '../../src/audio/resampling/filters.ts'
import { joined } from '../support/decoded.ts'

function resample(from: number, to: number, input: Float32Array, pieces: number[] = []) {
  const resampler = new Resampler(from, to)
  const out: Float32Array[] = []
  let at = 0
  for (const length of [...pieces, input.length]) {
    out.push(resampler.push(input.subarray(at, at + length)).slice())
    at += length
  }
  out.push(resampler.flush().slice())
  return joined(out)
}

const sine = (hertz: number, rate: number, length: number) =>
  Float32Array.from({ length }, (_, i) => Math.sin((2 * Math.PI * hertz * i) / rate))

const decibels = (ratio: number) => 20 * Math.log10(ratio)

/** Level of what differs between two signals, edges left out, relative to a full sine. */
function residue(a: Float32Array, b: Float32Array): number {
  let sum = 0
  for (let i = 1000; i < a.length - 1000; i++) sum += (a[i]! - (b[i] ?? 0)) ** 2
  return decibels(Math.sqrt((2 * sum) / (a.length - 2000)))
}

const RATES = [44_100, 48_000, 96_000, 32_000, 8000, 11_025, 44_099]

/** The same by plain loops, whose sums are taken in the order that the kernel's lanes have. */
function plainly(from: number, to: number, input: Float32Array): Float32Array {
  const at = (i: number) => input[i] ?? 0
  const divisor = [22_050, 11_025, 150, 50, 1].find((d) => from % d === 0 && to % d === 0)!
  const [up, down] = [to / divisor, from / divisor]
  if (up === down) return input
  const half = (centre: number): number => {
    const sums = [HALF_BAND.taps[0]! * at(centre), 0]
    for (let k = 1; k <= HALF_BAND.pairs; k++) {
      const both = at(centre - 2 * k + 1) + at(centre + 2 * k - 1)
      sums[(k + 1) % 2]! += HALF_BAND.taps[k]! * both
    }
    return sums[0]! + sums[1]!
  }
  const low = Math.min(1, to / from)
  const reach = Math.ceil(halfLength(low) / 2) * 2
  const isExact = up <= 1024
  const phases = isExact ? up : TABLE_PHASES
  const taps = filterBank(phases, reach, low, !isExact)
  const row = (phase: number, first: number, lanes: number): number[] => {
    const sums = new Array<number>(lanes).fill(0)
    for (let k = 0; k < 2 * reach; k++)
      sums[k % lanes]! += taps[phase * 2 * reach + k]! * at(first + k)
    return sums
  }
  return Float32Array.from({ length: Math.ceil((input.length * up) / down) }, (_, n) => {
    const centre = Math.floor((n * down) / up)
    if (up === 1 && down === 2) return half(centre)
    const phase = (n * down) % up
    const first = centre - reach + 1
    if (isExact) {
      const [a, b, c, d] = row(phase, first, 4) as [number, number, number, number]
      return a + b + (c + d)
    }
    const place = (phase * phases) / up
    // By pairs of taps: two products are added before they enter the sum.
    const pairs = (p: number) => {
      let sum = 0
      for (let k = 0; k < 2 * reach; k += 2) {
        const i = p * 2 * reach + k
        sum += taps[i]! * at(first + k) + taps[i + 1]! * at(first + k + 1)
      }
      return sum
    }
    const below = pairs(Math.floor(place))
    return below + (place - Math.floor(place)) * (pairs(Math.floor(place) + 1) - below)
  })
}

describe.each(RATES)('%i Hz to 22,050 Hz', (from) => {
  const to = 22_050
  const low = Math.min(from, to) / 2

  test.each([0.01, 0.3, 0.6, 0.84])('passes %f of the lower Nyquist, in its place', (part) => {
    const hertz = part * low
    const out = resample(from, to, sine(hertz, from, from))
    expect(residue(out, sine(hertz, to, out.length))).toBeLessThan(-95)
  })

  // What lies above the lower Nyquist is there at all where the rate falls.
  const above = [1.16, 1.4, 1.8].filter((part) => part * low < from / 2)
  test.each(above)('removes %f of the lower Nyquist', (part) => {
    const out = resample(from, to, sine(part * low, from, from))
    expect(residue(out, new Float32Array(out.length))).toBeLessThan(-90)
  })

  test('passes a constant unchanged', () => {
    const out = resample(from, to, new Float32Array(from).fill(0.5))
    expect(residue(out, new Float32Array(out.length).fill(0.5))).toBeLessThan(-100)
  })

  test.each([0, 1, 2, 7, 1000, 44_101])('makes ceil(n · to / from) of %i samples', (length) => {
    const out = resample(from, to, new Float32Array(length))
    expect(out.length).toBe(Math.ceil((length * to) / from))
  })

  test('gives the bits of plain loops, however the input is cut', () => {
    let state = from
    const noise = Float32Array.from({ length: 20_000 }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
      return state / 2 ** 31
    })
    const whole = resample(from, to, noise)
    const cut = resample(from, to, noise, [1, 1, 1, 0, 500, 3, 4096, 17])
    expect(Buffer.from(cut.buffer).equals(Buffer.from(whole.buffer))).toBe(true)
    const plain = plainly(from, to, noise)
    expect(Buffer.from(whole.buffer).equals(Buffer.from(plain.buffer))).toBe(true)
  })
})

test('equal rates copy', () => {
  const noise = Float32Array.of(0.1, -0.7, 1.5)
  expect(resample(22_050, 22_050, noise, [1])).toEqual(noise)
})

test.each([0, -1, 1.5, Number.NaN])('refuses a rate of %f', (rate) => {
  expect(() => new Resampler(rate, 22_050)).toThrow(RangeError)
  expect(() => new Resampler(22_050, rate)).toThrow(RangeError)
})
