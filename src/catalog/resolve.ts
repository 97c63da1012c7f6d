import { fileURLToPath } from 'node:url'
import { findArtist } from '../artist/find-artist.ts'
import { matchArtist } from '../artist/match.ts'
import { songsOfCode } from '../song/by-code.ts'
import { findSong, findSongOfTrack } from '../song/find-song.ts'
import { matchSong } from '../song/match.ts'
import { registerInput } from '../track/upload.ts'
import { DatabaseError } from '../values/errors.ts'
import { known } from '../values/known.ts'
import type { Details, Identity } from './identity.ts'
import { type CatalogType, fpCodeParts } from './item.ts'
import type { ItemRow } from './item-store.ts'
import type { CatalogRoom } from './room.ts'

export interface Resolution {
  song: number | null
  artist: number | null
  /** The item's, or being analysed for it. */
  trackId: string | null
  infos: string[]
}

/** The old service's message. */
const UNRESOLVED = "couldn't resolve item"

function unresolved(...infos: string[]): Resolution {
  return { song: null, artist: null, trackId: null, infos: infos }
}

function unknownId(kind: 'artist' | 'song' | 'track', id: string): Resolution {
  return unresolved(`lookup failed: there is no ${kind} ${JSON.stringify(id)}`)
}

/** By reading only; a function does it if a fingerprint or a file must be waited for. */
export function resolveItem(
  room: CatalogRoom,
  type: CatalogType,
  item: Pick<ItemRow, 'identity' | 'details' | 'trackId'>,
  analyze: boolean,
  signal: AbortSignal,
): Resolution | (() => Promise<Resolution>) {
  const identity = JSON.parse(item.identity) as Identity
  if (type === 'artist') return resolveArtist(room, identity)
  const details = JSON.parse(item.details) as Details
  const path = analyze && details.url != null ? localPath(details.url.trim()) : undefined
  const resolutionByNames = resolveByNames(room, identity, details)
  // Most items are resolved by their names, without waiting.
  if (identity.fpCode == null && path === undefined) {
    const songOfTrack = item.trackId === null ? undefined : findSongOfTrack(room.song, item.trackId)
    return resolutionByNames.song === null && songOfTrack !== undefined
      ? resolvedTo(room, songOfTrack)
      : resolutionByNames
  }
  return () => resolveBySound(room, { identity, path, named: resolutionByNames }, signal)
}

function resolveArtist({ artist }: CatalogRoom, { artistId, artistName }: Identity): Resolution {
  if (artistId != null) {
    const row = findArtist(artist, artistId.trim())
    return row ? { ...unresolved(), artist: row.num } : unknownId('artist', artistId)
  }
  const match = artistName == null ? undefined : matchArtist(artist.store, artistName)
  return match ? { ...unresolved(), artist: match.num } : unresolved(UNRESOLVED)
}

/** The fingerprint decides first, then the sound of a certain song, the names, the sound. */
async function resolveBySound(
  room: CatalogRoom,
  { identity, path, named }: { identity: Identity; path: string | undefined; named: Resolution },
  signal: AbortSignal,
): Promise<Resolution> {
  const file = path === undefined ? undefined : await songOfFile(room, path, signal)
  const trackId = file?.trackId ?? named.trackId
  const songByCode = await songOfCode(room, identity, signal)
  const isSoundFirst =
    file?.song !== undefined && (named.song === null || isCertain(room, file.song))
  const songBySound = songByCode ?? (isSoundFirst ? file.song : undefined)
  const infos = file?.infos ?? []
  if (songBySound !== undefined) {
    if (named.song !== null && named.song !== songBySound)
      infos.unshift(conflictInfo(room, named.song))
    return { ...resolvedTo(room, songBySound), trackId, infos }
  }
  // Names that find nothing are no fault while the file is being analysed.
  const isAnalysed = named.song === null && file?.trackId != null
  return { ...named, trackId, infos: isAnalysed ? infos : [...named.infos, ...infos] }
}

function conflictInfo({ song }: CatalogRoom, namedSong: number): string {
  const { id, title } = song.store.byNum(namedSong) ?? { id: '', title: '' }
  return `conflict: the rest of the item names ${JSON.stringify(title)} (${id}); the fingerprint wins`
}

async function songOfFile(
  room: CatalogRoom,
  path: string,
  signal: AbortSignal,
): Promise<{ trackId: string | null; song: number | undefined; infos: string[] }> {
  try {
    const { track } = await registerInput(room.track, { file: path }, signal)
    const trackId = track.id
    return { trackId, song: findSongOfTrack(room.song, trackId), infos: [] }
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof Error) || isOfDatabase(error)) throw error
    return { trackId: null, song: undefined, infos: [`lookup failed: ${error.message}`] }
  }
}

export function isOfDatabase(error: Error): boolean {
  return error instanceof DatabaseError || error.name === 'SqliteError'
}

/** Imported, and not known by the user's own recordings alone. */
export function isCertain({ song }: CatalogRoom, num: number): boolean {
  return (song.store.byNum(num)?.imported ?? 0) !== 0
}

async function songOfCode(
  { song }: CatalogRoom,
  { fpCode, songName, artistName }: Identity,
  signal: AbortSignal,
): Promise<number | undefined> {
  if (fpCode == null) return undefined
  const query = { ...fpCodeParts(fpCode), title: songName, artist: artistName }
  const matchingSongs = await songsOfCode(song, query, signal)
  // A catalog has no songs of references.
  const bestMatch = matchingSongs.find(({ reference }) => reference === undefined)
  return bestMatch && song.store.numOf(bestMatch.songId)
}

function resolveByNames(room: CatalogRoom, identity: Identity, { release }: Details): Resolution {
  const { songId, trackId, songName, artistId, artistName } = identity
  if (songId != null) {
    const song = findSong(room.song, songId.trim())
    return song === undefined ? unknownId('song', songId) : resolvedTo(room, song)
  }
  if (trackId != null) {
    const id = trackId.trim()
    const song = findSongOfTrack(room.song, id)
    const ownTrackId = room.track.store.byId(id) ? id : null
    if (song !== undefined) return { ...resolvedTo(room, song), trackId: ownTrackId }
    // The song of a track is known after its analysis.
    return ownTrackId === null
      ? unknownId('track', trackId)
      : { ...unresolved(), trackId: ownTrackId }
  }
  if (songName == null) return unresolved(UNRESOLVED)
  const artist = artistId == null ? undefined : findArtist(room.artist, artistId.trim())
  if (artistId != null && !artist) return unknownId('artist', artistId)
  const query = known({ songName, artistName, artist: artist?.num, release })
  const match = matchSong(room.song, query)
  return match ? { ...unresolved(), song: match.num, artist: match.artist } : unresolved(UNRESOLVED)
}

function resolvedTo({ song: { store } }: CatalogRoom, song: number): Resolution {
  return { ...unresolved(), song, artist: store.artistOf(song) ?? null }
}

function localPath(url: string): string | undefined {
  if (/^file:/i.test(url)) {
    try {
      return fileURLToPath(url)
    } catch {
      return undefined
    }
  }
  // One letter before the colon is a drive.
  return /^[a-z][a-z0-9+.-]+:/i.test(url) ? undefined : url
}
