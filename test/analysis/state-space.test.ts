import { describe, expect, it } from 'vitest'
import { type Activations, type BarPath, viterbiPaths } from '../../src/analysis/state-space.ts'
import { seeded } from '../support/music.ts'
import { plainPath } from './plain-path.ts'

/** Odds that speak for beats at the given frames, of which every `metre`th from `first` is a downbeat. */
function pulses(frames: number, at: readonly number[], metre = 4, first = 0): Activations {
  const beat = new Float32Array(frames).fill(-4)
  const down = new Float32Array(frames).fill(-4)
  at.forEach((middle, i) => {
    const isDown = (i - first + metre) % metre === 0
    for (const frame of [middle - 1, middle, middle + 1]) {
      beat[frame] = isDown ? -1 : 1
      down[frame] = isDown ? 1 : -1
    }
  })
  return { fps: 50, beat, down }
}
/** A sixteenth of a beat may be wider or narrower than a pulse: a beat is known to the frame beside it. */
function expectNear(frames: Int32Array, beats: readonly number[]): void {
  expect(frames).toHaveLength(beats.length)
  expect(frames.every((frame, i) => Math.abs(frame - beats[i]!) <= 1)).toBe(true)
}
const every = (period: number, frames: number, first = 5) =>
  Array.from({ length: Math.ceil((frames - first) / period) }, (_, i) => first + i * period)

const viterbiPath = (odds: Activations, metre: number): BarPath => viterbiPaths(odds, [metre])[0]!

/** Odds without sense, with a pulse of its own in each half. */
function noise(frames: number, fps: number): Activations {
  const random = seeded(frames)
  const [beat, down] = [1, 4].map((every) =>
    Float32Array.from({ length: frames }, (_, i) => {
      const period = every * (i < frames / 2 ? 27 : 22)
      return 3 * Math.log(random() + 1e-4) + (i % period < 2 ? 6 * random() : 0)
    }),
  )
  return { fps, beat: beat!, down: down! }
}
const flat = (frames: number, odds: number): Activations => ({
  fps: 50,
  beat: new Float32Array(frames).fill(odds),
  down: new Float32Array(frames).fill(odds),
})

describe('viterbiPaths', () => {
  it.each([{ metres: [2, 6] }, { metres: [5, 3] }, { metres: [4] }, { metres: [7] }])(
    'finds what the plain reference finds, to the bit, in bars of $metres',
    ({ metres }) => {
      const made = [0, 1, 20, 60, 1_024, 1_500].flatMap((frames) => [
        noise(frames, 50),
        noise(frames, 44_100 / 1_024),
        noise(frames, 100),
        flat(frames, -2.5),
        // Changes of length cost nothing beside these, so many scores are the same.
        flat(frames, 1e17),
      ])
      // Longer than the window, whose older half is decided twice.
      for (const odds of [...made, noise(50_000, 30)])
        expect(viterbiPaths(odds, metres)).toEqual(metres.map((metre) => plainPath(odds, metre)))
    },
  )

  it.each([3, 4, 5, 6, 7])('finds a steady pulse and bars of %d', (metre) => {
    const beats = every(25, 3_000)
    const odds = pulses(3_000, beats, metre, 2)
    const { frames, places } = viterbiPath(odds, metre)
    expectNear(frames, beats)
    expect([...places].map((place) => place === 0)).toEqual(
      beats.map((_, i) => (i - 2 + metre) % metre === 0),
    )
  })

  it('scores the metre of the music highest', () => {
    for (const metre of [3, 4, 5, 7]) {
      const odds = pulses(2_000, every(25, 2_000), metre)
      const scores = [3, 4, 5, 7].map((other) => viterbiPath(odds, other).score)
      expect([3, 4, 5, 7][scores.indexOf(Math.max(...scores))]).toBe(metre)
    }
  })

  it('bridges gaps', () => {
    const beats = every(25, 3_000)
    const { beat, down } = pulses(3_000, beats)
    beats.forEach((frame, i) => {
      if (i % 7 < 5) return
      for (const at of [frame - 1, frame, frame + 1]) beat[at] = down[at] = -4
    })
    expectNear(viterbiPath({ fps: 50, beat, down }, 4).frames, beats)
  })

  it('follows a tempo that moves', () => {
    const beats: number[] = []
    for (let t = 5, period = 35; t < 4_000; t += Math.round(period)) {
      beats.push(t)
      period = Math.max(22, period * 0.996)
    }
    const { frames } = viterbiPath(pulses(4_000, beats), 4)
    const hit = beats.filter((b) => frames.some((f) => Math.abs(f - b) <= 2)).length
    expect(hit / beats.length).toBeGreaterThan(0.95)
  })

  it('decides long music piece by piece without a seam', () => {
    const beats = every(23, 120_000)
    const { frames, places } = viterbiPath(pulses(120_000, beats), 4)
    expectNear(frames, beats)
    expect([...places].every((place, i) => place === i % 4)).toBe(true)
  })

  it('gains where there is a pulse and loses where there is none', () => {
    const score = (at: number[]) => viterbiPath(pulses(2_000, at), 4).score
    expect(score(every(25, 2_000))).toBeGreaterThan(0)
    expect(score([])).toBeLessThan(0)
  })

  it('takes nothing and next to nothing', () => {
    for (const length of [0, 3]) {
      const odds = { fps: 50, beat: new Float32Array(length), down: new Float32Array(length) }
      expect(viterbiPath(odds, 4).frames.length).toBeLessThan(2)
    }
  })
})
