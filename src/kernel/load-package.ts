import { existsSync, readFileSync } from 'node:fs'
// Renamed, because bundlers put their own `createRequire` at the top of ES modules.
import { createRequire as requireFrom } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import vm from 'node:vm'
import { peerDependencies } from '../../package.json'
import { invalidParameter } from '../values/errors.ts'

/**
 * A context of Node's module `vm` (as under Jest) may refuse `import()`; then the process imports.
 */
export async function loadPackage<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    if (!isImportRefused(error)) throw error
    return importInProcess(name)
  }
}

function isImportRefused(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return (
    code === 'ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING' ||
    code === 'ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING_FLAG'
  )
}

function importInProcess<T>(name: string): Promise<T> {
  const load = vm.runInThisContext('(name) => import(name)', {
    filename: fileURLToPath(import.meta.url),
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  }) as (name: string) => Promise<T>
  return load(name)
}

/**
 * `field` is the option that needs it.
 *
 * @throws {ParameterError} when it is not installed, or in another version
 */
export async function loadPeer<T>(name: PeerName, field: string): Promise<T> {
  const reason = unsupportedVersion(name)
  if (reason !== undefined) throw invalidParameter(field, reason)
  try {
    // In a variable, so that no bundler tries to resolve the import.
    return await loadPackage<T>(name, () => import(/* webpackIgnore: true */ name))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw error
    const install = `npm install ${name}@${neededMajor(name)}`
    throw invalidParameter(field, `it needs the package ${name}; install it: ${install}`, {
      cause: error,
    })
  }
}

type PeerName = keyof typeof peerDependencies

function neededMajor(name: PeerName): string | undefined {
  return /\d+/.exec(peerDependencies[name])?.[0]
}

/** `undefined` when the installed version fits, or none is found. */
export function unsupportedVersion(
  name: PeerName,
  folders = requireFrom(import.meta.url).resolve.paths(name) ?? [],
): string | undefined {
  const packageFile = folders.map((folder) => join(folder, name, 'package.json')).find(existsSync)
  const range = peerDependencies[name]
  const version =
    packageFile && (JSON.parse(readFileSync(packageFile, 'utf8')) as { version: string }).version
  if (!version || version.split('.')[0] === neededMajor(name)) return undefined
  return `${name} ${version} is installed, and ${range} is needed: npm install ${name}@${range}`
}
