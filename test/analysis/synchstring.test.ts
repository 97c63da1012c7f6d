import { inflateSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { SynchstringFront } from '../../src/analysis/published-strings.ts'

const RATE = 22_050

function chunksOf(front: SynchstringFront): number[][] {
  const text = front.finish()
  const numbers = inflateSync(Buffer.from(text, 'base64url')).toString('latin1').split(' ')
  const [rate, count, ...rest] = numbers.map(Number)
  expect([rate, count]).toEqual([RATE, 3])
  const chunks: number[][] = []
  for (let c = 0; c < 3; c++) chunks.push(rest.splice(0, rest.shift()!))
  expect(rest).toEqual([])
  return chunks
}

/** A second of a sine. */
function second(frequency: number): Float32Array {
  return Float32Array.from({ length: RATE }, (_, i) =>
    Math.sin((2 * Math.PI * frequency * (i + 0.5)) / RATE),
  )
}

describe('SynchstringFront', () => {
  it('takes the beginning, about the middle, and near the end of an hour', () => {
    const front = new SynchstringFront()
    const tone = second(110)
    for (let s = 0; s < 3_600; s++) front.push(tone)
    const starts = chunksOf(front).map(([start]) => start! / RATE)
    expect(starts[0]).toBeLessThan(1)
    expect(Math.abs(starts[1]! - 1_800)).toBeLessThan(60)
    expect(Math.abs(starts[2]! - 3_595)).toBeLessThan(2)
  })

  it('counts the samples from each upward crossing to the next', () => {
    const front = new SynchstringFront()
    for (let s = 0; s < 10; s++) front.push(second(105))
    for (const [, ...steps] of chunksOf(front)) expect(new Set(steps)).toEqual(new Set([210]))
  })

  it('skips silence at the beginning', () => {
    const front = new SynchstringFront()
    front.push(new Float32Array(5 * RATE))
    for (let s = 0; s < 20; s++) front.push(second(200))
    expect(chunksOf(front)[0]![0]! / RATE).toBeGreaterThanOrEqual(5)
  })

  it('is there even for silence and for nothing', () => {
    const silent = new SynchstringFront()
    silent.push(new Float32Array(3 * RATE))
    expect(chunksOf(silent)).toEqual([[0], [0], [0]])
    expect(chunksOf(new SynchstringFront())).toEqual([[0], [0], [0]])
  })
})
