import type { Job } from './store.ts'

/** What a handler gets besides its job. */
export interface Running {
  /** Aborts when the engine closes, or loses its claim on the job. */
  signal: AbortSignal
  /**
   * The process ended more than once while this job ran. A handler that {@link Handler.isolates} runs
   * it where a crash ends nothing else.
   */
  suspect: boolean
  /** Reports that a part is written and need not be done again: the job did not end the process. */
  progressed(): void
}

/** The work of one kind of job. */
export interface Handler {
  kind: string
  /** The number of jobs of this kind that may run at once. */
  concurrency: number
  /**
   * Whether it runs suspects in a process of their own. The end of this process then says nothing
   * against a job, and none is given up for it.
   */
  isolates?: boolean
  /** How the user asks for a job again that was given up. */
  again?: string
  /**
   * Does the work and returns what writes its outcome. That runs synchronously, in the transaction
   * that removes the job: both happen, or neither.
   */
  run(job: Job, running: Running): Promise<() => void>
  /** Writes that the job failed for good, in the transaction that ends it. */
  failed(job: Job, error: Error): void
  /** Called after the outcome is committed. */
  settled?(job: Job): void
}
