/** Fields of an answer that come only from file tags, unknown to clients of the old service. */
export const TAG_FIELDS = [
  'albumArtist',
  'year',
  'genres',
  'trackNumber',
  'trackTotal',
  'discNumber',
  'discTotal',
] as const

export const TAGGED_GAINS = [
  'taggedTrackGain',
  'taggedTrackPeak',
  'taggedAlbumGain',
  'taggedAlbumPeak',
] as const
