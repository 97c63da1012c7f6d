import { describe, expect, it } from 'vitest'
import { EventEmitter } from '../../src/kernel/events.ts'
import { ParameterError } from '../../src/values/errors.ts'

const event = { id: 'TR1', status: 'pending', progress: 0.5 } as const

describe('Emitter', () => {
  it('tells the listeners of a name, until each is removed', () => {
    const emitter = new EventEmitter(() => {})
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
    const emitter = new EventEmitter(() => {})
    let calls = 0
    const listener = () => calls++
    const off = emitter.on('track', listener)
    emitter.on('track', listener)
    off()
    emitter.emit('track', event)
    expect(calls).toBe(1)
  })

  it.each([
    ['trcak', /no event "trcak"; did you mean "track"\?/],
    ['progress', /no event "progress"; known are track, ticket, feed, upkeep, fleet, job/],
    ['toString', /no event "toString"/],
    [undefined, /no event "undefined"/],
  ])('refuses the name %s', (name, message) => {
    const emitter = new EventEmitter(() => {})
    expect(() => emitter.on(name as never, () => {})).toThrow(message)
    expect(() => emitter.on(name as never, () => {})).toThrow(ParameterError)
  })

  it('refuses a listener that is no function', () => {
    const emitter = new EventEmitter(() => {})
    expect(() => emitter.on('track', undefined as never)).toThrow(/listener .*a undefined; it must/)
  })

  it('reports what a listener throws and tells the others all the same', async () => {
    const errors: unknown[] = []
    const emitter = new EventEmitter((error) => errors.push(error))
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
