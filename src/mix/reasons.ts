import type { KeyRelation } from '../analysis/key-relation.ts'
import type { ArcReason } from './arc.ts'
import type { Rule } from './rules.ts'
import type { Seam } from './seam.ts'

/** Why a track follows, in numbers. */
export interface MixReasons {
  /**
   * The distance of its sound from that of the track before that was not skipped; `null` for the
   * first. Two tracks of assorted music are 10 apart, neighbours 3 to 6.
   */
  fromLast: number | null
  /** Its distance from the seeds; `null` without seeds. */
  fromSeeds: number | null
  /**
   * 0…1: how close it is to the track before, and to the seeds, compared with their other neighbours:
   * the `similarity` of `tracks.similar`. `null` where there is none before, or no seed that sounds.
   */
  similarity: {
    /** To the track before. */
    toLast: number | null
    /** To the seeds. */
    toSeeds: number | null
  }
  /** Its key, seen from that of the track before. */
  keyRelation: KeyRelation
  /** Its tempo, divided by that of the track before; `null` where one is not known. */
  tempoRatio: number | null
  /** What counted against it: the track with the least sum is the best. */
  against: Against
  /** Where it is on the arcs. */
  arc: ArcReason[]
  /** How many better tracks each rule passed over. */
  passedOver: Partial<Record<Rule, number>>
}

/**
 * What counts against a track, in units of the distance between sounds: 10 where it is as far as any
 * two tracks are, below 0 for the nearest of a large library.
 */
export interface Against extends Seam {
  /** How far it is from the track before, as both neighbourhoods go. */
  last: number
  /** The same from the seeds, less with `adventurousness`. */
  seeds: number
  /** How near it is to what the mix keeps away from. */
  less: number
  /** How far it is off the arcs. */
  arc: number
}
