import type { Database } from 'better-sqlite3'
import { AudileError, DatabaseError } from '../errors.ts'
import type { EngineConfig } from '../options.ts'
import { OpenFile } from './database/open-file.ts'
import { DomainChannel } from './domain-events.ts'
import type { Emit } from './events.ts'
import type { Host } from './host.ts'
import { JobLoop } from './jobs/loop.ts'
import { JobStore } from './jobs/store.ts'
import type { Kernel } from './kernel.ts'
import { Changes } from './wait-for-change.ts'

/** Makes what the rooms of one engine stand on. */
export function openKernel(
  db: Database,
  config: EngineConfig,
  { host, emit, now }: { host: Host; emit: Emit; now: () => number },
): { kernel: Kernel; jobs: JobLoop; lost(listener: (reason: Error) => void): void } {
  const file = config.database === ':memory:' ? undefined : new OpenFile(config.database)
  const changes = new Changes()
  let onLost: (reason: Error) => void = () => {}
  const jobs = new JobLoop({
    store: new JobStore(db),
    now,
    emit,
    onForeignWrite: () => changes.poke(),
    onFault: (error) => host.log('error', 'The job loop met an error and goes on.', error),
    onWatch: () => {
      const why = file?.lost()
      if (why === undefined) return
      const reason = new DatabaseError(why)
      host.log('error', 'The engine ends.', reason)
      onLost(reason)
    },
    onFailed: ({ kind, subject }, error) => {
      // An error that the user can mend is told by the status of what failed.
      if (error instanceof AudileError && error.code !== 'internal') return
      host.log('error', `The job ${kind} of ${subject} failed.`, error)
    },
  })
  const kernel: Kernel = {
    ...{ db, config, host, changes, emit, now },
    domain: new DomainChannel(),
    enqueue: (job) => jobs.enqueue(job),
    cancel: (kind, subject) => jobs.cancel(kind, subject),
    handle: (handler) => jobs.handle(handler),
  }
  return {
    kernel,
    jobs,
    lost: (listener) => {
      onLost = listener
    },
  }
}
