import { describe, expect, it } from 'vitest'
import { UsageError } from '../../src/cli/options.ts'
import { isWorkerCall, parseWorker, WORKER_HELP } from '../../src/cli/worker.ts'

describe('audile worker', () => {
  it('is called by its name alone, or before options; a file may have that name', () => {
    expect(isWorkerCall(['worker'])).toBe(true)
    expect(isWorkerCall(['worker', '--queue', 'redis://a'])).toBe(true)
    expect(isWorkerCall(['worker', 'song.mp3'])).toBe(false)
    expect(isWorkerCall(['./worker'])).toBe(false)
  })

  it('reads its options, and addresses from the environment', () => {
    const args = ['--queue', 'redis://a', '--store=/b', '--workers', '3', '--silence', '10']
    expect(parseWorker(args, {})).toEqual({
      ...{ queue: 'redis://a', store: '/b', workers: 3, silence: 10, ffmpegPath: undefined },
    })
    const env = { AUDILE_QUEUE: 'postgres://c', AUDILE_STORE: 's3://d' }
    expect(parseWorker([], env)).toMatchObject({ queue: 'postgres://c', store: 's3://d' })
    expect(parseWorker(['--queue', 'redis://a'], {})).toMatchObject({ store: undefined })
    expect(parseWorker(['-h'], {})).toBe('help')
  })

  it.each([
    [[], 'audile worker needs --queue.'],
    [['--queue', 'redis://a', '--store', 'b', '--workers', '0'], 'a whole number from 1 to 64'],
    [['--que', 'a'], "Unknown option '--que'."],
    [['a'], 'Unexpected argument'],
  ])('%j is refused, and why is told', (args, message) => {
    expect(() => parseWorker(args, {})).toThrow(UsageError)
    expect(() => parseWorker(args, {})).toThrow(message)
  })

  it('has a help whose lines no terminal breaks', () => {
    expect(WORKER_HELP.split('\n').filter((line) => line.length > 80)).toEqual([])
  })
})
