import { corruptedPage, truncatedLog } from './damaged.ts'
import { aborted, clockSet, closed, engineEnded, workersEnded } from './ended-inside.ts'
import type { Fault } from './fault.ts'
import { fullDisk } from './full-disk.ts'
import { killed, killedBeside } from './killed.ts'
import { locked } from './locked.ts'
import { readOnly } from './read-only.ts'
import { stopped, stoppedWithLock } from './stopped.ts'

/** All classes of faults. */
export function faultsOf(scripts: { mortalEngine: string; mortalWorker: string }): Fault[] {
  return [
    killed,
    killedBeside,
    stopped,
    stoppedWithLock,
    engineEnded(scripts.mortalEngine),
    workersEnded(scripts.mortalWorker),
    closed,
    aborted,
    clockSet,
    locked,
    fullDisk,
    readOnly,
    corruptedPage,
    truncatedLog,
  ]
}
