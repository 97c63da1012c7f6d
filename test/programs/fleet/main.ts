import { parseArgs } from 'node:util'
import { killed } from './killed.ts'
import { growth } from './size.ts'
import { overhead, ownerShare } from './speed.ts'

// npm run fleet: a fleet on this machine, whose processes are killed and whose servers refuse; its speed
// beside that of threads; what its owner needs at many results a second, and with many tracks.
// npm run fleet -- [--only killed|speed|owner|size] [--files 1000] [--kills 40] [--pause 4] [--seed N]
//   [--queue postgres|redis] [--store folder|s3]
const { values } = parseArgs({
  options: {
    only: { type: 'string', default: '' },
    files: { type: 'string', default: '1000' },
    kills: { type: 'string', default: '40' },
    /** Seconds between two kills, about. */
    pause: { type: 'string', default: '4' },
    seed: { type: 'string', default: '7' },
    queue: { type: 'string', default: 'postgres' },
    store: { type: 'string', default: 'folder' },
    /** Files whose analysis is timed, and their length in seconds. */
    songs: { type: 'string', default: '12' },
    length: { type: 'string', default: '240' },
    /** Results for the share of the owner, and its growth. */
    results: { type: 'string', default: '600' },
    /** Whether the database of `size` keeps the documents. */
    documents: { type: 'string', default: 'yes' },
  },
})
const oneOf = <T extends string>(option: string, given: string, ...known: T[]): T => {
  const found = known.find((one) => one === given)
  if (found === undefined) throw new Error(`--${option} is ${known.join(' or ')}, not "${given}".`)
  return found
}
const wanted = (part: string) => values.only === '' || values.only === part
let isSound = true
if (wanted('killed')) {
  const findings = await killed({
    files: Number(values.files),
    kills: Number(values.kills),
    pause: Number(values.pause),
    seed: Number(values.seed),
    queue: oneOf('queue', values.queue, 'postgres', 'redis'),
    store: oneOf('store', values.store, 'folder', 's3'),
    outages: 2,
    refusing: 10,
    onEvent: (line) => console.log(line),
  })
  console.log(findings)
  const { complete, twice, differing, left } = findings
  isSound = complete === Number(values.files) && twice === 0 && differing === 0 && left.length === 0
}
if (wanted('speed')) console.log(await overhead(Number(values.songs), Number(values.length)))
if (wanted('owner')) console.log(await ownerShare(Number(values.results)))
if (wanted('size')) {
  const documents = oneOf('documents', values.documents, 'yes', 'no') === 'yes'
  console.log(await growth(Number(values.results), documents, (costs) => console.log(costs)))
}
process.exitCode = isSound ? 0 : 1
