import { describe, expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '../../../src/kernel/database/open.ts'
import { asDatabaseError } from '../../../src/kernel/database/sqlite-error.ts'
import { EventEmitter } from '../../../src/kernel/events.ts'
import { JobLoop } from '../../../src/kernel/jobs/loop.ts'
import { JobStore } from '../../../src/kernel/jobs/store.ts'
import { Changes } from '../../../src/kernel/wait-for-change.ts'
import {
  AudileError,
  ClosedError,
  DatabaseError,
  DecodeError,
  fromPlain,
  KeyError,
  ParameterError,
  toPlain,
} from '../../../src/values/errors.ts'
import { WorkerDied } from '../../../src/workers/pool.ts'

/** More often than anything is tried that is ever given up. */
const ALWAYS = 20

/** How often a job is tried that meets an error each time. */
async function attemptsWith(error: () => unknown): Promise<number> {
  let now = 1_000_000
  let attempts = 0
  const db = openDatabase(':memory:')
  const emitter = new EventEmitter(() => {})
  const loop = new JobLoop({
    store: new JobStore(db),
    now: () => now,
    emit: emitter.emit,
    changes: new Changes(),
    host: { log: () => {} },
  })
  onTestFinished(async () => {
    await loop.close()
    db.close()
  })
  loop.handle({
    kind: 'work',
    concurrency: 1,
    run: async () => {
      attempts++
      throw error()
    },
    failed: () => {},
  })
  const ended = new Promise<void>((resolve) => {
    emitter.on('job', ({ state }) => {
      if (state === 'failed' || attempts === ALWAYS) resolve()
      if (state !== 'retry') return
      // Nothing is put off for longer.
      now += 60_000
      loop.nudge()
    })
  })
  loop.enqueue({ kind: 'work', subject: 'a' })
  loop.start()
  await ended
  return attempts
}

const sqlite = (code: string) => Object.assign(new Error('refused'), { name: 'SqliteError', code })
const system = (code: string) => Object.assign(new Error(`${code}: it failed`), { code })
const ofFile = (code: string) => new DecodeError('Cannot read a.wav', { cause: system(code) })

/** As it arrives from a worker. */
const crossed = (error: Error) => fromPlain(toPlain(error))

describe('a job that fails is tried', () => {
  it.each<[name: string, attempts: number, error: unknown]>([
    ['AudileError internal', 3, new AudileError('internal', 'no')],
    ['a worker that died', 3, new WorkerDied('The analysis thread ended with code 5.')],
    ['ClosedError', 3, new ClosedError()],
    ['ParameterError', 1, new ParameterError('invalid_parameter', 'no')],
    ['ParameterError limit_exceeded', 1, new ParameterError('limit_exceeded', 'no')],
    ['KeyError', 1, new KeyError('not_allowed', 'no')],
    ['DecodeError: not audio, changed bytes', 1, new DecodeError('not audio')],
    ['DatabaseError without a cause', 1, new DatabaseError('replaced')],
    ['an error without a name', 3, new Error('no')],
    ['something that is no error', 3, 'no'],
    ['TypeError', 1, new TypeError('undefined is not a function')],
    ['RangeError', 1, new RangeError('Maximum call stack size exceeded')],
    ['SQLITE_BUSY', ALWAYS, sqlite('SQLITE_BUSY')],
    ['SQLITE_BUSY_SNAPSHOT', ALWAYS, sqlite('SQLITE_BUSY_SNAPSHOT')],
    ['SQLITE_LOCKED', ALWAYS, sqlite('SQLITE_LOCKED')],
    ['SQLITE_FULL', ALWAYS, sqlite('SQLITE_FULL')],
    ['SQLITE_IOERR', 12, sqlite('SQLITE_IOERR')],
    ['SQLITE_IOERR_READ', 12, sqlite('SQLITE_IOERR_READ')],
    ['SQLITE_READONLY', 3, sqlite('SQLITE_READONLY')],
    ['SQLITE_CANTOPEN', 3, sqlite('SQLITE_CANTOPEN')],
    ['SQLITE_NOMEM', 3, sqlite('SQLITE_NOMEM')],
    ['SQLITE_PROTOCOL', 3, sqlite('SQLITE_PROTOCOL')],
    ['SQLITE_INTERRUPT', 3, sqlite('SQLITE_INTERRUPT')],
    ['SQLITE_SCHEMA', 3, sqlite('SQLITE_SCHEMA')],
    ['SQLITE_CONSTRAINT_UNIQUE', 3, sqlite('SQLITE_CONSTRAINT_UNIQUE')],
    ['SQLITE_CORRUPT', 1, sqlite('SQLITE_CORRUPT')],
    ['SQLITE_CORRUPT_VTAB', 1, sqlite('SQLITE_CORRUPT_VTAB')],
    ['SQLITE_NOTADB', 1, sqlite('SQLITE_NOTADB')],
    ['SQLITE_TOOBIG', 1, sqlite('SQLITE_TOOBIG')],
    ['SQLITE_MISUSE', 1, sqlite('SQLITE_MISUSE')],
    ['SQLITE_ERROR', 1, sqlite('SQLITE_ERROR')],
    ['DatabaseError of SQLITE_FULL', ALWAYS, asDatabaseError(sqlite('SQLITE_FULL'))],
    ['DatabaseError of SQLITE_CORRUPT', 1, asDatabaseError(sqlite('SQLITE_CORRUPT'))],
    ['DatabaseError of ENOSPC', ALWAYS, new DatabaseError('full', { cause: system('ENOSPC') })],
    ['EMFILE', 3, system('EMFILE')],
    ['ENFILE', 3, system('ENFILE')],
    ['EBUSY', 3, system('EBUSY')],
    ['EAGAIN', 3, system('EAGAIN')],
    ['EIO', 3, system('EIO')],
    ['ENOMEM', 3, system('ENOMEM')],
    ['ESTALE', 3, system('ESTALE')],
    ['ETIMEDOUT', 3, system('ETIMEDOUT')],
    ['ECONNRESET', 3, system('ECONNRESET')],
    ['ENOSPC', ALWAYS, system('ENOSPC')],
    ['EDQUOT', ALWAYS, system('EDQUOT')],
    ['ENOENT', 1, system('ENOENT')],
    ['EACCES', 1, system('EACCES')],
    ['EPERM', 1, system('EPERM')],
    ['EISDIR', 1, system('EISDIR')],
    ['EROFS', 1, system('EROFS')],
    ['DecodeError of EMFILE', 3, ofFile('EMFILE')],
    ['DecodeError of EIO', 3, ofFile('EIO')],
    ['DecodeError of ENOENT', 1, ofFile('ENOENT')],
    ['DecodeError of a fault of the program', 1, new DecodeError('no', { cause: new TypeError() })],
    ['a cause of a cause', 3, new DecodeError('no', { cause: ofFile('EAGAIN') })],
    ['out of memory', 1, new DecodeError('no', { cause: system('ERR_WORKER_OUT_OF_MEMORY') })],
  ])('%s: %i times', async (_, attempts, error) => {
    expect(await attemptsWith(() => error)).toBe(attempts)
    if (error instanceof Error) expect(await attemptsWith(() => crossed(error))).toBe(attempts)
  })
})
