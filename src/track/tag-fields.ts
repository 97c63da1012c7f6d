/** The fields of an answer that come only from file tags, unknown to clients of the old service. */
export const TAG_FIELDS = [
  'albumArtist',
  'year',
  'genres',
  'trackNumber',
  'trackTotal',
  'discNumber',
  'discTotal',
] as const

/** The fields of an answer with the gains that a file's tags state. */
export const TAGGED_GAINS = [
  'taggedTrackGain',
  'taggedTrackPeak',
  'taggedAlbumGain',
  'taggedAlbumPeak',
] as const
