import { describe, expect, it, onTestFinished } from 'vitest'
import type { CatalogEntry } from '../../src/index.ts'
import { openDatabase } from '../../src/kernel/database/open.ts'
import {
  callTurn,
  inTurns,
  isBudgetSpent,
  jobTurn,
  pause,
  type Steps,
  sideBySide,
} from '../../src/kernel/scheduler.ts'
import { CodeIndex } from '../../src/recognition/index/code-index.ts'
import { PACK_THRESHOLD } from '../../src/recognition/index/pack-job.ts'
import { Recognizer } from '../../src/recognition/recognize.ts'
import { RecordingStore } from '../../src/recognition/recording-store.ts'
import type { Lookup } from '../../src/recognition/systems/codes.ts'
import { answersDuring, turnsDuring } from '../support/answers.ts'
import { Clock, jobComplete, newCatalog, update } from '../support/catalogs.ts'
import { addRecording, addSong, pack } from '../support/made-recordings.ts'
import { openInline } from '../support/open.ts'

const { signal } = new AbortController()

const entries = (count: number, of: (i: number) => object = () => ({})): CatalogEntry[] =>
  Array.from({ length: count }, (_, i) => ({ item: { itemId: `item${i}`, ...of(i) } }))

/** Works for a number of milliseconds, as a step of a long computation does. */
function work(milliseconds: number): void {
  const until = performance.now() + milliseconds
  while (performance.now() < until);
}

describe('long work on the thread of the engine lets other calls be answered in between', () => {
  it('an update, whose items are resolved 64 at a time', async () => {
    const music = await openInline()
    const catalog = await newCatalog(music)
    const ticket = await catalog.update(
      entries(320, (i) => ({ songName: `Song ${i}`, artistName: `Artist ${i}` })),
    )
    expect(await answersDuring(music, ticket.done())).toBeGreaterThanOrEqual(5)
  })

  it('an update of nothing but plays, which are applied a thousand at most at a time', async () => {
    const music = await openInline()
    const catalog = await newCatalog(music)
    await update(catalog, entries(1))
    const plays = Array(6_000).fill({ action: 'play', item: { itemId: 'item0' } })
    const ticket = await catalog.update(plays)
    expect(await answersDuring(music, ticket.done())).toBeGreaterThanOrEqual(6)
  })

  it('an update that may be too large, whose batches are counted one by one', async () => {
    const music = await openInline({ limits: { catalogItems: 400 } })
    const catalog = await newCatalog(music)
    const ticket = await catalog.update(entries(10_000))
    expect(await answersDuring(music, jobComplete(music, 'catalog/update'))).toBeGreaterThan(9)
    expect((await ticket.status()).ticketStatus).toBe('error')
  })

  it('the removal of a catalog, whose items go 250 at a time', async () => {
    const clock = new Clock()
    const music = await openInline({ now: clock.now })
    const catalog = await newCatalog(music)
    await update(catalog, entries(2_500))
    await catalog.delete()
    clock.time += 10_000
    const removed = jobComplete(music, 'catalog/popularity')
    const other = await newCatalog(music)
    const all = Promise.all([removed, update(other, [])])
    expect(await answersDuring(music, all)).toBeGreaterThanOrEqual(10)
  })

  it('the popularity of songs that are listened to, 50 at a time', async () => {
    const clock = new Clock()
    const music = await openInline({ now: clock.now })
    const ids = Array.from({ length: 500 }, (_, i) => `${i}`)
    await music.songs.import(ids.map((id) => ({ id, title: `Song ${id}`, artistName: 'Artist' })))
    await update(
      await newCatalog(music),
      entries(500, (i) => ({ songId: `imported:song:${i}` })),
    )
    clock.time += 10_000
    const reckoned = jobComplete(music, 'catalog/popularity')
    const other = await newCatalog(music)
    const all = Promise.all([reckoned, update(other, [])])
    expect(await answersDuring(music, all)).toBeGreaterThanOrEqual(2 * 10)
  })

  it('a reading of a thousand items by their ids, 100 at a time', async () => {
    const music = await openInline()
    const catalog = await newCatalog(music)
    await update(catalog, entries(1_000))
    const itemId = Array.from({ length: 1_000 }, (_, i) => `item${i}`)
    expect(await answersDuring(music, catalog.read({ itemId }))).toBeGreaterThanOrEqual(9)
  })

  it('a list of queries, one by one', async () => {
    const music = await openInline()
    const query = Array.from({ length: 20 }, () => ({ code: 'unknown' }))
    expect(await answersDuring(music, music.songs.identify(query))).toBeGreaterThanOrEqual(19)
  })

  it('the packing of fingerprints, 16 recordings at a time', async () => {
    const store = recordings(PACK_THRESHOLD)
    expect(await turnsDuring(pack(store, signal))).toBeGreaterThanOrEqual(PACK_THRESHOLD / 16)
  })

  it('the search for a song in a large index, some milliseconds at a time', async () => {
    const store = recordings(1)
    const recognizer = new Recognizer(store, new SlowIndex(store))
    const codes = Uint32Array.from({ length: 4_000 }, (_, i) => i)
    const found = recognizer.byCodes('echoprint', { codes, times: codes }, signal)
    expect(await turnsDuring(found)).toBeGreaterThanOrEqual(3)
  })

  it('the comparison of tracks, some milliseconds at a time', async () => {
    function* steps(): Generator<void, string> {
      for (let i = 0; i < 10; i++) {
        work(10)
        yield
      }
      return 'done'
    }
    expect(await turnsDuring(inTurns(steps(), signal))).toBeGreaterThanOrEqual(9)
    expect(await inTurns(steps(), signal)).toBe('done')
  })
})

describe('computations side by side', () => {
  it('go on while others wait, and answer in their order', async () => {
    const told: string[] = []
    function* steps(name: string): Steps<string> {
      for (const part of [1, 2]) {
        told.push(`${name}${part}`)
        yield
        yield Promise.resolve()
      }
      return name
    }
    expect(await inTurns(sideBySide([steps('a'), steps('b'), steps('c')]), signal)).toEqual([
      ...['a', 'b', 'c'],
    ])
    expect(told).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'c2'])
    const failed = function* (): Steps<never> {
      yield Promise.reject(new Error('away'))
      throw new Error('not waited for')
    }
    await expect(inTurns(sideBySide([steps('a'), failed()]), signal)).rejects.toThrow('away')
  })
})

describe('the scheduler', () => {
  it('lets one of several jobs take one step between two looks at what has come', async () => {
    let steps = 0
    const job = async () => {
      for (let i = 0; i < 5; i++) {
        await jobTurn(signal)
        steps++
      }
    }
    const jobs = Promise.all([job(), job(), job()])
    const most: number[] = []
    let before = 0
    await turnsDuring(jobs, () => {
      most.push(steps - before)
      before = steps
    })
    expect(steps).toBe(15)
    expect(Math.max(...most)).toBe(1)
  })

  it('serves calls before jobs, but no more than one call for each job that waits', async () => {
    const order: string[] = []
    const take = async (name: string, turn: typeof jobTurn) => {
      await turn(signal)
      order.push(name)
    }
    await Promise.all([
      ...[1, 2].map((i) => take(`job ${i}`, jobTurn)),
      ...[1, 2, 3, 4].map((i) => take(`call ${i}`, callTurn as typeof jobTurn)),
    ])
    expect(order).toEqual(['call 1', 'job 1', 'call 2', 'job 2', 'call 3', 'call 4'])
  })

  it('gives all calls together one budget, and each of them a new one at its turn', async () => {
    await callTurn(signal)
    expect(isBudgetSpent()).toBe(false)
    // Nothing is waited for while there is time left.
    const looks = turnsDuring(Promise.all(Array.from({ length: 100 }, () => pause(signal))))
    expect(await looks).toBeLessThanOrEqual(1)
    work(20)
    expect(isBudgetSpent()).toBe(true)
    const slow = async () => {
      await pause(signal)
      work(20)
    }
    expect(await turnsDuring(Promise.all([slow(), slow(), slow()]))).toBeGreaterThanOrEqual(2)
  })

  it.each([
    ['pause', pause],
    ['callTurn', callTurn as typeof jobTurn],
    ['jobTurn', jobTurn],
  ])('ends the work whose signal has aborted, and that alone: %s', async (_name, turn) => {
    const ended = turn(AbortSignal.abort(new Error('closing')))
    const other = turn(signal)
    await expect(ended).rejects.toThrow('closing')
    await expect(other).resolves.toBeUndefined()
  })
})

/** A store of so many recordings, of a few codes each, that are not packed. */
function recordings(count: number): RecordingStore {
  const db = openDatabase(':memory:')
  onTestFinished(() => {
    db.close()
  })
  addSong(db)
  const store = new RecordingStore(db)
  for (let i = 0; i < count; i++) {
    const codes = Uint32Array.from({ length: 20 }, (_, j) => 1_024 * j + i)
    addRecording(store, { echoprint: { codes, times: codes } })
  }
  return store
}

/** An index that takes some milliseconds for a hundred codes, and holds each of them once. */
class SlowIndex extends CodeIndex {
  override openLookups(): (family: string) => Lookup {
    const one = { songs: new Uint32Array(1), times: new Uint32Array(1), length: 1 }
    let asked = 0
    const postings = () => {
      if (++asked % 100 === 0) work(10)
      return one
    }
    return () => ({ songs: 1, frequency: () => 1, postings })
  }
}
