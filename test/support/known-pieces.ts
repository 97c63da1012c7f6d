import { medianOf } from '../../src/analysis/statistics.ts'
import { Band, SAMPLE_RATE, type Sound } from '../programs/trainers/rhythm-band.ts'
import { compose } from '../programs/trainers/rhythm-composer.ts'
import { STYLES } from '../programs/trainers/rhythm-styles.ts'
import { seeded } from './music.ts'

/** One section of a piece: bars of a style, composed from a seed. */
export interface Passage {
  style: string
  seed: number
  bars: number
  /** Pitch class of the tonic, and 1 for major. */
  key: number
  mode: 0 | 1
}

export interface PiecePlan {
  /** BPM at the beginning. */
  bpm: number
  passages: readonly Passage[]
  /** How many times the tempo at the beginning that at the end is. */
  accelerates?: number
  /** Seconds of silence before, and of a fade at the end. */
  silence?: number
  fades?: number
}

/** A piece of which all is known. Times are in seconds. */
export interface KnownPiece {
  samples: Float32Array
  sampleRate: number
  beats: number[]
  downbeats: number[]
  sections: number[]
  beatsPerBar: number
  /** BPM, of the median interval. */
  tempo: number
  key: number
  mode: 0 | 1
}

const band = new Band()

/** Composes and plays a piece; the same plan makes the same samples. */
export function knownPiece(plan: PiecePlan): KnownPiece {
  const { passages, bpm, accelerates = 1, silence = 0, fades = 0 } = plan
  const beatsPerBar = styleOf(passages[0]!).beatsPerBar
  const bars = passages.reduce((sum, passage) => sum + passage.bars, 0)
  const count = bars * beatsPerBar
  const times = [silence]
  for (let b = 0; b < count + 4; b++)
    times.push(times[b]! + 60 / (bpm * accelerates ** (b / count)))
  const timeOf = (beat: number) => {
    const b = Math.min(count + 3, Math.floor(beat))
    return times[b]! + (beat - b) * (times[b + 1]! - times[b]!)
  }
  const sounds: Sound[] = []
  const sections: number[] = []
  let bar = 0
  for (const passage of passages) {
    const first = bar * beatsPerBar
    sections.push(times[first]!)
    for (const sound of soundsOf(passage)) {
      const start = timeOf(first + sound.start)
      const duration = timeOf(first + sound.start + sound.duration) - start
      sounds.push({ ...sound, start, duration })
    }
    bar += passage.bars
  }
  const seconds = times[count]!
  const samples = band.play(sounds, seconds).map(Math.tanh)
  for (let i = 0; i < fades * SAMPLE_RATE; i++)
    samples[samples.length - 1 - i]! *= i / (fades * SAMPLE_RATE)
  const beats = times.slice(0, count)
  const { key, mode } = passages[0]!
  return {
    samples,
    sampleRate: SAMPLE_RATE,
    beats,
    downbeats: beats.filter((_, b) => b % beatsPerBar === 0),
    sections,
    beatsPerBar,
    tempo: 60 / medianOf(beats.slice(1).map((beat, b) => beat - beats[b]!)),
    key,
    mode,
  }
}

function styleOf({ style }: Passage) {
  const found = STYLES.find(({ name }) => name === style)
  if (!found) throw new Error(`${style} is no style.`)
  return found
}

/** The sounds of a passage in its own key: the composer draws that first, then the mode. */
function soundsOf(passage: Passage): Sound[] {
  const random = seeded(passage.seed)
  const drawn = [((passage.key + 6) % 12) / 12 + 0.04, passage.mode === 1 ? 0.9 : 0.1]
  return compose(styleOf(passage), passage.bars, () => drawn.shift() ?? random())
}
