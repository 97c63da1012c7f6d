import { hostname } from 'node:os'
import { isEnded } from '../process-name.ts'
import type { EngineRow } from './store.ts'

/** Milliseconds between two heartbeats of an engine. */
export const HEARTBEAT = 2_000

/**
 * Milliseconds without a heartbeat after which an engine counts as dead. Its process may still run
 * (only a thread died, or the pid was reused), or be on another machine. No job blocks the thread
 * for that long.
 */
const SILENCE = 30_000

/** Whether an engine counts as dead, so that its jobs may run again. */
export function isDead(engine: EngineRow, now: number): boolean {
  if (engine.host === hostname() && isEnded(engine.pid, engine.processStarted)) return true
  // After a clock was set back, a heartbeat may lie in the future; that does not last.
  return Math.abs(now - engine.heartbeat) > SILENCE
}
