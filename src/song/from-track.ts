import { basename, extname } from 'node:path'
import { moodsOf } from '../analysis/summary/moods.ts'
import { artistOf, type ForeignRef } from '../artist/apply-record.ts'
import { KIND, termKey } from '../artist/terms.ts'
import { nameKey } from '../naming/names.ts'
import { lengthsOf } from '../recognition/evidence.ts'
import { packSoon } from '../recognition/index/pack-job.ts'
import { type Fingerprints, ingest } from '../recognition/recording-store.ts'
import { FINGERPRINT_VERSION } from '../recognition/systems/version.ts'
import { tagged } from '../recognition/verdict.ts'
import { newId } from '../values/ids.ts'
import { matchSong, type SongQuery } from './match.ts'
import { isrcKey } from './record.ts'
import type { SongRoom } from './room.ts'
import type { SongFacts } from './store.ts'

/** An analysed track, with the facts about its song. */
export interface AnalyzedTrack {
  id: string
  /** The id of its song if it was analysed before, or the id for its new song. */
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

/** The sound of a track. */
export interface TrackSound {
  /** Finds the song with that sound; absent where the sound is not known. */
  heard?: () => string | undefined
  fingerprints: Fingerprints
}

type Context = Pick<
  SongRoom,
  'store' | 'artists' | 'recordings' | 'recognizer' | 'enqueue' | 'now' | 'ownTracks'
>

/**
 * Finds or makes the song of an analysed track, and indexes its fingerprints. It runs in the
 * transaction that completes the analysis. A track whose sound is known joins the song with that
 * sound. A track with known ids, or known names and length, joins a song without fingerprints. Any
 * other track makes a new song.
 */
export function songOfTrack(context: Context, track: AnalyzedTrack, sound: TrackSound): string {
  const { store, recordings } = context
  // An earlier analysis may have added other fingerprints.
  recordings.removeByTrack(track.id)
  const heard = track.songId ?? sound.heard?.()
  const known =
    (heard === undefined ? undefined : store.numOf(heard)) ?? named(context, track, sound)
  const facts = factsOf(context, track)
  let num = known
  if (num === undefined) {
    const title = facts.title || titleOf(track)
    num = store.add(
      track.songId ?? newId('song', context.now()),
      { ...facts, title },
      0,
      context.now(),
    )
  } else {
    store.fillIn(num, facts)
  }
  for (const { catalog, foreignId } of idsOf(track)) store.ids.add(catalog, foreignId, num)
  addTerms(context, num, track)
  const songId = store.idOf(num)
  ingest(
    recordings,
    {
      songId,
      trackId: track.id,
      duration: track.duration,
      fingerprintVersion: FINGERPRINT_VERSION,
      codeMd5: null,
    },
    sound.fingerprints,
  )
  packSoon(context)
  return songId
}

/**
 * Updates the song of a track whose tags changed, in the transaction that changes them. A song
 * without an import takes the names of its first track; an imported one only gets missing values.
 *
 * @param before - the track with its old tags
 */
export function followTags(context: Context, track: AnalyzedTrack, before: AnalyzedTrack): void {
  const { store, artists, ownTracks } = context
  const row = track.songId === null ? undefined : store.byId(track.songId)
  if (!row) return
  const { num: song, artistNum } = row
  const facts = factsOf(context, track)
  if (row.imported === 0 && row.trackId === track.id) {
    for (const id of idsOf(before)) ownTracks.removeId({ song, ...id })
    for (const { name } of termsOf(before)) ownTracks.removeTerm({ song, name })
    const { hotttnesss: _, songType: __, ...named } = facts
    const title = facts.title || titleOf(track)
    ownTracks.setFacts({ num: song, ...named, title, titleKey: nameKey(title) })
    if (artistNum !== null && artistNum !== facts.artist) artists.removeUnused(artistNum)
  } else store.fillIn(song, facts)
  for (const { catalog, foreignId } of idsOf(track)) store.ids.add(catalog, foreignId, song)
  addTerms(context, song, track)
  songChanged(context, row.id)
}

/** Updates the search index, and the derived moods, of a song whose tracks changed. */
export function songChanged(
  { store, artists }: Pick<SongRoom, 'store' | 'artists'>,
  songId: string,
): void {
  const song = store.byId(songId)
  if (!song) return
  const own = song.trackId === null ? { energy: null, valence: null } : song
  artists.terms.setDerivedMoods(song.num, moodsOf(own))
  store.index([song.num])
}

/** Removes a song and its artist if they came with tracks, and no track is left. */
export function forgetSongOf(
  { store, artists }: Pick<SongRoom, 'store' | 'artists'>,
  songId: string,
): void {
  const { removed, artist } = store.removeUnused(songId)
  if (!removed) songChanged({ store, artists }, songId)
  if (artist !== null) artists.removeUnused(artist)
}

/**
 * The song with the ids or names of the tags. A song with fingerprints would have been recognised by
 * its sound, so its names do not count.
 */
function named(context: Context, track: AnalyzedTrack, { heard }: TrackSound): number | undefined {
  const query: SongQuery = { duration: track.duration }
  if (track.title !== null) query.songName = track.title
  if (track.artist !== null) query.artistName = track.artist
  if (track.release !== null) query.release = track.release
  if (track.isrc.length > 0) query.isrc = track.isrc.map(isrcKey)
  if (track.musicbrainzId !== null) query.musicbrainzId = track.musicbrainzId.toLowerCase()
  // Many songs share a title.
  if (query.artistName === undefined) delete query.songName
  const match = matchSong(context, query)
  if (!match) return undefined
  const isIt = tagged({
    byId: match.by === 'id',
    // Without a search by sound, a song with fingerprints could not have been recognised.
    indexed: heard !== undefined && context.recordings.holdsAny(match.songId),
    lengths: lengthsOf(track.duration, context.store.byNum(match.num)?.songDuration),
  })
  return isIt ? match.num : undefined
}

function factsOf(context: Context, track: AnalyzedTrack): SongFacts {
  const { title, artist: name, release, duration, year } = track
  const facts = { title: title ?? '', release, duration, year, hotttnesss: null, songType: null }
  if (name === null) return { ...facts, artist: null, credit: null }
  const { artist, made } = artistOf(
    { store: context.artists, now: context.now },
    { name, foreignIds: artistIdsOf(track) },
    false,
  )
  if (made) context.artists.index([artist.num])
  const credit = nameKey(name) === nameKey(artist.name) ? null : name
  return { ...facts, artist: artist.num, credit }
}

function artistIdsOf({ artist, musicbrainzArtistId }: AnalyzedTrack): ForeignRef[] {
  // With several artists, it is not known which one has the id.
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

function addTerms({ artists }: Context, num: number, track: AnalyzedTrack): void {
  for (const term of termsOf(track)) artists.terms.addToSong(num, { ...term, weight: 1 })
}

/** The terms of a track: genres as styles, and moods. `Hip-Hop/Rap` is two genres. */
function termsOf({ genres, moods }: AnalyzedTrack): { name: string; kinds: number }[] {
  const terms = (tags: readonly string[], kinds: number) => {
    const names = tags.flatMap((tag) => tag.split(/[;,/|]/)).map(termKey)
    return [...new Set(names.filter((one) => one !== ''))].map((name) => ({ name, kinds }))
  }
  return [...terms(genres, KIND.style), ...terms(moods, KIND.mood)]
}

/** The name of the file, for tracks without a title tag. */
function titleOf({ path }: AnalyzedTrack): string {
  return path === null ? '' : basename(path, extname(path))
}
