import { deserialize, serialize } from 'node:v8'
import { describe, expect, it, vi } from 'vitest'
import { asDatabaseError } from '../../src/kernel/database/sqlite-error.ts'
import {
  AudileError,
  ClosedError,
  DatabaseError,
  DecodeError,
  fromPlain,
  KeyError,
  ParameterError,
  STATUS_OF,
  toPlain,
} from '../../src/values/errors.ts'
import { openInline } from '../support/open.ts'

const EXAMPLES = [
  new ParameterError('unknown_identifier', 'no such track'),
  new KeyError('invalid_key', 'no such key'),
  new DecodeError('not audio', { cause: new TypeError('deep', { cause: 'a word' }) }),
  new DatabaseError('disk full'),
  new ClosedError(),
  new AudileError('internal', 'a fault'),
]

describe('errors', () => {
  it('carry the specification’s numeric code of their word', () => {
    expect(EXAMPLES.map(({ code, status }) => [code, status])).toEqual([
      ['unknown_identifier', 5],
      ['invalid_key', 1],
      ['decode', -1],
      ['database', -1],
      ['closed', -1],
      ['internal', -1],
    ])
    expect(STATUS_OF).toMatchObject({ not_allowed: 2, rate_limited: 3, missing_parameter: 4 })
  })

  it.each(EXAMPLES)('%s crosses a boundary as what it was', (error) => {
    const copy = fromPlain(structuredClone(toPlain(error)))
    expect(copy.constructor).toBe(error.constructor)
    expect(copy).toMatchObject({ name: error.name, code: error.code, status: error.status })
    expect(copy.message).toBe(error.message)
    expect(copy.stack).toBe(error.stack)
  })

  it('keep the chain of causes across a boundary', () => {
    const copy = fromPlain(structuredClone(toPlain(EXAMPLES[2])))
    expect(copy.cause).toMatchObject({ name: 'TypeError', message: 'deep' })
    expect((copy.cause as Error).cause).toMatchObject({ message: 'a word' })
  })

  it('carry the system’s code, and survive a circle of causes', () => {
    const missing = Object.assign(new Error('no such file'), { code: 'ENOENT' })
    const copy = fromPlain(toPlain(new DecodeError('cannot read', { cause: missing })))
    expect(copy.cause).toMatchObject({ code: 'ENOENT' })
    const circle = new Error('round')
    circle.cause = new Error('and round', { cause: circle })
    expect(fromPlain(structuredClone(toPlain(circle))).message).toBe('round')
  })

  it.each(EXAMPLES)('%s is found again in its structured clone', (error) => {
    for (const clone of [structuredClone(error), deserialize(serialize(error))]) {
      expect(clone).not.toBeInstanceOf(AudileError)
      const found = AudileError.from(clone)
      expect(found?.constructor).toBe(error.constructor)
      expect(found).toMatchObject({ code: error.code, status: error.status, stack: error.stack })
      expect(found?.message).toBe(error.message)
      const { kind } = error.constructor as typeof AudileError
      expect(ParameterError.from(clone) === undefined).toBe(kind !== 'ParameterError')
    }
    expect(AudileError.from(error)).toBe(error)
    // As Electron's ipcRenderer.invoke rejects: with the text of the error alone.
    const invoked = new Error(`Error invoking remote method 'scan': ${error}`)
    expect(AudileError.from(invoked)).toMatchObject({ code: error.code, message: error.message })
  })

  it('of the engine are found again in their clones, with what is in the message', async () => {
    const music = await openInline()
    const error = await music.tracks.get('TRABCDE124E8B5C1A2F').catch((error: unknown) => error)
    expect(error).toBeInstanceOf(ParameterError)
    const found = ParameterError.from(structuredClone(error))
    expect(found).toMatchObject({
      code: 'unknown_identifier',
      cause: { code: 'unknown_identifier' },
    })
    const odd = new ParameterError('not_ready', 'two\nlines (.*) $& [x]: y')
    expect(AudileError.from(structuredClone(odd))).toMatchObject({ message: odd.message })
    for (const other of [new Error('ParameterError [none]: a'), new TypeError('a'), {}, null, 'a'])
      expect(AudileError.from(other)).toBeUndefined()
  })

  it('of other kinds keep their name', () => {
    const copy = fromPlain(toPlain(new RangeError('too far')))
    expect(copy).toMatchObject({ name: 'RangeError', message: 'too far' })
    expect(copy).not.toBeInstanceOf(AudileError)
    expect(fromPlain(toPlain('a string'))).toMatchObject({ message: 'a string' })
  })

  it('are recognised across copies of the package, class by class', async () => {
    vi.resetModules()
    const other = (await import(
      '../../src/values/errors.ts'
    )) as typeof import('../../src/values/errors.ts')
    expect(other.DecodeError).not.toBe(DecodeError)
    const error = new other.DecodeError('theirs')
    expect(error).toBeInstanceOf(DecodeError)
    expect(error).toBeInstanceOf(AudileError)
    expect(error).not.toBeInstanceOf(ParameterError)
    expect(new Error('plain')).not.toBeInstanceOf(AudileError)
    expect(null).not.toBeInstanceOf(AudileError)
  })

  it('are not instances of a class that is derived from theirs', () => {
    class Derived extends AudileError {}
    const derived = new Derived('internal', 'no')
    expect(derived instanceof Derived).toBe(true)
    expect(derived instanceof AudileError).toBe(true)
    expect(new AudileError('internal', 'no') instanceof Derived).toBe(false)
    expect(new ParameterError('invalid_parameter', 'no') instanceof Derived).toBe(false)
  })
})

describe('asDatabaseError', () => {
  it('leaves errors that are not SQLite’s as they are', () => {
    const error = new TypeError('mine')
    expect(asDatabaseError(error)).toBe(error)
  })
})
