import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { MESSAGE_BYTES } from '../kernel/host.ts'
import type { ByteSource } from '../values/byte-stream.ts'
import { DecodeError } from '../values/errors.ts'
import { misnaming } from '../values/file-names.ts'
import { absolutePath } from '../values/file-path.ts'
import { isObject } from './frames.ts'

/** Methods that read a file that the caller names. */
const READ_A_FILE = ['track/upload', 'song/identify', 'song/identify-partly', 'song/fingerprint']
/** The parameters of any method that name files and folders. */
const PATHS = ['file', 'files', 'folder', 'folders', 'path'] as const

/**
 * The parameters of a method for another process on this machine. Paths become absolute, because
 * that process may run in another folder.
 *
 * @throws {ParameterError} on a `file:` URL that names no path here
 */
export function withAbsolutePaths(method: string, params: unknown): unknown {
  if (!isObject(params)) return params
  if (method === 'track/import') return { ...params, records: withPathsOf(params.records) }
  return absoluteIn(params)
}

function withPathsOf(records: unknown): unknown {
  if (!Array.isArray(records)) return records
  return records.map((record: unknown) => (isObject(record) ? absoluteIn(record) : record))
}

function absoluteIn(fields: Record<string, unknown>): Record<string, unknown> {
  const named = PATHS.filter((name) => fields[name] !== undefined)
  if (named.length === 0) return fields
  return {
    ...fields,
    ...Object.fromEntries(named.map((name) => [name, absolute(fields[name], name)])),
  }
}

/** Leaves other values as they are; the method refuses them. */
function absolute(given: unknown, name: string): unknown {
  if (Array.isArray(given)) return given.map((one) => absolute(one, name))
  return typeof given === 'string' && given !== '' ? absolutePath(given, name) : given
}

/**
 * The bytes of the file that a method reads, to be sent to an engine on another machine.
 *
 * @throws {DecodeError} when there is no such file
 */
export async function fileToSend(
  method: string,
  params: unknown,
): Promise<(() => ByteSource) | undefined> {
  if (!READ_A_FILE.includes(method) || !isObject(params)) return undefined
  const { file } = params
  if (typeof file !== 'string' || file === '') return undefined
  const path = absolutePath(file)
  try {
    if ((await stat(path)).isFile()) {
      return () => piecesOf(path)
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const absent = code === 'ENOENT' ? 'there is no such file' : message
    const why = (await misnaming(path)) ?? absent
    throw new DecodeError(`Cannot read ${path}: ${why}.`, { cause: error })
  }
  throw new DecodeError(`${path} is not a file.`)
}

/** Opens the file only when it is read. */
async function* piecesOf(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path, { highWaterMark: MESSAGE_BYTES })
}

/**
 * Methods that change nothing and depend on no earlier call. They are called again when the engine
 * does not know a lost session any more. For other methods, the client cannot know whether they
 * were done.
 */
const READS = [
  /^artist\/(?:profile|search)$/,
  /^catalog\/(?:feed|list|profile|read|status|wait)$/,
  /^engine\/describe$/,
  /^feed\/(?:list|wait)$/,
  /^fleet\/(?:metrics|status)$/,
  /^key\/list$/,
  /^mix\/(?:create|next|path|saved)$/,
  /^song\/(?:export|fingerprint|identify|identify-partly|profile|resolve|search|shard-.*|stat)$/,
  /^track\/(?:albums|analysis|artists|audio-files|corrections|cover|cues|duplicates|export|ids|list)$/,
  /^track\/(?:profiles?|search|similar|wait|waveform)$/,
  /^upkeep\/check$/,
]

export function isRead(method: string): boolean {
  return READS.some((pattern) => pattern.test(method))
}

/**
 * Whether a call may be repeated, if its stream can be read again. This is true of reads and
 * uploads: the same bytes are the same track. A URL may return other bytes the second time.
 */
export function isRepeatable(method: string, params: unknown): boolean {
  if (method === 'track/upload') return isObject(params) && params.url === undefined
  return isRead(method)
}

/** Whether a closing server waits for a call: its client may not be able to repeat it. */
export function isAwaited(method: string, params: unknown): boolean {
  if (method === 'track/watch-next') return false
  return !isRead(method) || (isObject(params) && params.source !== undefined)
}

/**
 * Methods that take minutes, or mostly wait for something other than the engine's thread: an event,
 * a file, a stream, the workers, references, a fleet, a feed. They take no place that other calls
 * wait for.
 */
const WAITING =
  /^(?:fleet|upkeep)\/|\/(?:wait|upload|analyze|fingerprint|identify[a-z-]*|scan[a-z-]*|watch[a-z-]*|register-file|audio-files|missing|duplicates|merge|stat|refresh|write-tags)$/

export function isWaiting(method: string): boolean {
  return WAITING.test(method)
}

/** Methods that use files of the engine's machine, or manage what is the owner's. */
const OWNERS =
  /^(?:key|upkeep)\/|^feed\/add$|^track\/(?:audio-files|import|missing|scan(?:-.*)?|register-file|watch(?:-.*)?|write-tags)$/

/**
 * Why a caller on another machine must not call a method with these parameters: the call would read
 * a file of the engine's machine, download from the engine's network, or manage what is the
 * owner's. `undefined` when the caller may.
 */
export function refusalOf(method: string, params: unknown): string | undefined {
  if (OWNERS.test(method)) return `"${method}" is for the owner of the engine`
  if (!READ_A_FILE.includes(method) || !isObject(params)) return undefined
  if (params.file !== undefined) return 'the engine reads no files of its machine for others'
  if (params.url !== undefined) return 'the engine downloads nothing for others; give the bytes'
  return undefined
}
