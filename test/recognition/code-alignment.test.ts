import { describe, expect, it } from 'vitest'
import { atOnce } from '../../src/kernel/scheduler.ts'
import {
  alignCodes,
  countAgreeing,
  sortFileCodes,
} from '../../src/recognition/whole-files/code-alignment.ts'

const SECOND = 20

/** A file of codes at times in seconds. */
function file(pairs: readonly (readonly [code: number, time: number])[], duration = 40) {
  const codes = Uint32Array.from(pairs, ([code]) => code)
  const times = Uint32Array.from(pairs, ([, time]) => Math.round(time * SECOND))
  return sortFileCodes({ codes, times }, { perSecond: SECOND, duration })
}

const align = (one: ReturnType<typeof file>, other: ReturnType<typeof file>, overlap = 0.5) =>
  atOnce(alignCodes(one, other, overlap))[0]
const every = (step: number, count: number) => Array.from({ length: count }, (_, i) => i * step)
/** Codes that occur once each, spread over 39 s. */
const distinct = (count: number, later = 0): [number, number][] =>
  every(39 / count, count).map((time, i) => [1_000 + i, time + later])

describe('how the codes of two files are aligned', () => {
  it('a code on every beat does not say where they meet', () => {
    const beat = every(0.5, 60).map((time) => [7, time] as const)
    const one = file([...beat, ...distinct(15)])
    const other = file([...beat, ...distinct(15, 3.3)], 44)
    expect(align(one, other)?.offset).toBeCloseTo(3.3, 1)
  })

  it('codes that lie a step early or late count where they meet', () => {
    const step = 1 / SECOND
    const shaken = distinct(30).map(
      ([code, time], i) => [code, time + 3 + ((i % 3) - 1) * step] as const,
    )
    const chance = distinct(14).map(([code, time]) => [code + 500, time] as const)
    const found = align(file([...distinct(30), ...chance]), file([...shaken, ...chance], 44))
    expect(found?.offset).toBeCloseTo(3, 1)
    expect(found?.agreeing).toBe(30)
  })

  it('the offset is finer than the steps of time', () => {
    const between = distinct(300).map(
      ([code, time], i) => [code, time + 3 + (i % 4 === 0 ? 1 : 0) / SECOND] as const,
    )
    expect(align(file(distinct(300)), file(between, 44))?.offset).toBeCloseTo(3 + 0.25 / SECOND, 3)
  })

  it('only offsets at which the files overlap long enough are looked at', () => {
    const one = file(distinct(40))
    const late = file(distinct(40, 25), 65)
    expect(align(one, late, 0.3)?.offset).toBeCloseTo(25, 1)
    expect(align(one, late, 0.7)).toBeUndefined()
    expect(align(late, one, 0.3)?.offset).toBeCloseTo(-25, 1)
    expect(align(late, one, 0.7)).toBeUndefined()
    expect(align(file(distinct(40)), file(distinct(40, 25), 40), 0.7)).toBeUndefined()
  })

  it('says how much of both sounds together, and how much agrees', () => {
    const found = align(file(distinct(400)), file(distinct(400, 4), 44))
    expect(found).toMatchObject({ agreeing: 400, codes: 1, weakest: 1 })
    expect(found?.overlap).toBeCloseTo(40 / 44, 2)
    const others = distinct(400).map(([code, time], i) => [code + 5_000 * (i % 2), time] as const)
    const half = align(file(distinct(400)), file(others))
    expect(half?.codes).toBeCloseTo(0.5, 2)
    expect(half?.weakest).toBeCloseTo(0.5, 1)
  })

  it('the weakest place is where the codes differ', () => {
    const all = distinct(400)
    const part = all.map(([code, time]) => [time < 20 ? code : code + 5_000, time] as const)
    const found = align(file(all), file(part))
    expect(found?.codes).toBeCloseTo(0.5, 1)
    expect(found?.weakest).toBe(0)
  })

  it('one place in seven may differ', () => {
    const all = every(0.1, 790).map((time, i) => [1_000 + i, time] as const)
    const part = all.map(([code, time]) => [time < 70 ? code : code + 5_000, time] as const)
    expect(align(file(all, 80), file(part, 80))?.weakest).toBe(1)
  })

  it('places in which hardly anything sounds tell nothing', () => {
    const codes = distinct(400).filter(([, time]) => time < 20)
    const few = [[9_000, 25] as const, [9_001, 35] as const]
    const other = few.map(([code, time]) => [code + 10, time] as const)
    const found = align(file([...codes, ...few]), file([...codes, ...other]))
    expect(found?.weakest).toBe(1)
  })

  it('tells the speed', () => {
    const slower = distinct(400).map(([code, time]) => [code, time * 1.003] as const)
    expect(align(file(distinct(400)), file(slower))?.speed).toBeCloseTo(1.003, 3)
    expect(align(file(distinct(400)), file(distinct(400)))?.speed).toBe(1)
  })

  it('answers further offsets, of music that repeats itself', () => {
    const loop = every(0.25, 160).map((time, i) => [i % 20, time] as const)
    const offsets = atOnce(alignCodes(file(loop), file(loop), 0.8)).map(({ offset }) => offset)
    expect(offsets).toEqual([0, -5, 5])
    expect(atOnce(alignCodes(file(distinct(40)), file(distinct(40)), 0.8))).toHaveLength(1)
  })

  it('no code in common is no alignment', () => {
    const other = distinct(40).map(([code, time]) => [code + 5_000, time] as const)
    expect(align(file(distinct(40)), file(other))).toBeUndefined()
    expect(align(file([]), file([]))).toBeUndefined()
  })
})

describe('how many codes agree at an offset', () => {
  it('are those within 50 ms of it', () => {
    const other = distinct(39).map(
      ([code, time], i) => [code, time + 3 + [0, 0.05, 0.1][i % 3]!] as const,
    )
    const [one, two] = [file(distinct(39)), file(other, 44)]
    expect(countAgreeing(one, two, 3)).toBe(26)
    expect(countAgreeing(two, one, -3)).toBe(26)
    expect(countAgreeing(one, two, 3.05)).toBe(39)
    expect(countAgreeing(one, two, 4)).toBe(0)
  })
})
