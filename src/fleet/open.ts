import type { Queue, QueueOptions } from './queue.ts'
import type { Store } from './store.ts'

// Each implementation is imported only where it is asked for.

/**
 * Opens a queue. It connects when it is first used.
 *
 * @throws {ParameterError} when the package for it is not installed
 */
export async function openQueue(options: QueueOptions): Promise<Queue> {
  if (options.url.startsWith('redis')) {
    const { openBullQueue } = await import('./bullmq-queue.ts')
    return openBullQueue(options)
  }
  const { openPgBossQueue } = await import('./pg-boss-queue.ts')
  return openPgBossQueue(options)
}

/**
 * Opens a store. It connects when it is first used.
 *
 * @param address - the path of a folder, or `s3://…`
 * @throws {ParameterError} when the package for it is not installed, or credentials are missing
 */
export async function openStore(address: string): Promise<Store> {
  if (address.startsWith('s3://')) {
    const { openS3Store } = await import('./s3-store.ts')
    return openS3Store(address)
  }
  const { FolderStore } = await import('./folder-store.ts')
  const store = new FolderStore(address)
  // A store that is away for a while is no reason not to open.
  await store.tidy().catch(() => {})
  return store
}
