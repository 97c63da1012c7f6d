import { SEARCHED, type SearchedFact } from '../song/facts.ts'

export const TEXT_SORTS = ['title-asc', 'title-desc', 'artist-asc', 'artist-desc'] as const

export type TextSort = (typeof TEXT_SORTS)[number]

/** `album` sorts by album, then by disc and track number. */
export type TrackSort =
  | TextSort
  | `${SearchedFact | 'created' | 'year' | 'album'}-${'asc' | 'desc'}`

const NUMBER_SORTS = ['created', ...SEARCHED, 'year', 'album'] as const

export const TRACK_SORTS: readonly TrackSort[] = [
  ...TEXT_SORTS,
  ...NUMBER_SORTS.flatMap((name): TrackSort[] => [`${name}-asc`, `${name}-desc`]),
]
