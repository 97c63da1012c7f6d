import type { TaskKind, Tasks } from './tasks.ts'

export interface RunOptions {
  signal: AbortSignal
  onProgress?: (progress: number) => void
  tries?: number
  /** Runs it where a crash harms no other task, if possible: it may have crashed before. */
  isolated?: boolean
  /** A fleet keeps the result until {@link Workers.stored} reports its outcome as stored. */
  subject?: string
  /** The MD5 of the file, hexadecimal, and its size, if they are known: a fleet needs both. */
  audio?: { md5: string; bytes: number }
}

/** A job has attempts instead. */
export const SHORT_TASK_TRIES = 3

/** How files are decoded is up to the worker. */
export type GivenTask<K extends TaskKind> = Omit<Tasks[K]['task'], 'decode'>

/** In threads of this machine or on a fleet. */
export interface Workers {
  readonly width: number
  /** Whether tasks can run {@link RunOptions.isolated}. */
  readonly isolates: boolean
  /**
   * Callers start at most {@link width} tasks of a kind at once.
   *
   * @throws {DecodeError} when the file cannot be decoded
   * @throws {WorkerDied} when the worker ended during the task
   */
  run<K extends TaskKind>(
    kind: K,
    task: GivenTask<K>,
    options: RunOptions,
  ): Promise<Tasks[K]['result']>
  /** Reports that the outcome for a {@link RunOptions.subject} is stored, or never will be. */
  stored?(subject: string): void
  /** The figures of a fleet; threads of this machine have none. */
  figures?(): Promise<FleetFigures>
  /** Ends running tasks. */
  close(): Promise<void>
}

/** The figures of a fleet of workers. */
export interface FleetFigures {
  /** Jobs of all owners on the queue that no worker has started. */
  waiting: number
  /** Jobs of all owners that workers are working on. */
  running: number
  /** Jobs on the queue that workers failed at too often, and whose owners have not looked yet. */
  givenUp: number
  /** Workers of this version that were seen in the last minute. */
  workers: number
  /** Jobs of this owner alone. */
  own: {
    /** Those that no worker has started. */
    waiting: number
    /** Those that workers are working on. */
    running: number
  }
  /** Results that came to this owner since the database was opened, including errors. */
  results: number
  /** Results that came to this owner per second, in the last five minutes. */
  rate: number
  /** What went wrong since the database was opened, by cause. */
  failures: {
    /** Files that could not be decoded, or are over a limit. */
    file: number
    /** Files on which workers failed or died too often. */
    worker: number
    /** Calls that the queue's server refused, or did not answer; they were repeated. */
    queue: number
    /** Calls that the store refused, or did not answer; they were repeated. */
    store: number
  }
}
