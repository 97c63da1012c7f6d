import {
  all,
  count,
  exists,
  one,
  only,
  run,
  storeOf,
  value,
  values,
} from '../database/statements.ts'

export interface Job {
  id: number
  kind: string
  /** For example the id of a track. There is at most one unfinished job per kind and subject. */
  subject: string
  payload: unknown
  priority: number
  /** Starts of the job, including this one, except those that ended with the process. */
  attempts: number
  /** Attempts that failed because the disk was full or another connection held the file. */
  waits: number
  /** Crashes of the process while the job ran, since its last progress. */
  crashes: number
}

export interface NewJob {
  kind: string
  subject: string
  payload?: unknown
  /** Higher runs first. Default 0. */
  priority?: number
  /** Milliseconds before it may start, at most an hour. Default 0. */
  after?: number
}

/** Milliseconds; a longer delay comes from a wrong clock. */
const MAX_DELAY = 3_600_000

const ANY_CRASHES = 2 ** 31

/** An engine at work on the database; see {@link isDead}. */
export interface EngineRow {
  id: string
  pid: number
  processStarted: number
  host: string
  heartbeat: number
}

type JobRow = Omit<Job, 'payload'> & { payload: string }

export class JobStore extends storeOf({
  insert: only<
    Required<Pick<JobRow, 'kind' | 'subject' | 'payload' | 'priority'>> & {
      runAt: number
      now: number
    },
    { id: number }
  >(
    `INSERT INTO jobs (kind, subject, payload, priority, run_at, created_at)
     VALUES (@kind, @subject, @payload, @priority, @runAt, @now)
     ON CONFLICT (kind, subject) WHERE failed_at IS NULL
     DO UPDATE SET priority = max(priority, excluded.priority)
     RETURNING id`,
  ),
  claimNext: one<
    { kind: string; engine: string; now: number; from: number; below: number },
    JobRow
  >(
    `UPDATE jobs SET claimed_by = @engine, claimed_at = @now, attempts = attempts + 1
     WHERE id = (
       SELECT id FROM jobs
       WHERE kind = @kind AND claimed_by IS NULL AND failed_at IS NULL
         AND (run_at <= @now OR created_at > @now OR run_at > @now + ${MAX_DELAY})
         AND crashes >= @from AND crashes < @below
       ORDER BY priority DESC, run_at, id LIMIT 1)
     RETURNING id, kind, subject, payload, priority, attempts, waits, crashes`,
  ),
  /** Another engine may have considered this one dead. */
  holds: exists<[id: number, engine: string]>('SELECT 1 FROM jobs WHERE id = ? AND claimed_by = ?'),
  clearCrashes: run<[id: number, engine: string]>(
    'UPDATE jobs SET crashes = 0 WHERE id = ? AND claimed_by = ?',
  ),
  complete: run<[id: number]>('DELETE FROM jobs WHERE id = ?'),
  /** Puts a job back for another attempt at `runAt`. */
  retry: run<{ id: number; runAt: number; error: string; waits: number }>(
    `UPDATE jobs SET claimed_by = NULL, claimed_at = NULL, run_at = @runAt, error = @error,
       waits = @waits
     WHERE id = @id`,
  ),
  /** The row keeps the reason until the same work is asked for again. */
  fail: run<{ id: number; now: number; error: string }>(
    'UPDATE jobs SET claimed_by = NULL, claimed_at = NULL, failed_at = @now, error = @error WHERE id = @id',
  ),
  nextRun: value<[kind: string], number | null>(
    'SELECT min(run_at) FROM jobs WHERE kind = ? AND claimed_by IS NULL AND failed_at IS NULL',
  ),
  dropUnfinished: run<[kind: string, subject: string]>(
    'DELETE FROM jobs WHERE kind = ? AND subject = ? AND failed_at IS NULL',
  ),
  dropFailed: run<[kind: string, subject: string]>(
    'DELETE FROM jobs WHERE kind = ? AND subject = ? AND failed_at IS NOT NULL',
  ),
  /** Returns the jobs that an engine holds to the queue, as if never started. */
  giveBack: run<[engine: string]>(
    'UPDATE jobs SET claimed_by = NULL, claimed_at = NULL, attempts = attempts - 1 WHERE claimed_by = ?',
  ),
  /** Jobs whose outcome could not be written. */
  releaseOthers: run<[engine: string, running: string]>(
    `UPDATE jobs SET claimed_by = NULL, claimed_at = NULL
     WHERE claimed_by = ? AND id NOT IN (SELECT value FROM json_each(?))`,
  ),
  releaseCrashed: run<[engine: string]>(
    `UPDATE jobs SET claimed_by = NULL, claimed_at = NULL, attempts = attempts - 1,
       crashes = crashes + 1
     WHERE claimed_by = ?`,
  ),
  beat: run<EngineRow>(
    `INSERT INTO engines (id, pid, process_started, host, heartbeat)
     VALUES (@id, @pid, @processStarted, @host, @heartbeat)
     ON CONFLICT (id) DO UPDATE SET heartbeat = excluded.heartbeat`,
  ),
  engines: all<[], EngineRow>(
    'SELECT id, pid, process_started AS processStarted, host, heartbeat FROM engines',
  ),
  /** Engines that hold claims but are not registered: a crash lost their row. */
  orphanClaims: values<[], string>(
    `SELECT DISTINCT claimed_by FROM jobs
     WHERE claimed_by IS NOT NULL AND claimed_by NOT IN (SELECT id FROM engines)`,
  ),
  removeEngine: run<[engine: string]>('DELETE FROM engines WHERE id = ?'),
  /** A number that changes when another connection has written to the file. */
  dataVersion: count<[]>('PRAGMA data_version'),
}) {
  /** Or raises the priority of the unfinished job of its kind and subject; returns its id. */
  add({ kind, subject, payload = null, priority = 0, after = 0 }: NewJob, now: number): number {
    this.dropFailed(kind, subject)
    const text = JSON.stringify(payload)
    return this.insert({ kind, subject, payload: text, priority, runAt: now + after, now }).id
  }

  /** Removes the unfinished or failed job of a subject; a claim on it is lost. */
  drop(kind: string, subject: string): void {
    // Each state has its own index; one condition would read all jobs.
    this.dropUnfinished(kind, subject)
    this.dropFailed(kind, subject)
  }

  /**
   * A job created in the future is ready too: the clock was wrong. Only jobs with `from` to `below`
   * crashes are claimed.
   */
  claim(
    kind: string,
    engine: string,
    now: number,
    { from = 0, below = ANY_CRASHES }: { from?: number; below?: number } = {},
  ): Job | undefined {
    const row = this.claimNext({ kind, engine, now, from, below })
    if (!row) return undefined
    return {
      ...row,
      // Parsed during the attempt, so that a damaged payload ends this job, not the loop.
      get payload() {
        return JSON.parse(row.payload) as unknown
      },
    }
  }

  /** Returns how many jobs will run again. */
  bury(engine: string): number {
    const released = this.releaseCrashed(engine).changes
    this.removeEngine(engine)
    return released
  }
}
