import { createHash } from 'node:crypto'
import { appendFileSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { env } from 'node:process'
import { fileURLToPath } from 'node:url'
import { parentPort, threadId } from 'node:worker_threads'
import { seeded } from '../../support/chance.ts'

// A worker's thread that dies of many tasks: at their beginning, by an error, in the middle. Of each
// task twice at most: a third attempt is what it must have.
const SHARE = 1 / 2
const MOST = 2
const random = seeded(Number(env.TORTURE_SEED) + threadId)
const deaths = fileURLToPath(new URL('deaths', import.meta.url))
mkdirSync(deaths, { recursive: true })

interface Request {
  kind: string
  task: { path?: string; url?: string }
}

// First, so that the task has begun when it goes wrong.
await import('./dist/worker.js' as string)
let tasks = 0
parentPort?.on('message', ({ kind, task }: Request) => {
  const mine = ++tasks
  const fate = random()
  if (fate >= SHARE || !mayDie(`${env.TORTURE_SEED} ${kind} ${task.path ?? task.url}`)) return
  if (fate < SHARE / 3) process.exit(5)
  if (fate < (2 * SHARE) / 3) throw new Error('a fault of the decoder')
  setTimeout(() => {
    // The next one has its own fate.
    if (mine === tasks) process.exit(6)
  }, 100 * random())
})

/** Counts the deaths of a task, in a file, for the next thread begins anew. */
function mayDie(task: string): boolean {
  const path = join(deaths, createHash('md5').update(task).digest('hex'))
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) >= MOST) return false
  appendFileSync(path, '.')
  return true
}
