import { hostname } from 'node:os'
import type { EngineRow } from './store.ts'

/** How often an engine writes its sign of life, in milliseconds. */
export const HEARTBEAT = 2_000

/**
 * An engine that was silent for so long is taken for dead, in milliseconds. Its process may still
 * be there (a thread that died alone, a pid used anew), or be on another machine; a job is
 * synchronous for far less.
 */
const SILENCE = 30_000

/** When this process started, in ms since 1970; with the pid it names a process for good. */
export const PROCESS_STARTED = Math.round(Date.now() - process.uptime() * 1000)

// `Date.now() - uptime` moves by a few ms between threads, and by more when the clock is set.
const START_TOLERANCE = 5_000

/** Whether an engine can be taken for dead, so that its jobs may run again. */
export function isDead(engine: EngineRow, now: number): boolean {
  if (engine.host === hostname()) {
    if (engine.pid === process.pid) {
      if (Math.abs(engine.processStarted - PROCESS_STARTED) > START_TOLERANCE) return true
    } else if (!isRunning(engine.pid)) {
      return true
    }
  }
  // A clock that was set back makes heartbeats of the future: those tell nothing, but do not last.
  return Math.abs(now - engine.heartbeat) > SILENCE
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: it runs, as another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
