import { parseArgs } from 'node:util'
import { torture } from './torture.ts'

// npm run torture: faults at random moments, and after each the question whether all that was
// answered is there, once.
// npm run torture -- [--cycles 500] [--seed N] [--only CLASS] [--lanes 2]
const { values } = parseArgs({
  options: {
    cycles: { type: 'string', default: '500' },
    /** Decides the work and the moments; when exactly a process is at what, the machine does. */
    seed: { type: 'string', default: `${Math.floor(2 ** 31 * Math.random())}` },
    only: { type: 'string', default: '' },
    lanes: { type: 'string', default: '2' },
  },
})
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
const seed = Number(values.seed)
console.log(`seed ${seed}`)
const report = await torture({
  cycles: Number(values.cycles),
  seed,
  only: values.only,
  lanes: Number(values.lanes),
  onCycle: console.log,
})
console.log(`\n${report}`)
process.exitCode = report.failures.length === 0 ? 0 : 1
