import { env } from 'node:process'
import { parentPort, threadId } from 'node:worker_threads'
import { seeded } from '../support/chance.ts'

// A worker's thread that dies of every third task: at its beginning, by an error, in the middle.
const SHARE = 1 / 3
const random = seeded(Number(env.TORTURE_SEED) + threadId)

// First, so that the task has begun when it goes wrong.
await import('./dist/worker.js' as string)
parentPort?.on('message', () => {
  const fate = random()
  if (fate < SHARE / 3) process.exit(5)
  if (fate < (2 * SHARE) / 3) throw new Error('a fault of the decoder')
  if (fate < SHARE) setTimeout(() => process.exit(6), 100 * random())
})
