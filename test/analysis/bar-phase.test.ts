import { describe, expect, it } from 'vitest'
import {
  BAR_PHASE,
  downbeatGains,
  harmonicChange,
  weightedByLoudness,
} from '../../src/analysis/bar-phase.ts'
import type { Chroma } from '../../src/analysis/chroma.ts'
import { FrontEnd } from '../../src/analysis/front-end.ts'
import { likeliestBars, trackRhythm } from '../../src/analysis/rhythm.ts'
import { timesF } from '../support/accuracy.ts'
import { knownPiece } from '../support/known-pieces.ts'
import { NO_HARMONY } from './drum-patterns.ts'

const FPS = 20
const C_MAJOR = [0, 4, 7]
const D_MINOR = [2, 5, 9]

/** Chords, each of so many frames; an empty one is silence. */
function chromaOfChords(chords: readonly (readonly number[])[], length: number): Chroma {
  const frames = chords.length * length
  const classes = new Float32Array(12 * frames)
  const top = new Float32Array(frames)
  chords.forEach((chord, c) => {
    for (let frame = c * length; frame < (c + 1) * length; frame++) {
      for (const pitch of chord) classes[12 * frame + pitch] = 1
      top[frame] = chord.length > 0 ? 0.1 : 0
    }
  })
  return { fps: FPS, start: 0, frames, classes, top }
}

describe('the change of harmony', () => {
  const changeAt = (seconds: number, chords = [C_MAJOR, C_MAJOR, D_MINOR], reach = 0.5) =>
    harmonicChange(chromaOfChords(chords, 20), seconds, reach)

  it('is 0 within a chord and 1 between chords without a common tone', () => {
    for (const seconds of [0.5, 1, 1.4, 2.6]) expect(changeAt(seconds)).toBeCloseTo(0, 10)
    // The first frame of the other chord begins half a frame before its middle; frames are joined by lines.
    expect(changeAt(1.975)).toBeGreaterThan(0.97)
    expect(changeAt(1.5, [C_MAJOR, [], D_MINOR], 1)).toBeCloseTo(1, 10)
    // Half of what is before is of the one chord, half of the other.
    expect(changeAt(2.225)).toBeCloseTo(1 - Math.SQRT1_2, 2)
  })

  it('is 0 where nothing is before or after it, and in silence', () => {
    for (const seconds of [-1, 0, 3, 9]) expect(changeAt(seconds)).toBeCloseTo(0, 10)
    expect(changeAt(0.9, [[], C_MAJOR, D_MINOR])).toBe(0)
    expect(harmonicChange(NO_HARMONY, 1, 0.5)).toBe(0)
  })
})

describe('weighted chroma', () => {
  it('counts loud frames more, so that a soft chord beside a loud one changes little', () => {
    const chroma = chromaOfChords([C_MAJOR, C_MAJOR, D_MINOR, C_MAJOR], 20)
    chroma.top.fill(1e-4, 40, 60)
    expect(harmonicChange(chroma, 1.975, 2)).toBeGreaterThan(0.2)
    expect(harmonicChange(weightedByLoudness(chroma), 1.975, 2)).toBeLessThan(0.01)
  })
})

describe('the gain of a downbeat', () => {
  const frames = Int32Array.of(-36, -11, 9, 34, 49)
  const odds = (at: number) => Float32Array.from({ length: 100 }, (_, i) => Number(i === at))
  const gainsOf = (chroma: Chroma, beat: number, down: number) =>
    downbeatGains(frames, {
      activations: { fps: 50, beat: odds(beat), down: odds(down) },
      chroma,
      first: 90,
    })

  it('is that of the harmony, over two beats on either side, in the frames of an excerpt', () => {
    const chroma = chromaOfChords([C_MAJOR, C_MAJOR, D_MINOR], 20)
    const changes = [...gainsOf(chroma, 99, 99)].map((gain) => gain / BAR_PHASE.harmony)
    const mean = changes.reduce((sum, change) => sum + change, 0)
    expect(mean).toBeCloseTo(0, 10)
    const least = Math.min(...changes)
    expect(changes[0]).toBe(least)
    // Two beats are 0.85 s.
    expect(changes[2]! - least).toBeCloseTo(harmonicChange(chroma, 1.985, 0.85), 2)
    expect(changes[2]! - least).toBeGreaterThan(0.95)
  })

  it('is of the network alone where the harmony stays', () => {
    expect([...gainsOf(NO_HARMONY, 48, 10)]).toEqual([0, 0, 1, 0, -1])
  })
})

describe('the likeliest bars', () => {
  const gap = 25
  const activations = {
    fps: 50,
    beat: new Float32Array(2000).fill(-4),
    down: new Float32Array(2000).fill(-4),
  }
  for (let frame = gap; frame < 2000; frame += gap) {
    activations.beat[frame] = 4
    activations.down[frame] = frame % (4 * gap) === 0 ? 4 : 2
  }
  /** Of music whose chord changes with every fourth beat from one on. */
  const found = (changing: number) => {
    const bars = Array.from({ length: 22 }, (_, bar) => (bar % 2 === 0 ? C_MAJOR : D_MINOR))
    const chroma = { ...chromaOfChords(bars, 40), start: changing / 2 - 4 }
    const { metre, path } = likeliestBars({ activations, chroma, first: 0 })
    expect(metre).toBe(4)
    return path
  }

  it.each([0, 1, 2, 3])(
    'begin bars where the harmony changes, with the same beats: %i',
    (changing) => {
      const { frames, places, score } = found(changing)
      expect(frames).toEqual(found(0).frames)
      const downbeats = [...frames].filter((_, i) => places[i] === 0)
      expect(downbeats.length).toBeGreaterThan(15)
      for (const frame of downbeats)
        expect(Math.round(frame / gap) % 4, `frame ${frame}`).toBe(changing)
      // Where the network hears the downbeats, too, they are likelier.
      expect(score).toBeLessThanOrEqual(found(0).score)
    },
  )
})

describe('bars of two beats', () => {
  it('keep beats of three quavers where each second one begins a bar, and are written in pairs', () => {
    const quaver = 14
    const beat = new Float32Array(3000).fill(-4)
    const down = new Float32Array(3000).fill(-4)
    for (let q = 0; q * quaver + 2 < 3000; q++)
      for (let step = -1; step <= 1; step++) {
        const frame = q * quaver + 1 + step
        const odds = q % 3 === 0 ? 2 : 0.6
        if (q % 6 === 0) down[frame] = odds
        else beat[frame] = odds
      }
    const { metre, path } = likeliestBars({
      activations: { fps: 50, beat, down },
      chroma: NO_HARMONY,
      first: 0,
    })
    expect(metre).toBe(4)
    // Without bars of two they are beats of two quavers, three to a bar.
    for (let i = 1; i < path.frames.length; i++)
      expect(path.frames[i]! - path.frames[i - 1]!).toBe(3 * quaver)
    const [first] = [...path.frames].filter((_, i) => path.places[i] === 0)
    expect(first! % (6 * quaver)).toBeLessThan(4)
  })
})

describe('the bars of a piece', () => {
  // By what the network hears alone each begins them on another beat.
  it.each([
    ['rock', 1],
    ['ragtime', 3],
    ['soft rock', 1],
  ])('begin where its harmony changes: %s', (style, seed) => {
    const piece = knownPiece({ bpm: 100, passages: [{ style, seed, bars: 10, key: 0, mode: 1 }] })
    const front = new FrontEnd(piece.sampleRate, 1)
    front.push([piece.samples])
    const { novelty, chroma: heard, duration, lead } = front.finish()
    const downbeats = (chroma: Chroma) => {
      const { bars } = trackRhythm({ spectrum: novelty.spectrum, chroma }, duration + lead)
      const starts = bars.map(({ start }) => start - lead)
      const sureness = bars.reduce((sum, { confidence }) => sum + confidence, 0) / bars.length
      return { right: timesF(piece.downbeats, starts, 0.07), sureness }
    }
    const { right, sureness } = downbeats(heard)
    expect(right).toBeGreaterThan(0.9)
    // Of bars that only the harmony tells, too.
    expect(sureness).toBeGreaterThan(0.4)
    expect(downbeats(NO_HARMONY).right).toBeLessThan(0.1)
  })
})
