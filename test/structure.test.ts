import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'

const SRC = fileURLToPath(new URL('../src/', import.meta.url))

interface Import {
  from: string
  to: string
  typeOnly: boolean
}

const FILES = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.replaceAll('\\', '/'))
  .sort()

const IMPORTS = FILES.flatMap(importsOf)

/** A file without its comments. */
function codeOf(file: string): string {
  return readFileSync(join(SRC, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '')
}

function importsOf(file: string): Import[] {
  const text = codeOf(file)
  const found: Import[] = []
  const statement =
    /^(?:import|export)\s+(type\s+)?(?:([^'";]*?)\s+from\s+)?'([^']+)'|\bimport\(\s*'([^']+)'/gm
  for (const [, type, names, statically, dynamically] of text.matchAll(statement)) {
    const target = (statically ?? dynamically) as string
    const listed = /^\{([^}]*)\}$/.exec((names ?? '').trim())?.[1]
    const allTypes = listed
      ?.split(',')
      .filter((name) => name.trim() !== '')
      .every((name) => name.trim().startsWith('type '))
    found.push({
      from: file,
      to: target.startsWith('.')
        ? relative(SRC, join(SRC, dirname(file), target)).replaceAll('\\', '/')
        : target,
      typeOnly: type !== undefined || allTypes === true,
    })
  }
  return found
}

/** Rooms that no other room is needed for: bytes and samples in, values out. */
const WORKSHOPS = [
  'audio',
  'analysis',
  'recognition/systems',
  'recognition/search',
  'sounds',
  'syndication',
  'tagging',
]
const roomOf = (file: string) =>
  WORKSHOPS.find((workshop) => file.startsWith(`${workshop}/`)) ??
  (file in HEIGHT || !file.includes('/') ? file : (file.split('/')[0] as string))
const values = IMPORTS.filter(({ typeOnly }) => !typeOnly)
const inside = (imports: Import[]) => imports.filter(({ to }) => to.endsWith('.ts'))
/** The files that an entry loads, itself included. */
function reachable(entry: string): string[] {
  const found = new Set([entry])
  for (const file of found)
    for (const { from, to } of inside(values)) if (from === file) found.add(to)
  return [...found]
}
const show = ({ from, to }: Import) => `${from} → ${to}`

/** Rooms by height: a file may use what is below its room, and its room. */
const HEIGHT: Record<string, number> = {
  'cli-entry.ts': 120,
  'engine-entry.ts': 120,
  cli: 110,
  'index.ts': 100,
  'host/serve.ts': 95,
  'host/audile.ts': 90,
  remote: 85,
  client: 80,
  export: 80,
  import: 80,
  engine: 80,
  mix: 75,
  catalog: 70,
  feed: 60,
  upkeep: 60,
  track: 50,
  fleet: 45,
  key: 50,
  song: 40,
  artist: 30,
  naming: 27,
  recognition: 25,
  input: 25,
  workers: 20,
  live: 15,
  kernel: 10,
}
const LEAVES = [
  'values/base64.ts',
  'values/byte-stream.ts',
  'host/caller.ts',
  'host/door.ts',
  'options/engine-address.ts',
  'values/error-codes.ts',
  'values/errors.ts',
  'values/file-path.ts',
  'options/fleet-options.ts',
  'host/host.ts',
  'values/ids.ts',
  'values/known.ts',
  'kernel/load-package.ts',
  'values/md5.ts',
  'values/message-size.ts',
  'values/music-key.ts',
  'options/options.ts',
  'options/parameter-types.ts',
  'options/personal-folder.ts',
  'options/reference-options.ts',
  'options/sound-model-option.ts',
  'sounds/known-model.ts',
  'recognition/evidence.ts',
  'recognition/verdict.ts',
  'song/facts.ts',
  'values/text.ts',
  'track/tag-fields.ts',
  'options/validate.ts',
]
/** The part of the kernel that knows no database: the client and the wire use it too. */
const KERNEL_LEAVES = FILES.filter((file) => /^kernel\/(?!open\.ts)[^/]+\.ts$/.test(file))

describe('the house', () => {
  it('reads every source file', () => {
    expect(FILES.length).toBeGreaterThan(40)
    expect(IMPORTS.length).toBeGreaterThan(100)
  })

  it('imports only files that exist', () => {
    expect(
      inside(IMPORTS)
        .filter(({ to }) => !FILES.includes(to))
        .map(show),
    ).toEqual([])
  })

  it('has no import cycle, types included', () => {
    const edges = new Map(FILES.map((file) => [file, new Set<string>()]))
    for (const { from, to } of inside(IMPORTS)) edges.get(from)?.add(to)
    const done = new Set<string>()
    const path: string[] = []
    const visit = (file: string): string[] | undefined => {
      if (path.includes(file)) return [...path.slice(path.indexOf(file)), file]
      if (done.has(file)) return undefined
      path.push(file)
      for (const next of edges.get(file) ?? []) {
        const cycle = visit(next)
        if (cycle) return cycle
      }
      path.pop()
      done.add(file)
      return undefined
    }
    for (const file of FILES) expect(visit(file) ?? [], file).toEqual([])
  })

  it('lets rooms use only what is below them', () => {
    const wrong = inside(values).filter(({ from, to }) => {
      const above = HEIGHT[roomOf(from)]
      const below = HEIGHT[roomOf(to)]
      return (
        above !== undefined && below !== undefined && roomOf(from) !== roomOf(to) && above <= below
      )
    })
    expect(wrong.map(show)).toEqual([])
  })

  it('keeps rooms from entry files and leaves from rooms', () => {
    const wrong = inside(values).filter(
      ({ from, to }) =>
        [...LEAVES, ...KERNEL_LEAVES].includes(from) && ![...LEAVES, ...KERNEL_LEAVES].includes(to),
    )
    expect(wrong.map(show)).toEqual([])
  })

  it('keeps the client to the door', () => {
    const wrong = inside(values).filter(
      ({ from, to }) =>
        (roomOf(from) === 'client' || roomOf(from) === 'wire') &&
        roomOf(to) !== roomOf(from) &&
        ![...LEAVES, ...KERNEL_LEAVES].includes(to),
    )
    expect(wrong.map(show)).toEqual([])
  })

  it('keeps the command to what any program can use', () => {
    const wrong = inside(IMPORTS).filter(
      ({ from, to }) =>
        (roomOf(from) === 'cli' &&
          roomOf(to) !== 'cli' &&
          !['index.ts', 'fleet-entry.ts'].includes(to)) ||
        (roomOf(to) === 'cli' && roomOf(from) !== 'cli' && from !== 'cli-entry.ts') ||
        to === 'cli-entry.ts',
    )
    expect(wrong.map(show)).toEqual([])
  })

  it('keeps the workshops pure', () => {
    const wrong = inside(values).filter(({ from, to }) => {
      const room = roomOf(from)
      if (!WORKSHOPS.includes(room) || roomOf(to) === room) return false
      return !(
        to === 'values/base64.ts' ||
        to === 'values/errors.ts' ||
        to === 'values/known.ts' ||
        to === 'kernel/load-package.ts' ||
        to === 'values/md5.ts' ||
        to === 'recognition/verdict.ts' ||
        to === 'values/text.ts' ||
        to === 'kernel/abort.ts' ||
        to === 'kernel/scheduler.ts' ||
        to === 'kernel/timers.ts' ||
        (room !== 'audio' && roomOf(to) === 'audio') ||
        (room === 'recognition/search' && roomOf(to) === 'recognition/systems')
      )
    })
    expect(wrong.map(show)).toEqual([])
  })

  it('lets kernel and workers know no room', () => {
    const wrong = inside(values).filter(({ from, to }) => {
      if (!['kernel', 'workers'].includes(roomOf(from))) return false
      if (roomOf(to) === roomOf(from) || [...LEAVES, ...KERNEL_LEAVES].includes(to)) return false
      return !(
        roomOf(from) === 'workers' &&
        (WORKSHOPS.includes(roomOf(to)) || to === 'analyzer/examiner.ts')
      )
    })
    expect(wrong.map(show)).toEqual([])
  })

  it('keeps each package in its place', () => {
    const places: Record<string, (file: string) => boolean> = {
      'better-sqlite3': (file) =>
        file.startsWith('kernel/database/') || /[/-]store\.ts$/.test(file),
      feedsmith: (file) => file.startsWith('syndication/'),
      meyda: (file) => file.startsWith('analysis/'),
      'music-metadata': (file) => file === 'audio/tags.ts',
      'node:worker_threads': (file) => file.startsWith('workers/') || file === 'engine/thread.ts',
    }
    const wrong = values.filter(({ from, to }) => places[to] && !places[to](from))
    expect(wrong.map(show)).toEqual([])
  })

  it.each([
    [
      'analysis-entry.ts',
      'recognition/systems/echoprint/simd.ts',
      ['fflate/browser', 'meyda', 'spark-md5'],
    ],
    ['live-entry.ts', 'analysis/forward-pass.ts', ['meyda']],
  ])('keeps Node out of what %s loads, which browsers run too', (entry, part, allowed) => {
    const reached = reachable(entry)
    expect(reached).toContain(part)
    const packages = values.filter(({ from, to }) => reached.includes(from) && !to.endsWith('.ts'))
    expect([...new Set(packages.map(({ to }) => to))].sort()).toEqual(allowed)
    const named = reached.filter((file) =>
      /\b(?:Buffer|process|require|import\.meta)\s*[.([]/.test(codeOf(file)),
    )
    expect(named).toEqual([])
  })

  it('writes SQL only in stores and kernel/database/', () => {
    // The table that the SQL in pg-boss-queue.ts is about belongs to another database.
    const sql =
      /\b(SELECT\s.+\sFROM|INSERT\s+(OR\s+\w+\s+)?INTO|UPDATE\s+\w+\s+SET|DELETE\s+FROM|CREATE\s+TABLE)\b/
    const wrong = FILES.filter(
      (file) =>
        !file.startsWith('kernel/database/') &&
        !/[/-]store\.ts$/.test(file) &&
        file !== 'fleet/pg-boss-queue.ts' &&
        sql.test(readFileSync(join(SRC, file), 'utf8')),
    )
    expect(wrong).toEqual([])
  })

  it.each<[string, RegExp, string[]]>([
    ['turns of the event loop', /\b(setImmediate|nextTurn)\b/, []],
    ['signals with time-outs', /\bAbortSignal\.(any|timeout)\b/, []],
    ['listeners to aborts', /\b(add|remove)EventListener\(\s*'abort'/, []],
    // The first calls the application's option, the second hands calls over to its thread; the last
    // asks a server that the application names.
    [
      'requests',
      /(?<!\basync )\bfetch\(/,
      ['host/host.ts', 'engine/thread.ts', 'call.ts', 'fleet/object-request.ts'],
    ],
    ['transactions', /(?<!\bkernel)\.transaction\(|\bsynchronous =/, []],
  ])('leaves %s to kernel/', (_what, pattern, others) => {
    const found = FILES.filter((file) => pattern.test(codeOf(file)))
    expect(found.filter((file) => !file.startsWith('kernel/') && !others.includes(file))).toEqual(
      [],
    )
  })

  it('inflates with a limit, or piece by piece', () => {
    const call =
      /(?<!function )\b(?:inflate(?:Raw)?|gunzip|unzip|decompress)(?:Sync)?\([^()]*(?:\([^()]*\)[^()]*)*\)/g
    const calls = FILES.flatMap((file) =>
      [...codeOf(file).matchAll(call)].map(([text]) => `${file}: ${text}`),
    )
    expect(calls.length).toBeGreaterThan(5)
    expect(calls.filter((text) => !text.includes('maxOutputLength'))).toEqual([])
    const streams = FILES.filter((file) =>
      /\bcreate(?:Inflate|Gunzip|Unzip|Brotli)/.test(codeOf(file)),
    )
    expect(streams).toEqual(['import/input.ts'])
  })

  it('has no file of more than 300 lines, but tables', () => {
    const long = FILES.filter((file) => {
      const { length } = readFileSync(join(SRC, file), 'utf8').split('\n')
      return length > 301 && !/-(weights|basis|book|module)\.ts$/.test(file)
    })
    expect(long).toEqual([])
  })

  /** The most lines of all files. Lower it when lines were removed; raise it with a reason. */
  const MAX_LINES = 83_000

  it('stays within its budget of lines', () => {
    const lines = FILES.map((file) => readFileSync(join(SRC, file), 'utf8').split('\n').length - 1)
    expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(MAX_LINES)
  })

  it('has rooms and entries on its first level, and nothing else', () => {
    const loose = FILES.filter((file) => !file.includes('/'))
    expect(loose.filter((file) => !/^index\.ts$|-entry\.ts$/.test(file))).toEqual([])
  })

  it('has no barrel below index.ts and no file of leftovers', () => {
    const names = FILES.map((file) => file.split('/').at(-1) as string)
    const banned = /^(utils?|helpers?|common|types|interfaces|misc|lib)\.ts$/
    expect(names.filter((name) => banned.test(name))).toEqual([])
    expect(FILES.filter((file) => file.endsWith('/index.ts'))).toEqual([])
  })
})

describe('the programs of test/', () => {
  const PROGRAMS = fileURLToPath(new URL('./programs/', import.meta.url))
  const { scripts } = JSON.parse(
    readFileSync(fileURLToPath(new URL('../package.json', import.meta.url)), 'utf8'),
  ) as { scripts: Record<string, string> }

  it.each(readdirSync(PROGRAMS))('%s says how it is run, and when it was run last', (name) => {
    const readme = join(PROGRAMS, name, 'README.md')
    expect(existsSync(readme)).toBe(true)
    const text = readFileSync(readme, 'utf8')
    const last = text.split(/^## Last run$/m)[1] ?? ''
    expect(last).toMatch(/\b20\d\d-\d\d-\d\d\b/)
    const named = (part: string) => [...part.matchAll(/npm run ([\w:-]+)/g)].map(([, one]) => one)
    expect(named(last).length).toBeGreaterThan(0)
    for (const script of named(text)) expect(Object.keys(scripts)).toContain(script)
    const own = Object.keys(scripts).filter((script) =>
      scripts[script]?.includes(`test/programs/${name}/`),
    )
    expect(named(text).filter((script) => own.includes(script as string))).not.toEqual([])
  })
})
