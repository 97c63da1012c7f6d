import { salience } from './beat-evidence.ts'
import { HarmonyChanges } from './harmony.ts'
import type { Novelty } from './onsets.ts'

/** What beats are described by: made once a track, looked up for each candidate. */
export interface RhythmMaterial {
  fps: number
  frames: number
  /** Salience in bass, middle and treble. */
  curves: readonly [Float32Array, Float32Array, Float32Array]
  harmony: HarmonyChanges
}

export function rhythmMaterial(novelty: Novelty): RhythmMaterial {
  const { fps, frames } = novelty
  return {
    fps,
    frames,
    curves: [salience(novelty.low, fps), salience(novelty.mid, fps), salience(novelty.high, fps)],
    harmony: new HarmonyChanges(novelty),
  }
}

/** Highest value of a curve within `reach` frames of `centre`. */
export function highestNear(curve: Float32Array, centre: number, reach: number): number {
  let best = 0
  const last = Math.min(curve.length - 1, Math.floor(centre + reach))
  for (let f = Math.max(0, Math.ceil(centre - reach)); f <= last; f++)
    if (curve[f]! > best) best = curve[f]!
  return best
}
