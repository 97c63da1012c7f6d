import { execFile } from 'node:child_process'
import { rmSync } from 'node:fs'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { packedProject } from '../support/packed.ts'

const SCRIPT = `
  import { Audile, serveEngine } from 'audile'
  const told = ({ code, message }) => console.log(code, message)
  await Audile.open({ engine: 'unix:none.sock' }).catch(told)
  const music = await Audile.open({ database: ':memory:', engine: 'inline', workers: 0 })
  await serveEngine(music, { listen: 'unix:none.sock' }).catch(told)
  await music.close()`

it('tells how to install ws where it is not installed', async () => {
  const project = await packedProject()
  onTestFinished(() => rmSync(project, { recursive: true, force: true }))
  const args = ['--input-type=module', '-e', SCRIPT]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: project })
  expect(stdout.trimEnd().split('\n')).toEqual(
    ['engine', 'serveEngine'].map(
      (field) =>
        `invalid_parameter ${field} - Invalid parameter: it needs the package ws; install it: npm install ws@8`,
    ),
  )
})
