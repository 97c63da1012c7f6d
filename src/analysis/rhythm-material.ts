import { salience } from './beat-evidence.ts'
import type { BANDS, Novelty } from './novelty.ts'

/** What beats are described by: made once a track, looked up for each candidate. */
export interface RhythmMaterial {
  fps: number
  frames: number
  /** Salience in each band. */
  curves: Readonly<Record<(typeof BANDS)[number], Float32Array>>
  harmony: HarmonyChanges
}

export function rhythmMaterial(novelty: Novelty): RhythmMaterial {
  const { fps, frames, low, mid, high } = novelty
  return {
    fps,
    frames,
    curves: { low: salience(low, fps), mid: salience(mid, fps), high: salience(high, fps) },
    harmony: new HarmonyChanges(novelty),
  }
}

/** How much the harmony differs between two neighbouring stretches of a track. */
class HarmonyChanges {
  /** Running sums of the pitch classes, (spans + 1) × 12. */
  readonly #sums: Float64Array
  readonly #framesPerSpan: number

  constructor({ harmony, harmonyFrames }: Novelty) {
    this.#framesPerSpan = harmonyFrames
    this.#sums = new Float64Array(harmony.length + 12)
    for (let i = 0; i < harmony.length; i++) this.#sums[i + 12] = this.#sums[i]! + harmony[i]!
  }

  /** One minus the cosine of the mean harmonies in [from, middle) and [middle, to), in frames. */
  between(from: number, middle: number, to: number): number {
    const sums = this.#sums
    const [a, b, c] = [this.#index(from), this.#index(middle), this.#index(to)]
    let product = 0
    let before = 0
    let after = 0
    for (let pitch = 0; pitch < 12; pitch++) {
      const x = sums[b + pitch]! - sums[a + pitch]!
      const y = sums[c + pitch]! - sums[b + pitch]!
      product += x * y
      before += x * x
      after += y * y
    }
    return before > 0 && after > 0 ? Math.max(0, 1 - product / Math.sqrt(before * after)) : 0
  }

  #index(frame: number): number {
    const last = this.#sums.length / 12 - 1
    return Math.min(last, Math.max(0, Math.round(frame / this.#framesPerSpan))) * 12
  }
}
