import { keyRelation } from '../analysis/key-relation.ts'
import type { LibraryValues } from '../track/album-groups.ts'
import type { MusicKey } from '../values/music-key.ts'
import { musicKeyOf } from './track-facts.ts'

/**
 * What counts against a track behind another one, in units of the distance between sounds: little
 * beside that distance, so that it decides among tracks that are about equally near.
 */
const COSTS = {
  /** Of a tempo that is more than {@link TEMPO} off, also from double and half. */
  tempo: 1.6,
  /** Of a key that clashes. */
  key: 3,
  /** Of the whole range of energy. */
  energy: 3,
  /** Of a dB of loudness. */
  loudness: 0.1,
  /** The highest cost of loudness. */
  mostLoudness: 1.5,
}
/** Tempi within this share can be mixed, as with the pitch fader of a turntable. */
const TEMPO = 0.08

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

/** Tells what counts against tracks behind others. */
export class Seams {
  readonly #columns: LibraryValues['columns']

  constructor(columns: LibraryValues['columns']) {
    this.#columns = columns
  }

  /** What counts against a track behind another one; nothing for the first. */
  of(from: number | undefined, to: number): Seam {
    if (from === undefined) return { tempo: 0, key: 0, energy: 0, loudness: 0 }
    const { energy, loudness, tempo } = this.#columns
    return {
      tempo: COSTS.tempo * tempoCost(tempo[to]! / tempo[from]!),
      key: COSTS.key * this.#keyCost(musicKeyOf(this.#columns, from), to),
      energy: COSTS.energy * apartOr0(energy[from]!, energy[to]!),
      loudness: loudnessCost(loudness[from]!, loudness[to]!),
    }
  }

  /** The sums of {@link of} behind one track, for many: without an object for each. */
  sumsBehind(from: number | undefined): (to: number) => number {
    if (from === undefined) return () => 0
    const { energy, loudness, tempo, key, mode } = this.#columns
    const own = musicKeyOf(this.#columns, from)
    const keyCosts = new Map<number, number>()
    return (to) => {
      const place = key[to]! * 256 + mode[to]!
      let keyCost = keyCosts.get(place)
      if (keyCost === undefined) {
        keyCost = this.#keyCost(own, to)
        keyCosts.set(place, keyCost)
      }
      return (
        COSTS.tempo * tempoCost(tempo[to]! / tempo[from]!) +
        COSTS.key * keyCost +
        COSTS.energy * apartOr0(energy[from]!, energy[to]!) +
        loudnessCost(loudness[from]!, loudness[to]!)
      )
    }
  }

  #keyCost(from: MusicKey | undefined, to: number): number {
    const relation = keyRelation(from, musicKeyOf(this.#columns, to))
    return relation === 'clash' ? 1 : relation === 'unknown' ? 0.5 : 0
  }
}

/** The sum of what counts against a seam. */
export function sumOf({ tempo, key, energy, loudness }: Seam): number {
  return tempo + key + energy + loudness
}

/** A ratio that is not known is half as bad as a wrong one. */
function tempoCost(ratio: number): number {
  if (!(ratio > 0 && ratio < Number.POSITIVE_INFINITY)) return 0.5
  return isInTempo(ratio) || isInTempo(2 * ratio) || isInTempo(ratio / 2) ? 0 : 1
}

function isInTempo(ratio: number): boolean {
  return Math.abs(ratio - 1) <= TEMPO
}

function loudnessCost(from: number, to: number): number {
  return Math.min(COSTS.mostLoudness, COSTS.loudness * apartOr0(from, to))
}

function apartOr0(one: number, other: number): number {
  const apart = Math.abs(one - other)
  return Number.isNaN(apart) ? 0 : apart
}
