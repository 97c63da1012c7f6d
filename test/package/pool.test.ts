import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { PACKAGE, run } from '../support/built.ts'
import { clip, waveFile } from '../support/clips.ts'
import { scratch } from '../support/scratch.ts'

/** A worker that does what the file's name says, and else what the real one does. */
function troubledWorker(): string {
  const folder = scratch()
  const path = join(folder, 'troubled-worker.mjs')
  const built = pathToFileURL(join(PACKAGE, 'dist/worker.js')).href
  writeFileSync(
    join(folder, 'trouble.mjs'),
    `import { parentPort } from 'node:worker_threads'
    parentPort.on('message', ({ task: { path } }) => {
      if (path.includes('hang')) for (;;);
      if (path.includes('die')) process.exit(5)
      if (path.includes('throw')) throw new Error('a fault of the decoder')
      if (path.includes('hoard')) for (const hoard = [];;) hoard.push(new Array(1e5).fill(hoard.length))
    })`,
  )
  // Both listen before the first task comes, for both are evaluated in one go.
  writeFileSync(path, `import './trouble.mjs'\nimport '${built}'\n`)
  return path
}

it('a stuck, dying, throwing or hoarding worker costs its own job only', async () => {
  const folder = scratch()
  const names = ['a.wav', 'die.wav', 'hang.wav', 'hoard.wav', 'throw.wav', 'z.wav']
  for (const [seed, name] of names.entries()) {
    await waveFile(folder, name, clip({ seconds: 1, seed: seed + 1 }))
  }
  const script = `
    import { Audile } from 'audile'
    import { basename } from 'node:path'
    const [folder, workerPath] = process.argv.slice(1).filter((a) => a !== '--')
    const music = await Audile.open({
      database: ':memory:', workers: 2, workerPath, limits: { stalledSeconds: 3, workerMegabytes: 64 },
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
    'hang.wav': ['error', expect.stringMatching(/no progress for 3 s/)],
    'hoard.wav': ['error', expect.stringMatching(/more than the 64 MB of limits.workerMegabytes/)],
  })
})

it('names the worker script that is missing', async () => {
  const { stdout } = await run(`
    import { Audile } from 'audile'
    const error = await Audile.open({ database: ':memory:', workerPath: '/no/worker.js' }).catch((e) => e)
    console.log(error.message)`)
  expect(stdout).toMatch(/workerPath names .*worker\.js, where there is no file/)
})
