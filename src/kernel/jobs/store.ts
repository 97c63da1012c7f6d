import type { Database } from 'better-sqlite3'
import type { PlainError } from '../../errors.ts'
import { type Transaction, transaction } from '../database/transaction.ts'

/** A piece of background work. */
export interface Job {
  id: number
  /** The name of its handler. */
  kind: string
  /** What it is about, e.g. a track id: at most one unfinished job per kind and subject. */
  subject: string
  payload: unknown
  priority: number
  /** How often it was started, this time included; starts that ended with the process apart. */
  attempts: number
  /** How many of the attempts failed for want of room, or for another connection: they do not count. */
  waits: number
  /** How often the process ended while it ran, since it last made progress. */
  crashes: number
}

/** A job to be put in the queue. */
export interface NewJob {
  kind: string
  subject: string
  payload?: unknown
  /** Higher runs first. Default 0. */
  priority?: number
  /** Milliseconds before it may start: an hour at most. Default 0. */
  after?: number
}

/** Nothing is put off for longer, in milliseconds: what seems to be was put off by a wrong clock. */
const MOST_DELAY = 3_600_000

const MANY = 2 ** 31

/** The record by which an engine can be told alive or dead. */
export interface EngineRow {
  id: string
  pid: number
  processStarted: number
  host: string
  heartbeat: number
}

interface JobRow extends Omit<Job, 'payload'> {
  payload: string
}

/** The tables `jobs` and `engines`. */
export class JobStore {
  readonly atomically: Transaction
  readonly #db: Database
  readonly #insert
  readonly #claim
  readonly #held
  readonly #complete
  readonly #retry
  readonly #fail
  readonly #giveBack
  readonly #nextRun
  readonly #release
  readonly #beat

  constructor(db: Database) {
    this.atomically = transaction(db)
    this.#db = db
    this.#insert = db.prepare<
      {
        kind: string
        subject: string
        payload: string
        priority: number
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
    )
    this.#claim = db.prepare<
      { kind: string; engine: string; now: number; from: number; below: number },
      JobRow
    >(
      `UPDATE jobs SET claimed_by = @engine, claimed_at = @now, attempts = attempts + 1
       WHERE id = (
         SELECT id FROM jobs
         WHERE kind = @kind AND claimed_by IS NULL AND failed_at IS NULL
           AND (run_at <= @now OR created_at > @now OR run_at > @now + ${MOST_DELAY})
           AND crashes >= @from AND crashes < @below
         ORDER BY priority DESC, run_at, id LIMIT 1)
       RETURNING id, kind, subject, payload, priority, attempts, waits, crashes`,
    )
    this.#held = db
      .prepare<[number, string], number>('SELECT 1 FROM jobs WHERE id = ? AND claimed_by = ?')
      .pluck()
    this.#complete = db.prepare<[number]>('DELETE FROM jobs WHERE id = ?')
    this.#retry = db.prepare<{ id: number; runAt: number; error: string; waits: number }>(
      `UPDATE jobs SET claimed_by = NULL, claimed_at = NULL, run_at = @runAt, error = @error,
         waits = @waits
       WHERE id = @id`,
    )
    this.#fail = db.prepare<{ id: number; now: number; error: string }>(
      'UPDATE jobs SET claimed_by = NULL, claimed_at = NULL, failed_at = @now, error = @error WHERE id = @id',
    )
    this.#giveBack = db.prepare<[string]>(
      'UPDATE jobs SET claimed_by = NULL, claimed_at = NULL, attempts = attempts - 1 WHERE claimed_by = ?',
    )
    this.#nextRun = db
      .prepare<[string], number | null>(
        `SELECT min(run_at) FROM jobs
         WHERE kind = ? AND claimed_by IS NULL AND failed_at IS NULL`,
      )
      .pluck()
    this.#release = db.prepare<[string]>(
      `UPDATE jobs SET claimed_by = NULL, claimed_at = NULL, attempts = attempts - 1,
         crashes = crashes + 1
       WHERE claimed_by = ?`,
    )
    this.#beat = db.prepare<EngineRow>(
      `INSERT INTO engines (id, pid, process_started, host, heartbeat)
       VALUES (@id, @pid, @processStarted, @host, @heartbeat)
       ON CONFLICT (id) DO UPDATE SET heartbeat = excluded.heartbeat`,
    )
  }

  /** Adds a job, or lifts the priority of the one that waits for the same work; its id. */
  add(job: NewJob, now: number): number {
    this.#db
      .prepare('DELETE FROM jobs WHERE kind = ? AND subject = ? AND failed_at IS NOT NULL')
      .run(job.kind, job.subject)
    const row = this.#insert.get({
      kind: job.kind,
      subject: job.subject,
      payload: JSON.stringify(job.payload ?? null),
      priority: job.priority ?? 0,
      runAt: now + (job.after ?? 0),
      now,
    })
    return row?.id as number
  }

  /**
   * Takes the first ready job of a kind for an engine. One from the future, or that is to wait for
   * longer than any is, is ready too: the clock was set back since it was made, or was tried.
   *
   * @param crashes - only those under which the process ended so often: at least `from`, fewer than
   *   `below` times
   */
  claim(
    kind: string,
    engine: string,
    now: number,
    { from = 0, below = MANY }: { from?: number; below?: number } = {},
  ): Job | undefined {
    const row = this.#claim.get({ kind, engine, now, from, below })
    return row && { ...row, payload: JSON.parse(row.payload) as unknown }
  }

  /** Whether the engine still holds its claim; another one may have taken it for dead. */
  holds(id: number, engine: string): boolean {
    return this.#held.get(id, engine) === 1
  }

  /** Forgets that the process ended under a job: it made progress. */
  clearCrashes(id: number, engine: string): void {
    this.#db.prepare('UPDATE jobs SET crashes = 0 WHERE id = ? AND claimed_by = ?').run(id, engine)
  }

  complete(id: number): void {
    this.#complete.run(id)
  }

  /** Puts a job back for another attempt at `runAt`; `waits` of those so far do not count. */
  retry(id: number, to: { runAt: number; error: PlainError; waits: number }): void {
    this.#retry.run({ id, ...to, error: JSON.stringify(to.error) })
  }

  /** Ends a job for good; its row keeps the reason until the same work is asked for again. */
  fail(id: number, now: number, error: PlainError): void {
    this.#fail.run({ id, now, error: JSON.stringify(error) })
  }

  /** Returns all that an engine holds, as if it had never been started. */
  giveBack(engine: string): void {
    this.#giveBack.run(engine)
  }

  /** Releases what an engine holds but does not run: an outcome could not be written. */
  releaseOthers(engine: string, running: number[]): number {
    return this.#db
      .prepare<[string, string]>(
        `UPDATE jobs SET claimed_by = NULL, claimed_at = NULL
         WHERE claimed_by = ? AND id NOT IN (SELECT value FROM json_each(?))`,
      )
      .run(engine, JSON.stringify(running)).changes
  }

  /** When the next unclaimed job of a kind may start. */
  nextRun(kind: string): number | undefined {
    return this.#nextRun.get(kind) ?? undefined
  }

  /** Removes the unfinished or failed job of a subject; a claim on it is lost. */
  drop(kind: string, subject: string): void {
    this.#db.prepare('DELETE FROM jobs WHERE kind = ? AND subject = ?').run(kind, subject)
  }

  /** Writes this engine's sign of life. */
  beat(engine: EngineRow): void {
    this.#beat.run(engine)
  }

  engines(): EngineRow[] {
    return this.#db
      .prepare<[], EngineRow>(
        'SELECT id, pid, process_started AS processStarted, host, heartbeat FROM engines',
      )
      .all()
  }

  /** Claims by engines that are not even registered: their row was lost with a crash. */
  orphanClaims(): string[] {
    return this.#db
      .prepare<[], string>(
        `SELECT DISTINCT claimed_by FROM jobs
         WHERE claimed_by IS NOT NULL AND claimed_by NOT IN (SELECT id FROM engines)`,
      )
      .pluck()
      .all()
  }

  /** Strikes an engine off and releases its claims; how many jobs will run again. */
  bury(engine: string): number {
    const released = this.#release.run(engine).changes
    this.#db.prepare('DELETE FROM engines WHERE id = ?').run(engine)
    return released
  }

  /** A number that changes when another connection has written to the file. */
  dataVersion(): number {
    return this.#db.pragma('data_version', { simple: true }) as number
  }
}
