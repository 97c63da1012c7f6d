import { isAbsolute } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type AudileOptions, resolveOptions } from '../src/options.ts'

const open = (options: object) => () => resolveOptions(options as AudileOptions)

describe('options', () => {
  it('have the documented defaults', () => {
    const { engine, config } = resolveOptions({ database: 'music.db' })
    expect(engine).toBe('thread')
    expect(isAbsolute(config.database)).toBe(true)
    expect(config).toMatchObject({ apiKey: 'local', keepAudio: true })
    expect(config.workers).toBeGreaterThanOrEqual(1)
    expect(config.workers).toBeLessThanOrEqual(4)
    expect(config.limits).toMatchObject({ decodedSeconds: 21_600, channels: 32 })
  })

  it('keep limits that are not named', () => {
    const { config } = resolveOptions({ database: ':memory:', limits: { channels: 2 } })
    expect(config.limits).toMatchObject({ channels: 2, decodedSeconds: 21_600 })
    expect(config.database).toBe(':memory:')
  })

  it.each([
    [{}, /database - Missing parameter/],
    [{ databse: 'music.db' }, /no option "databse"; did you mean "database"\?/],
    [{ database: 'm.db', zebra: 1 }, /no option "zebra"; known are database/],
    [
      { database: 'm.db', engine: 'process' },
      /engine .*"process" is not one of "thread", "inline"/,
    ],
    [{ database: 'm.db', workers: -1 }, /workers .*-1 must be >= 0/],
    [{ database: 'm.db', workers: 1.5 }, /workers .*1.5 must be an int/],
    [{ database: 'm.db', fetch: 'no' }, /fetch .*"no" must be a function/],
    [{ database: 'm.db', limits: { chanels: 2 } }, /limits .*"chanels"/],
    [{ database: 'm.db', now: () => 0 }, /now .*engine: "inline"/],
    [undefined, /parameters|database/],
  ])('%j is refused', (options, message) => {
    expect(open(options as object)).toThrow(message)
  })
})
