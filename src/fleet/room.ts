import type { Kernel } from '../kernel/kernel.ts'
import type { Workers } from '../workers/workers.ts'
import { FleetJobStore } from './job-store.ts'

/** The fleet methods and what they work with. */
export interface FleetRoom {
  readonly name: 'fleet'
  workers: Workers
  jobs: FleetJobStore
  /** The kind of the jobs that a fleet does. */
  analyses: string
}

/** Opens the room. Without a fleet, its methods throw `not_ready`. */
export function openFleet(
  { db }: Kernel,
  needs: Pick<FleetRoom, 'workers' | 'analyses'>,
): FleetRoom {
  return { ...needs, name: 'fleet', jobs: new FleetJobStore(db) }
}
