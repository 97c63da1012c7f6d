import { fileURLToPath } from 'node:url'
import { findArtist } from '../artist/find-artist.ts'
import { matchArtist } from '../artist/match.ts'
import { songsOfCode } from '../song/by-code.ts'
import { findSong, findSongOfTrack } from '../song/find-song.ts'
import { matchSong } from '../song/match.ts'
import { register } from '../track/upload.ts'
import { DatabaseError } from '../values/errors.ts'
import { known } from '../values/known.ts'
import type { Details, Identity } from './identity.ts'
import { type CatalogType, codeOf } from './item.ts'
import type { ItemRow } from './item-store.ts'
import type { CatalogRoom } from './room.ts'

export interface Resolution {
  song: number | null
  artist: number | null
  /** The track that is the item's, or is being analysed for it. */
  trackId: string | null
  infos: string[]
}

/** The service's message for an item that it cannot identify. */
const UNRESOLVED = "couldn't resolve item"

function nothing(...infos: string[]): Resolution {
  return { song: null, artist: null, trackId: null, infos }
}

function unknown(kind: 'artist' | 'song' | 'track', id: string): Resolution {
  return nothing(`lookup failed: there is no ${kind} ${JSON.stringify(id)}`)
}

/**
 * Finds the song, or the artist, of an item, by reading only; returns a function that does it if a
 * fingerprint or a file must be waited for. `analyze`: the item's local file may be analysed.
 */
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
  const named = byNames(room, identity, details)
  // Most items are resolved by their names, without waiting for anything.
  if (identity.fpCode == null && path === undefined) {
    const own = item.trackId === null ? undefined : findSongOfTrack(room.song, item.trackId)
    return named.song === null && own !== undefined ? resolvedTo(room, own) : named
  }
  return () => bySound(room, { identity, path, named }, signal)
}

function resolveArtist({ artist }: CatalogRoom, { artistId, artistName }: Identity): Resolution {
  if (artistId != null) {
    const row = findArtist(artist, artistId.trim())
    return row ? { ...nothing(), artist: row.num } : unknown('artist', artistId)
  }
  const found = artistName == null ? undefined : matchArtist(artist.store, artistName)
  return found ? { ...nothing(), artist: found.num } : nothing(UNRESOLVED)
}

/**
 * Finds a song by a fingerprint and by the sound of a file. The fingerprint decides first; then the
 * sound, if its song is certain; then the names; then the sound.
 */
async function bySound(
  room: CatalogRoom,
  { identity, path, named }: { identity: Identity; path: string | undefined; named: Resolution },
  signal: AbortSignal,
): Promise<Resolution> {
  const file = path === undefined ? undefined : await songOfFile(room, path, signal)
  const trackId = file?.trackId ?? named.trackId
  const coded = await songOfCode(room, identity, signal)
  const isSoundFirst =
    file?.song !== undefined && (named.song === null || isCertain(room, file.song))
  const heard = coded ?? (isSoundFirst ? file.song : undefined)
  const infos = file?.infos ?? []
  if (heard !== undefined) {
    if (named.song !== null && named.song !== heard) infos.unshift(conflict(room, named.song))
    return { ...resolvedTo(room, heard), trackId, infos }
  }
  // Names that find nothing are no fault while the file is being analysed.
  const isAnalysed = named.song === null && file?.trackId != null
  return { ...named, trackId, infos: isAnalysed ? infos : [...named.infos, ...infos] }
}

function conflict({ song }: CatalogRoom, named: number): string {
  const { id, title } = song.store.byNum(named) ?? { id: '', title: '' }
  return `conflict: the rest of the item names ${JSON.stringify(title)} (${id}); the fingerprint wins`
}

async function songOfFile(
  room: CatalogRoom,
  path: string,
  signal: AbortSignal,
): Promise<{ trackId: string | null; song: number | undefined; infos: string[] }> {
  try {
    const { track } = await register(room.track, { file: path }, signal)
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

/** Whether a song was imported, and is not known by the user's own recordings alone. */
export function isCertain({ song }: CatalogRoom, num: number): boolean {
  return (song.store.byNum(num)?.imported ?? 0) !== 0
}

async function songOfCode(
  { song }: CatalogRoom,
  { fpCode, songName, artistName }: Identity,
  signal: AbortSignal,
): Promise<number | undefined> {
  if (fpCode == null) return undefined
  const query = { ...codeOf(fpCode), title: songName, artist: artistName }
  const found = await songsOfCode(song, query, signal)
  // A catalog has no songs of references.
  const best = found.find(({ reference }) => reference === undefined)
  return best && song.store.numOf(best.songId)
}

function byNames(room: CatalogRoom, identity: Identity, { release }: Details): Resolution {
  const { songId, trackId, songName, artistId, artistName } = identity
  if (songId != null) {
    const song = findSong(room.song, songId.trim())
    return song === undefined ? unknown('song', songId) : resolvedTo(room, song)
  }
  if (trackId != null) {
    const id = trackId.trim()
    const song = findSongOfTrack(room.song, id)
    const own = room.track.store.byId(id) ? id : null
    if (song !== undefined) return { ...resolvedTo(room, song), trackId: own }
    // The song of a track is known after its analysis.
    return own === null ? unknown('track', trackId) : { ...nothing(), trackId: own }
  }
  if (songName == null) return nothing(UNRESOLVED)
  const artist = artistId == null ? undefined : findArtist(room.artist, artistId.trim())
  if (artistId != null && !artist) return unknown('artist', artistId)
  const query = known({ songName, artistName, artist: artist?.num, release })
  const found = matchSong(room.song, query)
  return found ? { ...nothing(), song: found.num, artist: found.artist } : nothing(UNRESOLVED)
}

function resolvedTo({ song: { store } }: CatalogRoom, song: number): Resolution {
  return { ...nothing(), song, artist: store.artistOf(song) ?? null }
}

/** The path of a local file; `undefined` for other addresses. */
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
