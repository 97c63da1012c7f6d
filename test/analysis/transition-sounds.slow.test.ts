import { expect, it } from 'vitest'
import { type Meeting, transition } from '../../src/analysis-entry.ts'
import { analyze } from '../../src/analyzer/analyzer.ts'
import { knownPiece } from '../support/known-pieces.ts'

/** Tempi, and how many times as fast each piece is at its end. */
const PLANS = [
  { style: 'house', bpm: 121, accelerates: 1 },
  { style: 'disco', bpm: 124, accelerates: 1.03 },
  { style: 'rock', bpm: 119, accelerates: 1 },
  { style: 'house', bpm: 126, accelerates: 0.97 },
]

it('plays the beats that two composed pieces have within 15 ms of each other, throughout', () => {
  const pieces = PLANS.map(({ style, bpm, accelerates }, i) => {
    const passage = (seed: number, bars: number) => ({
      ...{ style, seed: 10 * i + seed, bars, key: 2 * i },
      mode: 1 as const,
    })
    const passages = [passage(1, 8), passage(2, 16), passage(3, 8)]
    const piece = knownPiece({ bpm, accelerates, silence: i / 2, passages })
    const document = analyze({ samples: [piece.samples], sampleRate: piece.sampleRate })
    return { beats: piece.beats, document }
  })
  let blends = 0
  for (const one of pieces) {
    for (const other of pieces.filter((piece) => piece !== one)) {
      const { kind, path } = transition(one.document, other.document)
      if (kind === 'cut') continue
      blends++
      const [start, end] = [path[0]!.from, path.at(-1)!.from]
      const heard = other.beats.map((beat) => momentOf(path, beat))
      const own = one.beats.filter((beat) => beat > start - 0.05 && beat < end - 0.05)
      expect(own.length).toBeGreaterThanOrEqual(16)
      for (const beat of own) {
        const apart = Math.min(...heard.map((moment) => Math.abs(moment - beat)))
        expect(apart, `beat at ${beat}`).toBeLessThan(0.015)
      }
    }
  }
  expect(blends).toBeGreaterThanOrEqual(6)
}, 120_000)

/** When a moment of the second track is heard, in the time of the first. */
function momentOf(path: readonly Meeting[], to: number): number {
  const next = path.findIndex((point, i) => i > 0 && point.to > to)
  const at = next < 0 ? path.length - 1 : next
  const [a, b] = [path[at - 1]!, path[at]!]
  return a.from + ((to - a.to) * (b.from - a.from)) / (b.to - a.to)
}
