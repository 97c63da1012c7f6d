import { existsSync, readFileSync } from 'node:fs'
// Renamed, because bundlers put their own `createRequire` at the top of ES modules.
import { createRequire as requireFrom } from 'node:module'
import { dirname, join, resolve } from 'node:path'
import Sqlite, { type Database, type Options } from 'better-sqlite3'
import { DatabaseError } from '../../values/errors.ts'

export interface SqliteAddon {
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

export type ConnectOptions = Pick<Options, 'readonly' | 'fileMustExist'> & {
  /** For bundlers and asar. */
  nativeBinding?: string | undefined
}

/** In an older runtime better-sqlite3 13 ends the process, although its `engines` allow it. */
const NEEDED_NODE_API = 10

/** The empty string is the package's own. */
const loadedBindings = new Set<string>()

/**
 * @throws {DatabaseError} when the addon is missing or does not fit @throws SqliteError when the
 * file cannot be opened
 */
export function connectSqlite(path: string, options: ConnectOptions = {}): Database {
  const { nativeBinding, ...sqliteOptions } = options
  const binding = nativeBinding === undefined ? {} : { nativeBinding }
  if (!loadedBindings.has(nativeBinding ?? '')) {
    loadAddon(nativeBinding, binding)
    loadedBindings.add(nativeBinding ?? '')
  }
  return new Sqlite(path, { ...sqliteOptions, ...binding })
}

function loadAddon(nativeBinding: string | undefined, binding: Options): void {
  const runtime = thisRuntime(process.versions)
  const addon = installedAddon(nativeBinding)
  const problem = misfitReason(addon, runtime)
  if (problem !== undefined) throw new DatabaseError(problem)
  try {
    // This opens no file, so only the addon can fail.
    new Sqlite(':memory:', binding).close()
  } catch (error) {
    throw new DatabaseError(loadFailure(error as Error, addon, runtime, nativeBinding), {
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

function installedAddon(nativeBinding: string | undefined): SqliteAddon {
  const folder = packageFolder()
  const version = folder === undefined ? undefined : versionIn(folder)
  const file =
    nativeBinding === undefined
      ? folder !== undefined && compiledIn(folder)
      : resolve(nativeBinding).replace(/(\.node)?$/, '.node')
  if (file) return { version, abi: abiOf(file) }
  return { version, abi: majorVersion(version) >= 13 ? 'node-api' : undefined }
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

/** Version 13 also comes prebuilt; 12 does not. */
function compiledIn(folder: string): string | undefined {
  return ['Debug', 'Release']
    .map((kind) => join(folder, 'build', kind, 'better_sqlite3.node'))
    .find((file) => existsSync(file))
}

/** The ABI of an addon, read from the name of its registration function. */
function abiOf(file: string): SqliteAddon['abi'] {
  try {
    const bytes = readFileSync(file)
    const name = 'node_register_module_v'
    const offset = bytes.indexOf(name)
    if (offset >= 0)
      return /^\d+/.exec(bytes.toString('latin1', offset + name.length, offset + 32))?.[0]
    return bytes.includes('napi_register_module_v') ? 'node-api' : undefined
  } catch {
    return undefined
  }
}

/** Why a runtime must not load the addon, and the remedy; `undefined` when it may. */
export function misfitReason(addon: SqliteAddon, runtime: Runtime): string | undefined {
  const { name, version, abi, nodeApi } = runtime
  const what = addonName(addon)
  if (addon.abi === undefined) return undefined
  if (addon.abi === 'node-api') {
    if (nodeApi >= NEEDED_NODE_API) return undefined
    const why = `${what} would end the process: it needs Node-API ${NEEDED_NODE_API}, and ${name} ${version} has ${nodeApi}.`
    if (!loadsV8(runtime)) return `${why} Use a newer ${name}.`
    const newer = name === 'Node.js' ? 'Node.js 22.14 or later' : `a newer ${name}`
    return `${why} Use ${newer}, or better-sqlite3 12:\n${installCommands(12)}`
  }
  if (!loadsV8(runtime)) {
    return `${what} cannot be loaded by ${name} ${version}, which loads addons of Node-API only. Use better-sqlite3 13:\n${installCommands(13)}`
  }
  if (addon.abi === abi) return undefined
  return `${what} was compiled for another runtime (ABI ${addon.abi}); ${name} ${version} has ABI ${abi}. ${remedyFor(runtime)}`
}

function loadFailure(
  error: Error,
  addon: SqliteAddon,
  runtime: Runtime,
  nativeBinding: string | undefined,
): string {
  const [first] = error.message.split('\n')
  if (nativeBinding !== undefined) {
    return `Cannot load better-sqlite3's addon: ${first}. The option nativeBinding names ${nativeBinding}.`
  }
  if (/Could not locate the bindings file|Cannot find module/.test(error.message)) {
    return `${addonName(addon)} has no addon: its install script did not run, or failed. ${remedyFor(runtime)}`
  }
  return `Cannot load the addon of ${addonName(addon)}: ${first}. ${remedyFor(runtime)}`
}

function addonName({ version, abi }: SqliteAddon): string {
  return `better-sqlite3${version !== undefined ? ` ${version}` : abi === 'node-api' ? ' 13' : ''}`
}

function loadsV8({ name }: Runtime): boolean {
  return name === 'Node.js' || name === 'Electron'
}

function majorVersion(version = ''): number {
  return Number.parseInt(version, 10)
}

function remedyFor(runtime: Runtime): string {
  const newer =
    runtime.nodeApi >= NEEDED_NODE_API
      ? `Use better-sqlite3 13, which needs no compiler:\n${installCommands(13)}`
      : ''
  if (!loadsV8(runtime)) return newer
  const build =
    runtime.name === 'Electron'
      ? 'Build it: npx @electron/rebuild --only better-sqlite3'
      : `Build it:\n${BUILD_COMMANDS}`
  return newer === '' ? build : `${build}\nOr: ${newer}`
}

const BUILD_COMMANDS = commandLines({
  npm: 'npm rebuild better-sqlite3',
  pnpm: 'pnpm approve-builds better-sqlite3; pnpm rebuild better-sqlite3',
  yarn: '"dependenciesMeta": { "better-sqlite3": { "built": true } } in package.json; yarn rebuild better-sqlite3',
  'yarn 1': 'yarn install --force',
  bun: 'bun install --force',
})

/** npm uses the version beside audile; other package managers need an override. */
function installCommands(major: 12 | 13): string {
  const range = major === 12 ? '^12.11.1' : '^13.0.0'
  return commandLines({
    npm: `npm install better-sqlite3@${major}`,
    pnpm: `overrides: { better-sqlite3: ${range} } in pnpm-workspace.yaml; pnpm install`,
    yarn: `"resolutions": { "better-sqlite3": "${range}" } in package.json; yarn install`,
    bun: `"overrides": { "better-sqlite3": "${range}" } in package.json; bun install`,
  })
}

function commandLines(said: Record<string, string>): string {
  return Object.entries(said)
    .map(([manager, text]) => `  ${manager}: ${text}`)
    .join('\n')
}
