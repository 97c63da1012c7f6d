import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it, vi } from 'vitest'
import { DecodeError } from '../../src/errors.ts'
import { Pool } from '../../src/workers/pool.ts'
import { scratch } from '../support/scratch.ts'

afterEach(() => void vi.useRealTimers())

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
  // The clock of the watch is turned by hand: no machine is too slow for it.
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const stalledAfter = 60_000
  const pool = new Pool({
    size: 1,
    workerPath: hangingWorker(),
    megabytes: 64,
    stalledAfter,
  })
  const { signal } = new AbortController()
  const run = (path: string, onProgress: () => void) =>
    pool.run('tags', { path, bytes: 1000 }, { signal, onProgress })
  let begun = () => {}
  const begins = new Promise<void>((resolve) => {
    begun = resolve
  })
  const stuck = run('hang.wav', begun).catch((error: unknown) => error)
  await begins
  vi.advanceTimersByTime(stalledAfter)
  const error = await stuck
  expect(error).toBeInstanceOf(DecodeError)
  expect((error as Error).message).toMatch(/no progress for 60 s.*limits\.stalledSeconds/)
  expect(await run('fine.wav', () => {})).toBe('fine.wav')
  await pool.close()
})
