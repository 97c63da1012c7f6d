import type { Database } from 'better-sqlite3'
import { openReference } from '../kernel/database/open-reference.ts'
import type { EngineConfig } from '../options.ts'
import { CodeIndex } from './index/code-index.ts'
import { RecordingStore } from './recording-store.ts'

/** Another database whose songs are identified too. It is only read. */
export interface Reference {
  /** As the option `references` names it. */
  name: string
  db: Database
  recordings: RecordingStore
  index: CodeIndex
}

/**
 * Opens the databases of the option `references`.
 *
 * @throws {DatabaseError} that names the file and the remedy, when one cannot be read
 */
export function openReferences(config: EngineConfig): Reference[] {
  const opened: Reference[] = []
  try {
    for (const { name, path } of config.references) {
      const db = openReference(path, config)
      const recordings = new RecordingStore(db)
      opened.push({ name, db, recordings, index: new CodeIndex(recordings) })
    }
    return opened
  } catch (error) {
    closeReferences(opened)
    throw error
  }
}

export function closeReferences(references: readonly Reference[]): void {
  for (const { db } of references) db.close()
}
