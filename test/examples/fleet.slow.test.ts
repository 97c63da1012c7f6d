import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { isWorkerCall, parseWorker } from '../../src/cli/worker.ts'
import { PACKAGE } from '../support/built.ts'
import { clip, waveFile } from '../support/clips.ts'
import { example } from '../support/example.ts'
import { startPostgres } from '../support/postgres.ts'
import { scratch } from '../support/scratch.ts'

const FOLDER = join(PACKAGE, 'examples/fleet')

it('fleet: an owner has a folder analysed by a worker', async () => {
  const postgres = await startPostgres()
  onTestFinished(() => postgres.stop())
  const music = scratch()
  for (const seed of [1, 2, 3]) await waveFile(music, `${seed}.wav`, clip({ seconds: 5, seed }))
  const database = join(scratch(), 'music.db')
  const places = { AUDILE_QUEUE: postgres.url, AUDILE_STORE: scratch() }
  const worker = spawn(process.execPath, [join(PACKAGE, 'dist/cli.js'), 'worker'], {
    env: { ...process.env, ...places },
    stdio: 'ignore',
  })
  onTestFinished(() => void worker.kill('SIGKILL'))
  const variables = { ...places, AUDILE_DATABASE: database, PORT: '0' }
  const { stdout, code } = await example(join(FOLDER, 'owner.mjs'), [music], variables)
  expect(stdout).toMatch(/added: 3, .*failed: 0/)
  expect(code).toBe(0)
})

it.each([
  ['compose.yaml', /command: node node_modules\/\.bin\/audile (.*)/],
  ['audile-worker.service', /ExecStart=node node_modules\/\.bin\/audile (.*)/],
])('fleet: %s calls the worker as the command understands it', (file, call) => {
  const [, words = ''] = call.exec(readFileSync(join(FOLDER, file), 'utf8')) ?? []
  const args = words.split(' ')
  expect(isWorkerCall(args)).toBe(true)
  expect(parseWorker(args.slice(1), { AUDILE_QUEUE: 'postgres://a' })).toMatchObject({
    queue: 'postgres://a',
  })
})
