import { parse } from 'node:path'
import { JSONParser } from '@streamparser/json'
import type { SongRecord } from '../client/songs.ts'
import { isId } from '../values/ids.ts'
import { positive, recordOf, text } from './cleaning.ts'
import { type Imported, type ImportRun, importing, type SkippingOptions } from './import-run.ts'
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
 * @throws {ParameterError} when the text is not JSON, after the entries before the fault; when no entry
 * has a code
 * @example
 * ```ts
 * import { fromEchoprintDump } from 'audile/import'
 *
 * await music.songs.import(fromEchoprintDump('echoprint-dump-1.json'))
 * ```
 */
export function fromEchoprintDump(
  input: ImportInput,
  options: SkippingOptions = {},
): Imported<SongRecord> {
  return importing(ECHOPRINT, input, options, songsOfDump)
}

const ECHOPRINT = {
  name: 'fromEchoprintDump',
  reads: 'an Echoprint dump, a JSON array',
  forms: ['json'],
} as const

async function* songsOfDump(input: ImportInput, run: ImportRun): AsyncGenerator<SongRecord, void> {
  const parser = new JSONParser({ paths: ['$.*'], keepStack: false })
  let found: Entry[] = []
  /** The entry of an input that is one object, not an array. */
  let single: Entry | undefined
  let broken: Error | undefined
  const fault = (why: string) => invalidInput(input, `cannot be read as ${ECHOPRINT.reads}: ${why}`)
  parser.onValue = ({ value, key, parent }) => {
    if (Array.isArray(parent)) {
      found.push(objectOf(value) ?? {})
    } else if (key === 'code' || key === 'error' || key === 'metadata') {
      single = { ...single, [key]: value }
    }
  }
  parser.onError = (error) => {
    broken ??= error
  }
  const songs = () => {
    const entries = found
    found = []
    return entries.flatMap((entry) => songOfEntry(entry) ?? leaveOut(entry))
  }
  const leaveOut = ({ error }: Entry): [] => {
    const reason =
      error == null ? 'an entry has no code' : 'an entry has an error in place of a code'
    run.leaveOut(input, reason)
    return []
  }
  for await (const bytes of bytesOf(input)) {
    parser.write(bytes)
    yield* songs()
    if (broken !== undefined) throw fault(broken.message)
  }
  if (!parser.isEnded) throw fault('it is cut off')
  if (single) found.push(single)
  yield* songs()
}

/** The record of an entry; `undefined` when the entry has an error or no code. */
function songOfEntry({ code, error, metadata: given }: Entry): SongRecord | undefined {
  if (typeof code !== 'string' || code === '' || error != null) return undefined
  const metadata = objectOf(given) ?? {}
  const first = (...names: string[]) =>
    names.map((name) => text(metadata[name])).find((value) => value !== undefined)
  const { version } = metadata
  const trackId = first('track_id')
  const songId = first('song_id')
  // A song has many tracks, so the id of the song is preferred.
  const native = songId !== undefined && isId('song', songId)
  return recordOf<SongRecord>({
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
}
