import { parse } from 'node:path'
import { JSONParser } from '@streamparser/json'
import type { SongRecord } from '../client/songs.ts'
import { isId } from '../values/ids.ts'
import { cleanPositive, cleanTextValue, recordOfKnown } from './cleaning.ts'
import { type Imported, type ImportRun, importRecords, type SkippingOptions } from './import-run.ts'
import { type ImportInput, inputBytes, invalidInput } from './input.ts'
import { objectOf } from './rows.ts'

interface DumpEntry {
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
  return importRecords(ECHOPRINT_TRAITS, input, options, songsOfDump)
}

const ECHOPRINT_TRAITS = {
  name: 'fromEchoprintDump',
  reads: 'an Echoprint dump, a JSON array',
  forms: ['json'],
} as const

async function* songsOfDump(input: ImportInput, run: ImportRun): AsyncGenerator<SongRecord, void> {
  const parser = new JSONParser({ paths: ['$.*'], keepStack: false })
  let entries: DumpEntry[] = []
  /** An input may be one object, not an array. */
  let singleEntry: DumpEntry | undefined
  let parseError: Error | undefined
  const dumpError = (why: string) =>
    invalidInput(input, `cannot be read as ${ECHOPRINT_TRAITS.reads}: ${why}`)
  parser.onValue = ({ value, key, parent }) => {
    if (Array.isArray(parent)) {
      entries.push(objectOf(value) ?? {})
    } else if (key === 'code' || key === 'error' || key === 'metadata') {
      singleEntry = { ...singleEntry, [key]: value }
    }
  }
  parser.onError = (error) => {
    parseError ??= error
  }
  const takeSongs = () => {
    const readEntries = entries
    entries = []
    return readEntries.flatMap((entry) => songOfEntry(entry) ?? leaveOut(entry))
  }
  const leaveOut = ({ error }: DumpEntry): [] => {
    const reason =
      error == null ? 'an entry has no code' : 'an entry has an error in place of a code'
    run.leaveOut(input, reason)
    return []
  }
  for await (const bytes of inputBytes(input)) {
    parser.write(bytes)
    yield* takeSongs()
    if (parseError !== undefined) throw dumpError(parseError.message)
  }
  if (!parser.isEnded) throw dumpError('it is cut off')
  if (singleEntry) entries.push(singleEntry)
  yield* takeSongs()
}

/** `undefined` when the entry has an error or no code. */
function songOfEntry({
  code,
  error,
  metadata: writtenMetadata,
}: DumpEntry): SongRecord | undefined {
  if (typeof code !== 'string' || code === '' || error != null) return undefined
  const metadata = objectOf(writtenMetadata) ?? {}
  const firstText = (...names: string[]) =>
    names.map((name) => cleanTextValue(metadata[name])).find((value) => value !== undefined)
  const { version } = metadata
  const trackId = firstText('track_id')
  const songId = firstText('song_id')
  // A song has many tracks.
  const hasSongId = songId !== undefined && isId('song', songId)
  return recordOfKnown<SongRecord>({
    id: hasSongId ? songId : (trackId ?? songId),
    title: firstText('title', 'track') ?? parse(firstText('filename') ?? '').name,
    artistName: firstText('artist', 'artist_name') ?? '',
    release: firstText('release'),
    // The program writes `duration`, its README says `seconds`.
    duration: cleanPositive(metadata.duration ?? metadata.seconds),
    tracks: hasSongId && trackId !== undefined ? [{ id: trackId }] : undefined,
    fingerprints: [
      {
        version: typeof version === 'number' || typeof version === 'string' ? version : 4.12,
        code,
      },
    ],
  })
}
