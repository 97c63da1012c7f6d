import type { Database } from 'better-sqlite3'
import { count, storeOf, values } from '../kernel/database/statements.ts'

/** A removed track leaves with its number. */
const FILE_EVENTS = [
  ...['INSERT', 'UPDATE', 'DELETE'].map((event) => `${event} ON track_files`),
  ...['INSERT', 'UPDATE OF spooled'].map((event) => `${event} ON tracks`),
]

/** Temporary tables and triggers are private to this connection. */
const COUNT_FILE_CHANGES = `
  CREATE TEMP TABLE IF NOT EXISTS file_changes (count INTEGER NOT NULL);
  INSERT INTO temp.file_changes SELECT 0 WHERE NOT EXISTS (SELECT 1 FROM temp.file_changes);
  ${FILE_EVENTS.map(
    (event, i) => `CREATE TEMP TRIGGER IF NOT EXISTS file_changes_${i} AFTER ${event} BEGIN
      UPDATE file_changes SET count = count + 1;
    END;`,
  ).join('')}`

export class MissingStore extends storeOf({
  missing: values<[], number>(
    `SELECT num FROM track_nums n
     WHERE NOT EXISTS (SELECT 1 FROM track_files WHERE track_id = n.track_id AND present = 1)
       AND EXISTS (SELECT 1 FROM tracks WHERE id = n.track_id AND spooled = 0)`,
  ),
  fileChanges: count<[]>('SELECT count FROM temp.file_changes'),
  /** Another value after each commit of another connection. */
  dataVersion: count<[]>('PRAGMA data_version'),
}) {
  #known: { version: string; nums: ReadonlySet<number> } | undefined

  constructor(db: Database) {
    super(db)
    db.exec(COUNT_FILE_CHANGES)
  }

  /** Kept until files change: looking them up takes longer than the rest of a search. */
  nums(): ReadonlySet<number> {
    const version = `${this.fileChanges()} ${this.dataVersion()}`
    if (this.#known?.version === version) return this.#known.nums
    const nums = new Set(this.missing())
    // A rollback also resets the count.
    this.#known = this.db.inTransaction ? undefined : { version, nums }
    return nums
  }
}
