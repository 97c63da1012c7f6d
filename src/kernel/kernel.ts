import type { Database } from 'better-sqlite3'
import type { EngineConfig } from '../options.ts'
import type { DomainChannel } from './domain-events.ts'
import type { Emit } from './events.ts'
import type { Host } from './host.ts'
import type { Handler } from './jobs/loop.ts'
import type { NewJob } from './jobs/store.ts'
import type { Changes } from './wait-for-change.ts'

/** What every room stands on. */
export interface Kernel {
  readonly db: Database
  readonly config: EngineConfig
  readonly host: Host
  /** Those who wait for tracks, tickets and feeds to change. */
  readonly changes: Changes
  /** What rooms tell each other. */
  readonly domain: DomainChannel
  /** Tells the application's listeners. */
  readonly emit: Emit
  /** Milliseconds since 1970. */
  now(): number
  /** Puts a job in the queue; inside the transaction that makes it necessary. */
  enqueue(job: NewJob): void
  cancel(kind: string, subject: string): void
  /** Has the jobs of a kind done. */
  handle(handler: Handler): void
}
