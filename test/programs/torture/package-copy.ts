import { cpSync, existsSync, mkdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { build } from 'esbuild'

const PACKAGE = fileURLToPath(new URL('../../..', import.meta.url))

/** The built package and the processes that use it, where no build disturbs them meanwhile. */
export interface PackageCopy {
  /** Address of the package's entry. */
  entry: string
  /** The script of a process that does mixed work. */
  workProcess: string
  /** An engine that dies, and a worker that often does. */
  mortalEngine: string
  mortalWorker: string
}

/** Copies the built package into a folder, with the processes of the torture beside it. */
export async function copyPackage(folder: string): Promise<PackageCopy> {
  if (!existsSync(join(PACKAGE, 'dist/index.js'))) {
    throw new Error('The torture needs the build: npm run torture, or npm run build first.')
  }
  const place = join(folder, 'package')
  mkdirSync(place)
  cpSync(join(PACKAGE, 'dist'), join(place, 'dist'), { recursive: true })
  cpSync(join(PACKAGE, 'package.json'), join(place, 'package.json'))
  symlinkSync(join(PACKAGE, 'node_modules'), join(place, 'node_modules'), 'junction')
  const own = (name: string) => join(place, `${name}.js`)
  // Bundled: a loader of TypeScript would be loaded again by each of their threads.
  await build({
    entryPoints: ['work-process', 'mortal-engine', 'mortal-worker'].map((name) =>
      fileURLToPath(new URL(`${name}.ts`, import.meta.url)),
    ),
    outdir: place,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    external: ['audile', './dist/*'],
    logLevel: 'error',
  })
  return {
    entry: pathToFileURL(join(place, 'dist/index.js')).href,
    workProcess: own('work-process'),
    mortalEngine: own('mortal-engine'),
    mortalWorker: own('mortal-worker'),
  }
}
