import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { MESSAGE_BYTES } from '../kernel/host.ts'
import type { ByteSource } from '../values/byte-stream.ts'
import { DecodeError } from '../values/errors.ts'
import { explainMisnaming } from '../values/file-names.ts'
import { absolutePath } from '../values/file-path.ts'
import { isObject } from './frames.ts'

/** A file that the caller names. */
const FILE_READERS = ['track/upload', 'song/identify', 'song/identify-partly', 'song/fingerprint']
/** The parameters of any method that name files and folders. */
const PATH_PARAMETERS = ['file', 'files', 'folder', 'folders', 'path'] as const

/**
 * The other process may run in another folder.
 * @throws {ParameterError} on a `file:` URL that names no path here
 */
export function withAbsolutePaths(method: string, params: unknown): unknown {
  if (!isObject(params)) return params
  if (method === 'track/import') return { ...params, records: absoluteRecords(params.records) }
  return absoluteFields(params)
}

function absoluteRecords(records: unknown): unknown {
  if (!Array.isArray(records)) return records
  return records.map((record: unknown) => (isObject(record) ? absoluteFields(record) : record))
}

function absoluteFields(fields: Record<string, unknown>): Record<string, unknown> {
  const pathNames = PATH_PARAMETERS.filter((name) => fields[name] !== undefined)
  if (pathNames.length === 0) return fields
  return {
    ...fields,
    ...Object.fromEntries(pathNames.map((name) => [name, toAbsolute(fields[name], name)])),
  }
}

/** The method refuses other values. */
function toAbsolute(path: unknown, name: string): unknown {
  if (Array.isArray(path)) return path.map((item) => toAbsolute(item, name))
  return typeof path === 'string' && path !== '' ? absolutePath(path, name) : path
}

/**
 * For an engine on another machine.
 * @throws {DecodeError} when there is no such file
 */
export async function fileToSend(
  method: string,
  params: unknown,
): Promise<(() => ByteSource) | undefined> {
  if (!FILE_READERS.includes(method) || !isObject(params)) return undefined
  const { file } = params
  if (typeof file !== 'string' || file === '') return undefined
  const path = absolutePath(file)
  try {
    if ((await stat(path)).isFile()) {
      return () => filePieces(path)
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const reason = code === 'ENOENT' ? 'there is no such file' : message
    const explanation = (await explainMisnaming(path)) ?? reason
    throw new DecodeError(`Cannot read ${path}: ${explanation}.`, { cause: error })
  }
  throw new DecodeError(`${path} is not a file.`)
}

/** Opens the file only when it is read. */
async function* filePieces(path: string): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path, { highWaterMark: MESSAGE_BYTES })
}

/**
 * They change nothing and depend on no earlier call, so they are repeated when a session is lost.
 */
const READING_METHODS = [
  /^artist\/(?:profile|search)$/,
  /^catalog\/(?:feed|list|profile|read|status|taste|wait)$/,
  /^engine\/describe$/,
  /^feed\/(?:list|wait)$/,
  /^fleet\/(?:metrics|status)$/,
  /^key\/list$/,
  /^mix\/(?:create|next|path|saved)$/,
  /^song\/(?:export|fingerprint|identify|identify-partly|profile|resolve|search|shard-.*|stat)$/,
  /^track\/(?:albums|analysis|artists|audio-files|corrections|cover|cues|duplicates|export|ids|list|own-cues)$/,
  /^track\/(?:match|profiles?|search|similar|sounds|wait|waveform)$/,
  /^upkeep\/check$/,
]

export function isReadingMethod(method: string): boolean {
  return READING_METHODS.some((pattern) => pattern.test(method))
}

/** If its stream can be read again; a URL may return other bytes the second time. */
export function isRepeatable(method: string, params: unknown): boolean {
  if (method === 'track/upload') return isObject(params) && params.url === undefined
  return isReadingMethod(method)
}

/** A closing server waits for it, because its client may not be able to repeat it. */
export function isAwaited(method: string, params: unknown): boolean {
  if (method === 'track/watch-next') return false
  return !isReadingMethod(method) || (isObject(params) && params.source !== undefined)
}

/**
 * They mostly wait for something other than the engine's thread, so they take no place of other
 * calls.
 */
const WAITING_METHODS =
  /^(?:fleet|upkeep)\/|\/(?:wait|upload|analyze|fingerprint|identify[a-z-]*|scan[a-z-]*|watch[a-z-]*|register-file|audio-files|missing|duplicates|merge|sounds|stat|refresh|write-tags)$/

export function isWaiting(method: string): boolean {
  return WAITING_METHODS.test(method)
}

/** They use files of the engine's machine, or manage what is the owner's. */
const OWNER_METHODS =
  /^(?:key|upkeep)\/|^feed\/add$|^track\/(?:audio-files|import|missing|scan(?:-.*)?|register-file|watch(?:-.*)?|write-tags)$/

/** For callers on another machine; `undefined` when the call is allowed. */
export function refusalReason(method: string, params: unknown): string | undefined {
  if (OWNER_METHODS.test(method)) return `"${method}" is for the owner of the engine`
  if (!FILE_READERS.includes(method) || !isObject(params)) return undefined
  if (params.file !== undefined) return 'the engine reads no files of its machine for others'
  if (params.url !== undefined) return 'the engine downloads nothing for others; give the bytes'
  return undefined
}
