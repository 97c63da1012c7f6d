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

/** The host as a part of a file name. */
const HOST = hostname().replace(/[^A-Za-z0-9]/g, '_')

/** This process as the beginning of a file name, by which others find out whether it is gone. */
export const PROCESS_NAME = `${process.pid}-${PROCESS_STARTED}-${HOST}`

/**
 * Whether a name begins with the {@link PROCESS_NAME} of a process that is gone; false if it names
 * no process of this machine.
 */
export function isGone(name: string): boolean {
  const [, pid, processStarted, host] = /^(\d+)-(\d+)-(\w+)-/.exec(name) ?? []
  return host === HOST && isEnded(Number(pid), Number(processStarted))
}

function isEnded(pid: number, processStarted: number): boolean {
  if (!isRunning(pid)) return true
  const started = startOf(pid)
  // The pid was given to another process since.
  return started !== 0 && processStarted !== 0 && started !== processStarted
}

/** Whether an engine can be taken for dead, so that its jobs may run again. */
export function isDead(engine: EngineRow, now: number): boolean {
  if (engine.host === hostname() && isEnded(engine.pid, engine.processStarted)) return true
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
