import { constants, setPriority } from 'node:os'

/**
 * Gives a process, or on Linux the calling thread, only the time that no other one wants.
 *
 * @param pid - the process; without it, the calling thread: elsewhere than on Linux, where a thread
 * has the priority of its process, nothing is done
 */
export function lowerPriority(pid?: number): void {
  if (pid === undefined && process.platform !== 'linux') return
  try {
    // 0 is the calling thread.
    setPriority(pid ?? 0, constants.priority.PRIORITY_LOW)
  } catch {
    // The process has ended, or the system forbids it: the work is done all the same.
  }
}
