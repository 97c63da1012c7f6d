export const QUEUE_PREFIX = 'audile-'

/** The data of a job on the queue. */
export interface QueuedJob {
  /** See {@link Queue.ofOwner}. */
  owner: string
  /** JSON: a `FleetTask`, unchecked because another version may have written it. */
  task: unknown
  /** JSON: `JobAddresses`; absent when the owner signs none. */
  addresses?: unknown
}

export interface FleetJob extends QueuedJob {
  /** A UUID. */
  id: string
}

export interface TakenJob extends Omit<FleetJob, 'owner'> {
  /** 1 on the first attempt; attempts that ended with their worker count too. */
  attempt: number
}

export type JobState =
  | { state: 'waiting' | 'done' }
  | { state: 'running'; progress: number }
  | { state: 'failed'; reason: string }

export interface QueueCounts {
  waiting: number
  running: number
  /** Jobs that were given up, and whose owner has not looked yet. */
  failed: number
}

/**
 * Work is done at least once: a job without beats goes to another worker, {@link MAX_ATTEMPTS} times at
 * most.
 *
 * Every function rejects while the server cannot be reached; the caller tries again.
 */
export interface Queue {
  /** A second job with the same id only replaces the addresses, if it has any. */
  put(job: FleetJob): Promise<void>
  /** The oldest first; none when there are none. */
  take(maxJobs: number): Promise<TakenJob[]>
  /** Ends a job whose result is in the store. */
  done(job: TakenJob): Promise<void>
  /** Lets another worker try. After the last attempt the job has failed, with the reason. */
  fail(job: TakenJob, reason: string): Promise<void>
  /** Puts a job back that was not tried. */
  giveBack(job: TakenJob): Promise<void>
  /**
   * A worker still works on its jobs.
   *
   * @returns the ids of those that are still its own; others were withdrawn, or went to another
   * worker
   */
  beat(jobs: readonly { job: TakenJob; progress: number }[]): Promise<Set<string>>
  /** The states of jobs. A job that is not in the answer is not on the queue. */
  look(ids: readonly string[]): Promise<Map<string, JobState>>
  /** Removes jobs in any state; a worker that has one stops. */
  remove(ids: readonly string[]): Promise<void>
  /** The ended jobs of an owner, or all its jobs. */
  ofOwner(owner: string, which: 'ended' | 'all'): Promise<Pick<FleetJob, 'id' | 'task'>[]>
  /** The names of the queues of other versions. */
  others(): Promise<string[]>
  counts(): Promise<QueueCounts>
  present(worker: string): Promise<void>
  /** Present in the last {@link PRESENT_SECONDS} seconds. */
  workers(): Promise<number>
  close(): Promise<void>
}

export interface QueueOptions {
  /** `postgres:` or `redis:` */
  url: string
  /** Other versions have other queues, because their results differ. */
  name: string
  /** Seconds without a beat after which a worker counts as dead. */
  silence: number
  /** Whether to look for jobs of dead workers, which workers do. */
  supervises: boolean
  /** Receives connection errors that belong to no call. */
  onError: (error: unknown) => void
}

/** Large, because usually a worker was just stopped. */
export const MAX_ATTEMPTS = 10

/** After which a worker without a sign of presence is not counted. */
export const PRESENT_SECONDS = 60
