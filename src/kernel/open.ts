import type { Database } from 'better-sqlite3'
import type { EngineConfig } from '../options/options.ts'
import type { LockWaits } from './database/lock-wait.ts'
import { DomainChannel } from './domain-events.ts'
import type { Emit } from './events.ts'
import type { Host } from './host.ts'
import { JobLoop } from './jobs/loop.ts'
import { JobStore } from './jobs/store.ts'
import type { Kernel } from './kernel.ts'
import type { ConnectOther } from './other-engine.ts'
import { Changes } from './wait-for-change.ts'

export interface EngineServices {
  host: Host
  emit: Emit
  now: () => number
  connect: ConnectOther
  /** Lets the thread that started the engine end its waits for locks. */
  waits?: LockWaits
}

/** Opens the kernel that the rooms of an engine share, and the loop that runs their jobs. */
export function openKernel(
  db: Database,
  config: EngineConfig,
  services: EngineServices,
): { kernel: Kernel; jobs: JobLoop } {
  const changes = new Changes()
  const jobs = new JobLoop({ ...services, store: new JobStore(db), changes })
  const { enqueue, cancel, handle } = jobs
  const domain = new DomainChannel()
  return { kernel: { ...services, db, config, changes, domain, enqueue, cancel, handle }, jobs }
}
