import type { Params } from '../host/door.ts'
import type { MixWish } from './mix-wish.ts'
import type { Waiting } from './track.ts'
import type { TrackQuery } from './track-pages.ts'

/** Options of an update. */
export type UpdateOptions = Pick<Params<'catalog/update'>, 'analyze'> & Waiting

/** Which items are read, and which facts of them. */
export type ReadQuery = Omit<Params<'catalog/read'>, 'id' | 'after'> & Waiting

/** A search of tracks, or a mix, that a catalog keeps: plain data, to be asked again at any time. */
export interface SavedSearch {
  /** What it is called in its catalog. */
  name: string
  /** For `tracks.search`, `tracks.all`. */
  search?: Omit<TrackQuery, 'start' | 'results' | 'bucket'>
  /** For `mixes.create`. */
  mix?: MixWish
}
