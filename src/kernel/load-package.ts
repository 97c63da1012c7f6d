import { existsSync, readFileSync } from 'node:fs'
// Renamed, because bundlers put their own `createRequire` at the top of ES modules.
import { createRequire as requireFrom } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import vm from 'node:vm'
import { peerDependencies } from '../../package.json'
import { invalidParameter } from '../values/errors.ts'

/**
 * Loads a package.
 *
 * A context of Node's module `vm` may refuse `import()`, and Jest runs CommonJS in such a context. Then
 * the package is imported in the process's own context.
 *
 * @param load - imports the package
 * @param name - the name that `load` imports
 */
export async function loadPackage<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    if (!refusesImport(error)) throw error
    return importedByProcess(name)
  }
}

function refusesImport(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return (
    code === 'ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING' ||
    code === 'ERR_VM_DYNAMIC_IMPORT_CALLBACK_MISSING_FLAG'
  )
}

function importedByProcess<T>(name: string): Promise<T> {
  const load = vm.runInThisContext('(name) => import(name)', {
    filename: fileURLToPath(import.meta.url),
    importModuleDynamically: vm.constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  }) as (name: string) => Promise<T>
  return load(name)
}

/**
 * Loads an optional package.
 *
 * @param field - the option or function that needs it
 * @throws {ParameterError} when it is not installed, or in another version
 */
export async function loadPeer<T>(name: Peer, field: string): Promise<T> {
  const reason = unsupported(name)
  if (reason !== undefined) throw invalidParameter(field, reason)
  try {
    // The name is in a variable, so that no bundler tries to resolve the import.
    return await loadPackage<T>(name, () => import(/* webpackIgnore: true */ name))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw error
    const install = `npm install ${name}@${majorOf(name)}`
    throw invalidParameter(field, `it needs the package ${name}; install it: ${install}`, {
      cause: error,
    })
  }
}

type Peer = keyof typeof peerDependencies

function majorOf(name: Peer): string | undefined {
  return /\d+/.exec(peerDependencies[name])?.[0]
}

/**
 * Why audile does not work with the installed version of an optional package; `undefined` when it
 * does, or when no version is found.
 */
export function unsupported(
  name: Peer,
  folders = requireFrom(import.meta.url).resolve.paths(name) ?? [],
): string | undefined {
  const file = folders.map((folder) => join(folder, name, 'package.json')).find(existsSync)
  const range = peerDependencies[name]
  const version = file && (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version
  if (!version || version.split('.')[0] === majorOf(name)) return undefined
  return `${name} ${version} is installed, and ${range} is needed: npm install ${name}@${range}`
}
