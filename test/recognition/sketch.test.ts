import { describe, expect, it } from 'vitest'
import { encodeCodes } from '../../src/recognition/systems/codes.ts'
import {
  equalOf,
  FIRST_ECHOPRINT,
  LIKELY,
  POSSIBLE,
  SKETCH_LENGTH,
  sketchOf,
} from '../../src/recognition/systems/sketch.ts'
import { ECHOPRINT } from '../../src/recognition/systems/version.ts'
import { seeded } from '../support/music.ts'

const MARK = 2 ** 30

/** Sets of random codes, of which two have so many in common. */
function pair(size: number, common: number, seed: number): [number[], number[]] {
  const random = seeded(seed)
  const code = () => Math.floor(random() * 2 ** 20)
  const shared = Array.from({ length: common }, code)
  const own = () => Array.from({ length: size - common }, code)
  return [
    [...shared, ...own()],
    [...own(), ...shared],
  ]
}

function stringsOf(chroma: number[], echoprint: number[]) {
  const codesOf = (codes: number[]) => ({
    codes: Uint32Array.from(codes),
    times: Uint32Array.from(codes.keys()),
  })
  return {
    codestring: encodeCodes('chroma', codesOf(chroma.map((code) => MARK + code))),
    echoprintstring: encodeCodes('echoprint', codesOf(echoprint)),
  }
}

const equal = (a: Uint16Array, b: Uint16Array, from: number, to: number) =>
  a.subarray(from, to).filter((value, i) => value === b[from + i]).length

describe('sketchOf', () => {
  it('has as many equal numbers as the recordings have codes in common', () => {
    for (const [common, seed] of [
      [0, 1],
      [200, 2],
      [500, 3],
      [900, 4],
      [1000, 5],
    ] as const) {
      const [a, b] = pair(1000, common, seed)
      const [one, other] = [sketchOf(stringsOf(a, a)), sketchOf(stringsOf(b, b))]
      expect(one).toHaveLength(SKETCH_LENGTH)
      const share = common / (2000 - common)
      const chroma = equal(one, other, 0, FIRST_ECHOPRINT) / FIRST_ECHOPRINT
      expect(Math.abs(chroma - share)).toBeLessThan(0.12)
      const echoprint = equal(one, other, FIRST_ECHOPRINT, SKETCH_LENGTH)
      expect(Math.abs(echoprint / (SKETCH_LENGTH - FIRST_ECHOPRINT) - share)).toBeLessThan(0.16)
    }
  })

  it('is the same in any order of the codes, and of codes that come again', () => {
    const [a] = pair(300, 0, 6)
    const sketch = sketchOf(stringsOf(a, a))
    expect(sketchOf(stringsOf([...a, ...a].reverse(), [...a, a[0] as number]))).toEqual(sketch)
  })

  it('tells copies from others by either family', () => {
    const [a, b] = pair(500, 200, 7)
    const [c, d] = pair(500, 0, 8)
    const [e, f] = pair(500, 400, 9)
    const chroma = equalOf(sketchOf(stringsOf(a, c)), sketchOf(stringsOf(b, d)))
    expect(chroma.chroma).toBeGreaterThan(LIKELY.chroma)
    expect(chroma.echoprint).toBeLessThan(POSSIBLE.echoprint)
    const echoprint = equalOf(sketchOf(stringsOf(c, e)), sketchOf(stringsOf(d, f)))
    expect(echoprint.chroma).toBeLessThan(POSSIBLE.chroma)
    expect(echoprint.echoprint).toBeGreaterThan(LIKELY.echoprint)
  })

  it('knows nothing of what has no codes', () => {
    const [a] = pair(100, 0, 10)
    expect(sketchOf({})).toHaveLength(0)
    expect(sketchOf({ echoprintstring: '', codestring: '' })).toHaveLength(0)
    // The codes that end each band of every recording are none.
    expect(sketchOf(stringsOf([], [...ECHOPRINT.stopCodes]))).toHaveLength(0)
    const drums = sketchOf(stringsOf([], a))
    expect(drums.subarray(0, FIRST_ECHOPRINT).every((value) => value === 0)).toBe(true)
    const draws = SKETCH_LENGTH - FIRST_ECHOPRINT
    expect(equalOf(drums, drums)).toEqual({ chroma: 0, echoprint: draws })
    const none = { chroma: 0, echoprint: 0 }
    expect(equalOf(sketchOf(stringsOf(a, [])), drums)).toEqual(none)
    expect(equalOf(sketchOf({}), sketchOf({}))).toEqual(none)
    expect(equalOf(sketchOf({}), drums)).toEqual(none)
  })
})
