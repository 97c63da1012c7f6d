// npm run mutate [-- --share 0.1] [--seed 1] [--only src/catalog]: how many small changes of the source
// the tests notice (Stryker). All of them take hours; a share of each file's lines, drawn by the seed,
// tells nearly as much.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Stryker } from '@stryker-mutator/core'
import { seeded } from '../../support/music.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))
/** What is measured: a wrong line here is a wrong answer, not an error. */
const MEASURED = ['src/catalog', 'src/song/terms.ts', 'src/song/match.ts', 'src/fingerprint']
/** Tables and generated code: a changed figure is another model, not a fault. */
const LEFT_OUT = /chroma-book|kernel-bytes|\/version\.ts$|context\.ts$/
/** Lines that are drawn together, so that statements of several lines are changed too. */
const WINDOW = 8

const { values } = parseArgs({
  options: {
    share: { type: 'string', default: '0.1' },
    seed: { type: 'string', default: '1' },
    only: { type: 'string' },
  },
})
const share = Number(values.share)
const random = seeded(Number(values.seed))

const config = JSON.parse(
  readFileSync(join(ROOT, 'test/programs/mutation/stryker.config.json'), 'utf8'),
) as Record<string, unknown>
const files = (values.only === undefined ? MEASURED : [values.only]).flatMap(filesOf)
const mutate = share >= 1 ? files : files.flatMap(windowsOf)
const results = await new Stryker({ ...config, mutate }).runMutationTest()

const rooms = new Map<string, { killed: number; all: number }>()
for (const { fileName, status } of results) {
  if (status === 'Ignored' || status === 'CompileError' || status === 'RuntimeError') continue
  const name = fileName.slice(fileName.replaceAll('\\', '/').indexOf('src/')).replaceAll('\\', '/')
  const room = MEASURED.find((path) => name.startsWith(path)) ?? name
  const tally = rooms.get(room) ?? { killed: 0, all: 0 }
  rooms.set(room, tally)
  tally.all++
  if (status === 'Killed' || status === 'Timeout') tally.killed++
}
const lines = [...rooms].map(
  ([room, { killed, all }]) =>
    `${room.padEnd(24)} ${String(killed).padStart(5)} of ${String(all).padStart(5)} noticed, ${((100 * killed) / all).toFixed(1)} %`,
)
console.log(`\nShare ${share} of the lines, seed ${values.seed}\n${lines.join('\n')}`)
writeFileSync(join(ROOT, '.stryker-tmp', 'rooms.txt'), `${lines.join('\n')}\n`)

function filesOf(path: string): string[] {
  if (path.endsWith('.ts')) return [path]
  return readdirSync(join(ROOT, path), { recursive: true, encoding: 'utf8' })
    .map((name) => `${path}/${name.replaceAll('\\', '/')}`)
    .filter((name) => name.endsWith('.ts') && !LEFT_OUT.test(name))
    .sort()
}

function windowsOf(file: string): string[] {
  const lines = readFileSync(join(ROOT, file), 'utf8').split('\n').length
  const windows: string[] = []
  for (let line = 1; line <= lines; line += WINDOW) {
    if (random() < share) windows.push(`${file}:${line}-${Math.min(line + WINDOW - 1, lines)}`)
  }
  return windows
}
