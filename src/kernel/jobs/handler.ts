import type { Job } from './store.ts'

export interface Running {
  /** Aborts when the engine closes, or loses its claim on the job. */
  signal: AbortSignal
  /**
   * Whether the process ended more than once while this job ran. A handler with
   * {@link Handler.isolates} runs such a job where a crash ends nothing else.
   */
  suspect: boolean
  /** Reports that a part is stored and need not be repeated; earlier crashes count no more. */
  progressed(): void
}

/** The work of one kind of job. */
export interface Handler {
  kind: string
  /** The number of jobs of this kind that may run at once. */
  concurrency: number
  /**
   * Whether it runs suspects in a separate process. The end of this process is then no evidence
   * against a job, and no job is given up for it.
   */
  isolates?: boolean
  /** A sentence that tells the user how to start a job again that was given up. */
  again?: string
  /**
   * Does the work and returns a function that writes the outcome. The function runs synchronously,
   * in the transaction that removes the job: both happen, or neither.
   */
  run(job: Job, running: Running): Promise<() => void>
  /** Writes that the job failed for good, in the transaction that ends it. */
  failed?(job: Job, error: Error): void
  /** Called after the outcome is committed. */
  settled?(job: Job): void
}
