import { describe, expect, it } from 'vitest'
import { Emitter } from '../src/events.ts'

const event = { id: 'TR1', status: 'pending', progress: 0.5 } as const

describe('Emitter', () => {
  it('tells the listeners of a name, until each is removed', () => {
    const emitter = new Emitter(() => {})
    const heard: string[] = []
    const first = emitter.on('track', ({ id }) => heard.push(`1${id}`))
    emitter.on('track', ({ id }) => heard.push(`2${id}`))
    emitter.on('job', () => heard.push('job'))
    emitter.emit('track', event)
    first()
    first()
    emitter.emit('track', event)
    expect(heard).toEqual(['1TR1', '2TR1', '2TR1'])
  })

  it('counts one function added twice as two', () => {
    const emitter = new Emitter(() => {})
    let calls = 0
    const listener = () => calls++
    const off = emitter.on('track', listener)
    emitter.on('track', listener)
    off()
    emitter.emit('track', event)
    expect(calls).toBe(1)
  })

  it('reports what a listener throws and tells the others all the same', async () => {
    const errors: unknown[] = []
    const emitter = new Emitter((error) => errors.push(error))
    let told = false
    emitter.on('track', () => {
      throw new Error('mine')
    })
    emitter.on('track', async () => {
      throw new Error('mine, later')
    })
    emitter.on('track', () => {
      told = true
    })
    emitter.emit('track', event)
    expect(told).toBe(true)
    await Promise.resolve()
    expect(errors).toMatchObject([{ message: 'mine' }, { message: 'mine, later' }])
  })
})
