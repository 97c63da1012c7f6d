import { describe, expect, it } from 'vitest'
import { type Chroma, chromaOf } from '../../src/analysis/chroma.ts'
import { FrontEnd } from '../../src/analysis/front-end.ts'
import { harmonicChange, harmonicChanges } from '../../src/analysis/harmonic-change.ts'
import { downbeatGains, likeliestBars, METRE_CHOICE } from '../../src/analysis/metre-choice.ts'
import { trackRhythm } from '../../src/analysis/rhythm.ts'
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
  return { fps: FPS, start: 0, frames, classes, top, tuning: 0 }
}

describe('the change of harmony', () => {
  const changeAt = harmonicChange(chromaOfChords([C_MAJOR, C_MAJOR, D_MINOR], 20), 0.5)

  it('is 0 within a chord and 1 between chords without a common tone', () => {
    for (const seconds of [0.5, 1, 1.4, 2.6]) expect(changeAt(seconds)).toBeCloseTo(0, 10)
    // The first frame of the other chord begins half a frame before its middle.
    expect(changeAt(1.975)).toBeCloseTo(1, 10)
    // Half of what is before is of the one chord, half of the other.
    expect(changeAt(2.225)).toBeCloseTo(1 - Math.SQRT1_2, 10)
  })

  it('is 0 where nothing is before or after it, and in silence', () => {
    for (const seconds of [-1, 0, 3, 9]) expect(changeAt(seconds)).toBe(0)
    const afterSilence = harmonicChange(chromaOfChords([[], C_MAJOR, D_MINOR], 20), 0.5)
    expect(afterSilence(1)).toBe(0)
    expect(harmonicChange(NO_HARMONY, 0.5)(1)).toBe(0)
  })
})

describe('changes of harmony about beats', () => {
  it('are told of the frames of an excerpt, over two beats on either side', () => {
    const chroma = chromaOfChords([C_MAJOR, C_MAJOR, D_MINOR], 20)
    const beats = Int32Array.of(-36, -11, 9, 34, 49)
    const changes = harmonicChanges(chroma, beats, { fps: 50, first: 90 })
    expect(changes[2]).toBeGreaterThan(0.95)
    expect(changes[0]).toBe(0)
    // Two beats are 0.85 s.
    expect(changes[2]).toBeCloseTo(harmonicChange(chroma, 0.85)(1.985), 2)
  })
})

describe('the gain of a downbeat', () => {
  const frames = Int32Array.of(10, 35, 60, 85)
  const fps = 50
  const odds = (at: number) => Float32Array.from({ length: 100 }, (_, i) => Number(i === at))

  it('is what the network hears about the beat, and the harmony', () => {
    const changesAt = (beats: Int32Array) => Float64Array.from(beats, (at) => Number(at === 60))
    const gains = downbeatGains(frames, { fps, beat: odds(34), down: odds(11), changesAt })
    const { harmony } = METRE_CHOICE
    const expected = [1 - harmony / 4, -1 - harmony / 4, 0.75 * harmony, -harmony / 4]
    for (const [i, gain] of gains.entries()) expect(gain).toBeCloseTo(expected[i]!, 6)
  })

  it('is of the network alone where the harmony stays', () => {
    const changesAt = (beats: Int32Array) => new Float64Array(beats.length).fill(0.5)
    const gains = downbeatGains(frames, { fps, beat: odds(50), down: odds(60), changesAt })
    expect([...gains]).toEqual([0, 0, 1, 0])
  })
})

describe('the likeliest bars', () => {
  const gap = 25
  const heard = {
    fps: 50,
    beat: new Float32Array(2000).fill(-4),
    down: new Float32Array(2000).fill(-4),
  }
  for (let frame = gap; frame < 2000; frame += gap) {
    heard.beat[frame] = 4
    heard.down[frame] = frame % (4 * gap) === 0 ? 4 : 2
  }
  const found = (changing: number) => {
    const changesAt = (beats: Int32Array) =>
      Float64Array.from(beats, (at) => Number(Math.abs((at % (4 * gap)) - changing * gap) < 3))
    const { metre, path } = likeliestBars({ ...heard, changesAt })
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

describe('the bars of a piece', () => {
  // By what the network hears alone each begins them on another beat.
  it.each([
    ['rock', 1],
    ['ragtime', 1],
    ['folk waltz', 2],
  ])('begin where its harmony changes: %s', (style, seed) => {
    const piece = knownPiece({ bpm: 100, passages: [{ style, seed, bars: 10, key: 0, mode: 1 }] })
    const front = new FrontEnd(piece.sampleRate, 1)
    front.push([piece.samples])
    const { novelty, peaks, duration, lead } = front.finish()
    const downbeats = (chroma: Chroma) => {
      const { bars } = trackRhythm({ spectrum: novelty.spectrum, chroma }, duration + lead)
      const starts = bars.map(({ start }) => start - lead)
      const sureness = bars.reduce((sum, { confidence }) => sum + confidence, 0) / bars.length
      return { right: timesF(piece.downbeats, starts, 0.07), sureness }
    }
    const { right, sureness } = downbeats(chromaOf(peaks))
    expect(right).toBeGreaterThan(0.9)
    // Of bars that only the harmony tells, too.
    expect(sureness).toBeGreaterThan(0.4)
    expect(downbeats(NO_HARMONY).right).toBeLessThan(0.1)
  })
})
