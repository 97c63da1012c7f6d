import { basename, extname } from 'node:path'
import { moodsOf } from '../analysis/summary/moods.ts'
import { type ForeignRef, findOrAddArtist } from '../artist/apply-record.ts'
import { TERM_KINDS, termKey } from '../artist/terms.ts'
import { nameKey } from '../naming/names.ts'
import { lengthsOf } from '../recognition/evidence.ts'
import { enqueuePacking } from '../recognition/index/pack-job.ts'
import { type Fingerprints, indexRecording } from '../recognition/recording-store.ts'
import { FINGERPRINT_VERSION } from '../recognition/systems/version.ts'
import { isTaggedSong } from '../recognition/verdict.ts'
import { newId } from '../values/ids.ts'
import { known } from '../values/known.ts'
import { matchSong } from './match.ts'
import { isrcKey } from './record.ts'
import type { SongRoom } from './room.ts'
import type { SongFacts } from './store.ts'

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
    (heard === undefined ? undefined : store.numOf(heard)) ?? byTags(context, track, sound)
  const facts = factsOf(context, track)
  const now = context.now()
  const named = { ...facts, title: facts.title || titleOf(track) }
  const num = known ?? store.add(track.songId ?? newId('song', now), named, 0, now)
  if (known !== undefined) store.fillIn(num, facts)
  for (const { catalog, foreignId } of idsOf(track)) store.ids.add(catalog, foreignId, num)
  addTerms(context, num, track)
  const songId = store.idOf(num)
  const { id: trackId, duration } = track
  const made = { fingerprintVersion: FINGERPRINT_VERSION, codeMd5: null }
  indexRecording(recordings, { songId, trackId, duration, ...made }, sound.fingerprints)
  enqueuePacking(context)
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
function byTags(context: Context, track: AnalyzedTrack, { heard }: TrackSound): number | undefined {
  const { artist, title, release, duration, isrc, musicbrainzId } = track
  // Many songs share a title.
  const songName = artist === null ? null : title
  const query = { songName, artistName: artist, release, duration, isrc: [...isrc], musicbrainzId }
  const match = matchSong(context, known(query))
  if (!match) return undefined
  const isIt = isTaggedSong({
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
  const { artist, made } = findOrAddArtist(
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
  return [...terms(genres, TERM_KINDS.style), ...terms(moods, TERM_KINDS.mood)]
}

function titleOf({ path }: AnalyzedTrack): string {
  return path === null ? '' : basename(path, extname(path))
}
