import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/database/open.ts'
import type { Codes } from '../../src/fingerprint/codes.ts'
import type { Family } from '../../src/fingerprint/version.ts'
import type { Job } from '../../src/jobs/store.ts'
import { CodeIndex } from '../../src/recording/code-index.ts'
import { ingest } from '../../src/recording/ingest.ts'
import { needsPacking, PACK_AT, packJob } from '../../src/recording/pack-job.ts'
import { RecordingStore } from '../../src/recording/store.ts'
import { SongStore } from '../../src/song/store.ts'
import { seeded } from '../support/music.ts'

const FAMILIES = ['echoprint', 'landmarks', 'chroma'] as const

/** An index, and beside it what it should hold, in the plainest form there is. */
class Bench {
  readonly db = openDatabase(':memory:')
  readonly store = new RecordingStore(this.db)
  readonly index = new CodeIndex(this.store)
  readonly truth = new Map<number, Map<Family, Codes>>()
  readonly #random: () => number

  constructor(seed: number) {
    this.#random = seeded(seed)
    const facts = {
      artist: null,
      credit: null,
      release: null,
      duration: null,
      year: null,
      hotttnesss: null,
      songType: null,
    }
    new SongStore(this.db).add('SO', { title: 'a song', ...facts }, 1, 0)
  }

  add(count: number, codes = 12): void {
    for (let i = 0; i < count; i++) {
      const prints = new Map<Family, Codes>(FAMILIES.map((name) => [name, this.#codes(codes)]))
      const recording = { songId: 'SO', trackId: null, duration: 1, codeMd5: null }
      const id = this.store.atomically(() =>
        ingest(this.store, { ...recording, fingerprintVersion: '1' }, Object.fromEntries(prints)),
      )
      this.truth.set(id, prints)
    }
  }

  remove(ids: Iterable<number>): void {
    const remove = this.db.prepare('DELETE FROM recordings WHERE id = ?')
    for (const id of ids) {
      remove.run(id)
      this.truth.delete(id)
    }
  }

  /** Packs, as the job loop would, until there is nothing to do. */
  async pack(signal = new AbortController().signal): Promise<void> {
    const commit = await packJob(this.store).run({} as Job, { signal })
    commit()
  }

  /** Every posting of some codes, in order, as the index has them and as they should be. */
  compare(family: Family): { found: string[]; due: string[] } {
    const codes = [...Array(40).keys()].map((code) => code * 25_000)
    const { postings, frequency } = this.index.lookups()(family)
    const found = codes.flatMap((code) => {
      const { songs, times, length } = postings(code)
      const all = [...Array(length).keys()].map((i) => `${code} ${songs[i]} ${times[i]}`)
      if (this.store.state().task === null) expect(frequency(code)).toBeGreaterThanOrEqual(length)
      // While it is packed, a recording may be in both places.
      return [...new Set(all)]
    })
    const due = [...this.truth].flatMap(([id, prints]) => {
      const { codes, times } = prints.get(family) as Codes
      return [...codes].map((code, i) => `${code} ${id} ${times[i]}`)
    })
    return { found: found.sort(), due: [...new Set(due)].sort() }
  }

  #codes(count: number): Codes {
    const codes = Uint32Array.from(
      { length: count },
      () => Math.floor(this.#random() * 40) * 25_000,
    )
    // Beyond 16 bits too: an hour has more units than that.
    const times = Uint32Array.from({ length: count }, () => Math.floor(this.#random() ** 4 * 3e5))
    return { codes, times }
  }
}

describe('the index of codes', () => {
  it('finds a recording at once, packed or not', async () => {
    const bench = new Bench(1)
    bench.add(5)
    for (const family of FAMILIES) {
      const { found, due } = bench.compare(family)
      expect(found).toEqual(due)
      expect(due.length).toBeGreaterThan(30)
    }
    bench.add(PACK_AT)
    expect(needsPacking(bench.store)).toBe(true)
    await bench.pack()
    expect(needsPacking(bench.store)).toBe(false)
    expect(bench.store.countHead()).toBe(0)
    bench.add(3)
    for (const family of FAMILIES) {
      const { found, due } = bench.compare(family)
      expect(found).toEqual(due)
    }
  })

  it('appends to what is packed, over and over', async () => {
    const bench = new Bench(2)
    for (let round = 0; round < 3; round++) {
      bench.add(PACK_AT)
      await bench.pack()
      const { found, due } = bench.compare('landmarks')
      expect(found).toEqual(due)
    }
  })

  it('is right in the middle of packing, and goes on where it was stopped', async () => {
    const bench = new Bench(3)
    bench.add(PACK_AT, 60)
    const leave = new AbortController()
    let steps = 0
    // Each step is a transaction; the third one's end is where the engine closes.
    const { setTask } = bench.store
    bench.store.setTask = (task) => {
      setTask.call(bench.store, task)
      if (++steps === 3) leave.abort(new Error('closing'))
    }
    await expect(bench.pack(leave.signal)).rejects.toThrow('closing')
    expect(bench.store.state()).toMatchObject({ task: 'pack' })
    const halfway = bench.compare('echoprint')
    expect(halfway.found).toEqual(halfway.due)
    bench.add(2)
    await bench.pack()
    expect(bench.store.state()).toMatchObject({ task: null })
    for (const family of FAMILIES) {
      const { found, due } = bench.compare(family)
      expect(found).toEqual(due)
    }
    // Nothing was appended twice.
    const count = bench.index.lookups()('echoprint').frequency(0)
    const codes = [...bench.truth.values()].flatMap((prints) => [
      ...(prints.get('echoprint') as Codes).codes,
    ])
    expect(count).toBe(codes.filter((code) => code === 0).length)
  })

  it('forgets what is removed at once, and purges it in time', async () => {
    const bench = new Bench(4)
    bench.add(PACK_AT + 20)
    await bench.pack()
    const rows = () => bench.db.prepare('SELECT sum(length(postings)) FROM postings').pluck().get()
    const before = rows() as number
    bench.remove([...bench.truth.keys()].filter((id) => id % 2 === 0))
    const { found, due } = bench.compare('chroma')
    expect(found).toEqual(due)
    expect(needsPacking(bench.store)).toBe(true)
    await bench.pack()
    expect(bench.store.removed()).toEqual([])
    expect(rows()).toBeLessThan(0.6 * before)
    for (const family of FAMILIES) {
      const purged = bench.compare(family)
      expect(purged.found).toEqual(purged.due)
    }
  })

  it('sees what another process writes', async () => {
    const bench = new Bench(5)
    bench.add(3)
    expect(bench.compare('echoprint').found.length).toBeGreaterThan(0)
    const elsewhere = new CodeIndex(bench.store)
    bench.add(1)
    const count = (index: CodeIndex) =>
      [...Array(40).keys()].reduce(
        (sum, code) =>
          sum +
          index
            .lookups()('echoprint')
            .frequency(code * 25_000),
        0,
      )
    expect(count(elsewhere)).toBe(48)
    expect(count(bench.index)).toBe(48)
  })
})
