import { basename, delimiter, dirname, isAbsolute, relative } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type AudileOptions, resolveOptions, threadsOf } from '../../src/options/options.ts'

const open = (options: object) => () => resolveOptions(options as AudileOptions)

describe('options', () => {
  it('have the documented defaults', () => {
    const { engine, config } = resolveOptions({ database: 'music.db' })
    expect(engine).toBe('thread')
    expect(isAbsolute(config.database)).toBe(true)
    expect(config).toMatchObject({ apiKey: 'local', keepAudio: true })
    expect(threadsOf(config)).toBeGreaterThanOrEqual(1)
    expect(threadsOf(config)).toBeLessThanOrEqual(4)
    expect(config.limits).toEqual({
      uploadBytes: 4 * 1024 ** 3,
      downloadSeconds: 300,
      decodedSeconds: 21_600,
      analysisSeconds: 3600,
      channels: 32,
      workerMegabytes: 1024,
      stalledSeconds: 120,
      tagBytes: 64 * 1024 ** 2,
      tagSeconds: 10,
      catalogItems: 100_000,
      keyCatalogs: 1000,
      feedBytes: 10 * 1024 ** 2,
      feedSeconds: 60,
      referenceSeconds: 10,
    })
  })

  it('take every limit, at its edge', () => {
    const { limits } = resolveOptions({ database: 'music.db' }).config
    for (const name of Object.keys(limits)) {
      const most =
        name.endsWith('Seconds') && !/^(decoded|analysis)/.test(name) ? 2_147_483 : 2 ** 40
      for (const value of [1, most]) {
        const { config } = resolveOptions({ database: 'music.db', limits: { [name]: value } })
        expect(config.limits).toEqual({ ...limits, [name]: value })
      }
      expect(open({ database: 'music.db', limits: { [name]: 0 } })).toThrow(`limits.${name}`)
    }
  })

  it('take a program by its path, or by the name by which PATH has it', () => {
    const path = process.execPath
    for (const ffmpegPath of [path, relative('.', path)]) {
      expect(resolveOptions({ database: 'm.db', ffmpegPath }).config.ffmpegPath).toBe(path)
    }
    const before = process.env.PATH
    process.env.PATH = ['/nowhere', dirname(path), before].join(delimiter)
    onTestFinished(() => {
      process.env.PATH = before
    })
    const { config } = resolveOptions({ database: 'm.db', ffmpegPath: basename(path) })
    expect(config.ffmpegPath).toBe(path)
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
    [{ database: 'm.db', workers: 'gentl' }, /workers .*"gentl" is not one of "gentle"/],
    [{ database: 'm.db', workers: -1 }, /workers .*-1 must be >= 0/],
    [{ database: 'm.db', workers: 1.5 }, /workers .*1.5 must be an int/],
    [{ database: 'm.db', fetch: 'no' }, /fetch .*"no" must be a function/],
    [{ database: 'm.db', limits: { chanels: 2 } }, /limits .*"chanels"/],
    [{ database: 'm.db', now: () => 0 }, /now .*engine: "inline"/],
    [{ database: 'm.db', ffmpegPath: '/nope' }, /ffmpegPath .*"\/nope"; .*check the path/],
    [{ database: 'm.db', ffmpegPath: import.meta.dirname }, /ffmpegPath .*may be run/],
    [{ database: 'm.db', ffmpegPath: import.meta.filename }, /ffmpegPath .*may be run/],
    [{ database: 'm.db', ffmpegPath: 'ffnope' }, /ffmpegPath .*"ffnope"; no folder of PATH/],
    [undefined, /parameters|database/],
  ])('%j is refused', (options, message) => {
    expect(open(options as object)).toThrow(message)
  })
})
