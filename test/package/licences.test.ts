import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bundledPackages } from '../programs/notice/bundled.ts'
import { heading, notice } from '../programs/notice/notice.ts'
import { PACKAGE as ROOT } from '../support/built.ts'

/** A package as the lock file has it. */
interface Locked {
  version?: string
  license?: string
  hasInstallScript?: boolean
  dependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

interface Manifest {
  dependencies: Record<string, string>
  peerDependencies: Record<string, string>
  peerDependenciesMeta: Record<string, { optional?: boolean }>
}

const read = (name: string) => JSON.parse(readFileSync(join(ROOT, name), 'utf8'))
const LOCK = read('package-lock.json').packages as Record<string, Locked>
const MANIFEST = read('package.json') as Manifest

/** Licences that ask for no more than a notice. */
const PERMISSIVE = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'CC0-1.0',
  'ISC',
  'MIT',
  'Python-2.0',
  'Unlicense',
  'WTFPL',
])

/**
 * What is LGPL, whatever its manifest says, so that users must be able to replace it: it stays a
 * package of its own.
 */
const REPLACEABLE = [
  // MIT by its manifest; mpg123, which it holds as WebAssembly, is LGPL-2.1.
  '@audio/decode-mp3',
  'codec-parser',
  'mpg123-decoder',
]

const required = closure(Object.keys(MANIFEST.dependencies))

describe('the dependencies', () => {
  it('are all in the lock file', () => {
    expect(required.length).toBeGreaterThan(Object.keys(MANIFEST.dependencies).length)
    expect(required).toContain('node_modules/better-sqlite3')
  })

  it('have licences that ask for no more than a notice', () => {
    const others = required.filter((path) => !isPermissive(licenceOf(path)))
    expect(others.map((path) => [nameOf(path), licenceOf(path)])).toEqual([])
  })

  it('hold what is GPL only where a user installs it', () => {
    const optional = Object.keys(MANIFEST.peerDependencies)
    expect(optional.filter((name) => !MANIFEST.peerDependenciesMeta[name]?.optional)).toEqual([])
    const gpl = (path: string) => /\bA?GPL/.test(licenceOf(path))
    expect(required.filter(gpl)).toEqual([])
    // That they are found at all: AAC is decoded by such a one.
    expect(closure(optional).filter(gpl).map(nameOf)).toContain('@audio/decode-aac')
  })

  it('run no script when they are installed, but for the database’s addon', () => {
    const scripts = required.filter((path) => LOCK[path]?.hasInstallScript)
    expect(scripts).toEqual(['node_modules/better-sqlite3'])
  })
})

describe('the packages in the build', () => {
  const bundled = bundledPackages(ROOT)

  it('are found, with what they bring', () => {
    const names = bundled.map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['meyda', 'fftjs', 'parse5', 'fast-xml-parser']))
  })

  it('are the versions that the lock file names', () => {
    const others = bundled.filter(({ path, version }) => LOCK[path]?.version !== version)
    expect(others.map(({ path, version }) => `${path} ${version}`)).toEqual([])
  })

  it('have licences that ask for no more than a notice', () => {
    const others = bundled.filter(({ license }) => !isPermissive(license))
    expect(others.map(heading)).toEqual([])
  })

  it('hold none that users must be able to replace', () => {
    expect(bundled.filter(({ name }) => REPLACEABLE.includes(name)).map(heading)).toEqual([])
  })

  it('are all in NOTICE, in this version, with their licence: npm run notice writes it', () => {
    const text = readFileSync(join(ROOT, 'NOTICE'), 'utf8')
    expect(bundled.map(heading).filter((each) => !text.includes(`\n${each}\n`))).toEqual([])
    expect(text === notice(ROOT, bundled), 'NOTICE is as npm run notice writes it').toBe(true)
  })
})

describe('a licence', () => {
  it.each([
    ['MIT', true],
    ['(MIT OR GPL-3.0-or-later)', true],
    ['GPL-2.0-only OR Apache-2.0', true],
    ['MIT AND BSD-3-Clause', true],
    ['MIT AND LGPL-3.0-or-later', false],
    ['(MIT AND GPL-2.0) OR ISC', true],
    ['GPL-3.0', false],
    ['SEE LICENSE IN file', false],
    ['', false],
  ])('%s is permissive: %s', (expression, expected) => {
    expect(isPermissive(expression)).toBe(expected)
  })
})

/** Paths in the lock file of packages and all that they need, as npm would find them. */
function closure(names: readonly string[]): string[] {
  const found = new Set<string>()
  const add = (from: string, name: string, needed: boolean) => {
    const path = resolved(from, name)
    if (path === undefined) {
      if (needed) throw new Error(`${from || 'The package'} needs ${name}, which is not locked.`)
      return
    }
    if (found.has(path)) return
    found.add(path)
    for (const next of Object.keys(LOCK[path]?.dependencies ?? {})) add(path, next, true)
    for (const next of Object.keys(LOCK[path]?.optionalDependencies ?? {})) add(path, next, false)
  }
  for (const name of names) add('', name, false)
  return [...found].sort()
}

/** The nearest `node_modules` above a package that has another one. */
function resolved(from: string, name: string): string | undefined {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const path = `${at === '' ? '' : `${at}/`}node_modules/${name}`
    if (LOCK[path]) return path
    if (at === '') return undefined
  }
}

function licenceOf(path: string): string {
  return LOCK[path]?.license ?? ''
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
}

/** Whether an SPDX expression leaves a choice that is permissive; `AND` binds closer than `OR`. */
function isPermissive(expression: string): boolean {
  const tokens = expression.match(/[()]|[^\s()]+/g) ?? []
  const term = (): boolean => {
    if (tokens[0] !== '(') return PERMISSIVE.has(tokens.shift() ?? '')
    tokens.shift()
    const inside = either()
    return tokens.shift() === ')' && inside
  }
  const all = (): boolean => {
    let good = term()
    while (tokens[0] === 'AND') {
      tokens.shift()
      good = term() && good
    }
    return good
  }
  const either = (): boolean => {
    let good = all()
    while (tokens[0] === 'OR') {
      tokens.shift()
      good = all() || good
    }
    return good
  }
  return either() && tokens.length === 0
}
