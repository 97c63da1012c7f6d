import { constants, setPriority } from 'node:os'

/** A process, or on Linux the calling thread, gets only time that no other wants. */
export function lowerPriority(pid?: number): void {
  if (pid === undefined && process.platform !== 'linux') return
  try {
    // 0 is the calling thread.
    setPriority(pid ?? 0, constants.priority.PRIORITY_LOW)
  } catch {
    // The process has ended, or the system forbids it.
  }
}
