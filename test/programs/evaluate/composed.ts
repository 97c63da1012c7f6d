import { seeded } from '../../support/music.ts'
import { Band } from '../trainers/rhythm-band.ts'
import { makePiece } from '../trainers/rhythm-pieces.ts'
import { STYLES } from '../trainers/rhythm-styles.ts'

/** Every so many styles one is played. */
const EVERY = 2
/** Seeds that no trainer uses. */
const SEED = 70_000_000

/** A piece that was made in code, with labels in the form of the manifests. */
export interface Composed {
  label: {
    id: string
    tempo: number
    beats: number[]
    downbeats: number[]
    time_signature_accept: number[]
    beats_per_bar: number
  }
  samples: Float32Array
  sampleRate: number
}

/** Pieces of the styles that trainers know, of other seeds: the same at every run. */
export function* composedPieces(): Generator<Composed> {
  const band = new Band()
  for (let s = 0; s < STYLES.length; s += EVERY) {
    const { style, samples, sampleRate, ...truth } = makePiece(STYLES[s]!, band, seeded(SEED + s))
    const { tempo, beats, downbeats, accepted, beatsPerBar } = truth
    // Bars of two are written in pairs.
    const known = { tempo, beats, downbeats: beatsPerBar === 2 ? [] : downbeats }
    const bars = { time_signature_accept: accepted, beats_per_bar: beatsPerBar }
    yield { label: { id: style, ...known, ...bars }, samples, sampleRate }
  }
}
