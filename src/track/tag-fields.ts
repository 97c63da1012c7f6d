/** The fields of an answer that only the tags of a file tell; clients of the old service know none of them. */
export const TAG_FIELDS = [
  'albumArtist',
  'year',
  'genres',
  'trackNumber',
  'trackTotal',
  'discNumber',
  'discTotal',
] as const
