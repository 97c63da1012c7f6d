import { existsSync } from 'node:fs'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AudileError } from '../errors.ts'

/**
 * The path of a built script that a thread runs: the one that the option names, or the one beside
 * this file. `undefined` when audile runs from its TypeScript sources, which have no built scripts.
 *
 * A bundler may have put this file into another, so it is the bundle that the script stands beside:
 * a bundle in CommonJS looks for `engine.cjs` first, then for `engine.js` and `engine.mjs`.
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
    throw new AudileError('internal', `${option} names ${given}, where there is no file.`)
  }
  // Bundled as CommonJS by a tool that knows no import.meta, it is empty, whatever its type says.
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
