import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'

/**
 * In ticks of the system; clocks would not do. With the pid it identifies a process until the next
 * boot.
 */
export const PROCESS_STARTED = processStart(process.pid)

/** The host name, as part of a file name. */
const HOST_PART = hostname().replace(/[^A-Za-z0-9]/g, '_')

/** The beginning of a file name. */
export const PROCESS_NAME = `${process.pid}-${PROCESS_STARTED}-${HOST_PART}`

/** False for a process of another machine. */
export function isOfEndedProcess(name: string): boolean {
  const [, pid, processStarted, host] = /^(\d+)-(\d+)-(\w+)-/.exec(name) ?? []
  return host === HOST_PART && isEnded(Number(pid), Number(processStarted))
}

export function isEnded(pid: number, processStarted: number): boolean {
  if (!isRunning(pid)) return true
  const started = processStart(pid)
  // Another process may have the pid now.
  return started !== 0 && processStarted !== 0 && started !== processStarted
}

/** From field 22 of /proc/PID/stat on Linux; 0 elsewhere. */
function processStart(pid: number): number {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The second field may contain spaces and brackets.
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
