import { z } from 'zod'
import { createRequest, openDownload, readSource } from '../kernel/download.ts'
import { exactlyOne } from '../options/parameter-types.ts'
import { AudileError, DecodeError, invalidParameter, ParameterError } from '../values/errors.ts'
import { absolutePath } from '../values/file-path.ts'
import type { InputRoom } from './room.ts'
import type { HashedFile } from './upload-cache.ts'

/** Exactly one of the three. */
export const audioInput = {
  /** Path of a file, or its `file:` URL. It is read where it is, not copied. */
  file: z.string().min(1).optional(),
  /**
   * Address of a file (http or https), downloaded with the option `fetch`. It may be in a private
   * network, but a public server may not redirect there.
   */
  url: z.string().min(1).optional(),
  /** A stream of bytes on the caller's side, by the number under which it was offered. */
  source: z
    .int()
    .optional()
    .meta({ givenAs: ['bytes', 'samples', 'sampleRate'] }),
}

export type AudioInput = z.infer<z.ZodObject<typeof audioInput>>

export function inputsOf(input: AudioInput): ('file' | 'url' | 'source')[] {
  return (['file', 'url', 'source'] as const).filter((name) => input[name] !== undefined)
}

/** Without any, the error names `missing`. */
export const requireOneInput = (missing: 'track' | 'file') =>
  exactlyOne(['file', 'url', 'source'], missing, 'give file, url, bytes or samples')

/** Removes audile's copy afterwards. */
export async function withAudio<T>(
  room: InputRoom,
  input: AudioInput,
  signal: AbortSignal,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const audio = await receiveAudio(room, input, signal)
  try {
    return await use(audio.path)
  } finally {
    if (audio.cached) await room.uploads.abandon(audio)
  }
}

export interface ReceivedAudio extends HashedFile {
  cached: boolean
}

/**
 * The caller's file stays where it is, bytes go into the upload cache.
 * @throws {DecodeError} when it cannot be read or downloaded
 * @throws {ParameterError} `limit_exceeded` over the limits of size and time
 */
export async function receiveAudio(
  room: InputRoom,
  { file, url, source }: AudioInput,
  signal: AbortSignal,
): Promise<ReceivedAudio> {
  if (file !== undefined) {
    return { ...(await room.uploads.hash(absolutePath(file), signal)), cached: false }
  }
  const receivedFile =
    source === undefined
      ? await receiveDownload(room, url ?? '', signal)
      : await receiveSource(room, source, signal)
  return { ...receivedFile, cached: true }
}

async function receiveSource(
  { uploads, host }: InputRoom,
  source: number,
  signal: AbortSignal,
): Promise<HashedFile> {
  try {
    return await uploads.receive(readSource(host, source, signal))
  } finally {
    // A host that is gone has nothing left to release.
    await host.release(source).catch(() => {})
  }
}

async function receiveDownload(
  { uploads, host, config }: InputRoom,
  address: string,
  signal: AbortSignal,
): Promise<HashedFile> {
  const protocol = URL.canParse(address) ? new URL(address).protocol : ''
  if (protocol !== 'http:' && protocol !== 'https:') {
    const reason = `"${address}" must be an http or https address; for a path use file`
    throw invalidParameter('url', reason)
  }
  const seconds = config.limits.downloadSeconds
  const timeoutMessage = `${address} took longer than the ${seconds} s of limits.downloadSeconds.`
  const download = await openDownload(address, {
    signal,
    request: createRequest(host),
    time: { seconds, error: () => new ParameterError('limit_exceeded', timeoutMessage) },
    failure: (reason, cause) =>
      cause instanceof AudileError
        ? cause
        : new DecodeError(`${address} could not be downloaded: ${reason}.`, { cause }),
  })
  try {
    return await uploads.receive(download.bytes)
  } finally {
    await download.close()
  }
}
