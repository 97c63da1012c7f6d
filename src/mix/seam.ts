import { keyRelation } from '../analysis/key-relation.ts'
import type { LibraryValues } from '../track/album-groups.ts'
import type { MusicKey } from '../values/music-key.ts'
import { musicKeyOf } from './track-facts.ts'

/**
 * In units of the distance between sounds: small, so that they decide among tracks that are about
 * equally near.
 */
const SEAM_COSTS = {
  /** Of a tempo that is more than {@link TEMPO_TOLERANCE} off, also from double and half. */
  tempo: 1.6,
  /** Of a key that clashes. */
  key: 3,
  /** Of the whole range of energy. */
  energy: 3,
  loudness: 0.1,
  mostLoudness: 1.5,
}
/** The range of the pitch fader of a turntable. */
const TEMPO_TOLERANCE = 0.08

/** What counts against the seam from one track to the next, by what is heard there. */
export interface Seam {
  /** 0 within 8 % of the tempo, of its double or of its half. */
  tempo: number
  /** 0 in a compatible key, half of a clash where one is not known. */
  key: number
  /** By how much the energy jumps. */
  energy: number
  /** By how much the loudness jumps. */
  loudness: number
}

export class SeamCosts {
  readonly #columns: LibraryValues['columns']

  constructor(columns: LibraryValues['columns']) {
    this.#columns = columns
  }

  /** All 0 for the first track. */
  costsBetween(previousNum: number | undefined, num: number): Seam {
    if (previousNum === undefined) return { tempo: 0, key: 0, energy: 0, loudness: 0 }
    const { energy, loudness, tempo } = this.#columns
    return {
      tempo: SEAM_COSTS.tempo * tempoCost(tempo[num]! / tempo[previousNum]!),
      key: SEAM_COSTS.key * this.#keyCost(musicKeyOf(this.#columns, previousNum), num),
      energy: SEAM_COSTS.energy * differenceOr0(energy[previousNum]!, energy[num]!),
      loudness: loudnessCost(loudness[previousNum]!, loudness[num]!),
    }
  }

  /** For many tracks behind one, without an object for each. */
  costBehind(previousNum: number | undefined): (num: number) => number {
    if (previousNum === undefined) return () => 0
    const { energy, loudness, tempo, key, mode } = this.#columns
    const ownKey = musicKeyOf(this.#columns, previousNum)
    const keyCosts = new Map<number, number>()
    return (num) => {
      const keyNumber = key[num]! * 256 + mode[num]!
      let keyCost = keyCosts.get(keyNumber)
      if (keyCost === undefined) {
        keyCost = this.#keyCost(ownKey, num)
        keyCosts.set(keyNumber, keyCost)
      }
      return (
        SEAM_COSTS.tempo * tempoCost(tempo[num]! / tempo[previousNum]!) +
        SEAM_COSTS.key * keyCost +
        SEAM_COSTS.energy * differenceOr0(energy[previousNum]!, energy[num]!) +
        loudnessCost(loudness[previousNum]!, loudness[num]!)
      )
    }
  }

  #keyCost(previousKey: MusicKey | undefined, num: number): number {
    const relation = keyRelation(previousKey, musicKeyOf(this.#columns, num))
    return relation === 'clash' ? 1 : relation === 'unknown' ? 0.5 : 0
  }
}

export function sumSeam({ tempo, key, energy, loudness }: Seam): number {
  return tempo + key + energy + loudness
}

/** A ratio that is not known is half as bad as a wrong one. */
function tempoCost(ratio: number): number {
  if (!(ratio > 0 && ratio < Number.POSITIVE_INFINITY)) return 0.5
  return isInTempo(ratio) || isInTempo(2 * ratio) || isInTempo(ratio / 2) ? 0 : 1
}

function isInTempo(ratio: number): boolean {
  return Math.abs(ratio - 1) <= TEMPO_TOLERANCE
}

function loudnessCost(a: number, b: number): number {
  return Math.min(SEAM_COSTS.mostLoudness, SEAM_COSTS.loudness * differenceOr0(a, b))
}

function differenceOr0(a: number, b: number): number {
  const difference = Math.abs(a - b)
  return Number.isNaN(difference) ? 0 : difference
}
