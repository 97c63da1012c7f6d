import { readFileSync } from 'node:fs'
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

/**
 * When this process started, by the system's own count; with the pid it names a process until the
 * next boot. 0 where the system does not say: what can be computed from clocks moves when they are
 * set, and after a sleep.
 */
export const PROCESS_STARTED = startOf(process.pid)

/** Whether an engine can be taken for dead, so that its jobs may run again. */
export function isDead(engine: EngineRow, now: number): boolean {
  if (engine.host === hostname()) {
    if (!isRunning(engine.pid)) return true
    const started = startOf(engine.pid)
    // The pid was given to another process since.
    if (started !== 0 && engine.processStarted !== 0 && started !== engine.processStarted)
      return true
  }
  // A clock that was set back makes heartbeats of the future: those tell nothing, but do not last.
  return Math.abs(now - engine.heartbeat) > SILENCE
}

/** Field 22 of Linux's /proc/PID/stat: ticks since boot; 0 elsewhere. */
function startOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is the program's name, which may hold spaces and brackets.
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]) || 0
  } catch {
    return 0
  }
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
