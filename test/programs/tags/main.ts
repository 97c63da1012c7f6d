import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { parseArgs } from 'node:util'
import { judgeAttributes } from './attributes.ts'
import { judgeFiles, secondReaders } from './generated.ts'
import { judgeKills } from './kills.ts'
import { ODD_KINDS, oddFiles } from './odd-files.ts'
import { makeSounds } from './sounds.ts'
import { reasonCounts, tagTable } from './tag-table.ts'
import type { Trial } from './trial.ts'

// npm run tags: writes tags into odd files, and asks other programs whether everything else is there.
// Exit code 1 when anything is lost.
const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '2000' },
    seed: { type: 'string', default: '1' },
    kills: { type: 'string', default: '200' },
    /** A kind of the table, `kills` or `attributes`; nothing else is done then. */
    only: { type: 'string' },
    /** Where broken files are left. */
    keep: { type: 'string' },
  },
})

const { only } = values
if (only !== undefined && !(only in ODD_KINDS) && only !== 'kills' && only !== 'attributes')
  throw new Error(
    `--only ${only}: there is no such kind; choose ${Object.keys(ODD_KINDS).join(', ')}, kills or attributes.`,
  )
// Each write is synced to the disk, which memory does at once.
const RAM_FOLDER = existsSync('/dev/shm') ? '/dev/shm' : tmpdir()
const folder = mkdtempSync(join(RAM_FOLDER, 'audile-tags-'))
const keep = values.keep ?? join(tmpdir(), `${basename(folder)}-broken`)
try {
  const sets = join(folder, 'sounds')
  mkdirSync(sets)
  const { sounds, missing } = makeSounds(sets)
  for (const one of missing) console.log(`left out: ${one}`)
  const seed = Number(values.seed)
  let broken = 0
  if (only !== 'kills' && only !== 'attributes') broken += await reportFiles(sounds, seed)
  if (only === undefined || only === 'kills')
    broken += report(
      'kills',
      await judgeKills({ sounds, seed, kills: Number(values.kills), folder }),
    )
  if (only === undefined || only === 'attributes')
    broken += report('attributes', await judgeAttributes({ folder }))
  process.exitCode = broken > 0 ? 1 : 0
} finally {
  rmSync(folder, { recursive: true, force: true })
}

function report(part: string, { done, flaws }: { done: string; flaws: readonly string[] }): number {
  console.log(`\n${part}: ${done}, ${flaws.length} BROKEN`)
  for (const flaw of flaws.slice(0, 20)) console.log(`  BROKEN ${flaw}`)
  return flaws.length
}

async function reportFiles(
  sounds: ReturnType<typeof makeSounds>['sounds'],
  seed: number,
): Promise<number> {
  const readers = secondReaders()
  if (!readers.mutagen) console.log('left out: what mutagen reads (no Python has it)')
  if (!readers.hasFfmpeg) console.log('left out: what ffmpeg reads and hears')
  if (!readers.hasMetaflac) console.log('left out: what metaflac reads')
  const files = oddFiles(seed, { count: Number(values.count), only, sounds })
  const place = { folder, keep, wav: join(folder, 'sounds', 'sound.wav'), readers }
  const trials: Trial[] = []
  for await (const trial of judgeFiles(files, place)) trials.push(trial)
  await readers.mutagen?.end()
  console.log(tagTable(trials))
  const refused = trials.filter(
    ({ outcome, broken }) => outcome === 'refused' && broken.length === 0,
  )
  console.log('\nwhy files were refused')
  for (const line of reasonCounts(refused.map(({ reason }) => reason))) console.log(line)
  const broken = trials.filter((trial) => trial.broken.length > 0)
  if (broken.length === 0) return 0
  console.log('\nwhat is broken')
  for (const line of reasonCounts(broken.flatMap((trial) => trial.broken)).slice(0, 40))
    console.log(line)
  console.log(`\nthe first broken files; all are in ${keep}`)
  for (const { file, broken: flaws } of broken.slice(0, 25))
    console.log(`  ${file.name} [${file.oddities}]: ${flaws.slice(0, 4).join('; ')}`)
  return broken.length
}
