import { existsSync, readFileSync } from 'node:fs'
// Renamed, because bundlers put their own `createRequire` at the top of ES modules.
import { createRequire as requireFrom } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import Sqlite, { type Database, type Options } from 'better-sqlite3'
import { DatabaseError } from '../../values/errors.ts'

/** Facts about better-sqlite3 and its native addon, found without loading it. */
export interface Addon {
  /** The version of better-sqlite3; `undefined` when a bundler left out its package.json. */
  version?: string | undefined
  /** What it was compiled for: an ABI of V8, as in `process.versions.modules`, or Node-API. */
  abi?: string | 'node-api' | undefined
}

export interface Runtime {
  name: 'Node.js' | 'Electron' | 'Bun' | 'Deno'
  version: string
  /** `process.versions.modules`. */
  abi: string
  /** `process.versions.napi`. */
  nodeApi: number
}

/** Options for opening a file with better-sqlite3. */
export type ConnectOptions = Pick<Options, 'readonly' | 'fileMustExist'> & {
  /** The option of `Audile.open`: path of the native addon, for bundlers and asar. */
  nativeBinding?: string | undefined
}

/**
 * The version of Node-API that better-sqlite3 13 needs: Node.js has it from 22.14 and 23.6 on. In an
 * older runtime the addon ends the process, although better-sqlite3 allows every Node.js 22 in its
 * `engines`.
 */
const NODE_API = 10

/** Bindings that this thread has loaded; the empty string is the package's own. */
const loaded = new Set<string>()

/**
 * Opens a file with better-sqlite3.
 *
 * @throws {DatabaseError} when the addon is missing or does not fit this runtime
 * @throws SqliteError when the file cannot be opened
 */
export function connect(path: string, options: ConnectOptions = {}): Database {
  const { nativeBinding, ...rest } = options
  const binding = nativeBinding === undefined ? {} : { nativeBinding }
  if (!loaded.has(nativeBinding ?? '')) {
    load(nativeBinding, binding)
    loaded.add(nativeBinding ?? '')
  }
  return new Sqlite(path, { ...rest, ...binding })
}

function load(nativeBinding: string | undefined, binding: Options): void {
  const runtime = thisRuntime(process.versions)
  const addon = installed(nativeBinding)
  const wrong = misfit(addon, runtime)
  if (wrong !== undefined) throw new DatabaseError(wrong)
  try {
    // This opens no file, so only the addon can fail.
    new Sqlite(':memory:', binding).close()
  } catch (error) {
    throw new DatabaseError(unloadable(error as Error, addon, runtime, nativeBinding), {
      cause: error,
    })
  }
}

export function thisRuntime(versions: Record<string, string | undefined>): Runtime {
  const { node = '', electron, bun, deno, modules = '', napi } = versions
  const facts = { abi: modules, nodeApi: Number(napi ?? 0) }
  if (bun !== undefined) return { name: 'Bun', version: bun, ...facts }
  if (deno !== undefined) return { name: 'Deno', version: deno, ...facts }
  if (electron !== undefined) return { name: 'Electron', version: electron, ...facts }
  return { name: 'Node.js', version: node, ...facts }
}

/** The installed addon, with the facts that can be found. */
function installed(nativeBinding: string | undefined): Addon {
  const folder = packageFolder()
  const version = folder === undefined ? undefined : versionIn(folder)
  const file =
    nativeBinding === undefined
      ? folder !== undefined && compiledIn(folder)
      : resolve(nativeBinding).replace(/(\.node)?$/, '.node')
  if (file) return { version, abi: abiOf(file) }
  return { version, abi: majorOf(version) >= 13 ? 'node-api' : undefined }
}

function packageFolder(): string | undefined {
  try {
    return dirname(requireFrom(import.meta.url).resolve('better-sqlite3/package.json'))
  } catch {
    return undefined
  }
}

function versionIn(folder: string): string | undefined {
  try {
    return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).version
  } catch {
    return undefined
  }
}

/** The addon built on this machine. Without one, version 13 uses a prebuilt addon; 12 has none. */
function compiledIn(folder: string): string | undefined {
  return ['Debug', 'Release']
    .map((kind) => join(folder, 'build', kind, 'better_sqlite3.node'))
    .find((file) => existsSync(file))
}

/** The ABI of an addon, read from the name of its registration function. */
function abiOf(file: string): Addon['abi'] {
  try {
    const bytes = readFileSync(file)
    const name = 'node_register_module_v'
    const at = bytes.indexOf(name)
    if (at >= 0) return /^\d+/.exec(bytes.toString('latin1', at + name.length, at + 32))?.[0]
    return bytes.includes('napi_register_module_v') ? 'node-api' : undefined
  } catch {
    return undefined
  }
}

/** Why a runtime must not load the addon, and the remedy; `undefined` when it may. */
export function misfit(addon: Addon, runtime: Runtime): string | undefined {
  const { name, version, abi, nodeApi } = runtime
  const what = nameOf(addon)
  if (addon.abi === undefined) return undefined
  if (addon.abi === 'node-api') {
    if (nodeApi >= NODE_API) return undefined
    const why = `${what} would end the process: it needs Node-API ${NODE_API}, and ${name} ${version} has ${nodeApi}.`
    if (!loadsV8(runtime)) return `${why} Use a newer ${name}.`
    const newer = name === 'Node.js' ? 'Node.js 22.14 or later' : `a newer ${name}`
    return `${why} Use ${newer}, or better-sqlite3 12:\n${choose(12)}`
  }
  if (!loadsV8(runtime)) {
    return `${what} cannot be loaded by ${name} ${version}, which loads addons of Node-API only. Use better-sqlite3 13:\n${choose(13)}`
  }
  if (addon.abi === abi) return undefined
  return `${what} was compiled for another runtime (ABI ${addon.abi}); ${name} ${version} has ABI ${abi}. ${remedy(runtime)}`
}

/** Why the addon did not load, and the remedy. */
function unloadable(
  error: Error,
  addon: Addon,
  runtime: Runtime,
  nativeBinding: string | undefined,
): string {
  const [first] = error.message.split('\n')
  if (nativeBinding !== undefined) {
    return `Cannot load better-sqlite3's addon: ${first}. The option nativeBinding names ${nativeBinding}.`
  }
  if (/Could not locate the bindings file|Cannot find module/.test(error.message)) {
    return `${nameOf(addon)} has no addon: its install script did not run, or failed. ${remedy(runtime)}`
  }
  return `Cannot load the addon of ${nameOf(addon)}: ${first}. ${remedy(runtime)}`
}

function nameOf({ version, abi }: Addon): string {
  return `better-sqlite3${version !== undefined ? ` ${version}` : abi === 'node-api' ? ' 13' : ''}`
}

function loadsV8({ name }: Runtime): boolean {
  return name === 'Node.js' || name === 'Electron'
}

function majorOf(version = ''): number {
  return Number.parseInt(version, 10)
}

function remedy(runtime: Runtime): string {
  const newer =
    runtime.nodeApi >= NODE_API
      ? `Use better-sqlite3 13, which needs no compiler:\n${choose(13)}`
      : ''
  if (!loadsV8(runtime)) return newer
  const build =
    runtime.name === 'Electron'
      ? 'Build it: npx @electron/rebuild --only better-sqlite3'
      : `Build it:\n${BUILD}`
  return newer === '' ? build : `${build}\nOr: ${newer}`
}

const BUILD = lines({
  npm: 'npm rebuild better-sqlite3',
  pnpm: 'pnpm approve-builds better-sqlite3; pnpm rebuild better-sqlite3',
  yarn: '"dependenciesMeta": { "better-sqlite3": { "built": true } } in package.json; yarn rebuild better-sqlite3',
  'yarn 1': 'yarn install --force',
  bun: 'bun install --force',
})

/** With npm, audile uses the version installed beside it; other package managers need an override. */
function choose(major: 12 | 13): string {
  const range = major === 12 ? '^12.11.1' : '^13.0.0'
  return lines({
    npm: `npm install better-sqlite3@${major}`,
    pnpm: `overrides: { better-sqlite3: ${range} } in pnpm-workspace.yaml; pnpm install`,
    yarn: `"resolutions": { "better-sqlite3": "${range}" } in package.json; yarn install`,
    bun: `"overrides": { "better-sqlite3": "${range}" } in package.json; bun install`,
  })
}

function lines(said: Record<string, string>): string {
  return Object.entries(said)
    .map(([manager, text]) => `  ${manager}: ${text}`)
    .join('\n')
}
