import { describe, expect, it } from 'vitest'
import { type Heard, likeliestTempo, tempoPaths } from '../../src/analysis/tempo-choice.ts'

const FPS = 50

/** Odds of 60 s in which beats of a tempo stand out, and more of what is at their places, in nats. */
function heardAt(
  bpm: number,
  { odds, between = -4, usual = 110 }: { odds: number; between?: number; usual?: number },
): Heard {
  const beat = new Float32Array(60 * FPS).fill(-4)
  const down = beat.slice()
  const gap = (60 / bpm) * FPS
  for (let i = 0; i * gap < beat.length - 1; i++) {
    const frame = Math.round(i * gap)
    const curve = i % 4 === 0 ? down : beat
    curve[frame] = odds
    curve[frame + 1] = odds - 1
    const middle = Math.round((i + 0.5) * gap)
    if (middle < beat.length) beat[middle] = between
  }
  return { fps: FPS, beat, down, usual }
}

const tempoOf = ({ frames }: { frames: Int32Array }): number =>
  (60 * FPS * (frames.length - 1)) / (frames.at(-1)! - frames[0]!)

describe('the tempo of a track', () => {
  it.each([52, 66, 84, 108, 120, 150, 176, 208])('is that of clear beats, %i BPM', (bpm) => {
    const { path } = likeliestTempo(tempoPaths(heardAt(bpm, { odds: 3 })))
    expect(tempoOf(path)).toBeCloseTo(bpm, -0.3)
  })

  it.each([84, 120, 150])('is not a third or half of %i BPM where little is sure', (bpm) => {
    const { path } = likeliestTempo(tempoPaths(heardAt(bpm, { odds: -1 })))
    expect(tempoOf(path)).toBeCloseTo(bpm, -0.3)
  })

  it('is the double where what is between the beats is as likely', () => {
    const even = likeliestTempo(tempoPaths(heardAt(70, { odds: 2, between: 2 })))
    expect(tempoOf(even.path)).toBeCloseTo(140, -0.3)
  })

  it('is a usual one where as much speaks for others', () => {
    const [path] = tempoPaths(heardAt(100, { odds: 2 }))
    const paths = [1.2, 0.1, 0.9].map((distance) => ({
      ...path!,
      traits: { on: 0.7, heard: 0.6, distance },
    }))
    expect(likeliestTempo(paths).path.traits.distance).toBe(0.1)
  })

  it('is the slower one where such music is usually slow, and as much speaks for both', () => {
    const heard = { odds: 2, between: 1 }
    const [slow, fast] = [60, 110].map((usual) =>
      tempoOf(likeliestTempo(tempoPaths(heardAt(68, { ...heard, usual }))).path),
    ) as [number, number]
    expect(slow).toBeCloseTo(68, -0.3)
    expect(fast).toBeCloseTo(136, -0.3)
  })

  it('leads by more, the less there is between the beats', () => {
    const leads = [-4, -1, 0.5].map(
      (between) => likeliestTempo(tempoPaths(heardAt(100, { odds: 2, between }))).lead,
    )
    expect(leads[0]).toBeGreaterThan(leads[1]!)
    expect(leads[1]).toBeGreaterThan(leads[2]!)
    expect(leads[2]).toBeGreaterThan(0)
  })

  it('does not lead over the same tempo of another range', () => {
    const paths = tempoPaths(heardAt(100, { odds: 2 }))
    const same = paths.filter((path) => Math.abs(tempoOf(path) / 100 - 1) < 0.04)
    expect(same.length).toBeGreaterThan(1)
    expect(likeliestTempo(paths).lead).toBeGreaterThan(1)
  })

  it('is not there in less than three beats', () => {
    const none = new Float32Array(20).fill(-4)
    expect(tempoPaths({ fps: FPS, beat: none, down: none, usual: 110 })).toEqual([])
  })
})
