import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { isWorkerCall, parseWorker } from '../../src/cli/worker.ts'
import { PACKAGE } from '../support/built.ts'
import { clip, waveFile } from '../support/clips.ts'
import { example } from '../support/example.ts'
import { freePort, startPostgres } from '../support/postgres.ts'
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

it('fleet: an owner tells its figures to programs that name it, and to no page', async () => {
  const postgres = await startPostgres()
  onTestFinished(() => postgres.stop())
  const port = await freePort()
  const database = join(scratch(), 'music.db')
  // Nobody analyses the clip, so the owner waits.
  const music = scratch()
  await waveFile(music, 'a.wav', clip({ seconds: 2 }))
  const places = { AUDILE_QUEUE: postgres.url, AUDILE_STORE: scratch(), AUDILE_DATABASE: database }
  const env = { ...process.env, ...places, PORT: String(port), AUDILE_HOST: 'Metrics.example' }
  const owner = spawn(process.execPath, [join(FOLDER, 'owner.mjs'), music], { env, stdio: 'pipe' })
  onTestFinished(() => void owner.kill('SIGKILL'))
  await once(owner.stdout, 'data')
  const statusOf = async (headers: Record<string, string>) => {
    const asked = request({ host: '127.0.0.1', port, headers, agent: false }).end()
    const [answer] = await once(asked, 'response')
    return answer.resume().statusCode
  }
  for (const host of [
    `127.0.0.1:${port}`,
    '[::1]:1',
    'localhost',
    hostname(),
    'metrics.example:9',
  ]) {
    expect(await statusOf({ host }), host).toBe(200)
  }
  for (const host of ['evil.example', `evil.example:${port}`, 'localhost.evil.example']) {
    expect(await statusOf({ host }), host).toBe(403)
  }
  expect(await statusOf({ host: '[' })).toBe(503)
  expect(await statusOf({ origin: 'https://evil.example' })).toBe(403)
  expect(owner.exitCode).toBeNull()
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
