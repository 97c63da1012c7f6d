import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { DecodeError } from '../../src/values/errors.ts'
import { WorkerPool } from '../../src/workers/pool.ts'
import { clip, waveFile } from '../support/clips.ts'
import { scratch } from '../support/scratch.ts'

const LIMITS = {
  ...{ decodedSeconds: 100, analysisSeconds: 100, channels: 2 },
  ...{ workerMegabytes: 64, stalledSeconds: 1 },
}

/** A worker that says that it has begun, and ends no task of a file that is to hang. */
function hangingWorker(): string {
  const path = join(scratch(), 'hanging-worker.mjs')
  writeFileSync(
    path,
    `import { parentPort } from 'node:worker_threads'
    parentPort.on('message', ({ task: { path } }) => {
      parentPort.postMessage({ type: 'progress', progress: 0.1 })
      if (path.includes('hang')) for (;;);
      parentPort.postMessage({ type: 'result', result: path })
    })`,
  )
  return path
}

it('a thread that reports nothing is ended with its task, and the next task has a new one', async () => {
  const workerPath = hangingWorker()
  const pool = new WorkerPool({ workers: 1, workerPath }, LIMITS)
  const { signal } = new AbortController()
  const run = (path: string) =>
    pool.run('tags', { path, bytes: 1000 }, { signal, onProgress: () => {} })
  const error = await run('hang.wav').catch((error: unknown) => error)
  expect(error).toBeInstanceOf(DecodeError)
  expect((error as Error).message).toMatch(/no progress for 1 s.*limits\.stalledSeconds/)
  // A machine may be too slow for the limit now and then.
  await expect.poll(() => run('fine.wav').catch(() => undefined)).toBe('fine.wav')
  await pool.close()
})

/** The niceness of the threads of this process. */
function niceOfThreads(): number[] {
  return readdirSync('/proc/self/task').map((thread) => {
    const [, fields = ''] = readFileSync(`/proc/self/task/${thread}/stat`, 'utf8').split(') ')
    return Number(fields.split(' ')[16])
  })
}

it.runIf(process.platform === 'linux')('gentle threads have the lowest priority', async () => {
  const workerPath = fileURLToPath(new URL('../../dist/worker.js', import.meta.url))
  const lowest: number[] = []
  for (const workers of [1, 'gentle'] as const) {
    const pool = new WorkerPool({ workers, workerPath }, LIMITS)
    const options = { signal: new AbortController().signal, onProgress: () => {} }
    await pool.run('tags', { path: '/none.wav', bytes: 1000 }, options).catch(() => {})
    lowest.push(niceOfThreads().filter((nice) => nice === 19).length)
    await pool.close()
  }
  expect(lowest).toEqual([0, 1])
})

/** The files below a folder that this process has open. */
function openFilesIn(folder: string): string[] {
  return readdirSync('/proc/self/fd').flatMap((number) => {
    try {
      const path = readlinkSync(`/proc/self/fd/${number}`)
      return path.startsWith(folder) ? [path] : []
    } catch {
      // The descriptor of the listing itself, and files that were closed meanwhile.
      return []
    }
  })
}

it.runIf(process.platform === 'linux')(
  'a task that is left, be it while its thread starts, leaves no file open',
  async () => {
    const workerPath = fileURLToPath(new URL('../../dist/worker.js', import.meta.url))
    const scripts = fileURLToPath(new URL('../../dist/', import.meta.url))
    const folder = scratch()
    const path = await waveFile(folder, 'long.wav', clip({ seconds: 20 }))
    for (const place of [scripts, folder]) {
      for (let round = 0; round < 4; round++) {
        const pool = new WorkerPool({ workers: 1, workerPath }, LIMITS)
        const left = new AbortController()
        let isOver = false
        const task = pool
          .run('analyze', { path, meta: {} }, { signal: left.signal })
          .catch(() => {})
          .finally(() => {
            isOver = true
          })
        while (!isOver && openFilesIn(place).length === 0) await setImmediate()
        left.abort()
        await task
        await pool.close()
        expect([...openFilesIn(scripts), ...openFilesIn(folder)]).toEqual([])
      }
    }
  },
)
