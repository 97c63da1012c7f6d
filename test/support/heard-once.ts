import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll } from 'vitest'
import {
  TASK_RUNNERS,
  type TaskKind,
  type TaskRunner,
  type Tasks,
} from '../../src/workers/tasks.ts'
import { remembered } from './once-a-run.ts'

let isOn = false

/**
 * Has the inline engines of a test file analyse and fingerprint the same bytes in the same way once in a
 * run of the tests. For files whose tests need tracks and songs; those that are about an analysis while it
 * goes on need one that takes its time: {@link unheard}.
 */
export function hearOnce(): void {
  beforeAll(() => {
    isOn = true
  })
  afterAll(() => {
    isOn = false
  })
}

let made = 0

/** The same sound in other bytes than all before. */
export function unheard<T extends { samples: Float32Array[] }>(audio: T): T {
  made++
  const samples = audio.samples.map((channel) => {
    const longer = new Float32Array(made + channel.length)
    longer.set(channel, made)
    return longer
  })
  return { ...audio, samples }
}

// Inline engines do their tasks by this table; it is a constant to everybody else.
const table: { -readonly [K in TaskKind]: TaskRunner<K> } = TASK_RUNNERS
table.analyze = remembering('analyze', TASK_RUNNERS.analyze)
table.fingerprint = remembering('fingerprint', TASK_RUNNERS.fingerprint)

function remembering<K extends 'analyze' | 'fingerprint'>(
  kind: K,
  run: TaskRunner<K>,
): TaskRunner<K> {
  /** What others on this thread make just now, by the sum of their bytes. */
  const making = new Map<string, Promise<unknown>>()
  return async (task, onProgress, signal) => {
    const { path, ...how } = task
    const bytes = isOn ? await readFile(path).catch(() => undefined) : undefined
    // Another program may have changed since.
    if (bytes === undefined || how.decode.ffmpegPath !== undefined)
      return run(task, onProgress, signal)
    signal?.throwIfAborted()
    const sum = createHash('md5').update(bytes).digest('hex')
    while (making.has(sum)) await making.get(sum)
    signal?.throwIfAborted()
    const { value, keep } = remembered<Tasks[K]['result']>({ kind, sum, how })
    if (value !== undefined) return value
    const made = Promise.resolve(run(task, onProgress, signal))
    // Who waits for one that fails makes its own.
    const ended = made.then(keep, () => {}).finally(() => making.delete(sum))
    making.set(sum, ended)
    const result = await made
    await ended
    return result
  }
}
