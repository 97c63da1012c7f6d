import { expect, it } from 'vitest'
import { PEAKS, PeakFront } from '../../src/analysis/peaks.ts'
import { seeded } from '../support/music.ts'

it.each(['rising', 'falling', 'any'])('keeps the strongest peaks of a frame: %s', (order) => {
  const random = seeded(3)
  const magnitudes = new Float32Array(PEAKS.size / 2 + 1).fill(0.1)
  const bins = Array.from({ length: 100 }, (_, i) => 40 + 4 * i)
  const heights = bins.map(() => 0.2 + 0.8 * random()).sort((a, b) => a - b)
  if (order === 'falling') heights.reverse()
  if (order === 'any') heights.sort(() => random() - 0.5)
  bins.forEach((bin, i) => {
    magnitudes[bin] = heights[i]!
  })
  const front = new PeakFront()
  front.push(magnitudes)
  const { weight, top } = front.finish()
  const strongest = [...heights].sort((a, b) => b - a).slice(0, PEAKS.most)
  expect(weight.length).toBe(PEAKS.most)
  expect([...weight].sort((a, b) => b - a).map((w) => w * top[0]!)).toEqual(
    strongest.map((height) => expect.closeTo(height, 5)),
  )
})
