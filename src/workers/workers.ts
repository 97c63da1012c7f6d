import type { TaskKind, Tasks } from './tasks.ts'

/** How a task is run. */
export interface RunOptions {
  signal: AbortSignal
  onProgress?: (progress: number) => void
  /** The most attempts when the worker dies each time. Default 1. */
  tries?: number
  /** Runs it where a crash harms no other task, if there is such a place: it may have crashed before. */
  isolated?: boolean
  /**
   * What the task is for, if {@link Workers.stored} will tell that its outcome is stored. Until then a
   * fleet keeps the result, so that it is there if this process ends.
   */
  subject?: string
  /** The MD5 of the file, hexadecimal, and its size, if they are known: a fleet asks for both. */
  audio?: { md5: string; bytes: number }
}

/** {@link RunOptions.tries} of a short task that a caller waits for; a job has attempts instead. */
export const TRIES = 3

/** A task as a room gives it. How files are decoded is up to the worker. */
export type GivenTask<K extends TaskKind> = Omit<Tasks[K]['task'], 'decode'>

/** What does tasks on audio and feeds: threads of this machine, see {@link Pool}. */
export interface Workers {
  /** The number of tasks that can usefully run at once. */
  readonly width: number
  /** Whether tasks can run {@link RunOptions.isolated}. */
  readonly isolates: boolean
  /**
   * Does a task. Callers start at most {@link width} tasks of a kind at once.
   *
   * @throws {DecodeError} when the file cannot be decoded
   * @throws {WorkerDied} when the worker ended during the task
   */
  run<K extends TaskKind>(
    kind: K,
    task: GivenTask<K>,
    options: RunOptions,
  ): Promise<Tasks[K]['result']>
  /** Tells that the outcome of the task of a {@link RunOptions.subject} is stored, or will not be. */
  stored?(subject: string): void
  /** What a fleet of workers does; threads of this machine have no figures. */
  figures?(): Promise<FleetFigures>
  /** Ends what runs. */
  close(): Promise<void>
}

/** What a fleet of workers does. */
export interface FleetFigures {
  /** Jobs of all owners on the queue that no worker has begun. */
  waiting: number
  /** Jobs of all owners that workers have in hand. */
  running: number
  /** Jobs on the queue that workers failed at too often, and whose owners have not looked yet. */
  givenUp: number
  /** Workers of this version that were seen in the last minute. */
  workers: number
  /** Jobs of this owner alone. */
  own: {
    /** Those that no worker has begun. */
    waiting: number
    /** Those that workers have in hand. */
    running: number
  }
  /** Results that came to this owner since the database was opened, errors among them. */
  results: number
  /** Results that came to this owner per second, in the last five minutes. */
  rate: number
  /** What went wrong since the database was opened, by cause. */
  failures: {
    /** Files that could not be decoded, or are over a limit. */
    file: number
    /** Files that workers failed at, or died of, too often. */
    worker: number
    /** Calls that the queue's server refused, or did not answer; they were repeated. */
    queue: number
    /** Calls that the store refused, or did not answer; they were repeated. */
    store: number
  }
}
