import { parse } from 'node:path'
import { JSONParser } from '@streamparser/json'
import type { SongRecord } from '../client/songs.ts'
import { isId } from '../ids.ts'
import { bytesOf, type ImportInput, invalid } from './input.ts'

/** One entry of a dump, as echoprint-codegen and the community's dumps write it. */
interface Entry {
  code?: unknown
  error?: unknown
  metadata?: unknown
}

/**
 * Reads a dump of Echoprint code strings: the JSON array that `echoprint-codegen` prints and that
 * the community's dumps consist of, or one entry alone. Entry by entry, so that a dump of gigabytes
 * needs no more memory than its longest entry.
 *
 * An entry without a title is called by its file's name. Entries that hold an error, or no code, are
 * left out; those without an artist come as they are, and `songs.import` tells them as rejected.
 *
 * @param input - the path of a dump, or its bytes as they come; also gzipped
 * @throws {ParameterError} where the text is no JSON; what came before was yielded
 * @example
 * ```ts
 * import { fromEchoprintDump } from 'audile/import'
 *
 * await music.songs.import(fromEchoprintDump('echoprint-dump-1.json'))
 * ```
 */
export async function* fromEchoprintDump(input: ImportInput): AsyncGenerator<SongRecord, void> {
  const parser = new JSONParser({ paths: ['$.*'], keepStack: false })
  let found: Entry[] = []
  /** Where no array is around it. */
  const single: Entry = {}
  let broken: Error | undefined
  parser.onValue = ({ value, key, parent }) => {
    if (Array.isArray(parent)) {
      if (typeof value === 'object' && value !== null) found.push(value as Entry)
    } else if (key === 'code' || key === 'error' || key === 'metadata') {
      single[key] = value
    }
  }
  parser.onError = (error) => {
    broken ??= error
  }
  for await (const bytes of bytesOf(input)) {
    parser.write(bytes)
    const records = found.flatMap(recordOf)
    found = []
    yield* records
    if (broken !== undefined) throw fault(input, broken.message)
  }
  if (!parser.isEnded) throw fault(input, 'it ends in the middle, it is not whole')
  yield* recordOf(single)
}

function fault(input: ImportInput, why: string) {
  return invalid(input, `cannot be read as an Echoprint dump, a JSON array: ${why}`)
}

/** None of an entry that tells an error or has no code. */
function recordOf({ code, error, metadata: said }: Entry): SongRecord[] {
  if (typeof code !== 'string' || code === '' || error != null) return []
  const metadata = (said ?? {}) as Record<string, unknown>
  const text = (...names: string[]): string | undefined =>
    names
      .map((name) => metadata[name])
      // A title such as 1999, and many an id, comes as a number.
      .map((value) => (typeof value === 'number' ? String(value) : value))
      .find((value): value is string => typeof value === 'string' && value !== '')
  const version = metadata.version
  // The binary writes `duration`, its README says `seconds`.
  const duration = Number(metadata.duration ?? metadata.seconds)
  const trackId = text('track_id')
  const songId = text('song_id')
  // A song has many tracks: the id of the song is what is known elsewhere.
  const native = songId !== undefined && isId('song', songId)
  const id = native ? songId : (trackId ?? songId)
  const release = text('release')
  const record: SongRecord = {
    ...(id !== undefined && { id }),
    title: text('title', 'track') ?? parse(text('filename') ?? '').name,
    artistName: text('artist', 'artist_name') ?? '',
    ...(release !== undefined && { release }),
    ...(duration > 0 && duration < Number.POSITIVE_INFINITY && { duration }),
    ...(native && trackId !== undefined && { tracks: [{ id: trackId }] }),
    fingerprints: [
      {
        version: typeof version === 'number' || typeof version === 'string' ? version : 4.12,
        code,
      },
    ],
  }
  return [record]
}
