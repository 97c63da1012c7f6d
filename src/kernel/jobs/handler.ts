import type { Job } from './store.ts'

export interface Running {
  /** Aborts when the engine closes, or loses its claim on the job. */
  signal: AbortSignal
  /** Whether the process ended more than once while this job ran; see {@link Handler.isolates}. */
  suspect: boolean
  /** A part is stored and need not be repeated; earlier crashes count no more. */
  progressed(): void
}

export interface Handler {
  kind: string
  /** The number of jobs of this kind that may run at once. */
  concurrency: number
  /** Whether suspects run in a separate process, so that none is given up for a crash. */
  isolates?: boolean
  /** Tells the user how to start a job again that was given up. */
  again?: string
  /** Returns a function that writes the outcome, in the transaction that removes the job. */
  run(job: Job, running: Running): Promise<() => void>
  /** Writes that the job failed for good, in the transaction that ends it. */
  failed?(job: Job, error: Error): void
  /** Called after the outcome is committed. */
  settled?(job: Job): void
}
