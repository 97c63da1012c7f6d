import { MessageChannel } from 'node:worker_threads'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Channel, type ChannelSide, type Port } from '../../src/engine/channel.ts'
import { ClosedError, ParameterError } from '../../src/values/errors.ts'

function pair(respond: ChannelSide['respond']) {
  const { port1, port2 } = new MessageChannel()
  onTestFinished(() => port1.close())
  const busy: boolean[] = []
  const notices: unknown[] = []
  const near = new Channel(port1 as Port, {
    respond: async () => undefined,
    onBusy: (is) => busy.push(is),
    onNotice: (name, args) => notices.push([name, args]),
  })
  const heard: unknown[] = []
  const far = new Channel(port2 as Port, { respond, onNotice: (name) => heard.push(name) })
  return { near, far, busy, notices, heard }
}

describe('Channel', () => {
  it('answers requests, each its own, in whatever order they end', async () => {
    const waiting: (() => void)[] = []
    const { near } = pair(async (name, args) => {
      if (name === 'slow') await new Promise<void>((go) => waiting.push(go))
      else for (const go of waiting) go()
      return [name, args]
    })
    const slow = near.request('slow', { a: 1 })
    const fast = near.request('fast', new Uint8Array([7]))
    expect(await fast).toEqual(['fast', new Uint8Array([7])])
    expect(await slow).toEqual(['slow', { a: 1 }])
  })

  it('brings an error over as what it was', async () => {
    const { near } = pair(async () => {
      throw new ParameterError('limit_exceeded', 'too many', { cause: new Error('why') })
    })
    const error = await near.request('x', 1).catch((e: unknown) => e)
    expect(error).toBeInstanceOf(ParameterError)
    expect(error).toMatchObject({ code: 'limit_exceeded', message: 'too many' })
    expect((error as Error).cause).toMatchObject({ message: 'why' })
  })

  it('rejects at once with the signal’s own reason, and stops the other side', async () => {
    let stopped = () => {}
    const wasStopped = new Promise<void>((resolve) => {
      stopped = resolve
    })
    const { near, busy } = pair(
      (_, __, signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            stopped()
            resolve('too late')
          })
        }),
    )
    const abort = new AbortController()
    const request = near.request('x', 1, abort.signal)
    const reason = new Error('enough')
    abort.abort(reason)
    await expect(request).rejects.toBe(reason)
    await wasStopped
    expect(busy).toEqual([true, false])
    await expect(near.request('y', 1, abort.signal)).rejects.toBe(reason)
  })

  it('gives back an answer that crosses with the abort', async () => {
    let answer = (_: unknown) => {}
    const { near } = pair(
      (name) =>
        new Promise((resolve) => {
          if (name === 'open') answer = resolve
          else answer('a source')
        }),
    )
    const abort = new AbortController()
    const unread: unknown[] = []
    const request = near.request('open', 1, abort.signal, (value) => unread.push(value))
    abort.abort(new Error('enough'))
    await expect(request).rejects.toThrow('enough')
    void near.request('answer', 1).catch(() => {})
    await expect.poll(() => unread).toEqual(['a source'])
  })

  it('says when it is busy and when it is not', async () => {
    const { near, busy } = pair(async () => 1)
    await Promise.all([near.request('a', 1), near.request('b', 2)])
    await near.request('c', 3)
    expect(busy).toEqual([true, false, true, false])
  })

  it('rejects what cannot be cloned, and goes on', async () => {
    const { near, busy } = pair(async (_, args) => args)
    await expect(near.request('x', () => {})).rejects.toThrow(/clone/)
    expect(busy).toEqual([true, false])
    expect(await near.request('x', 2)).toBe(2)
  })

  it('rejects all when it breaks, and tells the other side nothing more', async () => {
    const { near, far, notices, heard } = pair(() => new Promise(() => {}))
    near.notify('before', 1)
    const waiting = [near.request('a', 1), near.request('b', 2)]
    near.break(new ClosedError('gone'))
    for (const request of waiting) await expect(request).rejects.toThrow('gone')
    await expect(near.request('c', 3)).rejects.toBeInstanceOf(ClosedError)
    near.notify('after', 1)
    // Whatever was sent before this has come when this has.
    far.notify('last', 1)
    await expect.poll(() => notices).toEqual([['last', 1]])
    expect(heard).toEqual(['before'])
  })

  it('passes notices on in order', async () => {
    const { near, far, notices } = pair(async () => 0)
    far.notify('a', 1)
    far.notify('b', [2])
    await near.request('x', 0)
    expect(notices).toEqual([
      ['a', 1],
      ['b', [2]],
    ])
  })
})
