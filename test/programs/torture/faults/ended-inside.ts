import { CLOSED, type Cycle, type Fault, type Staging } from './fault.ts'

/** The thread of the engine dies, the process lives and opens the database again. */
export const engineEnded = (mortalEngine: string): Fault => ({
  name: 'engine ended',
  what: 'the engine thread dies under its calls; the process opens another',
  share: 2,
  async run(cycle) {
    const lives = Math.round(500 + 1000 * cycle.random())
    const env = { TORTURE_ENGINE_LIVES: `${lives}` }
    await work(cycle, { env, options: { enginePath: mortalEngine } }, CLOSED)
  },
})

/** Threads of the pool die under their tasks. */
export const workersEnded = (mortalWorker: string): Fault => ({
  name: 'workers ended',
  what: 'tasks take their worker threads down, each twice at most: exit, throw, exit in the middle',
  share: 2,
  async run(cycle) {
    const options = { workerPath: mortalWorker, workers: 2 }
    await work(cycle, { options }, [])
  },
})

/** The database is closed while everything goes on, and opened again. */
export const closed: Fault = {
  name: 'closed',
  what: 'close() in the middle of everything, and open() again, in one process',
  share: 2,
  run: (cycle) => work(cycle, { ordeal: 'closing' }, CLOSED),
}

/** Calls are aborted at any of their awaits. */
export const aborted: Fault = {
  name: 'aborted',
  what: 'every call has a signal that aborts after 0 to 160 ms',
  share: 2,
  run: (cycle) => work(cycle, { ordeal: 'aborting' }, ['AbortError']),
}

/** The clock is set back and on while the engine works by it. */
export const clockSet: Fault = {
  name: 'clock set back',
  what: 'the clock jumps, mostly back, by a second to a day',
  share: 2,
  run: (cycle) => work(cycle, { ordeal: 'clock' }, []),
}

/** Lets a process work for a while; then it stops, or is killed on top of all. */
async function work(cycle: Cycle, staging: Staging, errors: readonly string[]): Promise<void> {
  const working = cycle.start(cycle.stage, staging)
  await cycle.someMoment(working)
  const ending = await (cycle.random() < 0.3 ? working.kill() : working.stop())
  cycle.take(working, ending, cycle.stage, { errors })
  await cycle.check(cycle.stage)
}
