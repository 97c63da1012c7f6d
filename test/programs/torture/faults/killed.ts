import type { Fault } from './fault.ts'

/** The whole process is gone from one moment to the next. */
export const killed: Fault = {
  name: 'killed',
  what: 'kill -9 at a random moment of mixed work',
  share: 4,
  async run(cycle) {
    const working = cycle.start(cycle.stage)
    await cycle.someMoment(working)
    cycle.take(working, await working.kill(), cycle.stage)
    await cycle.check(cycle.stage)
  },
}

/** Two processes share the file, and one of them is gone. */
export const killedBeside: Fault = {
  name: 'killed beside another',
  what: 'kill -9 of one of two processes on the file; the other goes on',
  share: 2,
  async run(cycle) {
    const one = cycle.start(cycle.stage)
    const other = cycle.start(cycle.stage)
    await cycle.someMoment(one)
    cycle.take(one, await one.kill(), cycle.stage)
    await cycle.pause(800 * cycle.random())
    cycle.take(other, await other.stop(), cycle.stage)
    await cycle.check(cycle.stage)
  },
}
