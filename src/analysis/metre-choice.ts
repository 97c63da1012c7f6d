import { type BarPath, type BeatOdds, followBars } from './bar-pointer.ts'
import { LEAST } from './rhythm-sureness.ts'

/** How the metre of a track and the phase of its bars are chosen. */
export const METRE_CHOICE = Object.freeze({
  metres: [3, 4, 5, 6, 7],
  /** Nats by which a beat in bars of five, six or seven is less likely than one in bars of three or four. */
  unusual: 0.5,
  /** Nats by which a beat where the harmony changes wholly is likelier a downbeat than one where it stays. */
  harmony: 24,
  /** Frames on either side of a beat that tell whether it is a downbeat. */
  reach: 1,
})

/** What tells beats and bars. */
export interface BarEvidence extends BeatOdds {
  /** For each of some beats, how much the harmony changes there, 0…1. */
  changesAt: (beats: Int32Array) => Float64Array
}

/** The likeliest bars of a track. */
export interface MetrePath {
  /** Beats in a bar. */
  metre: number
  path: BarPath
}

/** The likeliest bars of all metres, and by how many nats they lead over those of another one. */
export function likeliestBars(heard: BarEvidence): MetrePath & { lead: number } {
  const [best, next] = METRE_CHOICE.metres
    .map((metre) => inPhase(followBars(heard, metre), { metre, heard }))
    .sort((a, b) => b.path.score - a.path.score)
  return { ...best!, lead: best!.path.score - next!.path.score }
}

/**
 * The same beats in bars that begin at the likeliest place. The network hears semitones, but no pitch
 * classes; the harmony changes at the beginning of a bar more often than within one (Goto, "An Audio-based
 * Real-time Beat Tracking System for Music With or Without Drum-sounds", Journal of New Music Research 30,
 * 2001). Beats stay where they are: harmony says which of them are downbeats, but not when.
 */
function inPhase(
  { frames, places, score }: BarPath,
  { metre, heard }: { metre: number; heard: BarEvidence },
): MetrePath {
  const gains = downbeatGains(frames, heard)
  const sums = new Float64Array(metre)
  let counted = METRE_CHOICE.unusual * (metre > 4 ? frames.length : 0)
  gains.forEach((gain, i) => {
    sums[places[i]!] = sums[places[i]!]! + gain
    if (places[i] === 0) counted += downbeatOdds(frames[i]!, heard)
  })
  const best = sums.indexOf(Math.max(...sums))
  const path = {
    frames,
    places: places.map((place) => (place - best + metre) % metre),
    score: score + sums[best]! - counted,
  }
  return { metre, path }
}

/** For each beat, by how many nats it is likelier the first of a bar than another one. */
export function downbeatGains(frames: Int32Array, heard: BarEvidence): Float64Array {
  const changes = heard.changesAt(frames)
  const usual = changes.reduce((sum, change) => sum + change, 0) / Math.max(1, changes.length)
  return changes.map(
    (change, i) => downbeatOdds(frames[i]!, heard) + METRE_CHOICE.harmony * (change - usual),
  )
}

/** The same by the network alone. */
function downbeatOdds(at: number, { beat, down }: BeatOdds): number {
  let odds = 0
  for (let frame = at - METRE_CHOICE.reach; frame <= at + METRE_CHOICE.reach; frame++)
    odds += (down[frame] ?? LEAST) - (beat[frame] ?? LEAST)
  return odds
}
