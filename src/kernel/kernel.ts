import type { Database } from 'better-sqlite3'
import type { EngineConfig } from '../options/options.ts'
import type { DomainChannel } from './domain-events.ts'
import type { Emit } from './events.ts'
import type { Host } from './host.ts'
import type { Handler } from './jobs/handler.ts'
import type { NewJob } from './jobs/store.ts'
import type { ConnectOther } from './other-engine.ts'
import type { Changes } from './wait-for-change.ts'

/** What every room uses. */
export interface Kernel {
  readonly db: Database
  readonly config: EngineConfig
  readonly host: Host
  /** Lets calls wait for tracks, tickets and feeds to change. */
  readonly changes: Changes
  readonly domain: DomainChannel
  readonly emit: Emit
  readonly connect: ConnectOther
  /** Milliseconds since 1970. */
  now(): number
  /** Puts a job in the queue, inside the transaction that makes it necessary. */
  enqueue(job: NewJob): void
  /** Removes the job of a subject, and stops it if it runs here. */
  cancel(kind: string, subject: string): void
  handle(handler: Handler): void
}
