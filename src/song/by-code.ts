import { artistKey, nameKey } from '../naming/names.ts'
import { lengthsOf, type Names } from '../recognition/evidence.ts'
import type { Recognized } from '../recognition/recognize.ts'
import { decodeCode } from '../recognition/systems/decode-code.ts'
import { splitBuckets } from './buckets.ts'
import { storesOf } from './find-song.ts'
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

/** Those with equal names first; none if the code string cannot be decoded. */
export async function songsOfCode(
  context: SongRoom,
  query: CodeQuery,
  signal: AbortSignal,
): Promise<Recognized[]> {
  const decoded = decodeCode(query.code, query.version)
  if (decoded.codes === undefined) return []
  const { family, codes } = decoded
  const addEvidence = (song: Recognized) => withNameEvidence(context, song, query, signal)
  const songs = await context.recognizer.byCodes(family, codes, signal, addEvidence)
  return songs.sort((a, b) => countEqualNames(b) - countEqualNames(a))
}

function countEqualNames({ evidence: { names } }: Recognized): number {
  return Number(names.title ?? false) + Number(names.artist ?? false)
}

async function withNameEvidence(
  context: SongRoom,
  { songId, reference, evidence }: Recognized,
  { title, artist, length }: CodeQuery,
  signal: AbortSignal,
): Promise<Recognized> {
  const song = await readNames(context, { songId, reference }, signal)
  const names: Names = {}
  if (title && song) names.title = nameKey(title) === nameKey(song.title)
  if (artist && song?.artistName != null) {
    names.artist = artistKey(artist) === artistKey(song.artistName)
  }
  const lengths = lengthsOf(length, song?.songDuration ?? evidence.lengths.recording)
  return { songId, reference, evidence: { ...evidence, names, lengths } }
}

/** And the length in its record. */
async function readNames(
  context: SongRoom,
  { songId, reference }: Pick<Recognized, 'songId' | 'reference'>,
  signal: AbortSignal,
): Promise<Pick<SongRow, 'title' | 'artistName' | 'songDuration'> | undefined> {
  const served = reference === undefined ? undefined : context.served.get(reference)
  if (!served) return storesOf(context, reference).store.byId(songId)
  const [servedSong] = await servedSongs(
    context,
    served,
    { ids: [songId] },
    splitBuckets([]),
    signal,
  )
  if (!servedSong) return undefined
  const { title, artistName = null } = servedSong.song
  return { title, artistName, songDuration: servedSong.length }
}
