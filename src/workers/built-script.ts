import { existsSync } from 'node:fs'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { WorkerOptions } from 'node:worker_threads'
import { AudileError } from '../values/errors.ts'

/**
 * The script of a thread: the option's, or the one beside this file or bundle; `undefined` from
 * sources.
 *
 * @throws {AudileError} `internal` when there is no such file
 */
export function findBuiltScript(
  name: 'engine' | 'worker',
  optionPath: string | undefined,
): string | undefined {
  const option = `${name}Path`
  if (optionPath !== undefined) {
    if (existsSync(optionPath)) return optionPath
    throw new AudileError('internal', `${option} names ${optionPath}, which does not exist.`)
  }
  // Undefined in a CommonJS bundle without support for import.meta.
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

/** A thread inherits the process's flags; with `--input-type` Node would refuse its script. */
export function inheritedFlags(): Pick<WorkerOptions, 'execArgv'> {
  return process.execArgv.some((flag) => flag.startsWith('--input-type')) ? { execArgv: [] } : {}
}
