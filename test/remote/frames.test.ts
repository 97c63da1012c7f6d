import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Message } from '../../src/engine/channel.ts'
import { decodeFrame, encodeFrame, encodeMessage, FrameFault } from '../../src/remote/frames.ts'
import { Link } from '../../src/remote/link.ts'
import { toPlain } from '../../src/values/errors.ts'

/** What methods take and answer. */
const value = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    fc.constantFrom(null, true, false, Number.NaN, Number.POSITIVE_INFINITY),
    fc.integer(),
    // −0 comes as 0, as in JSON.
    fc.double().filter((number) => !Object.is(number, -0)),
    fc.string({ unit: 'binary' }),
    fc.date({ noInvalidDate: true, min: new Date('1900-01-01'), max: new Date('2200-01-01') }),
    fc.uint8Array(),
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(
      fc.string().filter((key) => key !== '__proto__'),
      tie('value'),
      { maxKeys: 5, noNullPrototype: true },
    ),
  ),
})).value

const id = fc.nat()
const message = fc.oneof<fc.Arbitrary<Message>[]>(
  fc.record({ type: fc.constant('request'), id, name: fc.string(), args: value }),
  fc.record({ type: fc.constant('cancel'), id }),
  fc.record({ type: fc.constant('answer'), id, value }),
  fc.record({ type: fc.constant('notice'), name: fc.string(), args: value }),
)

describe('a frame', () => {
  it('comes as it was sent', () => {
    fc.assert(
      fc.property(
        fc.nat(),
        fc.nat(),
        fc.array(message, { maxLength: 4 }),
        (number, received, messages) => {
          const bytes = encodeFrame(number, received, messages.map(encodeMessage))
          expect(decodeFrame(bytes)).toEqual({ number, received, messages })
        },
      ),
    )
  })

  it('comes as it was sent, whatever the sizes of its values are', () => {
    const numbers = [
      0,
      127,
      128,
      255,
      256,
      65_535,
      65_536,
      2 ** 32,
      2 ** 40,
      -1,
      -33,
      -129,
      -40_000,
      -(2 ** 33),
      0.5,
    ]
    for (const size of [15, 16, 31, 32, 255, 256, 65_535, 65_536]) {
      const args = {
        ...{ text: 'x'.repeat(size), bytes: new Uint8Array(size), list: new Array(size).fill(1) },
        ...{ fields: Object.fromEntries(Array.from({ length: size }, (_, i) => [`f${i}`, i])) },
        ...{ numbers, dates: [new Date(0), new Date(-1), new Date(2 ** 40)], last: true },
      }
      const messages: Message[] = [{ type: 'notice', name: 'n', args }]
      expect(decodeFrame(encodeFrame(1, 0, messages.map(encodeMessage))).messages).toEqual(messages)
    }
  })

  it('leaves out what is undefined, and keeps errors with their causes', () => {
    const error = toPlain(new RangeError('a', { cause: new Error('b') }))
    const messages: Message[] = [
      { type: 'answer', id: 1, value: undefined },
      { type: 'request', id: 2, name: 'call', args: { a: undefined, b: 1 } },
      { type: 'failure', id: 3, error },
    ]
    const bytes = encodeFrame(1, 0, messages.map(encodeMessage))
    expect(decodeFrame(bytes).messages).toEqual([
      { type: 'answer', id: 1, value: undefined },
      { type: 'request', id: 2, name: 'call', args: { b: 1 } },
      { type: 'failure', id: 3, error },
    ])
  })

  it('is refused when it is none, whatever the bytes are', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        try {
          decodeFrame(bytes)
        } catch (error) {
          expect(error).toBeInstanceOf(FrameFault)
        }
      }),
      { numRuns: 2_000 },
    )
  })

  it('cannot hold a function', () => {
    const args = { a: () => 1 }
    expect(() => encodeMessage({ type: 'notice', name: 'x', args })).toThrow('Function')
  })
})

describe('a link', () => {
  it('brings each message once and in its order, over connections that lose the last frames', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ send: fc.nat(3), cut: fc.boolean(), lost: fc.nat(4) }), {
          maxLength: 12,
        }),
        async (steps) => {
          const far = new Link(() => 1e6)
          const near = new Link(() => 1e6)
          const heard: unknown[] = []
          far.on('message', (message) => heard.push((message as { args: unknown }).args))
          near.on('message', () => {})
          let sent = 0
          let onTheWay: Uint8Array[] = []
          const join = () => {
            onTheWay = []
            near.attach((bytes) => onTheWay.push(bytes), far.received)
            far.attach(() => {}, near.received)
          }
          const arrive = (lost: number) => {
            for (const bytes of onTheWay.splice(0, Math.max(0, onTheWay.length - lost))) {
              far.receive(bytes)
            }
          }
          join()
          for (const { send, cut, lost } of steps) {
            for (let i = 0; i < send; i++) {
              near.postMessage({ type: 'notice', name: 'n', args: sent++ })
              await new Promise(setImmediate)
            }
            arrive(cut ? lost : 0)
            if (cut) join()
          }
          arrive(0)
          expect(heard).toEqual(Array.from({ length: sent }, (_, i) => i))
        },
      ),
    )
  })
})
