import type { Database } from 'better-sqlite3'
import { openReference } from '../kernel/database/open-reference.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { CodeIndex } from './index/code-index.ts'
import { RecordingStore } from './recording-store.ts'
import { ServedReference } from './shards/served-reference.ts'

/** Another database whose songs are identified too. It is only read. */
export interface Reference {
  /** As the option `references` names it. */
  name: string
  db: Database
  recordings: RecordingStore
  index: CodeIndex
}

/** A reference as a file, or one that another process serves. */
export type AnyReference = Reference | ServedReference

/**
 * Opens the databases of the option `references`, in their order.
 *
 * @throws {DatabaseError} that names the file or the address and the remedy, when one cannot be read
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

/** Whether another process serves a reference. */
export function isServed(reference: AnyReference): reference is ServedReference {
  return reference instanceof ServedReference
}

export async function closeReferences(references: readonly AnyReference[]): Promise<void> {
  for (const one of references) if (!isServed(one)) one.db.close()
  await Promise.all(references.filter(isServed).map((one) => one.close()))
}
