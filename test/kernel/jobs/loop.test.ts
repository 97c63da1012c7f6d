import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type Database, openDatabase } from '../../../src/kernel/database/open.ts'
import { EventEmitter } from '../../../src/kernel/events.ts'
import type { Handler } from '../../../src/kernel/jobs/handler.ts'
import { JobLoop } from '../../../src/kernel/jobs/loop.ts'
import { type Job, JobStore } from '../../../src/kernel/jobs/store.ts'
import { PROCESS_STARTED } from '../../../src/kernel/process-name.ts'
import { Changes } from '../../../src/kernel/wait-for-change.ts'
import { AudileError, DatabaseError, DecodeError } from '../../../src/values/errors.ts'
import { scratch } from '../../support/scratch.ts'

function setUp(
  options: { db?: Database; now?: () => number; onFault?: (error: unknown) => void } = {},
) {
  const db = options.db ?? openDatabase(':memory:')
  const store = new JobStore(db)
  const faults: unknown[] = []
  const emitter = new EventEmitter((error) => faults.push(error))
  const changes = new Changes()
  const loop = new JobLoop({
    store,
    now: options.now ?? Date.now,
    emit: emitter.emit,
    changes,
    host: {
      log: (_level, message, error) => {
        if (!message.includes('met an error')) return
        if (options.onFault) options.onFault(error)
        else faults.push(error)
      },
    },
  })
  onTestFinished(async () => {
    await loop.close()
    expect(faults).toEqual([])
  })
  const state = (wanted: string, subject?: string) =>
    new Promise<AudileEvent>((resolve) => {
      const off = emitter.on('job', (event) => {
        if (event.state !== wanted || (subject !== undefined && event.subject !== subject)) return
        off()
        resolve(event)
      })
    })
  return { db, store, loop, state, changes }
}

type AudileEvent = { subject: string; error?: { message: string } }

function handler(run: Handler['run'], more: Partial<Handler> = {}): Handler {
  return { kind: 'work', concurrency: 1, run, failed: () => {}, ...more }
}

const rows = (db: Database) =>
  db.prepare<[], { subject: string; attempts: number; failed_at: number | null; error: string }>(
    'SELECT * FROM jobs ORDER BY id',
  )

describe('a damaged file', () => {
  it('ends the waits for jobs whose outcomes cannot be written', async () => {
    const { store, loop, changes } = setUp({ onFault: () => {} })
    const message = 'database disk image is malformed'
    Object.defineProperty(store, 'holds', {
      value: () => {
        throw Object.assign(new Error(message), { name: 'SqliteError', code: 'SQLITE_CORRUPT' })
      },
    })
    loop.handle(handler(async () => () => {}))
    loop.start()
    const waits = changes.waitUntil('a', new AbortController().signal, () => undefined)
    loop.enqueue({ kind: 'work', subject: 'a' })
    await expect(waits).rejects.toThrow('the file is damaged, restore a backup')
  })
})

describe('the job loop', () => {
  it('run when the loop has started, and none before', async () => {
    const { db, loop, state } = setUp()
    let runs = 0
    loop.handle(
      handler(async () => {
        runs++
        return () => {}
      }),
    )
    db.transaction(() => loop.enqueue({ kind: 'work', subject: 'early' }))()
    for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate)
    expect(runs).toBe(0)
    const done = state('complete', 'early')
    loop.start()
    await done
    expect(runs).toBe(1)
  })

  it('runs jobs by priority, then in the order they came, and forgets them', async () => {
    const { db, loop, state } = setUp()
    const ran: string[] = []
    loop.handle(
      handler(async ({ subject }) => {
        ran.push(subject)
        return () => {}
      }),
    )
    loop.enqueue({ kind: 'work', subject: 'first' })
    loop.enqueue({ kind: 'work', subject: 'second' })
    loop.enqueue({ kind: 'work', subject: 'urgent', priority: 5 })
    const last = state('complete', 'second')
    loop.start()
    await last
    expect(ran).toEqual(['urgent', 'first', 'second'])
    expect(rows(db).all()).toEqual([])
  })

  it('ends a job whose payload is damaged, and runs those behind it', async () => {
    const { db, loop, state } = setUp()
    const failed: string[] = []
    loop.handle(
      handler(
        async ({ payload }) =>
          () =>
            expect(payload).toBe(null),
        {
          failed: ({ subject }, error) => void failed.push(`${subject}: ${error.name}`),
        },
      ),
    )
    loop.enqueue({ kind: 'work', subject: 'damaged', priority: 5 })
    loop.enqueue({ kind: 'work', subject: 'behind it' })
    db.exec("UPDATE jobs SET payload = 'nul' || char(65533) WHERE subject = 'damaged'")
    const last = state('complete', 'behind it')
    loop.start()
    await last
    expect(failed).toEqual(['damaged: SyntaxError'])
    expect(rows(db).all()).toMatchObject([{ subject: 'damaged', failed_at: expect.any(Number) }])
  })

  it('gives the payload back as it was and counts attempts', async () => {
    const { loop, state } = setUp()
    const seen: unknown[] = []
    loop.handle(
      handler(async ({ payload, attempts }) => {
        seen.push(payload, attempts)
        return () => {}
      }),
    )
    loop.enqueue({ kind: 'work', subject: 'a', payload: { size: 3, list: ['x', null] } })
    loop.start()
    await state('complete')
    expect(seen).toEqual([{ size: 3, list: ['x', null] }, 1])
  })

  it('holds one unfinished job per subject', () => {
    const { db, loop } = setUp()
    loop.enqueue({ kind: 'work', subject: 'a' })
    loop.enqueue({ kind: 'work', subject: 'a', priority: 3 })
    loop.enqueue({ kind: 'other', subject: 'a' })
    expect(db.prepare('SELECT kind, priority FROM jobs ORDER BY id').all()).toEqual([
      { kind: 'work', priority: 3 },
      { kind: 'other', priority: 0 },
    ])
  })

  it('keeps to the concurrency of a kind', async () => {
    const { loop, state } = setUp()
    let now = 0
    let most = 0
    const waiting: (() => void)[] = []
    loop.handle(
      handler(
        async () => {
          most = Math.max(most, ++now)
          await new Promise<void>((resolve) => {
            waiting.push(resolve)
            if (waiting.length === 2) for (const go of waiting.splice(0)) go()
          })
          now--
          return () => {}
        },
        { concurrency: 2 },
      ),
    )
    for (const subject of ['a', 'b', 'c', 'd']) loop.enqueue({ kind: 'work', subject })
    loop.start()
    await state('complete', 'd')
    expect(most).toBe(2)
  })

  it('writes the outcome and removes the job in one transaction', async () => {
    const { db, loop, state } = setUp()
    loop.handle(
      handler(
        async () => () => {
          db.exec("INSERT INTO keys VALUES ('k', x'00', 0, 0, NULL)")
          throw new DecodeError('half-way')
        },
        { failed: () => {} },
      ),
    )
    loop.enqueue({ kind: 'work', subject: 'a' })
    loop.start()
    const { error } = await state('failed')
    expect(error?.message).toBe('half-way')
    expect(db.prepare('SELECT count(*) FROM keys').pluck().get()).toBe(0)
  })

  it('claims what it begins in one transaction: an error begins none', async () => {
    const { db, store, loop, state } = setUp({ onFault: () => {} })
    const begun: string[] = []
    const run = async ({ subject }: { subject: string }) => {
      begun.push(subject)
      return () => {}
    }
    loop.handle(handler(run, { concurrency: 2 }))
    const claim = store.claim.bind(store)
    let claims = 0
    let atFault: unknown
    Object.assign(store, {
      claim: (...given: Parameters<typeof claim>) => {
        // The first looks for suspects, the second claims a job.
        if (++claims !== 3) return claim(...given)
        setImmediate(() => {
          const claimed = db.prepare('SELECT 1 FROM jobs WHERE claimed_by IS NOT NULL').all()
          atFault = { begun: [...begun], claimed }
        })
        throw new Error('database is locked')
      },
    })
    loop.enqueue({ kind: 'work', subject: 'a' })
    loop.enqueue({ kind: 'work', subject: 'b' })
    const done = state('complete', 'b')
    loop.start()
    await done
    expect(begun.sort()).toEqual(['a', 'b'])
    expect(atFault).toEqual({ begun: [], claimed: [] })
  })

  it('finds the job of a subject, unfinished or failed, by an index', () => {
    const { db } = setUp()
    for (const state of ['NULL', 'NOT NULL']) {
      const plan = db
        .prepare<[], { detail: string }>(
          `EXPLAIN QUERY PLAN DELETE FROM jobs WHERE kind = 'work' AND subject = 'a' AND failed_at IS ${state}`,
        )
        .all()
      expect(plan.map(({ detail }) => detail).join()).toContain('(kind=? AND subject=?)')
    }
  })

  it('tries again where that can help, and only then', async () => {
    const { db, loop, state } = setUp()
    const attempts: string[] = []
    loop.handle(
      handler(async ({ subject, attempts: n }) => {
        attempts.push(`${subject}${n}`)
        if (subject === 'hopeless') throw new DecodeError('not audio')
        if (n === 1) throw new AudileError('internal', 'The analysis thread ended with code 5.')
        return () => {}
      }),
    )
    loop.enqueue({ kind: 'work', subject: 'hopeless' })
    loop.enqueue({ kind: 'work', subject: 'flaky' })
    const done = state('complete', 'flaky')
    loop.start()
    await done
    expect(attempts).toEqual(['hopeless1', 'flaky1', 'flaky2'])
    const [failed] = rows(db).all()
    expect(failed?.subject).toBe('hopeless')
    expect(JSON.parse(failed?.error ?? '')).toMatchObject({
      kind: 'DecodeError',
      message: 'not audio',
    })
  })

  it('never gives up work because the disk is full, or another connection holds the file', async () => {
    let now = Date.now()
    const { loop, state } = setUp({ now: () => now })
    const run = async ({ attempts }: { attempts: number }) => {
      if (attempts > 8) return () => {}
      // A trouble of another kind has all its attempts before it, whatever was waited for.
      if (attempts > 6) throw Object.assign(new Error('too many open files'), { code: 'EMFILE' })
      const [code, told] = attempts % 2 ? ['SQLITE_FULL', 'full'] : ['SQLITE_BUSY', 'locked']
      const error = Object.assign(new Error(told), { name: 'SqliteError', code })
      throw attempts > 4 ? new DatabaseError('The database refused', { cause: error }) : error
    }
    loop.handle(handler(run))
    loop.enqueue({ kind: 'work', subject: 'a' })
    const done = state('complete')
    for (let attempt = 1; attempt <= 8; attempt++) {
      const retried = state('retry')
      if (attempt === 1) loop.start()
      else loop.nudge()
      await retried
      // The longest that is waited for.
      now += 60_000
    }
    loop.nudge()
    expect((await done).subject).toBe('a')
  })

  it('says of an error of SQLite what to do about it', async () => {
    const { db, loop, state } = setUp()
    const damaged = Object.assign(new Error('database disk image is malformed'), {
      name: 'SqliteError',
      code: 'SQLITE_CORRUPT',
    })
    let told: Error | undefined
    const failed = (_: Job, error: Error) => {
      told = error
    }
    loop.handle(handler(() => Promise.reject(damaged), { failed }))
    loop.enqueue({ kind: 'work', subject: 'a' })
    loop.start()
    await state('failed')
    expect(told).toBeInstanceOf(DatabaseError)
    expect(told?.cause).toBe(damaged)
    expect(JSON.parse(rows(db).get()?.error ?? '')).toMatchObject({
      kind: 'DatabaseError',
      message: expect.stringMatching(/malformed.*restore a backup/),
    })
  })

  it('takes the same work anew after it failed', async () => {
    const { db, loop, state } = setUp()
    let fail = true
    loop.handle(
      handler(async () => {
        if (fail) throw new DecodeError('no')
        return () => {}
      }),
    )
    loop.enqueue({ kind: 'work', subject: 'a' })
    loop.start()
    await state('failed')
    fail = false
    loop.enqueue({ kind: 'work', subject: 'a' })
    await state('complete')
    expect(rows(db).all()).toEqual([])
  })

  it('returns running jobs to the queue when it closes, as if never begun', async () => {
    const { db, loop, state } = setUp()
    let reason: unknown
    loop.handle(
      handler(
        (_, { signal }) =>
          new Promise((_, reject) => {
            signal.addEventListener('abort', () => {
              reason = signal.reason
              reject(signal.reason)
            })
          }),
      ),
    )
    loop.enqueue({ kind: 'work', subject: 'a' })
    loop.start()
    await state('running')
    await loop.close()
    expect(reason).toBeInstanceOf(AudileError)
    expect(rows(db).all()).toMatchObject([{ subject: 'a', attempts: 0, claimed_by: null }])
    expect(db.prepare('SELECT count(*) FROM engines').pluck().get()).toBe(0)
  })

  it('looks again after an error met it while it looked for work', async () => {
    const faults: unknown[] = []
    const { loop, store, state } = setUp({ onFault: (error) => faults.push(error) })
    loop.handle(handler(async () => () => {}))
    const claim = store.claim.bind(store)
    // As under a lock that another process holds for long.
    store.claim = () => {
      store.claim = claim
      throw new Error('database is locked')
    }
    const done = state('complete', 'late')
    loop.enqueue({ kind: 'work', subject: 'late' })
    loop.start()
    await done
    expect(faults).toHaveLength(1)
  })

  it('closes though nothing can be written: the next engine takes its jobs over', async () => {
    const { db, loop, state } = setUp()
    loop.handle(
      handler(
        (_, { signal }) =>
          new Promise((_, reject) => {
            signal.addEventListener('abort', () => reject(signal.reason))
          }),
      ),
    )
    loop.enqueue({ kind: 'work', subject: 'a' })
    loop.start()
    await state('running')
    // As on a full disk.
    db.pragma('query_only = ON')
    await loop.close()
    db.pragma('query_only = OFF')
    expect(rows(db).all()).toMatchObject([{ subject: 'a', claimed_by: loop.engineId }])
  })

  it('stops a job that is cancelled and writes nothing of it', async () => {
    const { db, loop, state } = setUp()
    let committed = false
    loop.handle(
      handler(
        (_, { signal }) =>
          new Promise((resolve) => {
            signal.addEventListener('abort', () => resolve(() => (committed = true)))
          }),
      ),
    )
    loop.enqueue({ kind: 'work', subject: 'a' })
    loop.start()
    await state('running')
    loop.cancel('work', 'a')
    await loop.close()
    expect(committed).toBe(false)
    expect(rows(db).all()).toEqual([])
  })
})

describe('claims', () => {
  const engine = (more: object) => ({
    id: randomUUID(),
    pid: process.pid,
    processStarted: PROCESS_STARTED,
    host: hostname(),
    heartbeat: Date.now(),
    ...more,
  })
  // A pid that no running process has: the largest that Linux hands out, and beyond macOS's.
  const deadPid = 4_194_303

  function claimed(row: ReturnType<typeof engine>, crashes = 0) {
    const set = setUp()
    set.store.beat(row)
    set.store.add({ kind: 'work', subject: 'a' }, 0)
    set.store.claim('work', row.id, 1)
    set.db.prepare('UPDATE jobs SET crashes = ?').run(crashes)
    const ran: { attempts: number; crashes: number }[] = []
    set.loop.handle(
      handler(async ({ attempts, crashes }) => {
        ran.push({ attempts, crashes })
        return () => {}
      }),
    )
    return { ...set, ran }
  }

  it.each([
    ['whose process is gone', engine({ pid: deadPid })],
    ['that has been silent', engine({ heartbeat: Date.now() - 3_600_000 })],
    ['that has been silent on another machine', engine({ host: 'elsewhere', heartbeat: 1 })],
  ])('of an engine %s are taken over', async (_, row) => {
    const { loop, state, ran } = claimed(row)
    const done = state('complete', 'a')
    loop.start()
    await done
    // Begun anew: a process that ended says nothing against the job, not the first time.
    expect(ran).toEqual([{ attempts: 1, crashes: 1 }])
  })

  // Only Linux says when a process started.
  it.skipIf(PROCESS_STARTED === 0)(
    'of a process whose pid is ours now are taken over',
    async () => {
      const { loop, state, ran } = claimed(engine({ processStarted: 1 }))
      const done = state('complete', 'a')
      loop.start()
      await done
      expect(ran).toEqual([{ attempts: 1, crashes: 1 }])
    },
  )

  it.each([
    ['in this process', engine({})],
    ['in another process', engine({ pid: process.ppid, processStarted: 0 })],
    ['on another machine', engine({ host: 'elsewhere', pid: deadPid })],
  ])('of a live engine %s are left alone', async (_, row) => {
    const { db, loop, state, ran } = claimed(row)
    loop.enqueue({ kind: 'work', subject: 'free' })
    loop.start()
    await state('complete', 'free')
    expect(ran).toEqual([{ attempts: 1, crashes: 0 }])
    expect(rows(db).all()).toMatchObject([{ subject: 'a', claimed_by: row.id }])
  })

  it('of an engine that is not even registered are taken over', async () => {
    const row = engine({})
    const { db, loop, state, ran } = claimed(row)
    db.exec('DELETE FROM engines')
    loop.start()
    await state('complete', 'a')
    expect(ran).toEqual([{ attempts: 1, crashes: 1 }])
  })

  it('are given up after the process died over them again and again', async () => {
    const { db, loop, state, ran } = claimed(engine({ pid: deadPid }), 9)
    loop.start()
    const { error } = await state('failed')
    expect(error?.message).toMatch(/process ended 10 times .* data may be fine.* Ask for it again/)
    expect(ran).toEqual([])
    expect(rows(db).all()).toMatchObject([{ subject: 'a', failed_at: expect.any(Number) }])
  })

  it('are never given up for it by a handler that runs suspects in a process of their own', async () => {
    const { loop, state, ran } = claimed(engine({ pid: deadPid }), 30)
    const suspects: boolean[] = []
    loop.handle(
      handler(
        async ({ attempts, crashes }, { suspect }) => {
          ran.push({ attempts, crashes })
          suspects.push(suspect)
          return () => {}
        },
        { isolates: true },
      ),
    )
    const done = state('complete', 'a')
    loop.start()
    await done
    expect(ran).toEqual([{ attempts: 1, crashes: 31 }])
    expect(suspects).toEqual([true])
  })

  it('forget that the process ended as soon as they make progress', async () => {
    const { db, loop, state } = claimed(engine({ pid: deadPid }), 8)
    loop.handle(
      handler(
        (_, { progressed, signal }) =>
          new Promise((_, reject) => {
            progressed()
            signal.addEventListener('abort', () => reject(signal.reason))
          }),
      ),
    )
    const running = state('running')
    loop.start()
    await running
    await loop.close()
    expect(db.prepare('SELECT crashes FROM jobs').all()).toEqual([{ crashes: 0 }])
  })

  it('that were running when the process ended twice run first, and nothing is started beside', async () => {
    const { loop, store, state } = claimed(engine({ pid: deadPid }), 1)
    const order: string[] = []
    let inside = 0
    const note = async ({ subject }: Job) => {
      order.push(`${subject}${++inside}`)
      await new Promise((go) => setImmediate(go))
      inside--
      return () => {}
    }
    loop.handle(handler(note, { concurrency: 3 }))
    loop.handle(handler(note, { kind: 'other', concurrency: 3 }))
    store.add({ kind: 'work', subject: 'b', priority: 9 }, 0)
    store.add({ kind: 'other', subject: 'c', priority: 9 }, 0)
    const done = ['a', 'b', 'c'].map((subject) => state('complete', subject))
    loop.start()
    await Promise.all(done)
    expect(order).toEqual(['a1', 'b1', 'c2'])
  })

  it('whose outcome could not be written are released and run again', async () => {
    const { db, store, loop, state } = setUp({ onFault: () => {} })
    let attempts = 0
    const original = store.atomically.bind(store)
    const { step } = store.atomically
    loop.handle(
      handler(async () => {
        if (++attempts === 1) {
          // Locked for the two transactions that would complete it or fail it.
          let locked = 2
          Object.assign(store, {
            atomically: Object.assign(
              (work: () => unknown) => {
                if (locked-- > 0) throw new Error('database is locked')
                return original(work)
              },
              { step },
            ),
          })
        }
        return () => {}
      }),
    )
    loop.enqueue({ kind: 'work', subject: 'a' })
    const done = state('complete')
    loop.start()
    await done
    expect(attempts).toBe(2)
    expect(rows(db).all()).toEqual([])
  })

  it('that were lost meanwhile write nothing', async () => {
    const { db, loop, state } = setUp()
    let committed = false
    let finish = () => {}
    loop.handle(
      handler(
        () =>
          new Promise((resolve) => {
            finish = () =>
              resolve(() => {
                committed = true
              })
          }),
      ),
    )
    loop.enqueue({ kind: 'work', subject: 'a' })
    loop.start()
    await state('running')
    db.exec("UPDATE jobs SET claimed_by = 'another'")
    finish()
    await loop.close()
    expect(committed).toBe(false)
    expect(rows(db).all()).toMatchObject([{ claimed_by: 'another' }])
  })

  it('are never shared by two engines on one file', async () => {
    const path = join(scratch(), 'shared.db')
    const ran: string[] = []
    const sets = [0, 1].map(() => setUp({ db: openDatabase(path) }))
    const all = 40
    const finished = new Promise<void>((resolve) => {
      for (const { loop } of sets) {
        loop.handle(
          handler(
            async ({ subject }) => {
              await new Promise((go) => setImmediate(go))
              return () => {
                ran.push(subject)
                if (ran.length === all) resolve()
              }
            },
            { concurrency: 3 },
          ),
        )
      }
    })
    for (let i = 0; i < all; i++) sets[0]?.loop.enqueue({ kind: 'work', subject: `s${i}` })
    for (const { loop } of sets) loop.start()
    await finished
    expect(new Set(ran).size).toBe(all)
    expect(ran.length).toBe(all)
  })

  it('from a clock that was set back are ready at once', async () => {
    const { loop, store, state } = setUp({ now: () => 1_000_000 })
    store.add({ kind: 'work', subject: 'a' }, 9_000_000)
    loop.handle(handler(async () => () => {}))
    loop.start()
    await state('complete', 'a')
  })

  it('that a clock which was ahead has put off are ready too', async () => {
    const { loop, store, state } = setUp({ now: () => 1_000_000 })
    store.add({ kind: 'work', subject: 'a' }, 900_000)
    const { id } = store.claim('work', 'another engine', 900_000) as { id: number }
    // Tried again in half a second, said a clock that was a day ahead.
    store.retry({ id, runAt: 87_400_500, error: '{}', waits: 0 })
    loop.handle(handler(async () => () => {}))
    loop.start()
    await state('complete', 'a')
  })
})
