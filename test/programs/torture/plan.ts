import type { AudileOptions } from '../../../src/index.ts'
import type { Ground } from './deeds/deed.ts'

/** What a process of mixed work is to do. */
export interface Plan {
  /** Begins the ids of its deeds, and tells them from those of all others. */
  name: string
  seed: number
  /** Address of the package's entry. */
  entry: string
  options: Pick<AudileOptions, 'database' | 'enginePath' | 'workerPath' | 'workers' | 'engine'>
  journal: string
  ground: Ground
  /** Clients that each do one thing after another, at the same time. */
  clients: number
  /** What the process does to itself while it works. */
  ordeal: Ordeal
}

/** What befalls a process from inside. */
export type Ordeal =
  | 'none'
  /** Now and then it closes the database in the middle of everything, and opens it again. */
  | 'closing'
  /** Every call is aborted after a moment, many of them before they are answered. */
  | 'aborting'
  /** Its clock jumps, back more often than on. */
  | 'clock'

/** What a process of mixed work tells the driver. */
export type Told = 'opened' | 'answered' | 'failed'
