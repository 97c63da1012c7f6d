import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { Changes } from '../../src/kernel/wait-for-change.ts'

/** A thing that is looked at, and how often it was. */
function thing(changes: Changes, id: string, signal = new AbortController().signal) {
  const seen = { looks: 0, state: undefined as string | undefined }
  const settled = changes.waitUntil(id, signal, () => {
    seen.looks++
    return seen.state
  })
  return { seen, settled }
}

const turn = () => new Promise((resolve) => setImmediate(resolve))

describe('waiting for a change', () => {
  it('looks at once, and again after each change of that thing or of all', async () => {
    const changes = new Changes()
    const [one, other] = [thing(changes, 'one'), thing(changes, 'other')]
    expect([one.seen.looks, other.seen.looks]).toEqual([1, 1])
    changes.wakeWaits('one')
    await turn()
    expect([one.seen.looks, other.seen.looks]).toEqual([2, 1])
    one.seen.state = 'done'
    changes.wakeWaits()
    await expect(one.settled).resolves.toBe('done')
    expect([one.seen.looks, other.seen.looks]).toEqual([3, 2])
    changes.wakeWaits()
    await turn()
    expect([one.seen.looks, other.seen.looks]).toEqual([3, 3])
  })

  it('ends on abort with its reason, and lets go of the signal', async () => {
    const changes = new Changes()
    const leave = new AbortController()
    const { seen, settled } = thing(changes, 'one', leave.signal)
    const stays = thing(changes, 'one')
    leave.abort(new Error('enough'))
    await expect(settled).rejects.toThrow('enough')
    expect(getEventListeners(leave.signal, 'abort')).toEqual([])
    await expect(thing(changes, 'one', leave.signal).settled).rejects.toThrow('enough')
    stays.seen.state = 'done'
    changes.wakeWaits('one')
    await expect(stays.settled).resolves.toBe('done')
    expect(seen.looks).toBe(1)
  })

  it('passes on what a look throws', async () => {
    const { signal } = new AbortController()
    const gone = new Changes().waitUntil('one', signal, () => {
      throw new Error('gone')
    })
    await expect(gone).rejects.toThrow('gone')
  })
})
