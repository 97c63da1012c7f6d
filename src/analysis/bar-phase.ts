import type { Chroma } from './chroma.ts'
import { SPECTRUM } from './novelty.ts'
import { LEAST, meanGap } from './rhythm-confidence.ts'
import type { Activations } from './state-space.ts'

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
  const changeAt = harmonicChange(chroma, (BAR_PHASE.beats * meanGap(beats)) / fps)
  const changes = Float64Array.from(beats, (at) => changeAt((first + at) / fps + SPECTRUM.late))
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
 * their sums, 0…1, and 0 where one of them is silent or not of the track.
 */
export function harmonicChange(
  { fps, start, frames, classes, top }: Chroma,
  reach: number,
): (seconds: number) => number {
  const sums = new Float64Array(12 * (frames + 1))
  for (let i = 0; i < 12 * frames; i++)
    sums[i + 12] = sums[i]! + classes[i]! * top[Math.floor(i / 12)]!
  const sumUntil = (seconds: number): ((c: number) => number) => {
    const place = Math.min(frames, Math.max(0, (seconds - start) * fps + 0.5))
    const frame = Math.min(frames - 1, Math.floor(place))
    const part = place - frame
    return (c) => sums[12 * frame + c]! * (1 - part) + sums[12 * frame + 12 + c]! * part
  }
  return (seconds) => {
    if (frames === 0) return 0
    const [from, at, to] = [seconds - reach, seconds, seconds + reach].map(sumUntil)
    let [both, before, after] = [0, 0, 0]
    for (let c = 0; c < 12; c++) {
      const middle = at!(c)
      const left = middle - from!(c)
      const right = to!(c) - middle
      both += left * right
      before += left * left
      after += right * right
    }
    const size = Math.sqrt(before * after)
    return size > 0 ? Math.max(0, 1 - both / size) : 0
  }
}
