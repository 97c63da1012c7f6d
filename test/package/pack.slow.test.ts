import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { PACKAGE } from '../support/built.ts'
import { DOCUMENTS } from '../support/documents.ts'

/** What `npm pack --json` says of the tarball it would write. */
interface Packed {
  name: string
  size: number
  unpackedSize: number
  files: { path: string; size: number }[]
}

/** Bytes of the tarball, and of what it unpacks to: a twentieth more than now, for ES modules and CommonJS. */
const LARGEST = { packed: 3_700_000, unpacked: 11_400_000 }

let packed: Packed
beforeAll(async () => {
  // The scripts would build anew, and take away the build from under the tests that run beside.
  const { stdout } = await promisify(execFile)(
    'npm',
    ['pack', '--dry-run', '--json', '--ignore-scripts'],
    { cwd: PACKAGE, shell: process.platform === 'win32' },
  )
  ;[packed] = JSON.parse(stdout) as [Packed]
})

describe('what is published', () => {
  it('is the build, the readme, the guides and small programs, the licences, the changelog and the manifest', () => {
    const paths = packed.files.map(({ path }) => path)
    const built = /^dist\/[\w.-]+\.(?:js|cjs|d\.ts|d\.cts)$/
    const guide = /^examples\/(?:[\w-]+\/)?[\w-]+\.md$/
    const program =
      /^examples\/(?:(?:electron|fleet|live|shared-engine|sonic)\/[\w.-]+|[\w.-]+\.mjs)$/
    const known = [built, guide, program]
    expect(paths.filter((path) => !known.some((one) => one.test(path))).sort()).toEqual([
      'CHANGELOG.md',
      'CONTRIBUTING.md',
      'LICENSE',
      'NOTICE',
      'README.md',
      'SECURITY.md',
      'examples/report.png',
      'package.json',
    ])
    expect(paths.filter((path) => built.test(path)).length).toBeGreaterThan(10)
    expect(paths.filter((path) => guide.test(path)).sort()).toEqual(
      [...DOCUMENTS.keys()].filter((path) => path !== 'README.md').sort(),
    )
  })

  it('has what its readme and guides link to', () => {
    const paths = new Set(packed.files.map(({ path }) => path))
    const links = [...DOCUMENTS].flatMap(([name, text]) =>
      [...text.matchAll(/\]\(([^)\s#]+)[^)]*\)/g)]
        .map(([, link = '']) => link)
        .filter((link) => !/^[a-z]+:/.test(link))
        .map((link) => posix.join(posix.dirname(name), link)),
    )
    expect(links.length).toBeGreaterThan(50)
    expect(links.filter((link) => !paths.has(link))).toEqual([])
  })

  it('is small', () => {
    expect(packed.size).toBeLessThan(LARGEST.packed)
    expect(packed.unpackedSize).toBeLessThan(LARGEST.unpacked)
    const sum = packed.files.reduce((total, { size }) => total + size, 0)
    expect(sum).toBe(packed.unpackedSize)
  })

  it('holds every file that the manifest names', () => {
    const manifest = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'))
    const named = [
      ...JSON.stringify([
        manifest.exports,
        manifest.bin,
        manifest.main,
        manifest.module,
        manifest.types,
      ]).matchAll(/"(?:\.\/)?([^"*]+\.\w+)"/g),
    ].map(([, path]) => path)
    const paths = packed.files.map(({ path }) => path)
    expect(named.filter((path) => path?.startsWith('dist/')).length).toBeGreaterThan(10)
    expect(named.filter((path) => !paths.includes(path as string))).toEqual([])
  })

  it('runs nothing when it is installed', () => {
    const { scripts } = JSON.parse(readFileSync(join(PACKAGE, 'package.json'), 'utf8'))
    const hooks = ['preinstall', 'install', 'postinstall', 'prepublish', 'preprepare', 'prepare']
    expect(Object.keys(scripts).filter((name) => hooks.includes(name))).toEqual([])
  })
})

describe('the declarations', () => {
  it('name no package that a consumer may not have', () => {
    // Without comments: the examples in them import the package itself.
    const text = readFileSync(join(PACKAGE, 'dist/index.d.ts'), 'utf8').replace(
      /\/\*[\s\S]*?\*\//g,
      '',
    )
    const packages = [...text.matchAll(/from '([^.'][^']*)'/g)].map(([, name]) => name)
    expect(packages.filter((name) => name !== 'zod' && !name?.startsWith('node:'))).toEqual([])
  })
})
