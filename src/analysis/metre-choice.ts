import { type BarPath, type BeatOdds, followBars } from './bar-pointer.ts'

/** How the metre of a track is chosen. */
export const METRE_CHOICE = Object.freeze({
  /** By how much longer or shorter, as a share, the beats may be than those of the tempo's path. */
  spread: 0.12,
  /**
   * Nats by which a beat in bars of each metre is likelier than one in bars of four, by
   * test/programs/trainers/rhythm-choices.ts.
   */
  prior: { 3: 0.16, 4: 0, 5: -0.5, 6: -0.69, 7: -0.89 } as Readonly<Record<number, number>>,
})

/** The likeliest bars of one metre. */
export interface MetrePath {
  /** Beats in a bar. */
  metre: number
  path: BarPath
}

/** The likeliest bars of each metre, at the tempo of a path of three beats or more. */
export function metrePaths(heard: BeatOdds, { frames }: Pick<BarPath, 'frames'>): MetrePath[] {
  const lengths = lengthsNear(frames)
  return Object.keys(METRE_CHOICE.prior).map((name) => {
    const metre = Number(name)
    return { metre, path: followBars(heard, { metre, ...lengths }) }
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
