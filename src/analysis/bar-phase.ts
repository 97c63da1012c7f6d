import { type Chroma, meanChroma } from './chroma.ts'
import { SPECTRUM } from './novelty.ts'
import { LEAST, meanGap } from './rhythm-confidence.ts'
import type { Activations } from './state-space.ts'
import { cosineDistance } from './statistics.ts'

/** How the phase of bars is chosen. */
export const BAR_PHASE = Object.freeze({
  /** Nats by which a full change of harmony makes a downbeat likelier than no change does. */
  harmony: 24,
  /** Beats before and after a moment whose harmonies are compared. */
  beats: 2,
  /** Frames on either side of a beat whose activations count. */
  reach: 1,
})

/** The evidence for where bars begin. */
export interface BarEvidence {
  activations: Activations
  /** Of {@link weighted}. */
  chroma: Chroma
  /** The frame of the track at which the activations begin. */
  first: number
}

/** Chroma in which loud frames count more than soft ones. */
export function weighted(chroma: Chroma): Chroma {
  const classes = chroma.classes.map((value, i) => value * chroma.top[Math.floor(i / 12)]!)
  return { ...chroma, classes }
}

/**
 * For each beat, the nats by which it is likelier the first of a bar than another beat: from its
 * activations, and from the change of harmony there less the mean change (Goto, "An Audio-based
 * Real-time Beat Tracking System for Music With or Without Drum-sounds", Journal of New Music Research 30,
 * 2001). The network's input has semitone bands, but no pitch classes.
 *
 * @param beats  frames
 */
export function downbeatGains(
  beats: Int32Array,
  { activations, chroma, first }: BarEvidence,
): Float64Array {
  const { fps } = activations
  const reach = (BAR_PHASE.beats * meanGap(beats)) / fps
  const changes = Float64Array.from(beats, (at) =>
    harmonicChange(chroma, (first + at) / fps + SPECTRUM.late, reach),
  )
  const usual = changes.reduce((sum, change) => sum + change, 0) / Math.max(1, changes.length)
  return changes.map(
    (change, i) => downbeatOdds(beats[i]!, activations) + BAR_PHASE.harmony * (change - usual),
  )
}

/** The same from the activations alone. */
export function downbeatOdds(at: number, { beat, down }: Activations): number {
  let odds = 0
  for (let frame = at - BAR_PHASE.reach; frame <= at + BAR_PHASE.reach; frame++)
    odds += (down[frame] ?? LEAST) - (beat[frame] ?? LEAST)
  return odds
}

/**
 * How much pitch classes differ between the `reach` seconds before and after a moment: 1 minus the
 * cosine of the two means, 0…1; 0 where one of them is silent.
 */
export function harmonicChange(chroma: Chroma, seconds: number, reach: number): number {
  const [before, after] = [new Float32Array(12), new Float32Array(12)]
  meanChroma(chroma, seconds - reach, seconds, before, 0)
  meanChroma(chroma, seconds, seconds + reach, after, 0)
  return cosineDistance(before, after)
}
