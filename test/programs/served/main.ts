import { parseArgs } from 'node:util'
import { killed } from './killed.ts'

// npm run served: clients of a served engine whose process is killed and whose connections are cut.
// npm run served -- [--clients 40] [--kills 20] [--deploys 5] [--pause 2] [--engine thread|inline] [--seed N]
const { values } = parseArgs({
  options: {
    clients: { type: 'string', default: '40' },
    kills: { type: 'string', default: '20' },
    deploys: { type: 'string', default: '5' },
    /** Seconds that a server serves, about. */
    pause: { type: 'string', default: '2' },
    engine: { type: 'string', default: 'thread' },
    seed: { type: 'string', default: '7' },
  },
})
const findings = await killed({
  clients: Number(values.clients),
  kills: Number(values.kills),
  deploys: Number(values.deploys),
  pause: Number(values.pause),
  engine: values.engine === 'inline' ? 'inline' : 'thread',
  seed: Number(values.seed),
  onEvent: (line) => console.log(line),
})
console.log(findings)
const { lost, twice, others } = findings
process.exitCode = lost === 0 && twice === 0 && others.length === 0 ? 0 : 1
