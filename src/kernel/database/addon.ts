import { existsSync, readFileSync } from 'node:fs'
// By another name: bundles of ES modules begin with a createRequire of their own.
import { createRequire as requireFrom } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import Sqlite, { type Database, type Options } from 'better-sqlite3'
import { DatabaseError } from '../../errors.ts'

/** better-sqlite3 and its native addon, as far as they can be told without loading it. */
export interface Addon {
  /** The version of better-sqlite3; `undefined` where a bundler left no package.json. */
  version?: string | undefined
  /** Compiled for one ABI of V8, that of `process.versions.modules`; or for Node-API, for all. */
  abi?: string | 'node-api' | undefined
}

/** What loads the addon. */
export interface Runtime {
  name: 'Node.js' | 'Electron' | 'Bun' | 'Deno'
  version: string
  /** `process.versions.modules`. */
  abi: string
  /** `process.versions.napi`. */
  nodeApi: number
}

/** How better-sqlite3 is opened. */
export type ConnectOptions = Pick<Options, 'readonly' | 'fileMustExist'> & {
  /** Path of the native addon, for bundlers and asar: as the option of `Audile.open`. */
  nativeBinding?: string | undefined
}

/**
 * The version of Node-API that better-sqlite3 13 is compiled for: Node.js has it from 22.14 and 23.6
 * on. In a runtime with an older one the addon does not fail but ends the process, and better-sqlite3
 * allows every Node.js 22 by its `engines`.
 */
const NODE_API = 10

/** Bindings with which the addon was loaded in this thread; the empty one is the package's own. */
const loaded = new Set<string>()

/**
 * Opens a file by better-sqlite3.
 *
 * @throws {DatabaseError} when the addon is not there, or does not fit this runtime
 * @throws SqliteError when it is the file
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
    // Without a file, what fails is the addon.
    new Sqlite(':memory:', binding).close()
  } catch (error) {
    throw new DatabaseError(unloadable(error as Error, addon, runtime, nativeBinding), {
      cause: error,
    })
  }
}

/** The runtime that has these versions, as `process.versions` tells them. */
export function thisRuntime(versions: Record<string, string | undefined>): Runtime {
  const { node = '', electron, bun, deno, modules = '', napi } = versions
  const facts = { abi: modules, nodeApi: Number(napi ?? 0) }
  if (bun !== undefined) return { name: 'Bun', version: bun, ...facts }
  if (deno !== undefined) return { name: 'Deno', version: deno, ...facts }
  if (electron !== undefined) return { name: 'Electron', version: electron, ...facts }
  return { name: 'Node.js', version: node, ...facts }
}

/** What is installed; of what it could not find out it says nothing. */
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

/** Compiled on this machine; else better-sqlite3 13 takes a prebuilt one, and 12 has none. */
function compiledIn(folder: string): string | undefined {
  return ['Debug', 'Release']
    .map((kind) => join(folder, 'build', kind, 'better_sqlite3.node'))
    .find((file) => existsSync(file))
}

/** By the name of the function that registers the addon. */
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

/** Why the addon must not be loaded by a runtime, and what to do; `undefined` when it may be. */
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

/** Why the addon did not load, and what to do. */
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

/** How to get an addon that fits. */
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

/** With npm a version beside audile is the one that audile gets; the others keep one for each. */
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
