import { readFileSync } from 'node:fs'
import type { Key } from './material-score.ts'

/** A piece in one metre, as `scores-of-music21.py` writes it; times in beats from its first downbeat. */
export interface Piece {
  id: string
  title: string
  kind: string
  metre: string
  /** A beat, in quarter notes. */
  unit: number
  beatsPerBar: number
  bars: number
  /** Beats before the first downbeat. */
  pickup: number
  key?: Key
  /** Sharps of its signature, flats below 0. */
  sharps: number
  /** Slowest and fastest, in beats a minute. */
  tempo: readonly [number, number]
  parts: number
  notes: (readonly [start: number, duration: number, pitch: number, part: number])[]
}

/** The pieces of a file of `scores-of-music21.py`, one a line. */
export function piecesOf(file: string): Piece[] {
  return readFileSync(file, 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Piece)
}

/** A piece that is played once, from a beat on, so much higher than it is written. */
export interface Pass {
  piece: Piece
  at: number
  shift: number
}
