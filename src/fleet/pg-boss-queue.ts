import type PgBoss from 'pg-boss'
import { loadPeer } from '../kernel/load-package.ts'
import {
  type FleetJob,
  type JobState,
  MAX_ATTEMPTS,
  PRESENT_SECONDS,
  QUEUE_PREFIX,
  type Queue,
  type QueueCounts,
  type QueuedJob,
  type QueueOptions,
  type TakenJob,
} from './queue.ts'

/** That a job stays when nobody takes it, or its owner never comes back. */
const KEPT_DAYS = 14
/** Before the next attempt at a job whose worker reported a fault. */
const RETRY_SECONDS = 1
/** Of a process. */
const MAX_CONNECTIONS = 4
/** The advisory lock for making a queue: `audile` in ASCII. */
const CREATION_LOCK = 0x617564696c65

/**
 * By pg-boss 10, which has no heartbeat: a beat moves a job's start, and stores its progress, by
 * SQL.
 * @throws {ParameterError} when pg-boss is not installed
 */
export async function openPgBossQueue(options: QueueOptions): Promise<Queue> {
  const { default: Boss } = await loadPeer<{ default: typeof PgBoss }>('pg-boss', 'queue')
  return new PgBossQueue(Boss, options)
}

class PgBossQueue implements Queue {
  readonly #Boss: typeof PgBoss
  readonly #options: QueueOptions
  #boss: Promise<PgBoss> | undefined

  constructor(Boss: typeof PgBoss, options: QueueOptions) {
    this.#Boss = Boss
    this.#options = options
  }

  /** Makes the tables where there are none. */
  #openBoss(): Promise<PgBoss> {
    this.#boss ??= this.#startBoss().catch((error) => {
      this.#boss = undefined
      throw error
    })
    return this.#boss
  }

  async #startBoss(): Promise<PgBoss> {
    const { url, name, silence, supervises, onError } = this.#options
    const config: PgBoss.ConstructorOptions & { allowExitOnIdle: boolean } = {
      connectionString: url,
      application_name: 'audile',
      max: MAX_CONNECTIONS,
      // Idle connections do not keep the process alive.
      allowExitOnIdle: true,
      schedule: false,
      supervise: supervises,
      maintenanceIntervalSeconds: Math.max(1, Math.floor(silence / 2)),
      retentionDays: KEPT_DAYS,
      // Ended jobs wait for their owner, which removes them.
      archiveCompletedAfterSeconds: KEPT_DAYS * 86_400,
    }
    const boss = new this.#Boss(config)
    // Without a listener an error of an idle connection would end the process.
    boss.on('error', onError)
    try {
      await boss.start()
    } catch (error) {
      const db: PgBoss.Db & { close?(): Promise<void> } = boss.getDb()
      await db.close?.()
      throw error
    }
    try {
      // Unlike `createQueue`, one process after the other: two at once cause a deadlock.
      // Several statements are one transaction, but take no values.
      await boss.getDb().executeSql(
        `SELECT pg_advisory_xact_lock(${CREATION_LOCK});
         SELECT pgboss.create_queue('${name}', '{"policy": "standard"}');
         CREATE TABLE IF NOT EXISTS pgboss.audile_workers
           (queue text, id text, seen timestamptz NOT NULL DEFAULT now(), PRIMARY KEY (queue, id))`,
        undefined as never,
      )
      return boss
    } catch (error) {
      // Its timers would outlive its connections.
      await boss.stop({ graceful: false })
      throw error
    }
  }

  async put({ id, ...data }: FleetJob): Promise<void> {
    const boss = await this.#openBoss()
    const { name, silence } = this.#options
    const added = await boss.send(name, data satisfies QueuedJob, {
      id,
      retryLimit: MAX_ATTEMPTS - 1,
      retryDelay: RETRY_SECONDS,
      expireInSeconds: silence,
    })
    if (added !== null || !data.addresses) return
    const text = JSON.stringify(data)
    const replace = 'UPDATE pgboss.job SET data = $3::jsonb WHERE name = $1 AND id = $2::uuid'
    await this.#runSql(replace, [id, text])
  }

  async take(maxJobs: number): Promise<TakenJob[]> {
    const boss = await this.#openBoss()
    const options = { batchSize: maxJobs, includeMetadata: true } as const
    const jobs = await boss.fetch<QueuedJob>(this.#options.name, options)
    return jobs.map(({ id, data, retryCount }) => ({
      id,
      task: data?.task,
      addresses: data?.addresses,
      attempt: retryCount + 1,
    }))
  }

  async done({ id }: TakenJob): Promise<void> {
    const boss = await this.#openBoss()
    await boss.complete(this.#options.name, id)
  }

  async fail({ id }: TakenJob, reason: string): Promise<void> {
    const boss = await this.#openBoss()
    await boss.fail(this.#options.name, id, { reason })
  }

  async giveBack(job: TakenJob): Promise<void> {
    await this.#runSql(
      `UPDATE pgboss.job SET state = 'created', started_on = NULL, output = NULL
       WHERE name = $1 AND id = $2::uuid AND state = 'active' AND retry_count = $3`,
      [job.id, job.attempt - 1],
    )
  }

  async beat(jobs: readonly { job: TakenJob; progress: number }[]): Promise<Set<string>> {
    const rows = await this.#runSql<{ id: string }>(
      `UPDATE pgboss.job AS j SET started_on = now(), output = jsonb_build_object('progress', b.progress)
       FROM unnest($2::uuid[], $3::int[], $4::float8[]) AS b (id, retries, progress)
       WHERE j.name = $1 AND j.id = b.id AND j.state = 'active' AND j.retry_count = b.retries
       RETURNING j.id`,
      [
        jobs.map(({ job }) => job.id),
        jobs.map(({ job }) => job.attempt - 1),
        jobs.map(({ progress }) => progress),
      ],
    )
    return new Set(rows.map(({ id }) => id))
  }

  async look(ids: readonly string[]): Promise<Map<string, JobState>> {
    const rows = await this.#runSql<StateRow>(
      'SELECT id, state, output FROM pgboss.job WHERE name = $1 AND id = ANY($2::uuid[])',
      [ids],
    )
    return new Map(rows.map((row) => [row.id, stateOfRow(row)]))
  }

  async remove(ids: readonly string[]): Promise<void> {
    await this.#runSql('DELETE FROM pgboss.job WHERE name = $1 AND id = ANY($2::uuid[])', [ids])
  }

  ofOwner(owner: string, which: 'ended' | 'all'): Promise<Pick<FleetJob, 'id' | 'task'>[]> {
    return this.#runSql(
      `SELECT id, data->'task' AS task FROM pgboss.job
       WHERE name = $1 AND data->>'owner' = $2 AND state >= $3`,
      [owner, which === 'all' ? 'created' : 'completed'],
    )
  }

  async others(): Promise<string[]> {
    const rows = await this.#runSql<{ name: string }>(
      'SELECT name FROM pgboss.queue WHERE name <> $1 AND starts_with(name, $2)',
      [QUEUE_PREFIX],
    )
    return rows.map(({ name }) => name)
  }

  async counts(): Promise<QueueCounts> {
    const rows = await this.#runSql<{ state: string; count: string }>(
      'SELECT state, count(*) AS count FROM pgboss.job WHERE name = $1 GROUP BY state',
      [],
    )
    const count = (...states: string[]) =>
      rows.reduce((sum, row) => sum + (states.includes(row.state) ? Number(row.count) : 0), 0)
    return {
      waiting: count('created', 'retry'),
      running: count('active'),
      failed: count('failed'),
    }
  }

  async present(worker: string): Promise<void> {
    await this.#runSql(
      `WITH gone AS (DELETE FROM pgboss.audile_workers WHERE seen < now() - interval '1 day')
       INSERT INTO pgboss.audile_workers (queue, id) VALUES ($1, $2)
       ON CONFLICT (queue, id) DO UPDATE SET seen = now()`,
      [worker],
    )
  }

  async workers(): Promise<number> {
    const rows = await this.#runSql<{ count: string }>(
      `SELECT count(*) FROM pgboss.audile_workers
       WHERE queue = $1 AND seen > now() - make_interval(secs => $2)`,
      [PRESENT_SECONDS],
    )
    return Number(rows[0]?.count)
  }

  async close(): Promise<void> {
    const boss = await this.#boss?.catch(() => undefined)
    await boss?.stop({ graceful: false })
  }

  /** @param values - the parameters after the first, which is the name of the queue */
  async #runSql<Row>(text: string, values: unknown[]): Promise<Row[]> {
    const boss = await this.#openBoss()
    const { rows } = await boss.getDb().executeSql(text, [this.#options.name, ...values])
    return rows as Row[]
  }
}

interface StateRow {
  id: string
  state: 'created' | 'retry' | 'active' | 'completed' | 'cancelled' | 'failed'
  output: { progress?: number; reason?: string; value?: { message?: string } } | null
}

function stateOfRow({ state, output }: StateRow): JobState {
  if (state === 'active') return { state: 'running', progress: output?.progress ?? 0 }
  if (state === 'completed') return { state: 'done' }
  if (state === 'created' || state === 'retry') return { state: 'waiting' }
  const reason = output?.reason ?? 'its workers ended'
  return { state: 'failed', reason }
}
