import { parse } from 'node:path'
import { JSONParser } from '@streamparser/json'
import type { SongRecord } from '../client/songs.ts'
import { isId } from '../values/ids.ts'
import { positive, recordOf, text } from './cleaning.ts'
import { bytesOf, type ImportInput, invalidInput } from './input.ts'
import { objectOf } from './rows.ts'

interface Entry {
  code?: unknown
  error?: unknown
  metadata?: unknown
}

/**
 * Reads a dump of Echoprint code strings: a JSON array, as in the output of `echoprint-codegen` and
 * in community dumps, or a single entry. It is read entry by entry; memory use depends on the
 * longest entry.
 *
 * An entry without a title gets its file name as title. Entries with an error or without a code are
 * left out; entries without an artist are yielded, and `songs.import` reports them as rejected.
 *
 * @param input - the path of a dump, or its bytes; also gzipped
 * @throws {ParameterError} when the text is not JSON; the entries before the fault are yielded first
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
  /** The entry of an input that is one object, not an array. */
  const single: Entry = {}
  let broken: Error | undefined
  const fault = (why: string) =>
    invalidInput(input, `cannot be read as an Echoprint dump, a JSON array: ${why}`)
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
    const records = found.flatMap(songsOf)
    found = []
    yield* records
    if (broken !== undefined) throw fault(broken.message)
  }
  if (!parser.isEnded) throw fault('it is cut off')
  yield* songsOf(single)
}

/** The record of an entry; none when the entry has an error or no code. */
function songsOf({ code, error, metadata: given }: Entry): SongRecord[] {
  if (typeof code !== 'string' || code === '' || error != null) return []
  const metadata = objectOf(given) ?? {}
  const first = (...names: string[]) =>
    names.map((name) => text(metadata[name])).find((value) => value !== undefined)
  const { version } = metadata
  const trackId = first('track_id')
  const songId = first('song_id')
  // A song has many tracks, so the id of the song is preferred.
  const native = songId !== undefined && isId('song', songId)
  const record = recordOf<SongRecord>({
    id: native ? songId : (trackId ?? songId),
    title: first('title', 'track') ?? parse(first('filename') ?? '').name,
    artistName: first('artist', 'artist_name') ?? '',
    release: first('release'),
    // The program writes `duration`, its README says `seconds`.
    duration: positive(metadata.duration ?? metadata.seconds),
    tracks: native && trackId !== undefined ? [{ id: trackId }] : undefined,
    fingerprints: [
      {
        version: typeof version === 'number' || typeof version === 'string' ? version : 4.12,
        code,
      },
    ],
  })
  return [record]
}
