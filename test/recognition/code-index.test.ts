import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/kernel/database/open.ts'
import { CodeIndex } from '../../src/recognition/index/code-index.ts'
import {
  createLayout,
  type LayoutChoice,
  TASK_STEPS,
  WRITABLE_LAYOUT,
} from '../../src/recognition/index/layout.ts'
import { needsPacking, PACK_THRESHOLD } from '../../src/recognition/index/pack-job.ts'
import { RecordingStore } from '../../src/recognition/recording-store.ts'
import type { Codes } from '../../src/recognition/systems/codes.ts'
import type { Family } from '../../src/recognition/systems/version.ts'
import { addRecording, addSong, pack } from '../support/made-recordings.ts'
import { seeded } from '../support/music.ts'

const FAMILIES = ['echoprint', 'triplets', 'chroma'] as const

/** An index, and beside it what it should hold, in the plainest form there is. */
class Bench {
  readonly db = openDatabase(':memory:')
  readonly store = new RecordingStore(this.db)
  readonly index = new CodeIndex(this.store)
  readonly truth = new Map<number, Map<Family, Codes>>()
  readonly #random: () => number

  constructor(seed: number, layout: LayoutChoice = WRITABLE_LAYOUT) {
    this.#random = seeded(seed)
    this.store.index.setLayout(layout)
    addSong(this.db)
  }

  add(count: number, codes = 12): void {
    for (let i = 0; i < count; i++) {
      const prints = new Map<Family, Codes>(FAMILIES.map((name) => [name, this.#codes(codes)]))
      this.truth.set(addRecording(this.store, Object.fromEntries(prints)), prints)
    }
  }

  remove(ids: Iterable<number>): void {
    const remove = this.db.prepare('DELETE FROM recordings WHERE id = ?')
    for (const id of ids) {
      remove.run(id)
      this.truth.delete(id)
    }
  }

  async pack(signal?: AbortSignal): Promise<void> {
    await pack(this.store, signal)
  }

  /** Every posting of some codes, in order, as the index has them and as they should be. */
  compare(family: Family): { found: string[]; due: string[] } {
    const codes = [...Array(40).keys()].map((code) => code * 25_000)
    const { postings, frequency } = this.index.openLookups()(family)
    const found = codes.flatMap((code) => {
      const { songs, times, length } = postings(code)
      const all = [...Array(length).keys()].map((i) => `${code} ${songs[i]} ${times[i]}`)
      expect(frequency(code)).toBeGreaterThanOrEqual(length)
      return all
    })
    const due = [...this.truth].flatMap(([id, prints]) => {
      const { codes, times } = prints.get(family) as Codes
      return [...codes].map((code, i) => `${code} ${id} ${times[i]}`)
    })
    return { found: found.sort(), due: due.sort() }
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
  it('answers nothing from codes whose reading ended with an error', () => {
    const bench = new Bench(7)
    bench.add(6)
    const { headCodes } = bench.store.index
    let reads = 0
    Object.defineProperty(bench.store.index, 'headCodes', {
      value: (...given: Parameters<typeof headCodes>) => {
        if (++reads === 3) throw new Error('database disk image is malformed')
        return headCodes(...given)
      },
    })
    expect(() => bench.compare('echoprint')).toThrow('malformed')
    const { found, due } = bench.compare('echoprint')
    expect(found).toEqual(due)
  })

  it('finds a recording at once, packed or not', async () => {
    const bench = new Bench(1)
    bench.add(5)
    for (const family of FAMILIES) {
      const { found, due } = bench.compare(family)
      expect(found).toEqual(due)
      expect(due.length).toBeGreaterThan(30)
    }
    bench.add(PACK_THRESHOLD)
    expect(needsPacking(bench.store)).toBe(true)
    await bench.pack()
    expect(needsPacking(bench.store)).toBe(false)
    expect(bench.store.index.countHead()).toBe(0)
    bench.add(3)
    for (const family of FAMILIES) {
      const { found, due } = bench.compare(family)
      expect(found).toEqual(due)
    }
  })

  it('appends to what is packed, over and over', async () => {
    const bench = new Bench(2)
    for (let round = 0; round < 3; round++) {
      bench.add(PACK_THRESHOLD)
      await bench.pack()
      const { found, due } = bench.compare('echoprint')
      expect(found).toEqual(due)
    }
  })

  it('is right in the middle of packing, and goes on where it was stopped', async () => {
    const bench = new Bench(3)
    bench.add(PACK_THRESHOLD, 60)
    const leave = new AbortController()
    let steps = 0
    // Each step is a transaction; the third one's end is where the engine closes.
    const { index } = bench.store
    const { setTask } = index
    index.setTask = (task) => {
      setTask.call(index, task)
      if (++steps === 3) leave.abort(new Error('closing'))
    }
    await expect(bench.pack(leave.signal)).rejects.toThrow('closing')
    expect(bench.store.index.state()).toMatchObject({ task: 'pack' })
    for (const family of FAMILIES) {
      const { found, due } = bench.compare(family)
      expect(found).toEqual(due)
    }
    bench.add(2)
    await bench.pack()
    expect(bench.store.index.state()).toMatchObject({ task: null })
    for (const family of FAMILIES) {
      const { found, due } = bench.compare(family)
      expect(found).toEqual(due)
    }
    // Nothing was appended twice.
    const count = bench.index.openLookups()('echoprint').frequency(0)
    const codes = [...bench.truth.values()].flatMap((prints) => [
      ...(prints.get('echoprint') as Codes).codes,
    ])
    expect(count).toBe(codes.filter((code) => code === 0).length)
  })

  it('forgets what is removed at once, and purges it in time', async () => {
    const bench = new Bench(4)
    bench.add(PACK_THRESHOLD + 20)
    await bench.pack()
    const rows = () => bench.db.prepare('SELECT sum(length(postings)) FROM postings').pluck().get()
    const before = rows() as number
    bench.remove([...bench.truth.keys()].filter((id) => id % 2 === 0))
    const { found, due } = bench.compare('chroma')
    expect(found).toEqual(due)
    expect(needsPacking(bench.store)).toBe(true)
    await bench.pack()
    expect(bench.store.index.removed()).toEqual([])
    expect(rows()).toBeLessThan(0.6 * before)
    for (const family of FAMILIES) {
      const purged = bench.compare(family)
      expect(purged.found).toEqual(purged.due)
    }
  })

  it('answers a search of what there was when it began, whatever is packed meanwhile', async () => {
    const bench = new Bench(6)
    bench.add(PACK_THRESHOLD)
    await bench.pack()
    bench.add(3)
    const { due } = bench.compare('echoprint')
    const { postings, songs } = bench.index.openLookups()('echoprint')
    bench.add(PACK_THRESHOLD)
    await bench.pack()
    // Another search has the index read anew.
    bench.index.openLookups()
    const found = [...Array(40).keys()].flatMap((i) => {
      const { songs, times, length } = postings(i * 25_000)
      return [...Array(length).keys()].map((j) => `${i * 25_000} ${songs[j]} ${times[j]}`)
    })
    expect(found.sort()).toEqual(due)
    expect(songs).toBe(PACK_THRESHOLD + 4)
  })

  it('packs more recordings at once where there are many', () => {
    const bench = new Bench(17)
    const about = { songId: 'SO', trackId: null, duration: 1, codeMd5: null }
    bench.store.addAs({ ...about, id: 6_400, fingerprintVersion: '1' })
    bench.add(700, 1)
    expect(needsPacking(bench.store)).toBe(false)
    bench.add(300, 1)
    expect(needsPacking(bench.store)).toBe(true)
  })

  it('finds what is not packed after most of it was removed', () => {
    const bench = new Bench(18)
    bench.add(20)
    for (const family of FAMILIES) bench.compare(family)
    bench.remove([...Array(15).keys()].map((i) => i + 1))
    bench.add(3)
    for (const family of FAMILIES) {
      const { found, due } = bench.compare(family)
      expect(found).toEqual(due)
    }
    bench.remove([19])
    for (const family of FAMILIES) {
      const { found, due } = bench.compare(family)
      expect(found).toEqual(due)
    }
  })

  it('reads of the frequencies what a step of packing has changed, not all again', async () => {
    const bench = new Bench(7)
    bench.add(PACK_THRESHOLD, 60)
    const { index } = bench.store
    const { allFrequencies, setTask } = index
    let wholes = 0
    index.allFrequencies = (...range) => {
      wholes++
      return allFrequencies.apply(index, range)
    }
    const seen: number[] = []
    index.setTask = (task) => {
      setTask.call(index, task)
      if (task.task === null) return
      for (const family of FAMILIES) {
        const before = wholes
        const { frequency } = bench.index.openLookups()(family)
        seen.push(wholes - before)
        if (seen.length % 5 !== 0) continue
        const afresh = new CodeIndex(bench.store).openLookups()(family).frequency
        for (let code = 0; code < 1_000_000; code += 25_000) {
          expect(frequency(code)).toBe(afresh(code))
        }
      }
    }
    await bench.pack()
    expect(seen.length).toBeGreaterThan(3 * FAMILIES.length)
    // Those of keys that share a row are in the postings.
    expect(seen.reduce((sum, count) => sum + count, 0)).toBe(1)
  })

  it.each(['pack', 'purge'])(
    'reads all frequencies again when the next task is to %s',
    async (next) => {
      const bench = new Bench(10)
      bench.add(PACK_THRESHOLD, 60)
      const { index } = bench.store
      const { setTask } = index
      let looks = 0
      index.setTask = (task) => {
        setTask.call(index, task)
        // At the end of each task: as if no step had come since the end of the one before.
        if (task.step !== TASK_STEPS) return
        looks++
        const { frequency } = bench.index.openLookups()('echoprint')
        const afresh = new CodeIndex(bench.store).openLookups()('echoprint')
        for (let code = 0; code < 1_000_000; code += 25_000) {
          expect(frequency(code)).toBe(afresh.frequency(code))
        }
      }
      await bench.pack()
      if (next === 'pack') bench.add(PACK_THRESHOLD, 60)
      else bench.remove([...bench.truth.keys()].slice(-100))
      await bench.pack()
      expect(looks).toBe(2)
    },
  )

  it.each([
    ['with many rows, of one segment each', { slotBits: 24, segmentBits: 24 }],
    ['with more rows than keys', { slotBits: 26, segmentBits: 14 }],
  ])('packs and purges an index %s', async (_what, layout) => {
    const bench = new Bench(12, layout)
    for (let round = 0; round < 2; round++) {
      bench.add(PACK_THRESHOLD)
      await bench.pack()
    }
    bench.add(3)
    bench.remove([...bench.truth.keys()].filter((id) => id % 2 === 0))
    for (let round = 0; round < 2; round++) {
      for (const family of FAMILIES) {
        const { found, due } = bench.compare(family)
        expect(found).toEqual(due)
      }
      await bench.pack()
    }
    expect(bench.store.index.removed()).toEqual([])
  })

  it('tells codes apart that share a row, packed and not', async () => {
    const bench = new Bench(13)
    const layout = createLayout(WRITABLE_LAYOUT).chroma
    const codes = [5, 6, 7, 2 ** 11 - 1].map((rest) => layout.codeOf(layout.firstKeyOf(77) + rest))
    expect(new Set(codes.map((code) => layout.slotOf(layout.keyOf(code))))).toEqual(new Set([77]))
    const add = (i: number) => {
      const chroma = { codes: Uint32Array.of(codes[i % 3]!), times: Uint32Array.of(i) }
      addRecording(bench.store, { chroma })
    }
    const check = (count: number) => {
      const { frequency, postings } = bench.index.openLookups()('chroma')
      for (const [i, code] of codes.slice(0, 3).entries()) {
        const due = [...Array(count).keys()].filter((n) => n % 3 === i)
        const { length, times } = postings(code)
        expect([...times.subarray(0, length)]).toEqual(due)
        expect(frequency(code)).toBe(due.length)
      }
      expect(frequency(codes[3]!)).toBe(0)
    }
    for (let i = 0; i < PACK_THRESHOLD; i++) add(i)
    check(PACK_THRESHOLD)
    await bench.pack()
    for (let i = PACK_THRESHOLD; i < PACK_THRESHOLD + 5; i++) add(i)
    check(PACK_THRESHOLD + 5)
  })

  it('packs recordings of two segments', async () => {
    const bench = new Bench(11)
    bench.add(1)
    bench.db.exec(
      `UPDATE sqlite_sequence SET seq = ${createLayout(WRITABLE_LAYOUT).echoprint.segment - 100} WHERE name = 'recordings'`,
    )
    bench.add(PACK_THRESHOLD)
    await bench.pack()
    const { found, due } = bench.compare('echoprint')
    expect(found).toEqual(due)
    bench.remove([...bench.truth.keys()].filter((id) => id % 2 === 0))
    await bench.pack()
    const purged = bench.compare('echoprint')
    expect(purged.found).toEqual(purged.due)
  })

  it('is full when there are no numbers left', () => {
    const bench = new Bench(8)
    bench.add(1)
    bench.db.exec(`UPDATE sqlite_sequence SET seq = ${2 ** 24 - 2} WHERE name = 'recordings'`)
    bench.add(1)
    const { found, due } = bench.compare('echoprint')
    expect(found).toEqual(due)
    expect(() => bench.add(1)).toThrow('has room for 16,777,215 recordings')
  })

  it('tells whether codes of system A were imported', () => {
    const bench = new Bench(9)
    const add = (trackId: string | null, fingerprintVersion: string) =>
      bench.store.insert({ songId: 'SO', trackId, duration: 1, codeMd5: null, fingerprintVersion })
    bench.db.pragma('foreign_keys = OFF')
    expect(bench.store.hasImportedKeys()).toBe(false)
    add(null, '4.12')
    add('TR', '1')
    expect(bench.store.hasImported()).toBe(true)
    expect(bench.store.hasImportedKeys()).toBe(false)
    add(null, '3.15')
    expect(bench.store.hasImportedKeys()).toBe(true)
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
            .openLookups()('echoprint')
            .frequency(code * 25_000),
        0,
      )
    expect(count(elsewhere)).toBe(48)
    expect(count(bench.index)).toBe(48)
  })
})
