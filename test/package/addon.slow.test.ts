import { execFile } from 'node:child_process'
import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PACKAGE } from '../support/built.ts'
import { packedProject } from '../support/packed.ts'

let project: string
beforeAll(async () => {
  project = await packedProject()
  // As an install leaves it whose scripts were refused: without what they would have built.
  const sqlite = join(project, 'node_modules/better-sqlite3')
  rmSync(sqlite, { recursive: true })
  const from = join(PACKAGE, 'node_modules/better-sqlite3')
  const built = /[\\/]better-sqlite3[\\/](build|deps|src|prebuilds)$/
  cpSync(from, sqlite, { recursive: true, filter: (path) => !built.test(path) })
}, 600_000)

afterAll(() => rmSync(project, { recursive: true, force: true }))

const LOAD = {
  'ES module': `import { Audile } from 'audile'`,
  CommonJS: `const { Audile } = require('audile')`,
}

/** What `open` says in a process of its own, and how that ends. */
function open(load: keyof typeof LOAD, engine: string): Promise<{ told: string; code: unknown }> {
  const script = `${LOAD[load]}
    Audile.open({ database: ':memory:', engine: '${engine}' })
      .catch((error) => console.log(error.name + ': ' + error.message))`
  const type = load === 'CommonJS' ? 'commonjs' : 'module'
  const args = [`--input-type=${type}`, '-e', script]
  return new Promise((resolve) => {
    execFile(process.execPath, args, { cwd: project }, (error, told) =>
      resolve({ told, code: error?.code ?? error?.signal ?? 0 }),
    )
  })
}

const WAYS = (Object.keys(LOAD) as (keyof typeof LOAD)[]).flatMap((load) =>
  ['thread', 'inline'].map((engine) => [load, engine] as const),
)

describe('better-sqlite3 whose addon was not built', () => {
  it.each(WAYS)('is a DatabaseError that tells how to build it: %s, %s', async (load, engine) => {
    const { told, code } = await open(load, engine)
    expect(told).toMatch(/^DatabaseError: better-sqlite3 [\d.]+ has no addon/)
    for (const name of ['npm', 'pnpm', 'yarn', 'bun']) expect(told).toContain(`  ${name}: `)
    expect(code).toBe(0)
  })
})

// What such a runtime would do with it is to end without a word.
describe.runIf(Number(process.versions.napi) < 10)('better-sqlite3 13 on Node.js 20', () => {
  it.each(WAYS)('is a DatabaseError that tells what to install: %s, %s', async (load, engine) => {
    const manifest = join(project, 'node_modules/better-sqlite3/package.json')
    const text = readFileSync(manifest, 'utf8')
    writeFileSync(manifest, text.replace(/"version": "[^"]+"/, '"version": "13.2.0"'))
    const { told, code } = await open(load, engine)
    writeFileSync(manifest, text)
    expect(told).toMatch(/^DatabaseError: better-sqlite3 13\.2\.0 would end the process/)
    expect(told).toContain('npm install better-sqlite3@12')
    expect(code).toBe(0)
  })
})
