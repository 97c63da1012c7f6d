import { isAbsolute, resolve } from 'node:path'
import { z } from 'zod'
import { AudileError, DecodeError, invalidParameter, ParameterError } from '../errors.ts'
import { openDownload, requestOf } from '../kernel/download.ts'
import { exactlyOne } from '../parameter-types.ts'
import type { InputRoom } from './room.ts'
import type { Stored } from './upload-cache.ts'

/** The parameters that name audio; exactly one of the three. */
export const audioInput = {
  /** Path of a file. It is read where it is, not copied. */
  file: z.string().min(1).optional(),
  /**
   * Address of a file (http or https), downloaded with the option `fetch`. It may be in a private
   * network, but a public server may not redirect there.
   */
  url: z.string().min(1).optional(),
  /** A stream of bytes on the caller's side, by the number under which it was offered. */
  source: z.int().optional(),
}

/** Audio by one of its names. */
export interface AudioInput {
  file?: string | undefined
  url?: string | undefined
  source?: number | undefined
}

/** The inputs that are given. */
export function inputsOf(given: AudioInput): ('file' | 'url' | 'source')[] {
  return (['file', 'url', 'source'] as const).filter((name) => given[name] !== undefined)
}

/** Exactly one input, which the error names `missing` when there is none. */
export const requireOneInput = (missing: 'track' | 'file') =>
  exactlyOne(['file', 'url', 'source'], missing, 'give file, url, bytes or samples')

/** Has audio on disk while `use` runs, and forgets it afterwards; see {@link takeIn}. */
export async function withAudio<T>(
  room: InputRoom,
  input: AudioInput,
  signal: AbortSignal,
  use: (path: string) => Promise<T>,
): Promise<T> {
  const taken = await takeIn(room, input, signal)
  try {
    return await use(taken.path)
  } finally {
    if (taken.spooled) await room.spool.abandon(taken)
  }
}

/** Where an upload's bytes are, and whether in a copy of audile's own. */
export interface Taken extends Stored {
  spooled: boolean
}

/**
 * Has audio on disk: a file of the caller's where it is, all else in audile's own folder.
 *
 * @throws {DecodeError} when it cannot be read or downloaded
 * @throws {ParameterError} `limit_exceeded` over the limits of size and time
 */
export async function takeIn(
  { spool, host, config }: InputRoom,
  { file, url, source }: AudioInput,
  signal: AbortSignal,
): Promise<Taken> {
  if (file !== undefined) {
    return {
      ...(await spool.hash(isAbsolute(file) ? file : resolve(file), signal)),
      spooled: false,
    }
  }
  if (source !== undefined) {
    try {
      return { ...(await spool.receive(() => host.pull(source, signal))), spooled: true }
    } finally {
      // A host that is gone has nothing left to release.
      await host.release(source).catch(() => {})
    }
  }
  const address = url as string
  checkAddress(address)
  const seconds = config.limits.downloadSeconds
  const download = await openDownload(address, {
    signal,
    request: requestOf(host),
    time: { seconds, error: () => tooSlow(address, seconds) },
    failure: (why, cause) =>
      cause instanceof AudileError
        ? cause
        : new DecodeError(`${address} could not be downloaded: ${why}`, { cause }),
  })
  try {
    const next = async () => (await download.bytes.next()).value ?? undefined
    return { ...(await spool.receive(next)), spooled: true }
  } finally {
    await download.close()
  }
}

function checkAddress(address: string): void {
  const protocol = URL.canParse(address) ? new URL(address).protocol : ''
  if (protocol === 'http:' || protocol === 'https:') return
  throw invalidParameter(
    'url',
    `"${address}" must be an http or https address; for a path use file`,
  )
}

function tooSlow(url: string, seconds: number): ParameterError {
  return new ParameterError(
    'limit_exceeded',
    `${url} took longer than the ${seconds} s of limits.downloadSeconds.`,
  )
}
