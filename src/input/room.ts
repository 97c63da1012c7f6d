import { isForeignSound, sniff } from '../audio/sniff.ts'
import type { Kernel } from '../kernel/kernel.ts'
import type { Workers } from '../workers/workers.ts'
import { TagReader } from './tag-reader.ts'
import { UploadCache } from './upload-cache.ts'

/** Audio that callers hand in: files, addresses, streams. */
export interface InputRoom extends Kernel {
  /** The files of audio that came in as bytes. */
  uploads: UploadCache
  tags: TagReader
}

export function openInput(kernel: Kernel, workers: Workers): InputRoom {
  const { config, host } = kernel
  return {
    ...kernel,
    uploads: new UploadCache(config.database, config.limits.uploadBytes),
    tags: new TagReader(workers, config.limits, host),
  }
}

/** The format of a file by its first bytes; `foreign` if only ffmpeg reads it, and ffmpeg is set. */
export function formatOf(
  { config }: Pick<Kernel, 'config'>,
  head: Uint8Array,
): ReturnType<typeof sniff> | 'foreign' {
  return (
    sniff(head) ?? (config.ffmpegPath !== undefined && isForeignSound(head) ? 'foreign' : undefined)
  )
}
