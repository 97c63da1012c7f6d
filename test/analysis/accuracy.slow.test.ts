import { describe, expect, it } from 'vitest'
import { analyze } from '../../src/analyzer/analyzer.ts'
import * as accuracy from '../support/accuracy.ts'
import { knownPiece, type Passage, type PiecePlan } from '../support/known-pieces.ts'

const of = (style: string, seed: number, key: number, mode: 0 | 1, bars: number): Passage => ({
  style,
  seed,
  key,
  mode,
  bars,
})

/** Pieces in which each stage of the analysis has something to decide. */
const PIECES: Readonly<Record<string, PiecePlan>> = {
  'three beats of three': { bpm: 122, passages: [of('slip jig', 5, 6, 1, 15)] },
  'six eighths': { bpm: 112, passages: [of('six-eight march', 7, 7, 1, 21)] },
  'slow, without drums': { bpm: 62, passages: [of('piano ballad', 12, 9, 1, 6)] },
  'silence before, a fade at the end': {
    bpm: 80,
    passages: [of('soft rock', 11, 2, 0, 9)],
    silence: 2,
    fades: 6,
  },
  fast: { bpm: 196, passages: [of('punk', 6, 10, 0, 18)] },
  syncopated: { bpm: 92, passages: [of('salsa', 16, 5, 0, 9)] },
  'sixteenths off the beat': { bpm: 105, passages: [of('funk', 5, 6, 1, 10)] },
  'swing, slow': { bpm: 58, passages: [of('slow swing', 9, 3, 0, 6)] },
  'eighths, fast': { bpm: 174, passages: [of('boogie', 16, 0, 0, 16)] },
  'three beats that become faster': {
    bpm: 110,
    passages: [of('rock waltz', 3, 4, 1, 16)],
    accelerates: 1.2,
  },
  'a melody over chords': { bpm: 100, passages: [of('tune over chords', 2, 7, 1, 10)] },
  'another beat, and back': {
    bpm: 118,
    passages: [of('motown', 3, 0, 1, 6), of('house', 4, 0, 1, 6), of('motown', 3, 0, 1, 6)],
  },
  'three beats, other players, and back': {
    bpm: 96,
    passages: [
      of('folk waltz', 3, 7, 1, 8),
      of('rock waltz', 4, 7, 1, 8),
      of('folk waltz', 3, 7, 1, 8),
    ],
  },
  'a tone higher': { bpm: 124, passages: [of('country', 3, 2, 1, 8), of('country', 6, 4, 1, 8)] },
}

/**
 * The mean of each measure over the pieces: as measured, and what is due. One piece in which all goes
 * wrong passes; two, or a stage that does nothing, do not.
 */
const DUE = {
  beatF: { measured: 0.938, due: 0.87 },
  beatsAtLevel: { measured: 0.854, due: 0.78 },
  beatsAtAnyLevel: { measured: 0.921, due: 0.85 },
  tempo: { measured: 0.857, due: 0.78 },
  downbeatF: { measured: 0.893, due: 0.82 },
  timeSignature: { measured: 0.929, due: 0.85 },
  key: { measured: 0.75, due: 0.67 },
  sectionF: { measured: 1, due: 0.8 },
} as const
type Scores = Partial<Record<keyof typeof DUE, number>>

function scoresOf(plan: PiecePlan): Scores {
  const piece = knownPiece(plan)
  const { track, beats, bars, sections } = analyze({
    samples: [piece.samples],
    sampleRate: piece.sampleRate,
  })
  const starts = (list: readonly { start: number }[]) => list.map(({ start }) => start)
  const metre = piece.beatsPerBar === 2 ? 4 : piece.beatsPerBar
  return {
    beatF: accuracy.beatF(piece.beats, starts(beats)),
    beatsAtLevel: accuracy.beatsAtLevel(piece.beats, starts(beats)),
    beatsAtAnyLevel: accuracy.beatsAtAnyLevel(piece.beats, starts(beats)),
    tempo: accuracy.tempoHit(piece.tempo, track.tempo),
    downbeatF: accuracy.beatF(piece.downbeats, starts(bars)),
    timeSignature: Number(track.time_signature === metre),
    key: accuracy.keyScore(piece, track),
    ...(piece.sections.length > 1 && {
      sectionF: accuracy.sectionF(piece.sections, starts(sections)),
    }),
  }
}

describe('the analysis of music of which all is known', () => {
  it('is as right as it was', () => {
    const scores = Object.entries(PIECES).map(([name, plan]) => ({ name, ...scoresOf(plan) }))
    const measures = Object.keys(DUE) as (keyof typeof DUE)[]
    const worse = measures.flatMap((measure) => {
      const known = scores.filter((piece) => piece[measure] !== undefined)
      const mean = known.reduce((sum, piece) => sum + piece[measure]!, 0) / known.length
      const { measured, due } = DUE[measure]
      if (mean >= due) return []
      const low = known.filter((piece) => piece[measure]! < due).map(({ name }) => name)
      return `${measure}: ${mean.toFixed(3)}, was ${measured}, due ${due}; ${low.join('; ')}`
    })
    expect(worse).toEqual([])
  }, 600_000)
})
