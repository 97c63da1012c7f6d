import { fileURLToPath } from 'node:url'
import vm from 'node:vm'

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

/** Whether `import()` itself failed, not the package. */
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
