import { basename, extname } from 'node:path'
import { artistOf, type ForeignRef } from '../artist/apply-record.ts'
import { nameKey } from '../artist/names.ts'
import { KIND, termKey } from '../artist/terms.ts'
import type { Prints } from '../fingerprint/evidence.ts'
import { FINGERPRINT_VERSION } from '../fingerprint/version.ts'
import { newId } from '../ids.ts'
import { ingest } from '../recording/ingest.ts'
import { packSoon } from '../recording/pack-job.ts'
import { matchSong, type SongQuery } from './match.ts'
import { isrcKey } from './record-ids.ts'
import type { SongRoom } from './room.ts'
import type { SongFacts } from './store.ts'

/** An analysed track, as far as it tells which song it is. */
export interface AnalyzedTrack {
  id: string
  /** The song that it was found to be before, if it was analysed before. */
  songId: string | null
  title: string | null
  artist: string | null
  release: string | null
  year: number | null
  genres: readonly string[]
  moods: readonly string[]
  isrc: readonly string[]
  /** MusicBrainz ids of the recording and of its artist. */
  musicbrainzId: string | null
  musicbrainzArtistId: string | null
  path: string | null
  /** Seconds. */
  duration: number
}

type Context = Pick<SongRoom, 'store' | 'artists' | 'recordings' | 'recognizer' | 'enqueue' | 'now'>

/**
 * The song that a track of one's own is a recording of; inside the transaction that completes its
 * analysis. A recording that is known by its sound joins that song; one that is known by its ids, or
 * by its names and length, joins a song of which no sound is known; any other is a song of its own.
 * Its fingerprints go into the index.
 */
export function songOfTrack(context: Context, track: AnalyzedTrack, prints: Prints): string {
  const { store, recordings, recognizer } = context
  // Another analysis may have come before, with other fingerprints.
  recordings.removeByTrack(track.id)
  const heard = track.songId ?? recognizer.whole(prints, track.duration)
  const known = (heard === undefined ? undefined : store.numOf(heard)) ?? named(context, track)
  const facts = factsOf(context, track)
  let num = known
  if (num === undefined) {
    const title = facts.title || titleOf(track)
    num = store.add(newId('song', context.now()), { ...facts, title }, 0, context.now())
  } else {
    store.fillIn(num, facts)
  }
  for (const { catalog, foreignId } of idsOf(track)) store.ids.add(catalog, foreignId, num)
  addTerms(context, num, track)
  const songId = store.idOf(num) as string
  ingest(
    recordings,
    {
      songId,
      trackId: track.id,
      duration: track.duration,
      fingerprintVersion: FINGERPRINT_VERSION,
      codeMd5: null,
    },
    recognizer.indexed(prints),
  )
  packSoon(context)
  return songId
}

/** Brings what is indexed of a song up to date, when a track of it came, changed or went. */
export function songChanged({ store }: Pick<SongRoom, 'store'>, songId: string): void {
  const num = store.numOf(songId)
  if (num !== undefined) store.index([num])
}

/** Removes a song, and its artist, with the last track that made them. */
export function forgetSongOf(
  { store, artists }: Pick<SongRoom, 'store' | 'artists'>,
  songId: string,
): void {
  const { removed, artist } = store.removeUnused(songId)
  if (!removed) songChanged({ store }, songId)
  if (artist !== null) artists.removeUnused(artist)
}

/** Masterings of one recording differ by so many seconds at most; a longer one is another version. */
const SAME_LENGTH = 10

/** The song that is called as the tags say; one whose sound is known is not this one. */
function named(context: Context, track: AnalyzedTrack): number | undefined {
  const query: SongQuery = { duration: track.duration }
  if (track.title !== null) query.songName = track.title
  if (track.artist !== null) query.artistName = track.artist
  if (track.release !== null) query.release = track.release
  if (track.isrc.length > 0) query.isrc = track.isrc.map(isrcKey)
  if (track.musicbrainzId !== null) query.musicbrainzId = track.musicbrainzId.toLowerCase()
  // Of a title alone there are many songs.
  if (query.artistName === undefined) delete query.songName
  const match = matchSong(context, query)
  if (!match || match.by === 'id') return match?.num
  if (context.recordings.holdsAny(match.songId)) return undefined
  const length = context.store.byNum(match.num)?.songDuration ?? track.duration
  return Math.abs(length - track.duration) <= SAME_LENGTH ? match.num : undefined
}

function factsOf(context: Context, track: AnalyzedTrack): SongFacts {
  const { artists, now } = context
  const taken =
    track.artist === null
      ? undefined
      : artistOf(
          { store: artists, now },
          { name: track.artist, foreignIds: artistIdsOf(track) },
          false,
        )
  if (taken?.made) artists.index([taken.artist.num])
  const credited =
    taken !== undefined && nameKey(track.artist as string) !== nameKey(taken.artist.name)
  return {
    title: track.title ?? '',
    artist: taken?.artist.num ?? null,
    credit: credited ? track.artist : null,
    release: track.release,
    duration: track.duration,
    year: track.year,
    hotttnesss: null,
    songType: null,
  }
}

function artistIdsOf({ artist, musicbrainzArtistId }: AnalyzedTrack): ForeignRef[] {
  // Of several artists it is not known which one the id is of.
  return musicbrainzArtistId === null || /[,;/&]/.test(artist ?? '')
    ? []
    : [{ catalog: 'musicbrainz', foreignId: musicbrainzArtistId.toLowerCase() }]
}

function idsOf({ isrc, musicbrainzId }: AnalyzedTrack): ForeignRef[] {
  const ids = isrc.map((one) => ({ catalog: 'isrc', foreignId: isrcKey(one) }))
  if (musicbrainzId !== null) {
    ids.push({ catalog: 'musicbrainz', foreignId: musicbrainzId.toLowerCase() })
  }
  return ids
}

/** Genres become styles, moods moods: `Hip-Hop/Rap` is two of them. */
function addTerms({ artists }: Context, num: number, track: AnalyzedTrack): void {
  const add = (tags: readonly string[], kinds: number) => {
    const names = tags.flatMap((tag) => tag.split(/[;,/|]/)).map(termKey)
    for (const name of new Set(names.filter((one) => one !== ''))) {
      artists.terms.addToSong(num, { name, kinds, weight: 1 })
    }
  }
  add(track.genres, KIND.style)
  add(track.moods, KIND.mood)
}

/** Without a tag, the file's name is what its owner knows it by. */
function titleOf({ path }: AnalyzedTrack): string {
  return path === null ? '' : basename(path, extname(path))
}
