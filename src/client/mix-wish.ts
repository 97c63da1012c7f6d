import type { Params } from '../host/door.ts'
import { type IdReference, idOf } from './id-reference.ts'
import { type MixSeed, seedParameters } from './mix-seed.ts'
import { queryParameters, type TrackQuery } from './track-pages.ts'

type Created = Params<'mix/create'>

/** A catalog whose banned items are avoided, and what was played within some hours. */
export interface Avoided {
  /** The catalog, by its id or handle: its banned items are left out. */
  catalog: IdReference
  /** Hours: what was played since is left out too. */
  playedHours?: number | undefined
}

/** What a mix is to be. */
export interface MixWish extends Omit<Created, 'seeds' | 'less' | 'where' | 'avoid'> {
  /**
   * What the mix is to sound like. Without seeds it begins anywhere. The distance of a track from
   * several seeds is a soft minimum, weighted.
   */
  seeds?: MixSeed | readonly MixSeed[] | undefined
  /** What it is to keep away from. */
  less?: MixSeed | readonly MixSeed[] | undefined
  /** Conditions that all tracks meet, as in `tracks.search`. */
  where?: Conditions | undefined
  /** Catalogs whose banned or recently played items are left out. */
  avoid?: Avoided | readonly Avoided[] | undefined
}

/** The conditions of a search. */
export type Conditions = Omit<TrackQuery, 'sort' | 'start' | 'results' | 'bucket'>

/** A wish as the methods take it. */
export function wishParameters({ seeds, less, where, avoid, ...otherFields }: MixWish): Created {
  const wish = {
    ...otherFields,
    ...(seeds !== undefined && { seeds: seedParameters(seeds) }),
    ...(less !== undefined && { less: seedParameters(less) }),
    ...(where !== undefined && { where: queryParameters(where) }),
    ...(avoid !== undefined && { avoid: avoidedParameters(avoid) }),
  }
  return wish as Created
}

function avoidedParameters(avoided: Avoided | readonly Avoided[]) {
  return [avoided]
    .flat()
    .map(({ catalog, playedHours }) => ({ catalog: idOf(catalog), playedHours }))
}
