import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { waveBytes } from '../../support/clips.ts'
import { mp3Bytes } from '../../support/encode.ts'
import { taggedMp3 } from '../../support/tagged-mp3.ts'
import { tune } from '../../support/tune.ts'
import { getManagers } from './managers.ts'
import { runIn } from './process.ts'
import { getRuntime, lastLine, type Runtime, SOURCES, underNode } from './runtimes.ts'

const HELP = `npm run test:runtimes -- [options]
Installs the packed package under each runtime and by each package manager that the npm registry
carries, and runs a program there: thread and inline, ES module and CommonJS.

  --only NAMES     of ${SOURCES.map(({ name }) => name).join(', ')}, managers; by commas
  --keep FOLDER    works in FOLDER, and leaves it there
  --help

Exit code 1: one that was got failed.`

const PACKAGE = fileURLToPath(new URL('../../..', import.meta.url))
const SMOKE = fileURLToPath(new URL('./smoke', import.meta.url))
const ENTRIES = ['esm.mjs', 'commonjs.cjs']
const ENGINES = ['thread', 'inline']

interface Row {
  where: string
  sqlite: string
  how: string
  result: string
  seconds: number
}

process.exitCode = await main()

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: { only: { type: 'string' }, keep: { type: 'string' }, help: { type: 'boolean' } },
  })
  if (values.help) {
    console.log(HELP)
    return 0
  }
  const only = values.only?.split(',')
  const wanted = (name: string) => only === undefined || only.includes(name)
  const root = values.keep ?? mkdtempSync(join(tmpdir(), 'audile-runtimes-'))
  mkdirSync(root, { recursive: true })
  try {
    return await everywhere(realpathSync(root), wanted)
  } finally {
    if (values.keep === undefined) rmSync(root, { recursive: true, force: true })
  }
}

async function everywhere(root: string, wanted: (name: string) => boolean): Promise<number> {
  const tarball = await packed(root)
  const files = await songs(root)
  const runtimes = new Map<string, Runtime>()
  const missing: string[] = []
  for (const source of SOURCES) {
    // Node.js 20, 22 and Bun are also what the package managers are run under.
    const forManagers = wanted('managers') && ['node20', 'node22', 'bun'].includes(source.name)
    const forNpm = source.name === 'node24' && (wanted('bun') || wanted('deno'))
    if (!wanted(source.name) && !forManagers && !forNpm) continue
    try {
      runtimes.set(source.name, await getRuntime(source, join(root, 'runtimes')))
    } catch (error) {
      missing.push(`${source.name}: ${(error as Error).message}`)
    }
  }
  const rows: Row[] = []
  const tell = (row: Row) => {
    rows.push(row)
    console.log(line(row))
  }
  console.log(line({ where: 'runtime', sqlite: 'better-sqlite3', how: 'how', result: 'result' }))
  console.log('|---|---|---|---|---|')
  for (const runtime of runtimes.values()) {
    if (!wanted(runtime.name)) continue
    const project = join(root, 'projects', runtime.name)
    const node = runtime.name.startsWith('node') ? runtime : runtimes.get('node24')
    await install(project, tarball, node, tell, runtime)
    if (!existsSync(join(project, 'node_modules/audile'))) continue
    for (const entry of ENTRIES) {
      for (const engine of ENGINES) {
        tell(await smoke(runtime, project, { entry, engine, files }))
      }
    }
  }
  if (wanted('managers')) {
    const found = await getManagers(join(root, 'managers'), runtimes.get('bun'))
    missing.push(...found.missing)
    for (const manager of found.managers) {
      for (const node of [runtimes.get('node20'), runtimes.get('node22')]) {
        if (!node) continue
        const project = join(root, 'projects', `${manager.name}-${node.name}`.replace(' ', '-'))
        const since = performance.now()
        const { code, output } = await manager.install(project, tarball, node)
        const row = { where: `Node.js ${node.version}`, how: `${manager.name} ${manager.version}` }
        if (!existsSync(join(project, 'node_modules/audile'))) {
          const refused = /better-sqlite3@.*incompatible with this module/.test(output)
          const result = refused ? 'refused by its engines' : `FAILED: install ended with ${code}`
          tell({ ...row, sqlite: '-', result, seconds: elapsed(since) })
          continue
        }
        const ran = await smoke(node, project, { entry: 'esm.mjs', engine: 'thread', files })
        tell({ ...ran, ...row, seconds: elapsed(since) })
      }
    }
  }
  for (const why of missing) console.log(`Not got: ${why}`)
  const failed = rows.filter(({ result }) => result.startsWith('FAILED')).length
  console.log(`${rows.length - failed} passed, ${failed} failed`)
  return failed > 0 || rows.length === 0 ? 1 : 0
}

async function install(
  project: string,
  tarball: string,
  node: Runtime | undefined,
  tell: (row: Row) => void,
  { name, version }: Runtime,
): Promise<void> {
  const since = performance.now()
  const args = ['install', '--no-audit', '--no-fund', tarball]
  const { code, output } = await runIn(project, 'npm', args, node ? underNode(node) : {})
  const result = code === 0 ? 'installed' : `FAILED: ${lastLine(output)}`
  tell({
    where: `${name} ${version}`,
    sqlite: sqliteOf(project),
    how: 'npm install',
    result,
    seconds: elapsed(since),
  })
}

/** Runs the program in a project; an error that says what helps is as good as success. */
async function smoke(
  { name, version, program, flags }: Runtime,
  project: string,
  { entry, engine, files }: { entry: string; engine: string; files: string[] },
): Promise<Row> {
  cpSync(SMOKE, project, { recursive: true })
  const folder = mkdtempSync(join(project, 'library-'))
  const since = performance.now()
  const args = [...flags, entry, JSON.stringify({ engine, folder, files })]
  const { code, output } = await runIn(project, program, args)
  const passed = code === 0 && output.trim().endsWith('passed')
  const told = output.includes('DatabaseError: better-sqlite3') && /\bpnpm: /.test(output)
  return {
    where: `${name} ${version}`,
    sqlite: sqliteOf(project),
    how: `${entry} ${engine}`,
    result: passed ? 'passed' : told ? 'DatabaseError with remedy' : failure(code, output),
    seconds: elapsed(since),
  }
}

function failure(code: number | string, output: string): string {
  console.error(output.trim().split('\n').slice(-30).join('\n'))
  return `FAILED: ended with ${code}`
}

/** The version of better-sqlite3 that the package gets in a project. */
function sqliteOf(project: string): string {
  try {
    const inside = realpathSync(join(project, 'node_modules/audile'))
    const path = createRequire(join(inside, 'package.json')).resolve('better-sqlite3/package.json')
    return JSON.parse(readFileSync(path, 'utf8')).version
  } catch {
    return '-'
  }
}

async function packed(root: string): Promise<string> {
  // The scripts would build anew; the build is made before this program.
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', root, PACKAGE]
  const { code, output } = await runIn(root, 'npm', args)
  const name = /"filename":\s*"([^"]+)"/.exec(output)?.[1]
  if (code !== 0 || name === undefined) throw new Error(`npm pack: ${lastLine(output)}`)
  return join(root, name)
}

async function songs(root: string): Promise<string[]> {
  const tag = taggedMp3({ TIT2: 'Some Song', TPE1: 'The Band' }, 0)
  const mp3 = join(root, 'song.mp3')
  writeFileSync(mp3, Buffer.concat([tag, await mp3Bytes(tune({ seed: 2, seconds: 25 }), 128)]))
  const wav = join(root, 'song.wav')
  writeFileSync(wav, await waveBytes(tune({ seed: 1, seconds: 25 })))
  return [mp3, wav]
}

function elapsed(start: number): number {
  return Math.round((performance.now() - start) / 100) / 10
}

function line({
  where,
  sqlite,
  how,
  result,
  seconds,
}: Omit<Row, 'seconds'> & { seconds?: number }) {
  return `| ${where} | ${sqlite} | ${how} | ${result} | ${seconds ?? 'seconds'} |`
}
