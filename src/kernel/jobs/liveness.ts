import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import type { EngineRow } from './store.ts'

/** Milliseconds between two heartbeats of an engine. */
export const HEARTBEAT = 2_000

/**
 * Milliseconds without a heartbeat after which an engine counts as dead. Its process may still run
 * (only a thread died, or the pid was reused), or be on another machine. No job blocks the thread
 * for that long.
 */
const SILENCE = 30_000

/**
 * The start of this process in ticks of the system. With the pid it identifies a process until the
 * next boot. 0 where the system does not tell it: a time computed from clocks would change when a
 * clock is set, and after a sleep.
 */
export const PROCESS_STARTED = startOf(process.pid)

/** The host name, as part of a file name. */
const HOST = hostname().replace(/[^A-Za-z0-9]/g, '_')

/** Identifies this process at the beginning of a file name; see {@link isMissingFile}. */
export const PROCESS_NAME = `${process.pid}-${PROCESS_STARTED}-${HOST}`

/**
 * Whether a file name begins with the {@link PROCESS_NAME} of a process that has ended; false for a
 * process of another machine.
 */
export function isMissingFile(name: string): boolean {
  const [, pid, processStarted, host] = /^(\d+)-(\d+)-(\w+)-/.exec(name) ?? []
  return host === HOST && isEnded(Number(pid), Number(processStarted))
}

function isEnded(pid: number, processStarted: number): boolean {
  if (!isRunning(pid)) return true
  const started = startOf(pid)
  // Another process may have the pid now.
  return started !== 0 && processStarted !== 0 && started !== processStarted
}

/** Whether an engine counts as dead, so that its jobs may run again. */
export function isDead(engine: EngineRow, now: number): boolean {
  if (engine.host === hostname() && isEnded(engine.pid, engine.processStarted)) return true
  // After a clock was set back, a heartbeat may lie in the future; that does not last.
  return Math.abs(now - engine.heartbeat) > SILENCE
}

/** The start in ticks since boot, from field 22 of /proc/PID/stat on Linux; 0 elsewhere. */
function startOf(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field is the name of the program, which may contain spaces and brackets.
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
    // EPERM: it runs as another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
