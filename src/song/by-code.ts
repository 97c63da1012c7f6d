import { artistKey, nameKey } from '../naming/names.ts'
import { lengthsOf, type Names } from '../recognition/evidence.ts'
import type { Recognized } from '../recognition/recognize.ts'
import { decodeCode } from '../recognition/systems/decode-code.ts'
import { split } from './buckets.ts'
import { placeOf } from './find-song.ts'
import type { SongRoom } from './room.ts'
import { servedSongs } from './served-songs.ts'
import type { SongRow } from './store.ts'

export interface CodeQuery {
  code: string
  version: string | number
  title?: string | null | undefined
  artist?: string | null | undefined
  /** Seconds. */
  length?: number | null | undefined
}

/** The songs of a code string, those with equal names first; none if it cannot be decoded. */
export async function songsOfCode(
  context: SongRoom,
  query: CodeQuery,
  signal: AbortSignal,
): Promise<Recognized[]> {
  const decoded = decodeCode(query.code, query.version)
  if (decoded.codes === undefined) return []
  const { family, codes } = decoded
  const withNames = (found: Recognized) => named(context, found, query, signal)
  const songs = await context.recognizer.byCodes(family, codes, signal, withNames)
  return songs.sort((a, b) => agreeing(b) - agreeing(a))
}

function agreeing({ evidence: { names } }: Recognized): number {
  return Number(names.title ?? false) + Number(names.artist ?? false)
}

async function named(
  context: SongRoom,
  { songId, reference, evidence }: Recognized,
  { title, artist, length }: CodeQuery,
  signal: AbortSignal,
): Promise<Recognized> {
  const song = await namesOf(context, { songId, reference }, signal)
  const names: Names = {}
  if (title && song) names.title = nameKey(title) === nameKey(song.title)
  if (artist && song?.artistName != null) {
    names.artist = artistKey(artist) === artistKey(song.artistName)
  }
  const lengths = lengthsOf(length, song?.songDuration ?? evidence.lengths.recording)
  return { songId, reference, evidence: { ...evidence, names, lengths } }
}

/** The names of a song, and the length in its record. */
async function namesOf(
  context: SongRoom,
  { songId, reference }: Pick<Recognized, 'songId' | 'reference'>,
  signal: AbortSignal,
): Promise<Pick<SongRow, 'title' | 'artistName' | 'songDuration'> | undefined> {
  const served = reference === undefined ? undefined : context.served.get(reference)
  if (!served) return placeOf(context, reference).store.byId(songId)
  const [found] = await servedSongs(context, served, { ids: [songId] }, split([]), signal)
  if (!found) return undefined
  const { title, artistName = null } = found.song
  return { title, artistName, songDuration: found.length }
}
