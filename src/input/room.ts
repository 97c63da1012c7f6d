import { isForeignSound, sniff } from '../audio/sniff.ts'
import type { Kernel } from '../kernel/kernel.ts'
import type { Workers } from '../workers/workers.ts'
import { TagReader } from './tag-reader.ts'
import { Spool } from './upload-cache.ts'

/** Audio that callers hand in: files, addresses, streams. */
export interface InputRoom extends Kernel {
  /** Keeps what came in as bytes. */
  spool: Spool
  /** Reads tags where they can do no harm. */
  tags: TagReader
}

export function openInput(kernel: Kernel, workers: Workers): InputRoom {
  const { config, host } = kernel
  return {
    ...kernel,
    spool: new Spool(config.database, config.limits.uploadBytes),
    tags: new TagReader({ workers, limits: config.limits, host }),
  }
}

/** The format of a file's first bytes; `foreign` where only ffmpeg reads it, and there is one. */
export function formatOf(
  { config }: Pick<Kernel, 'config'>,
  head: Uint8Array,
): ReturnType<typeof sniff> | 'foreign' {
  return (
    sniff(head) ?? (config.ffmpegPath !== undefined && isForeignSound(head) ? 'foreign' : undefined)
  )
}
