import type { Evidence } from '../recognition/evidence.ts'
import { formatForeignId } from '../values/ids.ts'
import { type SongAudioSummary, songSummaryOf } from './audio-summary.ts'
import type { AskedBuckets } from './buckets.ts'
import type { ForeignTrack } from './id-store.ts'
import { type Origin, songOrigins } from './origins.ts'
import { type OwnTrack, ownTracksOf } from './own-track-store.ts'
import type { SongRoom } from './room.ts'
import type { SongRow } from './store.ts'

/** An id in another id space: `<space>:<type>:<id>`. */
export interface ForeignIdBlock {
  /** The id space. */
  catalog: string
  /** `<space>:<type>:<id>` */
  foreignId: string
}

/** A track of a song in another id space. */
export interface TrackBlock extends ForeignIdBlock {
  /** `TR…` */
  id: string
  /** With the bucket `tracks`: `<space>:release:<id>`. */
  foreignReleaseId?: string
  /** With the bucket `tracks`: the address of an audio excerpt. */
  previewUrl?: string
  /** With the bucket `tracks`: the address of the album's cover. */
  releaseImage?: string
}

/** An artist's location. */
export interface ArtistLocation {
  /** Degrees. */
  latitude?: number
  /** Degrees. */
  longitude?: number
  /** In words: `Memphis, TN`. */
  location?: string
}

/** A song in answers. Fields that are not known or not requested are absent. */
export interface SongAnswer {
  /** `SO…` */
  id: string
  /** The title; empty if neither tags nor an import have one. */
  title: string
  /** `AR…`, if the artist is known. */
  artistId?: string
  /** The artist as the song credits them. */
  artistName?: string
  /** With the bucket `audio_summary`. */
  audioSummary?: SongAudioSummary
  /** With the bucket `artist_familiarity`: 0…1. */
  artistFamiliarity?: number
  /** With the bucket `artist_hotttnesss`: 0…1. */
  artistHotttnesss?: number
  /** With the bucket `artist_location`. */
  artistLocation?: ArtistLocation
  /** With the bucket `song_hotttnesss`: 0…1. */
  songHotttnesss?: number
  /** With the bucket `song_type`: `christmas`, `live`, `studio`, `acoustic`, `electric`. */
  songType?: string[]
  /** With an `id:` bucket: the song's ids in those spaces. */
  foreignIds?: ForeignIdBlock[]
  /** With an `id:` bucket: the song's tracks in those spaces; with `tracks` alone in all. */
  tracks?: TrackBlock[]
  /** With `tracks`: the ids of its artist in those spaces. */
  artistForeignIds?: ForeignIdBlock[]
  /** With the bucket `own_tracks` (ours): your own tracks that are recordings of it, with their files. */
  ownTracks?: OwnTrack[]
  /** With the bucket `origins` (ours): the origin of each known value. */
  origins?: Record<string, Origin>
  /**
   * Of an identified song that is only in a reference: the name of that reference, as in the option
   * `references`.
   */
  reference?: string
  /** Of an identified song: how many distinct codes agree. */
  score?: number
  /** `OK (match type <n>)`, with an identified song. */
  message?: string
  /** With `evidence: true`: the evidence that it is this song. */
  evidence?: Evidence
  /** The tag of its query in a list. */
  tag?: unknown
}

type SongContext = Pick<SongRoom, 'store' | 'artists' | 'catalogs' | 'ownTracks' | 'files'>

export function describeSong(
  context: SongContext,
  row: SongRow,
  askedBuckets: AskedBuckets,
): SongAnswer {
  const answer: SongAnswer = { id: row.id, title: row.title }
  if (row.artistId !== null) answer.artistId = row.artistId
  if (row.artistName !== null) answer.artistName = row.artistName
  const { named, spaces } = askedBuckets
  if (named.has('audio_summary')) {
    const summary = songSummaryOf(row)
    if (summary) answer.audioSummary = summary
  }
  if (named.has('song_hotttnesss') && row.hotttnesss !== null)
    answer.songHotttnesss = row.hotttnesss
  if (named.has('song_type') && row.songType !== null) answer.songType = row.songType.split(' ')
  addArtistFacts(context, answer, row, named)
  if (spaces.length > 0) describeIds(context, answer, row, askedBuckets)
  else if (named.has('tracks')) answer.tracks = trackBlocksOf(context, row, askedBuckets)
  if (named.has('own_tracks')) answer.ownTracks = ownTracksOf(context, row.id)
  if (named.has('origins')) answer.origins = songOrigins(context, row)
  return answer
}

function addArtistFacts(
  { artists }: SongContext,
  answer: SongAnswer,
  { artistNum }: SongRow,
  named: ReadonlySet<string>,
): void {
  const artistBuckets = ['artist_familiarity', 'artist_hotttnesss', 'artist_location']
  if (artistNum === null || !artistBuckets.some((bucket) => named.has(bucket))) return
  const artist = artists.byNum(artistNum)
  if (!artist) return
  const { familiarity, hotttnesss, latitude, longitude, location } = artist
  if (named.has('artist_familiarity') && familiarity !== null)
    answer.artistFamiliarity = familiarity
  if (named.has('artist_hotttnesss') && hotttnesss !== null) answer.artistHotttnesss = hotttnesss
  if (!named.has('artist_location')) return
  const artistLocation: ArtistLocation = {}
  if (latitude !== null) artistLocation.latitude = latitude
  if (longitude !== null) artistLocation.longitude = longitude
  if (location !== null) artistLocation.location = location
  if (Object.keys(artistLocation).length > 0) answer.artistLocation = artistLocation
}

function describeIds(
  { store, artists, catalogs }: SongContext,
  answer: SongAnswer,
  { num, id, artistNum }: SongRow,
  { named, spaces }: AskedBuckets,
): void {
  const isFull = named.has('tracks')
  answer.foreignIds = spaces.flatMap((catalog) => {
    const items = itemBlocks({ catalogs }, catalog, id)
    if (items.length > 0) return items
    return store.ids.ofSong(num, catalog).map((foreignId) => idBlock(catalog, 'song', foreignId))
  })
  answer.tracks = trackBlocksOf({ store }, { num }, { named, spaces })
  if (isFull) {
    answer.artistForeignIds = spaces.flatMap((catalog) =>
      artistNum === null
        ? []
        : artists.ids
            .ofArtist(artistNum, catalog)
            .map((foreignId) => idBlock(catalog, 'artist', foreignId)),
    )
  }
}

export function itemBlocks(
  { catalogs }: Pick<SongContext, 'catalogs'>,
  catalog: string,
  songId: string,
): ForeignIdBlock[] {
  return catalogs.itemIdsOfSong(catalog, songId).map((itemId) => idBlock(catalog, 'song', itemId))
}

function trackBlocksOf(
  { store }: Pick<SongContext, 'store'>,
  { num }: Pick<SongRow, 'num'>,
  { named, spaces }: AskedBuckets,
): TrackBlock[] {
  const isFull = named.has('tracks')
  const allSpaces = spaces.length > 0 ? spaces : store.ids.trackSpaces({ song: num })
  return allSpaces.flatMap((catalog) =>
    store.ids.tracksOfSong({ song: num, catalog }).map((track) => trackBlock(track, isFull)),
  )
}

function idBlock(catalog: string, type: 'song' | 'artist', id: string): ForeignIdBlock {
  return { catalog, foreignId: formatForeignId({ catalog, type, id }) }
}

function trackBlock(track: ForeignTrack, full: boolean): TrackBlock {
  const { catalog, foreignId, trackId, foreignReleaseId, previewUrl, releaseImage } = track
  const answer: TrackBlock = {
    id: trackId,
    catalog,
    foreignId: formatForeignId({ catalog, type: 'track', id: foreignId }),
  }
  if (!full) return answer
  if (foreignReleaseId !== null) {
    const prefix = `${catalog}:release:`
    answer.foreignReleaseId = foreignReleaseId.startsWith(prefix)
      ? foreignReleaseId
      : prefix + foreignReleaseId
  }
  if (previewUrl !== null) answer.previewUrl = previewUrl
  if (releaseImage !== null) answer.releaseImage = releaseImage
  return answer
}
