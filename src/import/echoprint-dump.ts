import { createReadStream } from 'node:fs'
import { parse } from 'node:path'
import { JSONParser } from '@streamparser/json'
import type { SongRecord } from '../client/songs.ts'
import { ParameterError } from '../errors.ts'

/** One entry of a dump, as echoprint-codegen and the community's dumps write it. */
interface Entry {
  code?: unknown
  error?: unknown
  metadata?: Record<string, unknown>
}

/** Bytes read at a time. */
const READ = 1 << 20

/**
 * Reads a dump of Echoprint code strings: the JSON array that `echoprint-codegen` prints and that
 * the community's dumps consist of. Entry by entry, so that a dump of gigabytes needs no more memory
 * than its longest entry.
 *
 * An entry without a title is called by its file's name. Entries that hold an error, or no code, are
 * left out; those without an artist come as they are, and `songs.import` tells them as rejected.
 *
 * @param input - the path of a dump, or its bytes as they come
 * @throws {ParameterError} where the text is no JSON; what came before was yielded
 */
export async function* fromEchoprintDump(
  input: string | AsyncIterable<Uint8Array>,
): AsyncGenerator<SongRecord, void> {
  const chunks =
    typeof input === 'string' ? createReadStream(input, { highWaterMark: READ }) : input
  const parser = new JSONParser({ paths: ['$.*'], keepStack: false })
  let found: Entry[] = []
  parser.onValue = ({ value }) => {
    if (typeof value === 'object' && value !== null) found.push(value as Entry)
  }
  parser.onError = (error) => {
    throw invalid(input, error.message)
  }
  for await (const chunk of chunks) {
    parser.write(chunk as Uint8Array)
    const entries = found
    found = []
    for (const entry of entries) {
      const record = recordOf(entry)
      if (record) yield record
    }
  }
  if (!parser.isEnded) throw invalid(input, 'it ends in the middle, it is not whole')
}

function invalid(input: string | AsyncIterable<Uint8Array>, why: string): ParameterError {
  const name = typeof input === 'string' ? input : 'the dump'
  return new ParameterError(
    'invalid_parameter',
    `${name} cannot be read as an Echoprint dump, a JSON array: ${why}`,
  )
}

function recordOf({ code, error, metadata = {} }: Entry): SongRecord | undefined {
  if (typeof code !== 'string' || code === '' || error !== undefined) return undefined
  const text = (...names: string[]): string | undefined =>
    names.map((name) => metadata[name]).find((v): v is string => typeof v === 'string' && v !== '')
  const version = metadata.version
  // The binary writes `duration`, its README says `seconds`.
  const duration = Number(metadata.duration ?? metadata.seconds)
  const id = text('track_id', 'song_id')
  const release = text('release')
  return {
    ...(id !== undefined && { id }),
    title: text('title', 'track') ?? parse(text('filename') ?? '').name,
    artistName: text('artist', 'artist_name') ?? '',
    ...(release !== undefined && { release }),
    ...(duration > 0 && { duration }),
    fingerprints: [
      {
        version: typeof version === 'number' || typeof version === 'string' ? version : 4.12,
        code,
      },
    ],
  }
}
