import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pathToFileURL } from 'node:url'
import Sqlite from 'better-sqlite3'
import { expect, it } from 'vitest'
import { PACKAGE, run, start } from '../support/built.ts'
import { clip, waveFile } from '../support/clips.ts'
import { scratch } from '../support/scratch.ts'

/** A worker that does what the file's name says, and else what the real one does. */
function troubledWorker(): string {
  const folder = scratch()
  const path = join(folder, 'troubled-worker.mjs')
  const built = pathToFileURL(join(PACKAGE, 'dist/worker.js')).href
  writeFileSync(
    join(folder, 'trouble.mjs'),
    `import { existsSync, writeFileSync } from 'node:fs'
    import { parentPort } from 'node:worker_threads'
    parentPort?.on('message', ({ kind, task: { path } }) => {
      if (path.includes('hang')) for (;;);
      if (path.includes('once') && !existsSync(path + kind)) {
        writeFileSync(path + kind, '')
        process.exit(5)
      }
      if (path.includes('die')) process.exit(5)
      if (path.includes('throw')) throw new Error('a fault of the decoder')
      if (path.includes('hoard')) for (const hoard = [];;) hoard.push(new Array(1e5).fill(hoard.length))
    })`,
  )
  // Both listen before the first task comes, for both are evaluated in one go.
  writeFileSync(path, `import './trouble.mjs'\nimport '${built}'\n`)
  return path
}

it('a dying, throwing or hoarding worker costs its own job only', async () => {
  const folder = scratch()
  const names = ['a.wav', 'die.wav', 'hoard.wav', 'throw.wav', 'z.wav']
  for (const [seed, name] of names.entries()) {
    await waveFile(folder, name, clip({ seconds: 1, seed: seed + 1 }))
  }
  const script = `
    import { Audile } from 'audile'
    import { basename } from 'node:path'
    const [folder, workerPath] = process.argv.slice(1).filter((a) => a !== '--')
    const music = await Audile.open({
      database: ':memory:', workers: 2, workerPath, limits: { workerMegabytes: 64 },
    })
    const statuses = {}
    const onProgress = ({ file, track }) => {
      statuses[basename(file)] = [track.answer.status, track.answer.error]
    }
    for await (const _ of music.tracks.uploadFolder(folder, { onProgress }));
    await music.close()
    console.log(JSON.stringify(statuses))`
  const { stdout, stderr, code } = await run(script, [folder, troubledWorker()])
  expect(stderr).toBe('')
  expect(code).toBe(0)
  expect(JSON.parse(stdout)).toEqual({
    'a.wav': ['complete', null],
    'z.wav': ['complete', null],
    'die.wav': ['error', 'The analysis thread ended with code 5.'],
    'throw.wav': ['error', 'The analysis thread died: a fault of the decoder'],
    'hoard.wav': ['error', expect.stringMatching(/more than the 64 MB of limits.workerMegabytes/)],
  })
})

it('a stuck worker costs its own job only', async () => {
  const folder = scratch()
  await waveFile(folder, 'hang.wav', clip({ seconds: 1 }))
  await waveFile(folder, 'a.wav', clip({ seconds: 2 }))
  // Where only what hangs is asked for, no machine is too slow for the limit.
  const script = `
    import { Audile } from 'audile'
    const [folder, workerPath] = process.argv.slice(1).filter((a) => a !== '--')
    const limits = { stalledSeconds: 1 }
    const music = await Audile.open({ database: folder + '/music.db', workers: 1, workerPath, limits })
    const stuck = await music.tracks.upload({ file: folder + '/hang.wav', wait: true })
    await music.close()
    const again = await Audile.open({ database: folder + '/music.db', workers: 1, workerPath })
    const next = await again.tracks.upload({ file: folder + '/a.wav', wait: true })
    const { tracks } = await again.tracks.list()
    await again.close()
    console.log(JSON.stringify([stuck.answer.status, stuck.answer.error, next.answer.status, tracks.length]))`
  const { stdout, stderr, code } = await run(script, [folder, troubledWorker()])
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
  expect(JSON.parse(stdout)).toEqual([
    'error',
    expect.stringMatching(/no progress for 1 s/),
    'complete',
    2,
  ])
})

it('names the worker script that is missing', async () => {
  const { stdout } = await run(`
    import { Audile } from 'audile'
    const error = await Audile.open({ database: ':memory:', workerPath: '/no/worker.js' }).catch((e) => e)
    console.log(error.message)`)
  expect(stdout).toMatch(/workerPath names .*worker\.js, which does not exist/)
})

it('a worker that dies once is tried again, whatever it was doing', async () => {
  const folder = scratch()
  const upload = await waveFile(folder, 'once.wav', clip({ seconds: 1 }))
  const identify = await waveFile(folder, 'once-too.wav', clip({ seconds: 1 }))
  const script = `
    import { Audile } from 'audile'
    const [upload, identify, workerPath] = process.argv.slice(1).filter((a) => a !== '--')
    const said = []
    const logger = { warn: (message) => said.push(message) }
    const music = await Audile.open({ database: ':memory:', workers: 1, workerPath, logger })
    const states = []
    music.on('job', ({ kind, state }) => kind === 'track/analyze' && states.push(state))
    const track = await music.tracks.upload({ file: upload })
    const { status } = await track.analyzed()
    const found = await music.songs.fingerprint({ file: identify })
    await music.close()
    console.log(JSON.stringify({ status, states, code: typeof found.code, said }))`
  const { stdout, stderr, code } = await run(script, [upload, identify, troubledWorker()])
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
  const { states, ...rest } = JSON.parse(stdout)
  expect(rest).toEqual({ status: 'complete', code: 'string', said: [] })
  expect(states).toEqual(['queued', 'running', 'retry', 'running', 'complete'])
})

it('ten kills in the middle of its analysis do not give up a file', async () => {
  const folder = scratch()
  const database = join(folder, 'music.db')
  const file = await waveFile(folder, 'long.wav', clip({ seconds: 30 }))
  const child = start(
    `import { Audile } from 'audile'
    const [database, file] = process.argv.slice(1).filter((a) => a !== '--')
    const music = await Audile.open({ database, workers: 1 })
    music.on('job', ({ state }) => state === 'running' && process.stdout.write('.'))
    await music.tracks.upload({ file })
    setInterval(() => {}, 1000)`,
    [database, file],
  )
  await once(child.stdout as Readable, 'data')
  child.kill('SIGKILL')
  await once(child, 'close')
  // As nine more leave it.
  const db = new Sqlite(database)
  expect(db.prepare('UPDATE jobs SET crashes = 9').run().changes).toBe(1)
  db.close()
  const { stdout, stderr } = await run(
    `import { Audile } from 'audile'
    const [database] = process.argv.slice(1).filter((a) => a !== '--')
    const music = await Audile.open({ database, workers: 1 })
    const { tracks } = await music.tracks.list()
    const told = await tracks[0].analyzed().catch(({ message }) => message)
    await music.close()
    console.log(told.status ?? told)`,
    [database],
  )
  expect({ stdout: stdout.trim(), stderr }).toEqual({ stdout: 'complete', stderr: '' })
})

it('a task that takes its own process down costs itself alone', async () => {
  const folder = scratch()
  const database = join(folder, 'music.db')
  const file = await waveFile(folder, 'a.wav', clip({ seconds: 1 }))
  const worker = join(folder, 'deadly-worker.mjs')
  const built = pathToFileURL(join(PACKAGE, 'dist/worker.js')).href
  // Only where it is alone in a process.
  writeFileSync(
    worker,
    `import { isMainThread } from 'node:worker_threads'
    const send = process.send?.bind(process)
    const die = () => process.kill(process.pid, 'SIGSEGV')
    if (isMainThread) process.send = (message) => send(message, () => setTimeout(die, 50))
    await import('${built}')`,
  )
  const script = `
    import { Audile } from 'audile'
    import Sqlite from 'better-sqlite3'
    const [database, file, workerPath] = process.argv.slice(1).filter((a) => a !== '--')
    const first = await Audile.open({ database, workers: 1, workerPath })
    const { id } = await first.tracks.upload({ file })
    await first.close()
    const db = new Sqlite(database)
    const left = db.prepare('UPDATE jobs SET crashes = 12').run().changes
    db.close()
    const music = await Audile.open({ database, workers: 1, workerPath })
    const track = await music.tracks.get(id)
    const error = await track.analyzed().then(({ status }) => status, ({ message }) => message)
    await music.close()
    console.log(JSON.stringify({ left, error }))`
  const { stdout, stderr, code } = await run(script, [database, file, worker])
  expect({ stderr, code }).toEqual({ stderr: '', code: 0 })
  expect(JSON.parse(stdout)).toEqual({
    left: 1,
    error: expect.stringMatching(/The analysis process was ended by SIGSEGV/),
  })
})
