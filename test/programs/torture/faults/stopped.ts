import Sqlite from 'better-sqlite3'
import { type Cycle, type Fault, REFUSED } from './fault.ts'

/** An engine that was silent for so long is taken for dead by the others; milliseconds. */
const SILENCE = 30_000
/** The other process begins so long before: what it does in the meantime has to be checked too. */
const BEFORE = 6_000
/** How long it takes the other one to notice and to take over the jobs. */
const NOTICED = 4_000

/** A process stands still until another one has its jobs, and goes on as if nothing had been. */
export const stopped: Fault = {
  name: 'stopped and woken',
  what: 'SIGSTOP of a process until another on the file took its jobs over, then SIGCONT',
  share: 1,
  async run(cycle) {
    const { random, stage } = cycle
    const one = cycle.start(stage)
    await cycle.someMoment(one)
    one.standStill()
    // With the lock in its hands it keeps the other one out, which is one case of several.
    for (let tries = 0; random() < 0.95 && tries < 50 && isLocked(stage.database); tries++) {
      one.wake()
      await cycle.pause(5 * random())
      one.standStill()
    }
    await cycle.pause(SILENCE - BEFORE)
    const other = cycle.start(stage)
    await cycle.pause(BEFORE + NOTICED)
    one.wake()
    await cycle.pause(3_000 * random())
    await end(cycle, [one, other])
    await cycle.check(stage)
  },
}

/** A process stands still with the lock in its hands, and another one is closed meanwhile. */
export const stoppedWithLock: Fault = {
  name: 'stopped with the lock',
  what: 'SIGSTOP of a process that holds the write lock, close() of another that waits for it',
  share: 1,
  async run(cycle) {
    const { random, stage } = cycle
    const [one, other] = [cycle.start(stage), cycle.start(stage)]
    await Promise.all([cycle.someMoment(one), other.opened])
    one.standStill()
    for (let tries = 0; tries < 200 && !isLocked(stage.database); tries++) {
      one.wake()
      await cycle.pause(5 * random())
      one.standStill()
    }
    await cycle.pause(3_000 * random())
    const ending = await other.stop()
    one.wake()
    cycle.take(other, ending, stage, { errors: REFUSED })
    await end(cycle, [one])
    await cycle.check(stage)
  },
}

async function end(cycle: Cycle, all: ReturnType<Cycle['start']>[]): Promise<void> {
  for (const working of all) {
    const ending = await (cycle.random() < 0.2 ? working.kill() : working.stop())
    cycle.take(working, ending, cycle.stage, { errors: REFUSED })
  }
}

function isLocked(path: string): boolean {
  const database = new Sqlite(path, { timeout: 0 })
  try {
    database.exec('BEGIN IMMEDIATE; ROLLBACK')
    return false
  } catch {
    return true
  } finally {
    database.close()
  }
}
