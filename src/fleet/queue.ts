/** By what the names of queues begin. */
export const QUEUES = 'audile-'

/** What a queue holds of a job. */
export interface QueuedJob {
  /** Whose job it is; see {@link Queue.ofOwner}. */
  owner: string
  /** JSON: a `FleetTask`; what is read is unchecked, as it comes from another machine or version. */
  task: unknown
  /** JSON: `JobAddresses`; none where its owner signs none. */
  addresses?: unknown
}

/** A job on the queue. */
export interface FleetJob extends QueuedJob {
  /** A UUID. */
  id: string
}

/** A job that a worker took. */
export interface TakenJob extends Omit<FleetJob, 'owner'> {
  /** 1 on the first attempt. Ends of a worker count. */
  attempt: number
}

/** How a job stands, as its owner sees it. */
export type JobState =
  | { state: 'waiting' | 'done' }
  | { state: 'running'; progress: number }
  | { state: 'failed'; reason: string }

/** How many jobs of all owners there are. */
export interface QueueCounts {
  waiting: number
  running: number
  /** Given up; their owner has not looked yet. */
  failed: number
}

/**
 * A queue of jobs on a server. Work is done at least once: a job that is not heard of goes to another
 * worker, {@link ATTEMPTS} times at most.
 *
 * Every function rejects while the server cannot be reached; whoever calls it tries again.
 */
export interface Queue {
  /** A second job of the same id is not added, but one with addresses replaces those of the first. */
  put(job: FleetJob): Promise<void>
  /** The next jobs, oldest first; none when there are none. */
  take(most: number): Promise<TakenJob[]>
  /** The result is in the store. */
  done(job: TakenJob): Promise<void>
  /** Another worker may try; after the last attempt the job has failed, with the reason. */
  fail(job: TakenJob, reason: string): Promise<void>
  /** Puts a job back that was not tried. */
  giveBack(job: TakenJob): Promise<void>
  /**
   * Tells that a worker has its jobs in hand.
   *
   * @returns the ids of those that are still its own; others were withdrawn, or went to another worker
   */
  beat(jobs: readonly { job: TakenJob; progress: number }[]): Promise<Set<string>>
  /** How jobs stand. A job that is not in the answer is not on the queue. */
  look(ids: readonly string[]): Promise<Map<string, JobState>>
  /** Removes jobs in any state; a worker that has one stops. */
  remove(ids: readonly string[]): Promise<void>
  /** Jobs of an owner that ended, or all. */
  ofOwner(owner: string, which: 'ended' | 'all'): Promise<Pick<FleetJob, 'id' | 'task'>[]>
  /** The names of the queues of other versions. */
  others(): Promise<string[]>
  counts(): Promise<QueueCounts>
  /** Tells that a worker is there. */
  present(worker: string): Promise<void>
  /** How many workers were there in the last {@link SEEN} seconds. */
  workers(): Promise<number>
  close(): Promise<void>
}

/** How a queue is opened. */
export interface QueueOptions {
  /** `postgres:` or `redis:` */
  url: string
  /** The name of the queue. Workers of another version have another, as their results differ. */
  name: string
  /** Seconds without a beat after which a worker counts as dead. */
  silence: number
  /** Whether jobs of dead workers are looked for: by workers. */
  supervises: boolean
  /** Is told of errors of connections that no call has. */
  onError: (error: unknown) => void
}

/**
 * Attempts at a job. The number is large because most often a worker was merely stopped; a file that
 * ends its worker is tried in a process of its own from the second attempt on.
 */
export const ATTEMPTS = 10

/** Seconds after which a worker that does not tell that it is there is not counted. */
export const SEEN = 60
