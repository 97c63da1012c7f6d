import type { Database } from 'better-sqlite3'
import { openReference } from '../kernel/database/open-reference.ts'
import type { Kernel } from '../kernel/kernel.ts'
import { CodeIndex } from './index/code-index.ts'
import { RecordingStore } from './recording-store.ts'
import { ServedReference } from './shards/served-reference.ts'

/** Another database whose songs are also identified. It is only read. */
export interface FileReference {
  name: string
  db: Database
  recordings: RecordingStore
  index: CodeIndex
}

export type AnyReference = FileReference | ServedReference

/**
 * Opens the databases of the option `references`, in their order. @throws {DatabaseError} when one
 * cannot be read @throws {KeyError} when a served one refuses the key
 */
export async function openReferences({
  config,
  connect,
  host,
}: Pick<Kernel, 'config' | 'connect' | 'host'>): Promise<AnyReference[]> {
  const patience = config.limits.referenceSeconds
  const references: AnyReference[] = []
  try {
    for (const reference of config.references) {
      if (!('path' in reference)) {
        references.push(new ServedReference(reference, { connect, host, patience }))
        continue
      }
      const db = openReference(reference.path, config)
      const recordings = new RecordingStore(db)
      references.push({ name: reference.name, db, recordings, index: new CodeIndex(recordings) })
    }
    await Promise.all(references.filter(isServed).map((reference) => reference.checkServer()))
    return references
  } catch (error) {
    await closeReferences(references)
    throw error
  }
}

export function isServed(reference: AnyReference): reference is ServedReference {
  return reference instanceof ServedReference
}

export async function closeReferences(references: readonly AnyReference[]): Promise<void> {
  for (const reference of references) if (!isServed(reference)) reference.db.close()
  await Promise.all(references.filter(isServed).map((reference) => reference.closeServers()))
}
