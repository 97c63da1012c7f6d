/** A worker of a fleet at work. */
export interface FleetWorker {
  /** What it has done since it began. */
  status(): FleetWorkerStatus
  /** The same as Prometheus reads it (text format 0.0.4). */
  metrics(): string
  /** Waits until queue and store have answered. @throws {AudileError} when it is closed before */
  reached(): Promise<void>
  /**
   * Takes no more jobs, and puts those in hand back on the queue; takes at most five seconds. Calling
   * it again does nothing.
   */
  close(): Promise<void>
  /** Closes it at the end of a block, with `await using`. */
  [Symbol.asyncDispose](): Promise<void>
}

/** What a {@link FleetWorker} has done. */
export interface FleetWorkerStatus {
  /** Jobs in hand. */
  running: number
  /** Jobs whose result is in the store, files that could not be decoded among them. */
  done: number
  /** Jobs that were given back for another attempt. */
  failed: number
  /** Calls that the queue's server refused, or did not answer. */
  queueRefused: number
  /** Calls that the store refused, or did not answer. */
  storeRefused: number
}
