import { artistKey, nameKey } from '../naming/names.ts'
import { lengthsOf, type Names } from '../recognition/evidence.ts'
import type { Recognized } from '../recognition/recognize.ts'
import { decodeCode } from '../recognition/systems/decode-code.ts'
import { placeOf } from './place.ts'
import type { SongRoom } from './room.ts'

/** A code string, and what else is said of the recording. */
export interface CodeQuery {
  code: string
  version: string | number
  title?: string | null | undefined
  artist?: string | null | undefined
  /** Seconds. */
  length?: number | null | undefined
}

/**
 * The songs that a code string is of, those first whose names agree; none if it cannot be decoded.
 *
 * @throws the signal's reason when it aborts before the end
 */
export async function songsOfCode(
  context: Pick<SongRoom, 'recognizer' | 'store' | 'artists' | 'referenced'>,
  query: CodeQuery,
  signal: AbortSignal,
): Promise<Recognized[]> {
  const decoded = decodeCode(query.code, query.version)
  if (decoded.codes === undefined) return []
  const { family, codes } = decoded
  const withNames = (found: Recognized) => named(context, found, query)
  const songs = await context.recognizer.byCodes(family, codes, signal, withNames)
  return songs.sort((a, b) => agreeing(b) - agreeing(a))
}

/** How many of title and artist agree. */
function agreeing({ evidence: { names } }: Recognized): number {
  return Number(names.title ?? false) + Number(names.artist ?? false)
}

/** Adds to the evidence what is said besides the code. */
function named(
  context: Pick<SongRoom, 'store' | 'artists' | 'referenced'>,
  { songId, reference, evidence }: Recognized,
  { title, artist, length }: CodeQuery,
): Recognized {
  const song = placeOf(context, reference).store.byId(songId)
  const names: Names = {}
  if (title && song) names.title = nameKey(title) === nameKey(song.title)
  if (artist && song?.artistName != null) {
    names.artist = artistKey(artist) === artistKey(song.artistName)
  }
  const lengths = lengthsOf(length, song?.songDuration ?? evidence.lengths.recording)
  return { songId, reference, evidence: { ...evidence, names, lengths } }
}
