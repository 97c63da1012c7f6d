import type * as Bull from 'bullmq'
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

/** That one answer of the server lists. */
const PAGE_JOBS = 500
/** That the mark of a withdrawn running job stays. */
const WITHDRAWN_SECONDS = 86_400
/** After a worker reported a fault. */
const RETRY_DELAY = 1_000

/** The used part of BullMQ's Redis client, which several libraries can provide. */
interface RedisClient {
  del(key: string): Promise<number>
  exists(key: string): Promise<number>
  scan(
    cursor: string,
    ...options: ['MATCH', pattern: string, 'COUNT', keys: number]
  ): Promise<[cursor: string, keys: string[]]>
  set(key: string, value: string, unit: 'EX', seconds: number): Promise<unknown>
  time(): Promise<[string, string]>
  zadd(key: string, score: number, member: string): Promise<unknown>
  zcount(key: string, least: number, most: '+inf'): Promise<number>
  zremrangebyscore(key: string, least: '-inf', most: number): Promise<unknown>
  hmget(key: string, ...fields: string[]): Promise<(string | null)[]>
}

/**
 * By BullMQ 5. A running job cannot be removed: a key marks it as withdrawn, and its worker's next
 * beat reads it.
 * @throws {ParameterError} when bullmq is not installed
 */
export async function openBullQueue(options: QueueOptions): Promise<Queue> {
  const bull = await loadPeer<typeof Bull>('bullmq', 'queue')
  return new BullQueue(bull, options)
}

type JobMove = (job: Bull.Job<QueuedJob>, token: string) => Promise<unknown>

class BullQueue implements Queue {
  readonly #bull: typeof Bull
  readonly #options: QueueOptions
  readonly #queue: Bull.Queue<QueuedJob>
  /** Only workers have one. */
  #taker: Bull.Worker<QueuedJob> | undefined
  readonly #jobsInHand = new Map<string, Bull.Job<QueuedJob>>()

  constructor(bull: typeof Bull, options: QueueOptions) {
    this.#bull = bull
    this.#options = options
    this.#queue = new bull.Queue(options.name, { connection: this.#connectionOptions() })
    // Without a listener an error of the connection would end the process.
    this.#queue.on('error', options.onError)
  }

  /** Calls fail at once while the server is away; the caller tries again. */
  #connectionOptions(): Bull.RedisOptions {
    return { url: this.#options.url, enableOfflineQueue: false, maxRetriesPerRequest: 1 }
  }

  async #openTaker(): Promise<Bull.Worker<QueuedJob>> {
    if (this.#taker) return this.#taker
    const { name, silence, onError } = this.#options
    const worker = new this.#bull.Worker<QueuedJob>(name, null, {
      connection: { ...this.#connectionOptions(), maxRetriesPerRequest: null },
      autorun: false,
      lockDuration: silence * 1000,
      skipLockRenewal: true,
      stalledInterval: (silence / 2) * 1000,
      maxStalledCount: MAX_ATTEMPTS - 1,
    })
    worker.on('error', onError)
    this.#taker = worker
    await worker.waitUntilReady()
    await worker.startStalledCheckTimer()
    return worker
  }

  async #openClient(): Promise<RedisClient> {
    return (await this.#queue.client) as unknown as RedisClient
  }

  /** Ordered by the server's time. */
  get #presentKey(): string {
    return this.#queue.toKey('audile-workers')
  }

  #withdrawnKey(id: string): string {
    return this.#queue.toKey(`withdrawn:${id}`)
  }

  async put({ id, ...data }: FleetJob): Promise<void> {
    await (await this.#openClient()).del(this.#withdrawnKey(id))
    const options: Bull.JobsOptions = {
      jobId: id,
      attempts: MAX_ATTEMPTS,
      backoff: { type: 'fixed', delay: RETRY_DELAY },
    }
    const job = await this.#queue.add('analysis', data, options)
    // The server does not tell whether the job was there already, with its own data.
    if (data.addresses) await ignoreLostJob(job.updateData(data))
  }

  async take(maxJobs: number): Promise<TakenJob[]> {
    const worker = await this.#openTaker()
    const takenJobs: TakenJob[] = []
    while (takenJobs.length < maxJobs) {
      const job = await worker.getNextJob(crypto.randomUUID(), { block: false })
      if (!job?.id) break
      this.#jobsInHand.set(job.id, job)
      const attempt = job.attemptsMade + job.stalledCounter + 1
      const { task, addresses } = job.data ?? {}
      takenJobs.push({ id: job.id, task, addresses, attempt })
    }
    return takenJobs
  }

  done(job: TakenJob): Promise<void> {
    return this.#endJob(job, (own, token) => own.moveToCompleted(true as never, token, false))
  }

  fail(job: TakenJob, reason: string): Promise<void> {
    return this.#endJob(job, (own, token) => own.moveToFailed(new Error(reason), token, false))
  }

  giveBack(job: TakenJob): Promise<void> {
    return this.#endJob(job, (own, token) => own.moveToWait(token))
  }

  async #endJob({ id }: Pick<TakenJob, 'id'>, move: JobMove): Promise<void> {
    const job = this.#jobsInHand.get(id)
    if (!job) return
    await ignoreLostJob(move(job, job.token ?? ''))
    this.#jobsInHand.delete(id)
    if (await this.#isWithdrawn(id)) await this.remove([id])
  }

  async #isWithdrawn(id: string): Promise<boolean> {
    return (await (await this.#openClient()).exists(this.#withdrawnKey(id))) > 0
  }

  async beat(jobs: readonly { job: TakenJob; progress: number }[]): Promise<Set<string>> {
    const ownIds = new Set<string>()
    await Promise.all(
      jobs.map(async ({ job: { id }, progress }) => {
        const job = this.#jobsInHand.get(id)
        if (!job) return
        const locked = await job.extendLock(job.token ?? '', this.#options.silence * 1000)
        if (locked !== 1) {
          this.#jobsInHand.delete(id)
        } else if (await this.#isWithdrawn(id)) {
          await this.remove([id])
        } else {
          await job.updateProgress(progress)
          ownIds.add(id)
        }
      }),
    )
    return ownIds
  }

  async look(ids: readonly string[]): Promise<Map<string, JobState>> {
    const client = await this.#openClient()
    const states = await Promise.all(
      ids.map(async (id): Promise<[string, JobState] | undefined> => {
        const fields = ['name', 'finishedOn', 'failedReason', 'processedOn', 'progress']
        const values = await client.hmget(this.#queue.toKey(id), ...fields)
        return values[0] === null ? undefined : [id, stateOfFields(values)]
      }),
    )
    return new Map(states.filter((state) => state !== undefined))
  }

  async remove(ids: readonly string[]): Promise<void> {
    const client = await this.#openClient()
    for (const id of ids) {
      // A job that this process has can only be removed after it has ended.
      const job = this.#jobsInHand.get(id)
      const reason = new this.#bull.UnrecoverableError('It was withdrawn.')
      if (job) await ignoreLostJob(job.moveToFailed(reason, job.token ?? '', false))
      this.#jobsInHand.delete(id)
      if ((await this.#queue.remove(id)) > 0) {
        await client.del(this.#withdrawnKey(id))
      } else if ((await client.exists(this.#queue.toKey(id))) > 0) {
        await client.set(this.#withdrawnKey(id), '1', 'EX', WITHDRAWN_SECONDS)
      }
    }
  }

  async ofOwner(owner: string, which: 'ended' | 'all'): Promise<Pick<FleetJob, 'id' | 'task'>[]> {
    const ownedJobs: Pick<FleetJob, 'id' | 'task'>[] = []
    const states: Bull.JobType[] = ['completed', 'failed']
    if (which === 'all') states.push('waiting', 'delayed', 'active')
    for (let start = 0; ; start += PAGE_JOBS) {
      const jobs = await this.#queue.getJobs(states, start, start + PAGE_JOBS - 1)
      if (jobs.length === 0) return ownedJobs
      for (const job of jobs) {
        if (job?.id && job.data.owner === owner) ownedJobs.push({ id: job.id, task: job.data.task })
      }
    }
  }

  async others(): Promise<string[]> {
    const client = await this.#openClient()
    const pattern = this.#queue.toKey('meta').replace(this.#options.name, `${QUEUE_PREFIX}*`)
    const queueNames = new Set<string>()
    let cursor = '0'
    do {
      const [next, keys] = await client.scan(cursor, 'MATCH', pattern, 'COUNT', PAGE_JOBS)
      for (const key of keys) queueNames.add(key.split(':')[1] ?? '')
      cursor = next
    } while (cursor !== '0')
    return [...queueNames].filter((name) => name !== this.#options.name)
  }

  async counts(): Promise<QueueCounts> {
    const {
      waiting = 0,
      delayed = 0,
      active = 0,
      failed = 0,
    } = await this.#queue.getJobCounts('waiting', 'delayed', 'active', 'failed')
    return { waiting: waiting + delayed, running: active, failed }
  }

  async present(worker: string): Promise<void> {
    const client = await this.#openClient()
    const now = Number((await client.time())[0])
    await client.zadd(this.#presentKey, now, worker)
    await client.zremrangebyscore(this.#presentKey, '-inf', now - PRESENT_SECONDS)
  }

  async workers(): Promise<number> {
    const client = await this.#openClient()
    return client.zcount(
      this.#presentKey,
      Number((await client.time())[0]) - PRESENT_SECONDS,
      '+inf',
    )
  }

  async close(): Promise<void> {
    await this.#taker?.close(true)
    await this.#queue.close()
    // It never settles when there was no connection.
    void this.#queue.disconnect().catch(() => {})
  }
}

function stateOfFields(fields: (string | null)[]): JobState {
  const [, finished, reason, begun, progress] = fields
  if (finished !== null && finished !== undefined) {
    return reason ? { state: 'failed', reason } : { state: 'done' }
  }
  if (!begun) return { state: 'waiting' }
  const value = Number(progress ?? 0)
  return { state: 'running', progress: Number.isFinite(value) ? value : 0 }
}

/** A lost lock or a removed job: another worker has the job, or nobody wants it. */
async function ignoreLostJob(work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    const { message } = error as Error
    if (!/Missing lock|Missing key|not in the active state|Lock mismatch/i.test(message))
      throw error
  }
}
