import { type Chroma, meanChroma } from './chroma.ts'
import { SPECTRUM } from './novelty.ts'
import { LEAST_ODDS, meanGap } from './rhythm-confidence.ts'
import type { Activations } from './state-space.ts'
import { cosineDistance } from './statistics.ts'

export const BAR_PHASE = Object.freeze({
  /** Nats that a full change of harmony adds to a downbeat. */
  harmony: 24,
  /** Beats on either side whose harmonies are compared. */
  beats: 2,
  /** Frames on either side of a beat whose activations count. */
  reach: 1,
})

export interface BarEvidence {
  activations: Activations
  /** Of {@link weightedByLoudness}. */
  chroma: Chroma
  /** The frame of the track at which the activations begin. */
  first: number
}

export function weightedByLoudness(chroma: Chroma): Chroma {
  const classes = chroma.classes.map((value, i) => value * chroma.top[Math.floor(i / 12)]!)
  return { ...chroma, classes }
}

/**
 * For each beat, the nats by which it is likelier the first of a bar: from activations and changes
 * of harmony (Goto, Journal of New Music Research 30, 2001).
 *
 * @param beats - frames
 */
export function downbeatGains(
  beats: Int32Array,
  { activations, chroma, first }: BarEvidence,
): Float64Array {
  const { fps } = activations
  const reach = (BAR_PHASE.beats * meanGap(beats)) / fps
  const changes = Float64Array.from(beats, (beatFrame) =>
    harmonicChange(chroma, (first + beatFrame) / fps + SPECTRUM.late, reach),
  )
  const meanChange = changes.reduce((sum, change) => sum + change, 0) / Math.max(1, changes.length)
  return changes.map(
    (change, i) => downbeatOdds(beats[i]!, activations) + BAR_PHASE.harmony * (change - meanChange),
  )
}

export function downbeatOdds(beatFrame: number, { beat, down }: Activations): number {
  let odds = 0
  for (let frame = beatFrame - BAR_PHASE.reach; frame <= beatFrame + BAR_PHASE.reach; frame++)
    odds += (down[frame] ?? LEAST_ODDS) - (beat[frame] ?? LEAST_ODDS)
  return odds
}

/**
 * How much pitch classes differ between the `reach` seconds before and after a moment, 0…1; 0 where
 * one of them is silent.
 */
export function harmonicChange(chroma: Chroma, seconds: number, reach: number): number {
  const [chromaBefore, chromaAfter] = [new Float32Array(12), new Float32Array(12)]
  meanChroma(chroma, seconds - reach, seconds, chromaBefore, 0)
  meanChroma(chroma, seconds, seconds + reach, chromaAfter, 0)
  return cosineDistance(chromaBefore, chromaAfter)
}
