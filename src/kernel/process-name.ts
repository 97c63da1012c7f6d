import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'

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

/** Whether a process of this machine has ended, by its pid and its start. */
export function isEnded(pid: number, processStarted: number): boolean {
  if (!isRunning(pid)) return true
  const started = startOf(pid)
  // Another process may have the pid now.
  return started !== 0 && processStarted !== 0 && started !== processStarted
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
