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
  /** Of the recording and of its artist. */
  musicbrainzId: string | null
  musicbrainzArtistId: string | null
  path: string | null
  /** Seconds. */
  duration: number
}

export interface TrackSound {
  /** Absent where the sound is not known. */
  heard?: () => string | undefined
  fingerprints: Fingerprints
}

type TrackContext = Pick<
  SongRoom,
  'store' | 'artists' | 'recordings' | 'recognizer' | 'enqueue' | 'now' | 'ownTracks'
>

/**
 * Called in the transaction that completes the analysis.
 * The song is that of the same sound, one without fingerprints by ids or names and length, or a new
 * one.
 */
export function songOfTrack(
  context: TrackContext,
  track: AnalyzedTrack,
  sound: TrackSound,
): string {
  const { store, recordings } = context
  // An earlier analysis may have added other fingerprints.
  recordings.removeByTrack(track.id)
  const heardSongId = track.songId ?? sound.heard?.()
  const knownNum =
    (heardSongId === undefined ? undefined : store.numOf(heardSongId)) ??
    findByTags(context, track, sound)
  const facts = trackFacts(context, track)
  const now = context.now()
  const titledFacts = { ...facts, title: facts.title || titleOfFile(track) }
  const num = knownNum ?? store.addSong(track.songId ?? newId('song', now), titledFacts, 0, now)
  if (knownNum !== undefined) store.fillIn(num, facts)
  for (const { catalog, foreignId } of idsOf(track)) store.ids.add(catalog, foreignId, num)
  addTerms(context, num, track)
  const songId = store.idOf(num)
  const { id: trackId, duration } = track
  const origin = { fingerprintVersion: FINGERPRINT_VERSION, codeMd5: null }
  indexRecording(recordings, { songId, trackId, duration, ...origin }, sound.fingerprints)
  enqueuePacking(context)
  return songId
}

/**
 * Called in the transaction that changes the tags.
 * A song without an import takes the names of its first track; an imported one gets missing values.
 * @param oldTrack - the track with its old tags
 */
export function followTags(
  context: TrackContext,
  track: AnalyzedTrack,
  oldTrack: AnalyzedTrack,
): void {
  const { store, artists, ownTracks } = context
  const row = track.songId === null ? undefined : store.byId(track.songId)
  if (!row) return
  const { num: song, artistNum } = row
  const facts = trackFacts(context, track)
  if (row.imported === 0 && row.trackId === track.id) {
    for (const id of idsOf(oldTrack)) ownTracks.removeId({ song, ...id })
    for (const { name } of tagTermsOf(oldTrack)) ownTracks.removeTerm({ song, name })
    const { hotttnesss: _, songType: __, ...nameFacts } = facts
    const title = facts.title || titleOfFile(track)
    ownTracks.setFacts({ num: song, ...nameFacts, title, titleKey: nameKey(title) })
    if (artistNum !== null && artistNum !== facts.artist) artists.removeUnused(artistNum)
  } else store.fillIn(song, facts)
  for (const { catalog, foreignId } of idsOf(track)) store.ids.add(catalog, foreignId, song)
  addTerms(context, song, track)
  songChanged(context, row.id)
}

/** The search index and the derived moods of a song whose tracks changed. */
export function songChanged(
  { store, artists }: Pick<SongRoom, 'store' | 'artists'>,
  songId: string,
): void {
  const song = store.byId(songId)
  if (!song) return
  const ownSound = song.trackId === null ? { energy: null, valence: null } : song
  artists.terms.setDerivedMoods(song.num, moodsOf(ownSound))
  store.updateIndex([song.num])
}

/** Only if they came with tracks, and no track is left. */
export function forgetSongOf(
  { store, artists }: Pick<SongRoom, 'store' | 'artists'>,
  songId: string,
): void {
  const { removed, artist } = store.removeUnused(songId)
  if (!removed) songChanged({ store, artists }, songId)
  if (artist !== null) artists.removeUnused(artist)
}

/** A song with fingerprints would have been recognised by its sound, so its names do not count. */
function findByTags(
  context: TrackContext,
  track: AnalyzedTrack,
  { heard }: TrackSound,
): number | undefined {
  const { artist, title, release, duration, isrc, musicbrainzId } = track
  // Many songs share a title.
  const songName = artist === null ? null : title
  const query = { songName, artistName: artist, release, duration, isrc: [...isrc], musicbrainzId }
  const match = matchSong(context, known(query))
  if (!match) return undefined
  const isAccepted = isTaggedSong({
    byId: match.by === 'id',
    // Without a search by sound, a song with fingerprints could not have been recognised.
    indexed: heard !== undefined && context.recordings.holdsAny(match.songId),
    lengths: lengthsOf(track.duration, context.store.byNum(match.num)?.songDuration),
  })
  return isAccepted ? match.num : undefined
}

function trackFacts(context: TrackContext, track: AnalyzedTrack): SongFacts {
  const { title, artist: name, release, duration, year } = track
  const facts = { title: title ?? '', release, duration, year, hotttnesss: null, songType: null }
  if (name === null) return { ...facts, artist: null, credit: null }
  const { artist, made: isNew } = findOrAddArtist(
    { store: context.artists, now: context.now },
    { name, foreignIds: artistIdsOf(track) },
    false,
  )
  if (isNew) context.artists.updateIndex([artist.num])
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
  const ids = isrc.map((code) => ({ catalog: 'isrc', foreignId: isrcKey(code) }))
  if (musicbrainzId !== null) {
    ids.push({ catalog: 'musicbrainz', foreignId: musicbrainzId.toLowerCase() })
  }
  return ids
}

function addTerms({ artists }: TrackContext, num: number, track: AnalyzedTrack): void {
  for (const term of tagTermsOf(track)) artists.terms.addToSong(num, { ...term, weight: 1 })
}

/** `Hip-Hop/Rap` is two genres. */
function tagTermsOf({ genres, moods }: AnalyzedTrack): { name: string; kinds: number }[] {
  const toTerms = (tags: readonly string[], kinds: number) => {
    const names = tags.flatMap((tag) => tag.split(/[;,/|]/)).map(termKey)
    return [...new Set(names.filter((name) => name !== ''))].map((name) => ({ name, kinds }))
  }
  return [...toTerms(genres, TERM_KINDS.style), ...toTerms(moods, TERM_KINDS.mood)]
}

function titleOfFile({ path }: AnalyzedTrack): string {
  return path === null ? '' : basename(path, extname(path))
}
