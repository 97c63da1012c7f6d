import type { Queue, QueueOptions } from './queue.ts'
import type { Retries } from './retry.ts'
import type { Store } from './store.ts'

// Each implementation is imported only when it is needed.

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
  return new FolderStore(address)
}

/**
 * Tries queue and store once. The queue is closed when one of them is refused for good.
 *
 * @throws {ParameterError} as `Retries.first`
 */
export async function tryBoth(
  persistence: Retries,
  queue: Queue,
  ask: () => Promise<unknown>,
  store?: Store,
): Promise<void> {
  const tries = [persistence.first('queue', ask)]
  if (store) tries.push(persistence.first('store', () => store.check()))
  const failed = (await Promise.allSettled(tries)).find(({ status }) => status === 'rejected')
  if (!failed) return
  await queue.close().catch(() => {})
  throw (failed as PromiseRejectedResult).reason
}
