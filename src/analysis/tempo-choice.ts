import { type BarPath, type BeatOdds, followBars } from './bar-pointer.ts'

/** How the tempo of a track is chosen. */
export const TEMPO_CHOICE = Object.freeze({
  /** Slowest and fastest beats of the ranges that are searched, BPM; each has parts of its neighbours'. */
  ranges: [
    [36, 60],
    [50, 80],
    [70, 108],
    [94, 144],
    [124, 192],
    [165, 256],
  ] as const,
  /** The metre of the bars that are searched: others hardly give other beats. */
  metre: 4,
  /** Seconds within which a moment belongs to a beat. */
  near: 0.04,
  /** Tempi that differ by no more than this, as a share, are the same. */
  same: 0.04,
  /** Nats that each trait is worth, by test/programs/trainers/rhythm-choices.ts. */
  weights: { on: 12, heard: 5.2, distance: -1.04 } as TempoTraits,
})

/** What speaks for or against a tempo over a whole track. */
export interface TempoTraits {
  /** Mean probability of a beat on the beats, 0…1. */
  on: number
  /** Of all that the network hears as beats, the share that is on the beats, 0…1. */
  heard: number
  /** The square of the octaves from the usual tempo. */
  distance: number
}

/** The likeliest bars in one range of tempi. */
export interface TempoPath extends BarPath {
  traits: TempoTraits
}

/** What the network hears of a track. */
export interface Heard extends BeatOdds {
  /** Frames a second. */
  fps: number
  /** The tempo that is usual of music that sounds like it, BPM. */
  usual: number
}

/** The likeliest bars in each range of tempi. Ranges with fewer than three beats are left out. */
export function tempoPaths(heard: Heard): TempoPath[] {
  const chances = chancesOf(heard)
  const { ranges, metre } = TEMPO_CHOICE
  return ranges.flatMap(([slowest, fastest]) => {
    const path = followBars(heard, { metre, ...lengthsOf({ slowest, fastest }, heard.fps) })
    if (path.frames.length < 3) return []
    return [{ ...path, traits: traitsOf(path.frames, chances, heard) }]
  })
}

/**
 * The path whose tempo is likeliest over the whole track, and by how many nats it leads over the next
 * best of another tempo.
 *
 * The likelihood of the bar pointer alone does not compare tempi: where the network is sure of little,
 * fewer beats are always likelier. So each range of tempi has a path of its own, and a linear model of
 * three traits chooses among them.
 *
 * @param paths  at least one, of {@link tempoPaths}
 */
export function likeliestTempo(paths: readonly TempoPath[]): { path: TempoPath; lead: number } {
  const scores = paths.map(({ traits }) => tempoScore(traits))
  const best = scores.indexOf(Math.max(...scores))
  const gap = meanGap(paths[best]!.frames)
  const others = scores.filter(
    (_, i) => Math.abs(meanGap(paths[i]!.frames) / gap - 1) > TEMPO_CHOICE.same,
  )
  return { path: paths[best]!, lead: scores[best]! - Math.max(...others) }
}

/** How much speaks for a tempo, in nats; only differences count. */
export function tempoScore(traits: TempoTraits, weights = TEMPO_CHOICE.weights): number {
  return TRAITS.reduce((sum, name) => sum + weights[name] * traits[name], 0)
}

/** The names of the traits. */
export const TRAITS = Object.keys(TEMPO_CHOICE.weights) as (keyof TempoTraits)[]

/** Beat lengths in frames. */
function lengthsOf(
  { slowest, fastest }: { slowest: number; fastest: number },
  fps: number,
): { shortest: number; longest: number } {
  return {
    shortest: Math.round((60 / fastest) * fps),
    longest: Math.round((60 / slowest) * fps),
  }
}

/** The probability of a beat of either kind at each frame. */
function chancesOf({ beat, down }: BeatOdds): Float32Array {
  return beat.map((odds, frame) => 1 / (1 + Math.exp(-Math.max(odds, down[frame]!))))
}

function traitsOf(frames: Int32Array, chances: Float32Array, { fps, usual }: Heard): TempoTraits {
  const reach = Math.round(TEMPO_CHOICE.near * fps)
  const beats = frames.length
  let on = 0
  let heard = 0
  let counted = 0
  for (let i = 0; i < beats; i++) {
    const frame = frames[i]!
    on += highestNear(chances, frame)
    const end = Math.min(chances.length, frame + reach + 1)
    for (let f = Math.max(counted, frame - reach); f < end; f++) heard += chances[f]!
    counted = Math.max(counted, end)
  }
  const all = chances.reduce((sum, chance) => sum + chance, 0)
  const bpm = (60 * fps) / meanGap(frames)
  return {
    on: on / beats,
    heard: heard / Math.max(all, Number.MIN_VALUE),
    distance: Math.log2(bpm / usual) ** 2,
  }
}

/** The highest of the chances at a frame and its neighbours. */
function highestNear(chances: Float32Array, frame: number): number {
  return Math.max(chances[frame - 1] ?? 0, chances[frame] ?? 0, chances[frame + 1] ?? 0)
}

/** The mean distance of beats, in frames. */
export function meanGap(frames: Int32Array): number {
  return (frames.at(-1)! - frames[0]!) / (frames.length - 1)
}
