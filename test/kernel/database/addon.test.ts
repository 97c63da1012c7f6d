import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fromMillionSong } from '../../../src/import/million-song.ts'
import { misfitReason, thisRuntime } from '../../../src/kernel/database/addon.ts'
import { openDatabase } from '../../../src/kernel/database/open.ts'
import { DatabaseError } from '../../../src/values/errors.ts'
import { scratch } from '../../support/scratch.ts'

const node = (version: string, abi: string, nodeApi: number) =>
  thisRuntime({ node: version, modules: abi, napi: `${nodeApi}` })
const NODE20 = node('20.20.2', '115', 9)
const NODE22 = node('22.14.0', '127', 10)
const BUN = thisRuntime({ node: '26.3.0', bun: '1.4.5', modules: '147', napi: '10' })
const DENO = thisRuntime({ node: '26.3.0', deno: '2.9.6', modules: '147', napi: '10' })
const ELECTRON = thisRuntime({ node: '20.18.1', electron: '33.0.0', modules: '130', napi: '9' })

const THIRTEEN = { version: '13.2.0', abi: 'node-api' } as const
const TWELVE = { version: '12.11.1', abi: '115' }

/** A file that looks like an addon to who reads it, and would fail to load. */
function addonFile(text: string): string {
  const path = join(scratch(), 'addon.node')
  writeFileSync(path, `\u007fELF ${text}\0 the rest`)
  return path
}

describe('better-sqlite3 that does not fit the runtime', () => {
  it('is no matter where it fits', () => {
    expect(misfitReason(TWELVE, NODE20)).toBeUndefined()
    for (const runtime of [NODE22, BUN, DENO])
      expect(misfitReason(THIRTEEN, runtime)).toBeUndefined()
    // What could not be found out is left to the loading.
    expect(misfitReason({}, NODE20)).toBeUndefined()
    expect(misfitReason({ version: '12.11.1' }, NODE20)).toBeUndefined()
  })

  it.each([
    ['Node.js 20.20.2', NODE20],
    // Its `engines` allow it.
    ['Node.js 22.13.1', node('22.13.1', '127', 9)],
    ['Electron 33.0.0', ELECTRON],
  ])('is named with each package manager: 13 with %s', (name, runtime) => {
    const told = misfitReason(THIRTEEN, runtime) ?? ''
    expect(told).toContain(`better-sqlite3 13.2.0`)
    expect(told).toContain(name)
    expect(told).toContain('npm install better-sqlite3@12')
    expect(told).toMatch(/pnpm: overrides: .* better-sqlite3: \^12/)
    expect(told).toMatch(/yarn: "resolutions": .* "better-sqlite3": "\^12/)
    expect(told).toMatch(/bun: "overrides": .* "better-sqlite3": "\^12/)
  })

  it('is built anew, or replaced by 13 where that runs: 12 of another Node.js', () => {
    const later = misfitReason(TWELVE, NODE22) ?? ''
    expect(later).toContain('compiled for another runtime (ABI 115); Node.js 22.14.0 has ABI 127')
    for (const words of [
      'npm rebuild better-sqlite3',
      'pnpm rebuild better-sqlite3',
      'yarn rebuild better-sqlite3',
      'bun install --force',
      'npm install better-sqlite3@13',
    ]) {
      expect(later).toContain(words)
    }
    const earlier = misfitReason({ version: '12.11.1', abi: '127' }, NODE20) ?? ''
    expect(earlier).toContain('npm rebuild better-sqlite3')
    expect(earlier).not.toContain('13')
  })

  it('is built by a tool of its own for Electron', () => {
    expect(misfitReason(TWELVE, ELECTRON)).toContain('npx @electron/rebuild')
  })

  it.each([
    ['Bun 1.4.5', BUN],
    ['Deno 2.9.6', DENO],
  ])('is replaced by 13, as 12 has no version for it: %s', (name, runtime) => {
    // The same number does not help: neither has what an addon of V8 calls.
    const told = misfitReason({ version: '12.11.1', abi: '147' }, runtime) ?? ''
    expect(told).toContain(name)
    expect(told).toContain('npm install better-sqlite3@13')
    expect(told).not.toContain('rebuild')
  })
})

describe('the option nativeBinding', () => {
  it('is looked at before it is loaded', () => {
    const nativeBinding = addonFile('node_register_module_v1')
    const open = () => openDatabase(':memory:', { nativeBinding })
    expect(open).toThrow(DatabaseError)
    expect(open).toThrow(/ABI 1\)/)
  })

  it('names its file when it is none, or is not there', () => {
    const text = addonFile('no addon at all')
    expect(() => openDatabase(':memory:', { nativeBinding: text })).toThrow(DatabaseError)
    expect(() => openDatabase(':memory:', { nativeBinding: text })).toThrow(text)
    const missing = join(scratch(), 'missing.node')
    expect(() => openDatabase(':memory:', { nativeBinding: missing })).toThrow(DatabaseError)
    expect(() => openDatabase(':memory:', { nativeBinding: missing })).toThrow(missing)
  })

  it('is looked at by the readers of the Million Song Dataset too', async () => {
    const database = join(scratch(), 'track_metadata.db')
    openDatabase(database).close()
    const nativeBinding = addonFile('node_register_module_v1')
    const first = fromMillionSong(database, { nativeBinding }).next()
    await expect(first).rejects.toThrow(DatabaseError)
  })
})
