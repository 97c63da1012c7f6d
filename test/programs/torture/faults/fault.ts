import type { Random } from '../../../support/chance.ts'
import type { Plan } from '../plan.ts'
import type { Stage } from '../stage.ts'
import type { Ending, Start, Working } from '../working.ts'

/** How a process of a cycle is started. */
export interface Staging extends Start {
  options?: Partial<Plan['options']>
  ordeal?: Plan['ordeal']
}

/** What is right of a process that a fault was done to. */
export interface Allowed {
  /** Errors that its calls may be rejected with. */
  errors?: readonly string[]
  /** Its work was made to fail: tracks, feeds and updates may have ended in an error. */
  frail?: boolean
}

/** One time that a fault is done. */
export interface Cycle {
  readonly number: number
  readonly random: Random
  readonly stage: Stage
  /** A copy of the stage, gone after the cycle. */
  copy(name: string): Stage
  start(stage: Stage, staging?: Staging): Working
  /** Lets a process work until a moment by chance; seldom it has not even opened the database. */
  someMoment(working: Working): Promise<void>
  pause(milliseconds: number): Promise<void>
  /** Takes in what a process that has ended did, and whether it ended as it may. */
  take(working: Working, ending: Ending, stage: Stage, allowed?: Allowed): void
  /** Checks a stage; what is wrong is told. */
  check(stage: Stage, cut?: string): Promise<void>
  complain(what: string): void
}

/** A class of faults. */
export interface Fault {
  readonly name: string
  /** What is done, in a few words. */
  readonly what: string
  /** How many cycles of it there are in one round of all classes. */
  readonly share: number
  run(cycle: Cycle): Promise<void>
}

/** What calls are rejected with when the database is closed under them. */
export const CLOSED = ['ClosedError'] as const
/** What calls are rejected with when SQLite refuses. */
export const REFUSED = ['DatabaseError'] as const
