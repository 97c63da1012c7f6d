import { describe, expect, test } from 'vitest'
import { Resampler } from '../../src/audio/resample.ts'
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

  test('gives the same bits however the input is cut', () => {
    let state = from
    const noise = Float32Array.from({ length: 20_000 }, () => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0
      return state / 2 ** 31
    })
    const whole = resample(from, to, noise)
    const cut = resample(from, to, noise, [1, 1, 1, 0, 500, 3, 4096, 17])
    expect(Buffer.from(cut.buffer).equals(Buffer.from(whole.buffer))).toBe(true)
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
