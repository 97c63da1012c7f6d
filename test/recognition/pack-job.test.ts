import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { openDatabase } from '../../src/kernel/database/open.ts'
import { CodeIndex } from '../../src/recognition/index/code-index.ts'
import { needsPacking, PACK_THRESHOLD } from '../../src/recognition/index/pack-job.ts'
import { RecordingStore } from '../../src/recognition/recording-store.ts'
import { addRecording, addSong, pack } from '../support/made-recordings.ts'
import { seeded } from '../support/music.ts'
import { openInline } from '../support/open.ts'
import { scratch } from '../support/scratch.ts'
import { tune } from '../support/tune.ts'

/** The codes that occur, and how many of them a recording has. */
const CODES = 1_024
const EACH = 100

/** One file that two engines have open. */
class Shared {
  readonly path = join(scratch(), 'music.db')
  readonly one = this.#open()
  readonly two = this.#open()
  readonly #random = seeded(1)

  constructor() {
    addSong(this.one.db)
  }

  add(count: number): void {
    const random = this.#random
    this.two.store.atomically(() => {
      for (let i = 0; i < count; i++) {
        const codes = Uint32Array.from({ length: EACH }, () => CODES * Math.floor(random() * CODES))
        const times = Uint32Array.from({ length: EACH }, () => Math.floor(random() * 5_000))
        addRecording(this.two.store, { echoprint: { codes, times } })
      }
    })
  }

  remove(from: number, to: number): void {
    this.one.db.prepare('DELETE FROM recordings WHERE id BETWEEN ? AND ?').run(from, to)
  }

  /** How many postings there are of each recording, and the latest time. */
  postings(): { counts: Map<number, number>; last: number } {
    const { postings } = new CodeIndex(this.one.store).openLookups()('echoprint')
    const counts = new Map<number, number>()
    let last = 0
    for (let i = 0; i < CODES; i++) {
      const { songs, times, length } = postings(i * CODES)
      for (let j = 0; j < length; j++) {
        counts.set(songs[j] as number, (counts.get(songs[j] as number) ?? 0) + 1)
        last = Math.max(last, times[j] as number)
      }
    }
    return { counts, last }
  }

  #open() {
    const db = openDatabase(this.path)
    onTestFinished(() => {
      db.close()
    })
    return { db, store: new RecordingStore(db) }
  }
}

/** Runs the job up to some step of it, where the engine closes. */
async function begin(store: RecordingStore, steps: number): Promise<void> {
  const leave = new AbortController()
  const { setTask } = store.index
  let done = 0
  store.index.setTask = (task) => {
    setTask.call(store.index, task)
    if (++done === steps) leave.abort(new Error('closing'))
  }
  await expect(pack(store, leave.signal)).rejects.toThrow('closing')
  store.index.setTask = setTask
}

/** Runs the job in an engine that falls asleep after some steps, as a suspended process does. */
async function sleeping(
  store: RecordingStore,
  steps: number,
  meanwhile: () => Promise<void>,
): Promise<void> {
  const { setTask } = store.index
  let done = 0
  store.index.setTask = (task) => {
    setTask.call(store.index, task)
    done++
  }
  let slept = false
  await pack(store, undefined, async () => {
    if (slept || done < steps) return
    slept = true
    await meanwhile()
  })
  expect(slept).toBe(true)
  store.index.setTask = setTask
}

describe('packing by an engine that was taken for dead', () => {
  it('ends when another has done the work and packs the next batch', async () => {
    const shared = new Shared()
    const { one, two } = shared
    shared.add(PACK_THRESHOLD)
    await sleeping(one.store, 2, async () => {
      await pack(two.store)
      shared.add(PACK_THRESHOLD)
      await begin(two.store, 3)
      expect(two.store.index.state()).toMatchObject({ task: 'pack', upto: 2 * PACK_THRESHOLD })
    })
    expect(needsPacking(one.store)).toBe(false)
    const { counts, last } = shared.postings()
    expect([...counts.keys()]).toHaveLength(2 * PACK_THRESHOLD)
    expect(new Set(counts.values())).toEqual(new Set([EACH]))
    expect(last).toBeLessThan(5_000)
  })

  it('does not end a purge of other recordings', async () => {
    const shared = new Shared()
    const { one, two } = shared
    shared.add(2 * PACK_THRESHOLD)
    await pack(two.store)
    shared.remove(1, 160)
    await sleeping(one.store, 2, async () => {
      await pack(two.store)
      shared.remove(201, 400)
      await begin(two.store, 2)
      expect(two.store.index.state()).toMatchObject({ task: 'purge', upto: 400 })
    })
    expect(one.store.index.removed()).toEqual([])
    const { counts } = shared.postings()
    const ids = [...counts.keys()].sort((a, b) => a - b)
    expect(ids).toHaveLength(2 * PACK_THRESHOLD - 360)
    expect(ids.filter((id) => id <= 160 || (id > 200 && id <= 400))).toEqual([])
  })
})

describe('the index of a database', () => {
  it('is purged when enough tracks are removed', async () => {
    const database = join(scratch(), 'music.db')
    const music = await openInline({ database })
    const { samples, sampleRate } = tune({ seed: 1, seconds: 4 })
    const ids: string[] = []
    for (let i = 0; i < 64; i++) {
      const piece = (samples[0] as Float32Array).map((x) => x * (1 - i / 100))
      const from = 1_000 * i
      const cut = piece.subarray(from, from + sampleRate / 2)
      ids.push((await music.tracks.upload({ samples: [cut], sampleRate, wait: true })).id)
    }
    const db = openDatabase(database)
    onTestFinished(() => {
      db.close()
    })
    const store = new RecordingStore(db)
    expect(store.count()).toBe(64)
    const packed = new Promise<void>((resolve) => {
      music.on('job', ({ kind, state }) => {
        if (kind === 'recording/pack' && state === 'complete') resolve()
      })
    })
    for (const id of ids) await music.tracks.remove(id)
    expect(store.count()).toBe(0)
    await packed
    expect(store.index.removed()).toEqual([])
  })

  it('is brought to order at the next opening, where that was given up half-way', async () => {
    const database = join(scratch(), 'music.db')
    await (await openInline({ database })).close()
    const db = openDatabase(database)
    onTestFinished(() => {
      db.close()
    })
    const store = new RecordingStore(db)
    store.index.setTask({ task: 'pack', upto: 1_000, step: 9_000 })
    await openInline({ database })
    await expect.poll(() => store.index.state().task).toBeNull()
  })
})
