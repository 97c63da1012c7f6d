import { expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '../../../src/kernel/database/open.ts'
import { EventEmitter } from '../../../src/kernel/events.ts'
import { JobLoop } from '../../../src/kernel/jobs/loop.ts'
import { type Job, JobStore } from '../../../src/kernel/jobs/store.ts'
import { Changes } from '../../../src/kernel/wait-for-change.ts'

it('nothing is started beside a job that may have ended the process, when an earlier one is done', async () => {
  const db = openDatabase(':memory:')
  const store = new JobStore(db)
  const { emit } = new EventEmitter(() => {})
  const fail = (_level: string, message: string) => expect.fail(message)
  const host = { log: fail }
  const loop = new JobLoop({ store, now: () => 1, emit, changes: new Changes(), host })
  onTestFinished(() => loop.close())
  const begun: string[] = []
  const waiting = new Map<string, () => void>()
  loop.handle({
    kind: 'work',
    concurrency: 3,
    async run({ subject }: Job) {
      begun.push(subject)
      await new Promise<void>((resolve) => waiting.set(subject, resolve))
      return () => {}
    },
    failed() {},
  })
  const turns = async () => {
    for (let i = 0; i < 10; i++) await new Promise((resolve) => setImmediate(resolve))
  }
  loop.enqueue({ kind: 'work', subject: 'early' })
  loop.start()
  await turns()
  store.add({ kind: 'work', subject: 'suspect' }, 0)
  db.prepare("UPDATE jobs SET crashes = 2 WHERE subject = 'suspect'").run()
  loop.nudge()
  await turns()
  loop.enqueue({ kind: 'work', subject: 'late' })
  waiting.get('early')?.()
  await turns()
  expect(begun).toEqual(['early', 'suspect'])
  waiting.get('suspect')?.()
  await turns()
  expect(begun).toEqual(['early', 'suspect', 'late'])
  waiting.get('late')?.()
  await turns()
})
