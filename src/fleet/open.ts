import type { Queue, QueueOptions } from './queue.ts'
import type { Retries } from './retry.ts'
import type { Store } from './store.ts'

// Each implementation is imported only when it is needed.

/**
 * Connects at the first use.
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
 * Connects at the first use.
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
 * Closes the queue when one of them is refused for good.
 * @throws {ParameterError} as `Retries.tryFirst`
 */
export async function tryBoth(
  persistence: Retries,
  queue: Queue,
  ask: () => Promise<unknown>,
  store?: Store,
): Promise<void> {
  const tries = [persistence.tryFirst('queue', ask)]
  if (store) tries.push(persistence.tryFirst('store', () => store.check()))
  const failedTry = (await Promise.allSettled(tries)).find(({ status }) => status === 'rejected')
  if (!failedTry) return
  await queue.close().catch(() => {})
  throw (failedTry as PromiseRejectedResult).reason
}
