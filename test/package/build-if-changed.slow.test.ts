import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { PACKAGE } from '../support/built.ts'
import { scratch } from '../support/scratch.ts'

const SCRIPT = join(PACKAGE, 'test/support/build-if-changed.mjs')

/** A package whose build writes what is in src/a.js, and a line for each build. */
const BUILD = `
const { appendFileSync, mkdirSync, readFileSync, writeFileSync } = require('node:fs')
appendFileSync('builds', 'built ')
const text = readFileSync('src/a.js', 'utf8')
mkdirSync('dist', { recursive: true })
writeFileSync('dist/a.js', text)
process.exit(text.includes('wrong') ? 3 : 0)
`

let folder: string

beforeEach(() => {
  folder = scratch()
  mkdirSync(join(folder, 'src'))
  write('build.cjs', BUILD)
  write('package.json', '{ "name": "a", "scripts": { "build": "node build.cjs" } }')
  write('src/a.js', 'one')
  write('src/b.js', 'two')
})

const write = (name: string, text: string) => writeFileSync(join(folder, name), text)

/** How many builds one more call makes. */
function builds(): number {
  write('builds', '')
  const { stderr } = spawnSync(process.execPath, [SCRIPT], { cwd: folder, encoding: 'utf8' })
  const told = /^Building audile from src\/ into dist\//.test(stderr)
  expect(told).toBe(readFileSync(join(folder, 'builds'), 'utf8') !== '')
  return readFileSync(join(folder, 'builds'), 'utf8').split(' ').length - 1
}

describe('npm run build:if-changed', () => {
  it('builds once, and not again while nothing changes', () => {
    expect(builds()).toBe(1)
    expect(builds()).toBe(0)
    write('src/b.js', 'two')
    expect(builds()).toBe(0)
  })

  it('builds after a source was changed, added, renamed or removed, and after a change of its settings', () => {
    builds()
    write('src/b.js', 'new')
    expect(builds()).toBe(1)
    write('src/c.js', '')
    expect(builds()).toBe(1)
    renameSync(join(folder, 'src/c.js'), join(folder, 'src/d.js'))
    expect(builds()).toBe(1)
    rmSync(join(folder, 'src/d.js'))
    expect(builds()).toBe(1)
    write('tsconfig.json', '{}')
    expect(builds()).toBe(1)
    expect(builds()).toBe(0)
  })

  it('builds when the build is gone, cut short or of other sources', () => {
    builds()
    rmSync(join(folder, 'dist'), { recursive: true })
    expect(builds()).toBe(1)
    write('dist/a.js', 'on')
    expect(builds()).toBe(1)
    expect(builds()).toBe(0)
  })

  it('ends as a failed build does, and tries again', () => {
    write('src/a.js', 'wrong')
    const { status } = spawnSync(process.execPath, [SCRIPT], { cwd: folder })
    expect(status).toBe(3)
    expect(builds()).toBe(1)
  })
})
