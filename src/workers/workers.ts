import type { TaskKind, Tasks } from './tasks.ts'

/** How a task is run. */
export interface RunOptions {
  signal: AbortSignal
  onProgress?: (progress: number) => void
  /** The most attempts when the worker dies each time. Default 1. */
  tries?: number
  /** Runs it where a crash harms no other task, if there is such a place: it may have crashed before. */
  isolated?: boolean
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
}
