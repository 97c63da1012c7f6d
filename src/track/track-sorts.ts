import { SEARCHED, type SearchedFact } from '../song/facts.ts'

/** Orders by a text, which the database sorts. */
export const TEXT_SORTS = ['title-asc', 'title-desc', 'artist-asc', 'artist-desc'] as const

/** Orders by a text. */
export type TextSort = (typeof TEXT_SORTS)[number]

/** An order of tracks. `album` sorts by album, then by disc and track number. */
export type TrackSort =
  | TextSort
  | `${SearchedFact | 'created' | 'year' | 'album'}-${'asc' | 'desc'}`

const NUMBERS = ['created', ...SEARCHED, 'year', 'album'] as const

/** The values of `sort`. */
export const TRACK_SORTS: readonly TrackSort[] = [
  ...TEXT_SORTS,
  ...NUMBERS.flatMap((name): TrackSort[] => [`${name}-asc`, `${name}-desc`]),
]
