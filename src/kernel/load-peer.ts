import { invalidParameter } from '../values/errors.ts'
import { loadPackage, unsupported } from './load-package.ts'

/**
 * Loads an optional package.
 *
 * @param version - the major version to install
 * @param field - the option that needs it
 * @throws {ParameterError} when it is not installed, or another version
 */
export async function loadPeer<T>(
  name: 'aws4fetch' | 'bullmq' | 'pg-boss' | 'ws',
  version: string,
  field: string,
): Promise<T> {
  const reason = unsupported(name)
  if (reason) throw invalidParameter(field, reason)
  try {
    // The name is in a variable, so that no bundler tries to resolve the import.
    return await loadPackage<T>(name, () => import(/* webpackIgnore: true */ name))
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw error
    const reason = `it needs the package ${name}; install it: npm install ${name}@${version}`
    throw invalidParameter(field, reason, { cause: error })
  }
}
