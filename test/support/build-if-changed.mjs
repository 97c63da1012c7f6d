/**
 * Builds unless the build is of just these sources: npm run build:if-changed [build:js]. Contents are
 * compared and not times, which also tells a removed file, another branch and a build that was cut
 * short.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The lock file stands for the packages that are bundled. */
const SOURCES = [
  'src',
  'package.json',
  'package-lock.json',
  'tsconfig.json',
  'test/support/build-js.ts',
  'test/support/type-comments.ts',
]
/** An install removes it with the rest of the folder, so what was installed anew is built anew. */
const STAMPS = 'node_modules/.cache/audile'

/** The script that builds: all of it, or `build:js`, all but the declarations. */
const script = process.argv[2] ?? 'build'
const stampOf = (name) => join(STAMPS, name.replace(':', '-'))

// Before the build: what is edited meanwhile is not in it.
const sources = contents(SOURCES)
const stamp = sources + contents(['dist'])
const isOf = (name) => existsSync(stampOf(name)) && readFileSync(stampOf(name), 'utf8') === stamp
if (!isOf('build') && !isOf(script)) {
  console.error('Building audile from src/ into dist/, as the source is new or has changed …')
  const { status, error } = spawnSync(`npm run ${script} --silent`, {
    stdio: 'inherit',
    shell: true,
  })
  if (error) throw error
  if (status !== 0) process.exit(status ?? 1)
  mkdirSync(STAMPS, { recursive: true })
  writeFileSync(stampOf(script), sources + contents(['dist']))
}

/** @param {string[]} paths of files and folders; those that are not there are passed over */
function contents(paths) {
  const hash = createHash('sha256')
  for (const path of paths.filter((path) => existsSync(path)).flatMap(files)) {
    const bytes = readFileSync(path)
    hash.update(`${path}\0${bytes.length}\0`).update(bytes)
  }
  return `${hash.digest('hex')}\n`
}

/** @returns {string[]} */
function files(path) {
  if (!statSync(path).isDirectory()) return [path]
  const names = readdirSync(path, { withFileTypes: true, recursive: true })
  return names
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name))
    .sort()
}
