import type { Kernel } from '../kernel/kernel.ts'
import type { Workers } from '../workers/workers.ts'
import { FileStore } from './file-store.ts'
import { TagReader } from './tag-reader.ts'
import { UploadCache } from './upload-cache.ts'

/** Files, addresses, streams. */
export interface InputRoom extends Kernel {
  /** Audio that came in as bytes. */
  uploads: UploadCache
  tags: TagReader
  files: FileStore
}

export function openInput(kernel: Kernel, workers: Workers): InputRoom {
  const { config, host, db } = kernel
  return {
    ...kernel,
    uploads: new UploadCache(config.database, config.limits.uploadBytes),
    tags: new TagReader(workers, config.limits, host),
    files: new FileStore(db),
  }
}
