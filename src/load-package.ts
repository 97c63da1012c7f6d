import { fileURLToPath } from 'node:url'
import vm from 'node:vm'

/**
 * Loads a package by `load`, which imports it.
 *
 * A context that Node's module `vm` made may refuse `import()`: Jest runs CommonJS in such a one. The
 * process's own context does not, and is asked then.
 *
 * @param name what `load` imports
 */
export async function loadPackage<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load()
  } catch (error) {
    if (!refusesImport(error)) throw error
    return importedByProcess(name)
  }
}

/** Whether it is not the package that fails, but `import()` itself. */
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
