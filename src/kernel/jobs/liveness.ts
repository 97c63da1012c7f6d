import { hostname } from 'node:os'
import { isEnded } from '../process-name.ts'
import type { EngineRow } from './store.ts'

export const HEARTBEAT_MILLISECONDS = 2_000

/** The process may still run, or be on another machine; no job blocks its thread for that long. */
const DEAD_AFTER_MILLISECONDS = 30_000

/** A dead engine's jobs may run again. */
export function isDead(engine: EngineRow, now: number): boolean {
  if (engine.host === hostname() && isEnded(engine.pid, engine.processStarted)) return true
  // After a clock was set back, a heartbeat may lie in the future.
  return Math.abs(now - engine.heartbeat) > DEAD_AFTER_MILLISECONDS
}
