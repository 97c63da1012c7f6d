import { describe, expect, it } from 'vitest'
import { LoudnessMeter } from '../../src/analysis/loudness.ts'
import { gainOf, integratedLoudness, type Loudness } from '../../src/analysis/loudness-measures.ts'

const RATE = 48_000

type Part = readonly [seconds: number, level: number]

/** Stereo sines of 1 kHz, each part of some seconds and a peak level in dBFS. */
function tone(parts: readonly Part[], sampleRate = RATE): Float32Array[] {
  const lengths = parts.map(([seconds]) => Math.round(seconds * sampleRate))
  const sine = new Float32Array(lengths.reduce((sum, length) => sum + length))
  let at = 0
  parts.forEach(([, level], part) => {
    const gain = 10 ** (level / 20)
    for (const end = at + lengths[part]!; at < end; at++)
      sine[at] = gain * Math.sin((2 * Math.PI * 1_000 * at) / sampleRate)
  })
  return [sine, sine]
}

function measured(channels: Float32Array[], sampleRate = RATE): Loudness {
  const meter = new LoudnessMeter(sampleRate, channels.length)
  meter.push(channels)
  return meter.finish()!
}

/** At a low rate, which is faster. */
const measuredLow = (parts: readonly Part[]) => measured(tone(parts, 8_000), 8_000)

const repeated = (times: number, ...parts: Part[]): Part[] =>
  Array.from({ length: times }, () => parts).flat()
const SILENT = Number.NEGATIVE_INFINITY
const cases = (count: number) => Array.from({ length: count }, (_, i) => i)

describe('the highest short-term loudness (EBU Tech 3341)', () => {
  it('is that of a tone whose level alternates, case 9', () => {
    const { maxShortTerm } = measured(tone(repeated(5, [1.34, -20], [1.66, -30])))
    expect(Math.abs(maxShortTerm + 23)).toBeLessThanOrEqual(0.1)
  })

  it.each(cases(20))('finds 3 s after %i times 150 ms of silence, case 10', (i) => {
    const { maxShortTerm } = measured(
      tone([
        [0.15 * i, SILENT],
        [3, -23],
        [1, SILENT],
      ]),
    )
    expect(Math.abs(maxShortTerm + 23)).toBeLessThanOrEqual(0.1)
  })

  it.each([0, 9, 19])('finds the last of the segments up to number %i, case 11', (i) => {
    const parts = cases(i + 1).flatMap((k): Part[] => [
      [0.15 * k, SILENT],
      [3, -38 + k],
      [3 - 0.15 * k, SILENT],
    ])
    expect(Math.abs(measured(tone(parts)).maxShortTerm - (-38 + i))).toBeLessThanOrEqual(0.1)
  })
})

describe('the highest momentary loudness (EBU Tech 3341)', () => {
  it('is that of a tone whose level alternates, case 12', () => {
    const { maxMomentary } = measured(tone(repeated(25, [0.18, -20], [0.22, -30])))
    expect(Math.abs(maxMomentary + 23)).toBeLessThanOrEqual(0.1)
  })

  it.each(cases(20))('finds 400 ms after %i times 20 ms of silence, case 13', (i) => {
    const { maxMomentary } = measured(
      tone([
        [0.02 * i, SILENT],
        [0.4, -23],
        [1, SILENT],
      ]),
    )
    expect(Math.abs(maxMomentary + 23)).toBeLessThanOrEqual(0.1)
  })

  it.each(cases(20))('finds the last of the segments up to number %i, case 14', (i) => {
    const parts = cases(i + 1).flatMap((k): Part[] => [
      [0.02 * k, SILENT],
      [0.4, -38 + k],
      [0.4 - 0.02 * k, SILENT],
    ])
    expect(Math.abs(measured(tone(parts)).maxMomentary - (-38 + i))).toBeLessThanOrEqual(0.1)
  })

  it('of 3 s is that of the whole where it is shorter', () => {
    const { maxMomentary, maxShortTerm, range } = measured(tone([[0.5, -20]]))
    expect(maxMomentary).toBeCloseTo(-20, 0)
    expect(maxShortTerm).toBeCloseTo(-20, 0)
    expect(range).toBe(0)
  })

  it('is -Infinity in silence', () => {
    const silent = measured(tone([[5, SILENT]]))
    expect(silent).toMatchObject({ range: 0, maxMomentary: SILENT, maxShortTerm: SILENT })
  })
})

describe('the loudness range', () => {
  it.each<[string, Part[], number]>([
    ['1', [-20, -30].map((level) => [20, level] as const), 10],
    ['2', [-20, -15].map((level) => [20, level] as const), 5],
    ['3', [-40, -20].map((level) => [20, level] as const), 20],
    ['4', [-50, -35, -20, -35, -50].map((level) => [20, level] as const), 15],
  ])('meets case %s of EBU Tech 3342', (_, parts, expected) => {
    expect(Math.abs(measured(tone(parts)).range - expected)).toBeLessThanOrEqual(1)
  })

  it('leaves out what is 20 LU below the rest, and what is inaudible', () => {
    const loud: Part[] = [[60, -20]]
    expect(measuredLow([...loud, [20, -38]]).range).toBeGreaterThan(17)
    expect(measuredLow([...loud, [20, -45]]).range).toBeLessThan(1)
    // Here the relative gate lies below -70 LUFS.
    const quiet: Part[] = [[60, -65]]
    expect(measuredLow([...quiet, [60, -68]]).range).toBeCloseTo(3, 0)
    expect(measuredLow([...quiet, [60, -75]]).range).toBeLessThan(1)
  })

  it('is from the 10th to the 95th percentile', () => {
    // Of 100 s, 8 s are lower and 4 s higher; 3 s of each edge are mixed.
    const edges: Part[] = [
      [8, -35],
      [88, -20],
      [4, -10],
    ]
    expect(measuredLow(edges).range).toBeLessThan(1)
    const [low, ...others] = edges
    expect(measuredLow([[20, low![1]], ...others]).range).toBeCloseTo(15, 0)
    expect(measuredLow([low!, [88, -20], [15, -10]]).range).toBeCloseTo(10, 0)
  })
})

describe('integratedLoudness', () => {
  const parts: Part[] = [
    [20, -26],
    [21, -20],
    [20, -50],
  ]

  it('reads one recording as the meter does', () => {
    const { blocks, integrated } = measuredLow(parts)
    expect(Math.abs(integratedLoudness([blocks]) - integrated)).toBeLessThan(0.05)
  })

  it('gates several recordings as one', () => {
    const together = measuredLow(parts).integrated
    const each = parts.map((part) => measuredLow([part]).blocks)
    expect(Math.abs(integratedLoudness(each) - together)).toBeLessThan(0.1)
    // The quiet one counts by itself, and not beside the loud ones.
    expect(integratedLoudness(each.slice(2))).toBeCloseTo(-50, 1)
  })

  it('is -Infinity where nothing is heard', () => {
    expect(integratedLoudness([measuredLow([[2, -80]]).blocks])).toBe(SILENT)
    expect(integratedLoudness([])).toBe(SILENT)
  })
})

it('gainOf gives the gain to each reference', () => {
  expect(gainOf(-9.5)).toBe(-8.5)
  expect(gainOf(-9.5, 'r128')).toBe(-13.5)
})
