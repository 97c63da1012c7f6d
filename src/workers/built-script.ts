import { existsSync } from 'node:fs'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { WorkerOptions } from 'node:worker_threads'
import { AudileError } from '../values/errors.ts'

/**
 * The path of the built script that a thread runs: the one that the option names, or the one in the
 * folder of this file. `undefined` when audile runs from its TypeScript sources, which have no built
 * scripts.
 *
 * A bundler may have put this file into a bundle; the script is then expected beside the bundle. A
 * CommonJS bundle looks for `engine.cjs` first, then for `engine.js` and `engine.mjs`.
 *
 * @throws {AudileError} `internal` when there is no such file
 */
export function builtScript(
  name: 'engine' | 'worker',
  given: string | undefined,
): string | undefined {
  const option = `${name}Path`
  if (given !== undefined) {
    if (existsSync(given)) return given
    throw new AudileError('internal', `${option} names ${given}, which does not exist.`)
  }
  // Undefined, despite its type, in a CommonJS bundle of a tool that does not support import.meta.
  const here = import.meta.url as string | undefined
  if (here?.endsWith('.ts')) return undefined
  if (here?.startsWith('file:')) {
    for (const extension of new Set([extname(fileURLToPath(here)), '.js', '.mjs', '.cjs'])) {
      const beside = fileURLToPath(new URL(`./${name}${extension}`, here))
      if (existsSync(beside)) return beside
    }
  }
  const instead = name === 'engine' ? "engine: 'inline'" : 'workers: 0'
  throw new AudileError(
    'internal',
    `The ${name} script is not beside ${here ?? 'the bundle'}. If a bundler moved audile, name the script with the option ${option}, or set ${instead}.`,
  )
}

/**
 * Flags for a thread. It inherits those of the process, which is right except for `--input-type`: with
 * it, Node refuses to load the thread's script. A list of the other flags does not help, as Node
 * rejects V8's flags in it.
 */
export function inheritedFlags(): Pick<WorkerOptions, 'execArgv'> {
  return process.execArgv.some((flag) => flag.startsWith('--input-type')) ? { execArgv: [] } : {}
}
