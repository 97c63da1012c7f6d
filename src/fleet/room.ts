import type { Kernel } from '../kernel/kernel.ts'
import type { Workers } from '../workers/workers.ts'
import { FleetJobStore } from './job-store.ts'

export interface FleetRoom {
  readonly name: 'fleet'
  workers: Workers
  jobs: FleetJobStore
  /** Of the jobs that a fleet does. */
  analyses: string
}

/** Without a fleet, its methods throw `not_ready`. */
export function openFleet(
  { db }: Kernel,
  needs: Pick<FleetRoom, 'workers' | 'analyses'>,
): FleetRoom {
  return { ...needs, name: 'fleet', jobs: new FleetJobStore(db) }
}
