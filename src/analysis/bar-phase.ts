import { type Chroma, meanChroma } from './chroma.ts'
import { SPECTRUM } from './novelty.ts'
import { LEAST, meanGap } from './rhythm-confidence.ts'
import type { Activations } from './state-space.ts'
import { cosineDistance } from './statistics.ts'

/** How the phase of bars is chosen. */
export const BAR_PHASE = Object.freeze({
  /** Nats by which a beat where the harmony changes wholly is likelier a downbeat than one where it stays. */
  harmony: 24,
  /** Beats before and after a moment whose harmonies are compared. */
  beats: 2,
  /** Frames on either side of a beat that tell whether it is a downbeat. */
  reach: 1,
})

/** What tells where bars begin. */
export interface BarEvidence {
  activations: Activations
  chroma: Chroma
  /** The frame of the whole track with which the activations begin. */
  first: number
}

/**
 * For each beat, by how many nats it is likelier the first of a bar than another one: by its
 * activations, and by how much more than at other beats the harmony changes there (Goto, "An Audio-based
 * Real-time Beat Tracking System for Music With or Without Drum-sounds", Journal of New Music Research 30,
 * 2001). The network hears semitones, but no pitch classes.
 *
 * @param beats  frames
 */
export function downbeatGains(
  beats: Int32Array,
  { activations, chroma, first }: BarEvidence,
): Float64Array {
  const { fps } = activations
  const reach = (BAR_PHASE.beats * meanGap(beats)) / fps
  // What is loud says more than what is soft.
  const classes = chroma.classes.map((value, i) => value * chroma.top[Math.floor(i / 12)]!)
  const changes = Float64Array.from(beats, (at) =>
    harmonicChange({ ...chroma, classes }, (first + at) / fps + SPECTRUM.late, reach),
  )
  const usual = changes.reduce((sum, change) => sum + change, 0) / Math.max(1, changes.length)
  return changes.map(
    (change, i) => downbeatOdds(beats[i]!, activations) + BAR_PHASE.harmony * (change - usual),
  )
}

/** The same by the activations alone. */
export function downbeatOdds(at: number, { beat, down }: Activations): number {
  let odds = 0
  for (let frame = at - BAR_PHASE.reach; frame <= at + BAR_PHASE.reach; frame++)
    odds += (down[frame] ?? LEAST) - (beat[frame] ?? LEAST)
  return odds
}

/**
 * How different the pitch classes are in the `reach` seconds before and after a moment: 1 less the cosine of
 * their means, 0…1, and 0 where one of them is silent.
 */
export function harmonicChange(chroma: Chroma, seconds: number, reach: number): number {
  const [before, after] = [new Float32Array(12), new Float32Array(12)]
  meanChroma(chroma, seconds - reach, seconds, before, 0)
  meanChroma(chroma, seconds, seconds + reach, after, 0)
  return cosineDistance(before, after)
}
