// npm run mutate [-- --share 0.03] [--seed 1] [--only catalog,src/recognition/whole-files/same-recording.ts] [--continue]
// How many small changes of the source the tests notice (Stryker), room by room. See README.md.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Stryker } from '@stryker-mutator/core'
import { seeded } from '../../support/music.ts'
import { type Mutant, mutantOf, survivors, table } from './results.ts'
import { ROOMS, type Room, TABLES } from './rooms.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
/** Where results are kept; Stryker's own folder, which is not under version control. */
const KEPT = join(ROOT, '.stryker-tmp', 'rooms')
/** Lines that are drawn together, so that statements of several lines are changed too. */
const WINDOW = 8
const FEWEST = 8

const { values } = parseArgs({
  options: {
    share: { type: 'string', default: '0.03' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
    concurrency: { type: 'string', default: '1' },
    continue: { type: 'boolean', default: false },
  },
})
const share = Number(values.share)
const only = values.only?.split(',')
const asked = ROOMS.map((room) => ({ room, files: filesOf(room) })).filter(
  ({ files }) => files.length > 0,
)
if (asked.length === 0) {
  const names = ROOMS.map(({ name }) => name).join(', ')
  console.error(`--only ${values.only} names no room and no file of one. Rooms: ${names}.`)
  process.exit(2)
}
if (!values.continue) rmSync(KEPT, { recursive: true, force: true })
mkdirSync(KEPT, { recursive: true })

const results = new Map<string, Mutant[]>()
for (const { room, files } of asked) {
  results.set(room.name, await resultsOf(room, drawn(files)))
  const lines = [`Share ${share} of the lines, seed ${values.seed}`, '', ...table(results)]
  console.log(`\n${lines.join('\n')}\n`)
  writeFileSync(join(KEPT, 'table.txt'), `${lines.join('\n')}\n`)
  writeFileSync(join(KEPT, 'survivors.txt'), survivors(results))
}
console.log(`Survivors: ${join(KEPT, 'survivors.txt')}`)

/** The results of a room: those of an earlier run of the same lines, where `--continue` asks so. */
async function resultsOf(room: Room, mutate: readonly string[]): Promise<Mutant[]> {
  const file = join(KEPT, `${room.name}.json`)
  if (existsSync(file)) {
    const kept = JSON.parse(readFileSync(file, 'utf8')) as { mutate: string[]; mutants: Mutant[] }
    if (kept.mutate.join() === mutate.join()) return kept.mutants
  }
  const started = performance.now()
  let mutants = await run(mutate, room.tests)
  if (room.late) {
    const left = mutants.filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
    const places = left.map(({ place }) => place)
    const later = await run(places, room.late)
    const told = new Map(later.map((mutant) => [keyOf(mutant), mutant]))
    mutants = mutants.map((mutant) => {
      const last = left.includes(mutant) ? told.get(keyOf(mutant)) : undefined
      return last === undefined || last.status === 'NoCoverage' ? mutant : last
    })
  }
  const seconds = Math.round((performance.now() - started) / 1000)
  console.log(`${room.name}: ${mutants.length} mutants in ${seconds} s`)
  writeFileSync(file, JSON.stringify({ mutate, seconds, mutants }, null, 1))
  return mutants
}

async function run(mutate: readonly string[], tests: readonly string[]): Promise<Mutant[]> {
  if (mutate.length === 0) return []
  // Stryker's workers are processes of their own; they hand it on to vitest's configuration.
  process.env.MUTATION_TESTS = JSON.stringify(tests)
  const config = JSON.parse(
    readFileSync(join(ROOT, 'test/programs/mutation/stryker.config.json'), 'utf8'),
  ) as Record<string, unknown>
  const options = { ...config, mutate: [...mutate], concurrency: Number(values.concurrency) }
  const found = await new Stryker(options).runMutationTest()
  return found.flatMap((one) => mutantOf(one, ROOT) ?? [])
}

function keyOf({ place, mutator, replacement }: Mutant): string {
  return `${place} ${mutator} ${replacement}`
}

/** The files of a room that are asked for. */
function filesOf({ name }: Room): string[] {
  const folder = `src/${name}`
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .map((file) => `${folder}/${file.replaceAll('\\', '/')}`)
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts') && !TABLES.test(file))
    .filter((file) => only?.some((one) => one === name || file.startsWith(one)) ?? true)
    .sort()
}

/** The lines of a room that are drawn: its share, and of a small room {@link FEWEST} windows. */
function drawn(files: readonly string[]): string[] {
  if (share >= 1) return [...files]
  const windows = files.flatMap((file) => {
    const lines = readFileSync(join(ROOT, file), 'utf8').split('\n').length
    return Array.from({ length: Math.ceil(lines / WINDOW) }, (_, i) => {
      const last = Math.min((i + 1) * WINDOW, lines)
      return `${file}:${i * WINDOW + 1}-${last}`
    })
  })
  // A room draws its own lines, so that they are the same whichever others are asked for.
  const random = seeded(Number(values.seed))
  return windows
    .map((window) => ({ window, order: random() }))
    .sort((a, b) => a.order - b.order)
    .slice(0, Math.max(FEWEST, Math.round(share * windows.length)))
    .map(({ window }) => window)
    .sort()
}
