import { type BarPath, type BeatOdds, followBars, POINTER } from './bar-pointer.ts'
import { LEAST } from './rhythm-sureness.ts'

/** How the metre of a track is chosen. */
export const METRE_CHOICE = Object.freeze({
  /** By how much longer or shorter, as a share, the beats may be than those of the tempo's path. */
  spread: 0.12,
  /**
   * Nats by which a beat in bars of each metre is likelier than one in bars of four, by
   * test/programs/trainers/rhythm-choices.ts.
   */
  prior: { 3: 0.16, 4: 0, 5: -0.5, 6: -0.69, 7: -0.89 } as Readonly<Record<number, number>>,
  /**
   * Nats by which a beat where the harmony changes wholly is likelier a downbeat than one where it stays, by
   * the same program.
   */
  harmony: 48,
})

/** What tells beats and bars. */
export interface BarEvidence extends BeatOdds {
  /** How much the harmony changes at a frame, 0…1. */
  changeAt: (frame: number) => number
}

/** The likeliest bars of one metre. */
export interface MetrePath {
  /** Beats in a bar. */
  metre: number
  path: BarPath
}

/** The likeliest bars of each metre, at the tempo of a path of three beats or more. */
export function metrePaths(
  heard: BarEvidence,
  { frames }: Pick<BarPath, 'frames'>,
  harmony: number = METRE_CHOICE.harmony,
): MetrePath[] {
  const lengths = lengthsNear(frames)
  return Object.keys(METRE_CHOICE.prior).map((name) => {
    const metre = Number(name)
    const path = followBars(heard, { metre, ...lengths })
    return { metre, path: inPhase(path, { metre, heard, harmony }) }
  })
}

/**
 * The same beats in bars that begin at the likeliest place. The network hears semitones, but no pitch
 * classes; the harmony changes at the beginning of a bar more often than within one (Goto, "An Audio-based
 * Real-time Beat Tracking System for Music With or Without Drum-sounds", Journal of New Music Research 30,
 * 2001). Beats stay where they are: harmony says which of them are downbeats, but not when.
 */
function inPhase(
  { frames, places, score }: BarPath,
  { metre, heard, harmony }: { metre: number; heard: BarEvidence; harmony: number },
): BarPath {
  const sums = new Float64Array(metre)
  downbeatGains(frames, heard, harmony).forEach((gain, i) => {
    sums[places[i]!] = sums[places[i]!]! + gain
  })
  const best = sums.indexOf(Math.max(...sums))
  const counted = downbeatGains(frames, heard, 0).filter((_, i) => places[i] === 0)
  return {
    frames,
    places: places.map((place) => (place - best + metre) % metre),
    score: score + sums[best]! - counted.reduce((sum, gain) => sum + gain, 0),
  }
}

/** For each beat, by how many nats it is likelier the first of a bar than another one. */
export function downbeatGains(
  frames: ArrayLike<number>,
  { beat, down, changeAt }: BarEvidence,
  harmony: number = METRE_CHOICE.harmony,
): Float64Array {
  const reach = POINTER.zone >> 1
  const changes = Float64Array.from(frames, changeAt)
  const usual = changes.reduce((sum, change) => sum + change, 0) / Math.max(1, changes.length)
  return changes.map((change, i) => {
    let gain = harmony * (change - usual)
    for (let frame = frames[i]! - reach; frame <= frames[i]! + reach; frame++)
      gain += (down[frame] ?? LEAST) - (beat[frame] ?? LEAST)
    return gain
  })
}

/** The path whose metre is likeliest over the whole track, and by how many nats it leads. */
export function likeliestMetre(paths: readonly MetrePath[]): MetrePath & { lead: number } {
  const [best, next] = paths
    .map(({ metre, path }) => ({
      metre,
      path,
      score: path.score + METRE_CHOICE.prior[metre]! * path.frames.length,
    }))
    .sort((a, b) => b.score - a.score)
  return { metre: best!.metre, path: best!.path, lead: best!.score - next!.score }
}

/** The lengths that beats have, in frames, with some on either side. */
function lengthsNear(frames: Int32Array): { shortest: number; longest: number } {
  let [least, most] = [Infinity, 0]
  for (let i = 1; i < frames.length; i++) {
    least = Math.min(least, frames[i]! - frames[i - 1]!)
    most = Math.max(most, frames[i]! - frames[i - 1]!)
  }
  const { spread } = METRE_CHOICE
  return { shortest: Math.floor(least * (1 - spread)), longest: Math.ceil(most * (1 + spread)) }
}
