import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { openInline } from '../support/open.ts'
import { scratch } from '../support/scratch.ts'

it.skipIf(process.platform === 'win32')(
  'what a killed process wrote of a request is removed at the next start',
  async () => {
    const folder = scratch()
    vi.stubEnv('TMPDIR', folder)
    onTestFinished(() => void vi.unstubAllEnvs())
    const script = `
      const { ParameterBuffer } = await import(process.argv[1])
      const buffer = new ParameterBuffer('data', { name: 'updateBytes', bytes: 1e9 })
      await buffer.append(new Uint8Array(1e6))
      console.log('written')
      setInterval(() => buffer.size, 1000)`
    const holder = new URL('../../src/wire/buffered-bytes.ts', import.meta.url).href
    const tsx = createRequire(import.meta.url).resolve('tsx')
    const args = ['--import', tsx, '--input-type=module', '-e', script, holder]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void child.kill('SIGKILL'))
    await once(child.stdout, 'data')
    const mine = () => readdirSync(folder).filter((name) => name.includes('-wire-'))
    const [left = ''] = mine()
    await openInline()
    // It runs: what it has is its own.
    expect(mine()).toEqual([left])
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
    writeFileSync(join(folder, 'audile-other'), '')
    await openInline()
    await expect.poll(mine).toEqual([])
    expect(readdirSync(folder)).toContain('audile-other')
  },
)
