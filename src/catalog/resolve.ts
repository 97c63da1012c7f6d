import { fileURLToPath } from 'node:url'
import { findArtist } from '../artist/find-artist.ts'
import { matchArtist } from '../artist/match.ts'
import { DatabaseError } from '../errors.ts'
import { decodeCode } from '../fingerprint/decode-code.ts'
import { findSong, findSongOfTrack } from '../song/find-song.ts'
import { matchSong, type SongQuery } from '../song/match.ts'
import { register } from '../track/upload.ts'
import type { Details, Identity } from './identity.ts'
import { type CatalogType, codeOf, type Item } from './item.ts'
import type { CatalogRoom } from './room.ts'
import type { ItemRow } from './store.ts'

/** What an item was resolved to. */
export interface Resolution {
  /** Numbers; `null` where nothing was found. */
  song: number | null
  artist: number | null
  /** The track that is being analysed for it. */
  trackId: string | null
  /** What there is to be said of it. */
  infos: string[]
}

const NOTHING: Resolution = { song: null, artist: null, trackId: null, infos: [] }

/** The service's words for an item that is like nothing it knows. */
const UNRESOLVED = "couldn't resolve item"

/** Finds the song, or the artist, that an item names; `analyze`: its file may be listened to. */
export function resolveItem(
  context: CatalogRoom,
  type: CatalogType,
  item: Pick<ItemRow, 'identity' | 'details' | 'trackId'>,
  analyze: boolean,
  signal: AbortSignal,
): Resolution | Promise<Resolution> {
  const identity = JSON.parse(item.identity) as Identity
  if (type === 'artist') return resolveArtist(context, identity)
  const details = JSON.parse(item.details) as Details
  const path = analyze && details.url != null ? localPath(details.url.trim()) : undefined
  const named = byFields(context, identity, details)
  // Most items name their song: those are done without waiting for anything.
  if (identity.fpCode == null && path === undefined) {
    const own = item.trackId === null ? undefined : songOfTrack(context, item.trackId)
    return named.song === null && own !== undefined ? resolvedTo(context, own) : named
  }
  return resolveSound(context, { fpCode: identity.fpCode, path, named }, signal)
}

function resolveArtist(context: CatalogRoom, { artistId, artistName }: Identity): Resolution {
  const { store } = context.artist
  if (artistId != null) {
    const id = findArtist(context.artist, artistId.trim())
    const row = id === undefined ? undefined : store.byId(id)
    return row
      ? { ...NOTHING, artist: row.num }
      : { ...NOTHING, infos: [`lookup failed: there is no artist ${JSON.stringify(artistId)}`] }
  }
  const found = artistName == null ? undefined : matchArtist({ store }, { artistName })
  return found ? { ...NOTHING, artist: found.num } : { ...NOTHING, infos: [UNRESOLVED] }
}

/**
 * A fingerprint has the highest authority. The sound of the file itself comes before what is named
 * if it is of a song that is known otherwise too, else after it.
 */
async function resolveSound(
  context: CatalogRoom,
  sound: {
    fpCode: Identity['fpCode'] | undefined
    path: string | undefined
    named: Resolution
  },
  signal: AbortSignal,
): Promise<Resolution> {
  const { fpCode, path, named } = sound
  const file = path === undefined ? undefined : await listenTo(context, path, signal)
  const trackId = file?.trackId ?? named.trackId
  const code = fpCode == null ? undefined : await songOfCode(context, fpCode, signal)
  const heard =
    code ??
    (file?.song !== undefined && (named.song === null || isCertain(context, file.song))
      ? file.song
      : undefined)
  if (heard !== undefined) {
    const infos = file?.infos ?? []
    if (named.song !== null && named.song !== heard) infos.unshift(conflict(context, named.song))
    return { ...resolvedTo(context, heard), trackId, infos }
  }
  if (file === undefined) return named
  // What names nothing else is not to blame while its file is listened to.
  const infos = file.trackId === null || named.song !== null ? named.infos : []
  return { ...named, trackId, infos: [...infos, ...file.infos] }
}

function conflict({ song }: CatalogRoom, named: number): string {
  const { id, title } = song.store.byNum(named) ?? { id: '', title: '' }
  return `conflict: the rest of the item names ${JSON.stringify(title)} (${id}); the fingerprint wins`
}

/** The track of a file of the user's own, and its song once it has been analysed. */
async function listenTo(
  context: CatalogRoom,
  path: string,
  signal: AbortSignal,
): Promise<{ trackId: string | null; song: number | undefined; infos: string[] }> {
  try {
    const { id: trackId } = await register(context.track, { file: path }, signal)
    return { trackId, song: songOfTrack(context, trackId), infos: [] }
  } catch (error) {
    signal.throwIfAborted()
    const { name, message } = error as Error
    if (error instanceof DatabaseError || name === 'SqliteError') throw error
    const info = `lookup failed: ${message}`
    return { trackId: null, song: undefined, infos: [info] }
  }
}

/** Whether a song is known otherwise than by the user's own recordings of it. */
export function isCertain({ song }: CatalogRoom, num: number): boolean {
  return (song.store.byNum(num)?.imported ?? 0) !== 0
}

async function songOfCode(
  { song }: CatalogRoom,
  fpCode: NonNullable<Item['fpCode']>,
  signal: AbortSignal,
): Promise<number | undefined> {
  const { code, version } = codeOf(fpCode)
  const decoded = decodeCode(code, version)
  if (decoded.codes === undefined) return undefined
  const [best] = await song.recognizer.byCodes(decoded.family, decoded.codes, signal)
  return best && song.store.numOf(best.songId)
}

function byFields(context: CatalogRoom, identity: Identity, details: Details): Resolution {
  const { songId, trackId, songName, artistId, artistName } = identity
  if (songId != null) {
    const id = findSong(context.song, songId.trim())
    return id === undefined
      ? { ...NOTHING, infos: [`lookup failed: there is no song ${JSON.stringify(songId)}`] }
      : resolvedTo(context, context.song.store.numOf(id))
  }
  if (trackId != null) {
    const id = trackId.trim()
    const song = songOfTrack(context, id)
    if (song !== undefined) return { ...resolvedTo(context, song), trackId: ownTrack(context, id) }
    const own = ownTrack(context, id)
    // Its song is known when it has been analysed.
    if (own !== null) return { ...NOTHING, trackId: own }
    return { ...NOTHING, infos: [`lookup failed: there is no track ${JSON.stringify(trackId)}`] }
  }
  if (songName == null) return { ...NOTHING, infos: [UNRESOLVED] }
  const query: SongQuery = { songName }
  if (artistName != null) query.artistName = artistName
  if (artistId != null) {
    const id = findArtist(context.artist, artistId.trim())
    if (id === undefined) {
      return {
        ...NOTHING,
        infos: [`lookup failed: there is no artist ${JSON.stringify(artistId)}`],
      }
    }
    query.artistId = id
  }
  if (details.release != null) query.release = details.release
  const found = matchSong(context.song, query)
  return found ? resolvedTo(context, found.num) : { ...NOTHING, infos: [UNRESOLVED] }
}

function resolvedTo({ song: { store } }: CatalogRoom, num: number | undefined): Resolution {
  if (num === undefined) return NOTHING
  return { ...NOTHING, song: num, artist: store.artistOf(num) ?? null }
}

/** The song that a track is of, as far as it is known. */
export function songOfTrack({ song }: CatalogRoom, trackId: string): number | undefined {
  const id = findSongOfTrack(song, trackId)
  return id === undefined ? undefined : song.store.numOf(id)
}

function ownTrack({ track }: CatalogRoom, trackId: string): string | null {
  return track.store.byId(trackId) ? trackId : null
}

/** The path of a file of the user's own; `undefined` for what is elsewhere. */
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
