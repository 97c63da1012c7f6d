import Sqlite from 'better-sqlite3'
import type { Audile } from '../../../src/index.ts'

/** Kinds of jobs that wait for their time in a database that is at rest. */
export const WAITING = ['feed/schedule', 'feed/spot', 'catalog/retry', 'catalog/popularity']

/** Milliseconds after which jobs that have not come to their end never will. */
const PATIENCE = 180_000

/**
 * Waits until an open database has nothing to do: no job that runs, none that is due.
 *
 * @param now - the engine's clock
 * @throws naming the jobs that are left when they do not end
 */
export async function settled(
  music: Audile,
  path: string,
  now: () => number = Date.now,
): Promise<void> {
  const database = new Sqlite(path, { readonly: true })
  // What was made in the future, by a clock that was set back since, is due too.
  const due = database.prepare<{ now: number }>(
    `SELECT kind, subject, attempts, claimed_by, run_at, error FROM jobs
     WHERE failed_at IS NULL
       AND (claimed_by IS NOT NULL OR run_at <= @now OR created_at > @now
            OR kind NOT IN (${WAITING.map((kind) => `'${kind}'`).join()}))`,
  )
  const left = () => due.all({ now: now() })
  let timer: NodeJS.Timeout | undefined
  try {
    await new Promise<void>((resolve, reject) => {
      // Listened to before the first look: what ends in between is not missed.
      const off = music.on('job', look)
      timer = setTimeout(() => {
        off()
        reject(new Error(`jobs never ended: ${JSON.stringify(left())}`))
      }, PATIENCE)
      function look(): void {
        if (left().length > 0) return
        off()
        resolve()
      }
      look()
    })
  } finally {
    clearTimeout(timer)
    database.close()
  }
}
