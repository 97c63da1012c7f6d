import type { Database } from 'better-sqlite3'
import { openReference } from '../kernel/database/open-reference.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { CodeIndex } from './index/code-index.ts'
import { RecordingStore } from './recording-store.ts'
import { ServedReference } from './shards/served-reference.ts'

/** Another database whose songs are also identified. It is only read. */
export interface Reference {
  /** Its name in the option `references`. */
  name: string
  db: Database
  recordings: RecordingStore
  index: CodeIndex
}

export type AnyReference = Reference | ServedReference

/**
 * Opens the databases of the option `references`, in their order.
 *
 * @throws {DatabaseError} when one cannot be read; it names the file or address, and the remedy
 * @throws {KeyError} when a served one refuses the key
 */
export async function openReferences({
  config,
  connect,
  host,
}: Pick<Kernel, 'config' | 'connect' | 'host'>): Promise<AnyReference[]> {
  const patience = config.limits.referenceSeconds
  const opened: AnyReference[] = []
  try {
    for (const one of config.references) {
      if (!('path' in one)) {
        opened.push(new ServedReference(one, { connect, host, patience }))
        continue
      }
      const db = openReference(one.path, config)
      const recordings = new RecordingStore(db)
      opened.push({ name: one.name, db, recordings, index: new CodeIndex(recordings) })
    }
    await Promise.all(opened.filter(isServed).map((one) => one.open()))
    return opened
  } catch (error) {
    await closeReferences(opened)
    throw error
  }
}

export function isServed(reference: AnyReference): reference is ServedReference {
  return reference instanceof ServedReference
}

export async function closeReferences(references: readonly AnyReference[]): Promise<void> {
  for (const one of references) if (!isServed(one)) one.db.close()
  await Promise.all(references.filter(isServed).map((one) => one.close()))
}
