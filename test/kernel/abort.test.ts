import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { joinSignals, onAbort, unlessAborted, withDeadline } from '../../src/kernel/abort.ts'
import { openInline } from '../support/open.ts'

const listeners = (signal: AbortSignal) => getEventListeners(signal, 'abort').length

describe('a signal that many calls share', () => {
  it('has one listener while they go on, and none after them', async () => {
    const music = await openInline()
    const { signal } = new AbortController()
    const calls = Array.from({ length: 100 }, () => music.songs.search({ title: 'x' }, { signal }))
    expect(listeners(signal)).toBe(1)
    await Promise.all(calls)
    expect(listeners(signal)).toBe(0)
  })

  it('ends them all, and those that come later at once', async () => {
    const abort = new AbortController()
    const ended: number[] = []
    const release = onAbort(abort.signal, () => ended.push(1))
    onAbort(abort.signal, () => ended.push(2))
    release()
    const both = joinSignals(undefined, abort.signal)
    const waits = unlessAborted(new Promise(() => {}), both.signal)
    abort.abort(new Error('enough'))
    await expect(waits).rejects.toThrow('enough')
    onAbort(abort.signal, () => ended.push(3))
    expect(ended).toEqual([2, 3])
    expect(joinSignals(abort.signal).signal.reason).toBe(abort.signal.reason)
  })

  it('is let go by what was joined from it', () => {
    const { signal } = new AbortController()
    for (let i = 0; i < 100; i++) joinSignals(signal).release()
    expect(listeners(signal)).toBe(0)
  })
})

describe('a deadline', () => {
  const late = () => new Error('too late')
  const forever = (until: AbortSignal) => unlessAborted(new Promise<never>(() => {}), until)

  it('aborts work that takes longer, with the reason that was given', async () => {
    await expect(withDeadline(undefined, 1, late, forever)).rejects.toThrow('too late')
  })

  it('aborts work with the reason of the signal, at once if it has aborted', async () => {
    const leave = new AbortController()
    const work = withDeadline(leave.signal, 1e6, late, forever)
    leave.abort(new Error('enough'))
    await expect(work).rejects.toThrow('enough')
    await expect(withDeadline(leave.signal, 1e6, late, forever)).rejects.toThrow('enough')
  })

  it('lets go of signal and timer when the work has ended, well or not', async () => {
    const { signal } = new AbortController()
    const timers = () =>
      process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    const before = timers()
    const during: number[] = []
    const work = async (until: AbortSignal) => {
      during.push(listeners(signal), timers() - before)
      expect(until.aborted).toBe(false)
      return 'done'
    }
    await expect(withDeadline(signal, 1e6, late, work)).resolves.toBe('done')
    await expect(
      withDeadline(signal, 1e6, late, () => Promise.reject(new Error('broken'))),
    ).rejects.toThrow('broken')
    expect(during).toEqual([1, 1])
    expect([listeners(signal), timers() - before]).toEqual([0, 0])
  })
})
