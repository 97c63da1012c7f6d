import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { CONTAINED } from './contained.ts'

/** A package of which code is in the build. */
export interface Bundled {
  name: string
  version: string
  /** As an SPDX expression. */
  license: string
  author: string | undefined
  /** Where it is installed, as the lock file names it: `node_modules/…`. */
  path: string
}

/** esbuild writes before each module where it comes from; what it leaves out has no such line. */
const ORIGIN =
  /^\s*\/\/ (node_modules\/(?:(?:@[^/\n]+\/)?[^/\n]+\/)(?:node_modules\/(?:@[^/\n]+\/)?[^/\n]+\/)*)/gm

/** All packages with code in the scripts of the folder `dist` of `root`, by name. */
export function bundledPackages(root: string): Bundled[] {
  const paths = new Set<string>()
  for (const file of readdirSync(join(root, 'dist'))) {
    if (!/\.c?js$/.test(file)) continue
    const text = readFileSync(join(root, 'dist', file), 'utf8')
    for (const [, path] of text.matchAll(ORIGIN)) paths.add((path as string).slice(0, -1))
  }
  for (const path of [...paths]) {
    for (const name of CONTAINED[nameOf(path)]?.packages ?? []) paths.add(`node_modules/${name}`)
  }
  return [...paths]
    .map((path) => described(root, path))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.path < b.path ? -1 : 1))
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

function described(root: string, path: string): Bundled {
  const manifest = JSON.parse(readFileSync(join(root, path, 'package.json'), 'utf8')) as {
    name: string
    version: string
    license?: string
    author?: string | { name: string }
  }
  const { name, version, license = '', author } = manifest
  const person = typeof author === 'object' ? author.name : author?.replace(/\s*[<(].*/, '')
  return { name, version, license, author: person, path }
}
