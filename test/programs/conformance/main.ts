import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { Library } from './ask.ts'
import { compareHeard, compareRecorded, type Written } from './compare.ts'
import { Expected } from './expected.ts'
import { requirePrograms } from './ffmpeg.ts'
import { inLanes } from './lanes.ts'
import { makeSet } from './made-set.ts'
import { tableOf } from './table.ts'

const HELP = `npm run conformance -- [options] FOLDER…
Reads every file of the folders with audile and with the host's ffmpeg, and prints where they differ.
Without a folder it makes a set of files, and reads that.

  --expected FILE  compare with the facts recorded in FILE; no ffmpeg is needed
  --ffmpeg PATH    give audile this ffmpeg (option ffmpegPath)
  --make FOLDER    make the set in FOLDER, and leave it there
  --seed N         of the sounds in the set (1)
  --jobs N         files at a time (as many as there are cores)
  --all            print every row, not only those that differ
  --json           print the rows as JSON
  --help

Exit code 1: a row differs; 2: it could not be run.`

const OPTIONS = {
  expected: { type: 'string' },
  ffmpeg: { type: 'string' },
  make: { type: 'string' },
  seed: { type: 'string', default: '1' },
  jobs: { type: 'string', default: `${availableParallelism()}` },
  all: { type: 'boolean', default: false },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

process.exitCode = await conformance().catch((error: Error) => {
  console.error(error.message)
  return 2
})

async function conformance(): Promise<number> {
  const { values, positionals: folders } = parseArgs({ allowPositionals: true, options: OPTIONS })
  if (values.help) {
    console.log(HELP)
    return 0
  }
  for (const folder of folders) {
    if (existsSync(folder) && statSync(folder).isDirectory()) continue
    throw new Error(`There is no folder ${folder}.`)
  }
  const making = values.make !== undefined || folders.length === 0
  if (values.expected !== undefined && making) {
    throw new Error('--expected needs a FOLDER, and does not go with --make.')
  }
  const jobs = wholeNumber('--jobs', values.jobs)
  const seed = wholeNumber('--seed', values.seed)
  if (values.expected === undefined) await requirePrograms(['ffmpeg', 'ffprobe'])
  if (values.ffmpeg !== undefined) await requirePrograms([values.ffmpeg])
  const expected = values.expected === undefined ? undefined : new Expected(values.expected)
  const started = Date.now()
  const made = values.make ?? (making ? mkdtempSync(join(tmpdir(), 'audile-conformance-')) : '')
  const written = making ? await makeSet(made, seed, jobs) : new Map<string, Written>()
  const library = await Library.open(jobs, values.ffmpeg)
  try {
    const files = filesOf(making ? [made, ...folders] : folders, expected)
    const rows = await inLanes(files, jobs, ({ name, path }) => {
      const reference = expected?.reference(name, values.ffmpeg !== undefined)
      if (reference) return compareRecorded(name, path, reference, library)
      return compareHeard(name, path, written.get(path), library, values.ffmpeg !== undefined)
    })
    const differing = rows.filter(({ verdict }) => verdict.outcome === 'differs').length
    if (values.json) console.log(JSON.stringify(rows, null, 1))
    else {
      const seconds = Math.round((Date.now() - started) / 1000)
      console.log(tableOf(rows, values.all))
      console.log(`\n${rows.length} files, ${differing} differ, ${seconds} s`)
    }
    return differing > 0 ? 1 : 0
  } finally {
    await library.close()
    if (making && values.make === undefined) rmSync(made, { recursive: true, force: true })
  }
}

function wholeNumber(option: string, text: string): number {
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw new Error(`${option} ${text}: give a whole number from 1.`)
}

/** The files of the folders; with a record, those that it names, each of which must be there. */
function filesOf(folders: readonly string[], expected: Expected | undefined): File[] {
  const files = folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .map((name) => ({ name, path: join(folder, name) }))
      .filter(({ path }) => statSync(path).isFile())
      .sort((a, b) => (a.name < b.name ? -1 : 1)),
  )
  const names = new Set(files.map(({ name }) => name))
  const missing = expected?.names.filter((name) => !names.has(name)) ?? []
  if (missing.length > 0) throw new Error(`Recorded, but not there: ${missing.join(', ')}`)
  const recorded = new Set(expected?.names ?? names)
  const chosen = files.filter(({ name }) => recorded.has(name))
  if (chosen.length === 0) throw new Error(`There is no file in ${folders.join(', ')}.`)
  return chosen
}

interface File {
  /** Its path below the folder. */
  name: string
  path: string
}
