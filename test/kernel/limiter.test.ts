import { expect, it } from 'vitest'
import { Limiter } from '../../src/kernel/limiter.ts'

const never = new AbortController().signal

/** Work that ends when it is told to. */
function work() {
  let finish = () => {}
  const done = new Promise<void>((resolve) => {
    finish = resolve
  })
  return { run: () => done, finish: () => finish() }
}

it('lets so many in, the others in their order', async () => {
  const limiter = new Limiter(2)
  const entered: number[] = []
  const works = [work(), work(), work(), work()]
  const all = works.map(({ run }, i) =>
    limiter.run(never, () => {
      entered.push(i)
      return run()
    }),
  )
  await Promise.resolve()
  expect(entered).toEqual([0, 1])
  works[1]?.finish()
  await all[1]
  await Promise.resolve()
  expect(entered).toEqual([0, 1, 2])
  for (const { finish } of works) finish()
  await Promise.all(all)
  expect(entered).toEqual([0, 1, 2, 3])
})

it('frees the place of work that fails, and lets waiters leave', async () => {
  const limiter = new Limiter(1)
  const first = work()
  const running = limiter.run(never, async () => {
    await first.run()
    throw new Error('failed')
  })
  const leave = new AbortController()
  const waiting = limiter.run(leave.signal, async () => 'not reached')
  const next = limiter.run(never, async () => 'reached')
  leave.abort(new Error('enough'))
  await expect(waiting).rejects.toThrow('enough')
  first.finish()
  await expect(running).rejects.toThrow('failed')
  expect(await next).toBe('reached')
  await expect(limiter.run(AbortSignal.abort(new Error('late')), async () => 1)).resolves.toBe(1)
})
