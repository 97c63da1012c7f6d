import { execFile } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { linkPackage, packedProject } from '../support/packed.ts'

const SUBPATHS = ['', '/analysis', '/export', '/import', '/wire']

it('the packed types need no other types, for ES modules and CommonJS', async () => {
  const folder = await packedProject()
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  linkPackage('@types/node', folder)
  const imports = SUBPATHS.map((path, i) => `import * as a${i} from 'audile${path}'\nvoid a${i}\n`)
  const own = `import { Audile } from 'audile'
    export const music: Promise<Audile> = Audile.open({ database: new URL('file:///a.db') })\n`
  writeFileSync(join(folder, 'a.mts'), `${own}${imports.join('')}import 'audile/fleet'\n`)
  writeFileSync(join(folder, 'b.cts'), `${own}${imports.join('')}`)
  const compilerOptions = {
    ...{ strict: true, noEmit: true, skipLibCheck: false, types: ['node'] },
    ...{ module: 'node20', target: 'es2023', lib: ['es2024', 'dom', 'esnext.disposable'] },
  }
  const files = ['a.mts', 'b.cts']
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files }))
  const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')
  const told = await promisify(execFile)(process.execPath, [tsc, '-p', folder]).catch((e) => e)
  expect(told.stdout).toBe('')
})
