import Sqlite from 'better-sqlite3'
import { type Fault, REFUSED } from './fault.ts'

/** Longer than the engine waits for a lock, in milliseconds. */
const TOO_LONG = 11_000

/** Another process (this one) holds the file for itself. */
export const locked: Fault = {
  name: 'locked',
  what: 'another process locks the file for writing, for 0.05 to 1.5 s, one time in ten for 11 s',
  share: 2,
  async run(cycle) {
    const { random, stage } = cycle
    const long = random() < 0.1
    const other = new Sqlite(stage.database)
    const hold = async (milliseconds: number) => {
      other.exec('BEGIN IMMEDIATE')
      await cycle.pause(milliseconds)
      other.exec('COMMIT')
    }
    try {
      const early = random() < 0.3
      const working = cycle.start(stage)
      if (early) await hold(600 * random())
      const opened = await working.opened
      for (let times = 0; opened && times < 3; times++) {
        await cycle.pause(300 * random())
        await hold(times === 1 && long ? TOO_LONG : 50 + 700 * random())
      }
      const ending = await (random() < 0.3 ? working.kill() : working.stop())
      cycle.take(working, ending, stage, long ? { errors: REFUSED } : {})
    } finally {
      other.close()
    }
    await cycle.check(stage)
  },
}
