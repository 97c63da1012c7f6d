import { describe, expect, it } from 'vitest'
import { TruePeakMeter } from '../../src/analysis/true-peak.ts'
import { seeded } from '../support/chance.ts'

const RATE = 48_000

function peakOf(channels: Float32Array[]): number {
  const meter = new TruePeakMeter(channels.length)
  meter.push(channels)
  return meter.finish()
}

const decibels = (peak: number) => 20 * Math.log10(peak)

/** A sine with a phase in degrees; it fades in and out, for its ends to have no peaks of their own. */
function sine(frequency: number, phase: number, level: number): Float32Array {
  const length = RATE / 4
  return Float32Array.from({ length }, (_, i) => {
    const fade = Math.min(1, i / 1_000, (length - i) / 1_000)
    return fade * level * Math.sin((2 * Math.PI * frequency * i) / RATE + (phase * Math.PI) / 180)
  })
}

/** Of the phases of annex 2, the two that are not mirror images, printed with all digits. */
const PHASES = [
  [
    0.001708984375, 0.010986328125, -0.0196533203125, 0.033203125, -0.0594482421875,
    0.1373291015625, 0.97216796875, -0.102294921875, 0.047607421875, -0.026611328125,
    0.014892578125, -0.00830078125,
  ],
  [
    -0.0291748046875, 0.029296875, -0.0517578125, 0.089111328125, -0.16650390625, 0.465087890625,
    0.77978515625, -0.2003173828125, 0.1015625, -0.0582275390625, 0.0330810546875, -0.0189208984375,
  ],
]

/** Interpolates everything. */
function plainPeak(samples: Float32Array): number {
  const all = [...PHASES, ...PHASES.map((phase) => phase.toReversed())]
  let most = 0
  for (let end = 0; end < samples.length + 11; end++) {
    most = Math.max(most, Math.abs(samples[end] ?? 0))
    for (const phase of all) {
      const sum = phase.reduce((sum, tap, k) => sum + tap * (samples[end - 11 + k] ?? 0), 0)
      most = Math.max(most, Math.abs(sum))
    }
  }
  return most
}

describe('TruePeakMeter', () => {
  it.each([
    ['15', sine(RATE / 4, 0, 0.5), -6],
    ['16', sine(RATE / 4, 45, 0.5), -6],
    ['17', sine(RATE / 6, 60, 0.5), -6],
    ['18', sine(RATE / 8, 67.5, 0.5), -6],
    ['19', sine(RATE / 4, 45, 1.41), 3],
  ])('meets case %s of EBU Tech 3341', (_, samples, expected) => {
    const difference = decibels(peakOf([samples, samples])) - expected
    expect(difference).toBeLessThanOrEqual(0.2)
    expect(difference).toBeGreaterThanOrEqual(-0.4)
  })

  it('finds a peak between samples, above all of them', () => {
    const samples = sine(RATE / 4, 45, 0.5)
    expect(decibels(Math.max(...samples))).toBeLessThan(-9)
    expect(decibels(peakOf([samples]))).toBeGreaterThan(-6.4)
  })

  // A sine of a sixth of the rate with one period at full scale, made at four times the rate; of it,
  // every fourth sample is kept, from any of four.
  it.each([0, 1, 2, 3])('meets cases 20 to 23 of EBU Tech 3341 from sample %i', (offset) => {
    const samples = Float32Array.from({ length: RATE / 4 }, (_, i) => {
      const at = 4 * i + offset
      const fade = Math.min(1, i / 1_000, (RATE / 4 - i) / 1_000)
      const level = Math.abs(at - RATE / 2) < 12 ? 1 : 0.5
      return fade * level * Math.sin((2 * Math.PI * at) / 24)
    })
    const difference = decibels(peakOf([samples]))
    expect(difference).toBeLessThanOrEqual(0.2)
    expect(difference).toBeGreaterThanOrEqual(-0.4)
  })

  it('is exactly that of interpolating everything', () => {
    const random = seeded(5)
    for (let round = 0; round < 40; round++) {
      const smooth = random()
      let last = 0
      const samples = Float32Array.from({ length: 400 + Math.floor(300 * random()) }, (_, i) => {
        last = smooth * last + (random() - 0.5) * (random() < 0.02 ? 4 : 1)
        return last * (0.3 + 0.7 * Math.sin(i / 150))
      })
      const exact = plainPeak(samples)
      expect(peakOf([samples])).toBeCloseTo(exact, 12)
      // Cut into pieces that are mostly shorter than a window.
      const meter = new TruePeakMeter(1)
      for (let from = 0; from < samples.length; ) {
        const to = from + 1 + Math.floor(14 * random())
        meter.push([samples.subarray(from, to)])
        from = to
      }
      expect(meter.finish()).toBeCloseTo(exact, 12)
    }
  })

  it('does not depend on how the samples are cut, and takes the highest channel', () => {
    const random = seeded(6)
    const noise = () => Float32Array.from({ length: 3_000 }, () => random() - 0.5)
    const channels = [noise(), noise().map((sample) => sample * 1.5), noise()]
    const whole = peakOf(channels)
    expect(whole).toBe(peakOf([channels[1]!]))
    const meter = new TruePeakMeter(3)
    for (let from = 0, n = 0; from < 3_000; n++) {
      const to = from + [1, 5, 31, 33, 200][n % 5]!
      meter.push(channels.map((channel) => channel.subarray(from, to)))
      from = to
    }
    expect(meter.finish()).toBe(whole)
  })

  it('counts a peak at the very end, and none in silence', () => {
    const end = new Float32Array(500)
    end.set([0.5, 0.5], 498)
    expect(peakOf([end])).toBeGreaterThan(0.55)
    expect(peakOf([new Float32Array(500)])).toBe(0)
    expect(new TruePeakMeter(2).finish()).toBe(0)
  })
})
