/** The buckets of a song that need no id space, as the service named them; `tracks` is the last. */
export const SONG_BUCKETS = [
  'audio_summary',
  'artist_familiarity',
  'artist_hotttnesss',
  'artist_location',
  'song_hotttnesss',
  'song_type',
  'tracks',
] as const

/** The buckets of an artist that are lists. */
export const ARTIST_LISTS = [
  'biographies',
  'blogs',
  'images',
  'news',
  'reviews',
  'songs',
  'terms',
  'video',
  'years_active',
] as const

/** The buckets of an artist that need no id space, as the service named them. */
export const ARTIST_BUCKETS = [
  ...ARTIST_LISTS,
  'doc_counts',
  'familiarity',
  'hotttnesss',
  'urls',
  'artist_location',
] as const
