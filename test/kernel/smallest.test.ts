import { describe, expect, it } from 'vitest'
import { firstByKey } from '../../src/kernel/smallest.ts'
import { type Random, seeded } from '../support/music.ts'

/** The same by sorting all of them. */
function bySorting(rows: Int32Array, keys: Float64Array, start: number, results: number): number[] {
  const places = Array.from(rows, (_, i) => i)
  // Infinity less Infinity is no number.
  const compare = (a: number, b: number) => (a === b ? 0 : a < b ? -1 : 1)
  places.sort((a, b) => compare(keys[a] as number, keys[b] as number))
  return places.slice(start, start + results).map((i) => rows[i] as number)
}

const KEYS: Record<string, (random: Random, i: number) => number> = {
  'keys that differ': (random) => random() - 0.5,
  'many ties': (random) => Math.floor(random() * 4) - 2,
  'two keys': (random) => (random() < 0.5 ? -1 : 1),
  'one key': () => 7,
  'rising keys': (_, i) => i,
  'falling keys': (_, i) => -i,
  'only Infinity': () => Number.POSITIVE_INFINITY,
  'ties and Infinity': (random) =>
    random() < 0.4 ? Number.POSITIVE_INFINITY : Math.floor(random() * 5),
  'huge and tiny': (random) => (random() < 0.5 ? -1 : 1) * 10 ** (600 * random() - 300),
  'zeros of both signs': (random) => (random() < 0.5 ? -0 : 0),
}

describe('firstByKey', () => {
  it.each(Object.keys(KEYS))('is what a stable sort gives: %s', (name) => {
    const random = seeded(5)
    const keyOf = KEYS[name] as (random: Random, i: number) => number
    for (let round = 0; round < 100; round++) {
      const length = Math.floor(random() ** 2 * 400)
      const rows = Int32Array.from({ length }, () => Math.floor(random() * 1e6))
      const keys = Float64Array.from({ length }, (_, i) => keyOf(random, i))
      const start = Math.floor(random() * (length + 3))
      const results = Math.floor(random() * 101)
      const expected = bySorting(rows, keys, start, results)
      const before = [rows.slice(), keys.slice()]
      expect(firstByKey(rows, keys, start, results)).toEqual(expected)
      expect([rows, keys]).toEqual(before)
    }
  })

  it.each(Object.keys(KEYS))('is the same of more rows than are compared: %s', (name) => {
    const random = seeded(9)
    const keyOf = KEYS[name] as (random: Random, i: number) => number
    const rows = Int32Array.from({ length: 5000 }, () => Math.floor(random() * 1e6))
    for (const far of [0, 1e9, -1e12]) {
      // One key far from all others: they share a bucket.
      const keys = Float64Array.from(rows, (_, i) => (i === 77 ? far : keyOf(random, i)))
      for (const start of [0, 1990, 2500, 4995]) {
        const expected = bySorting(rows, keys, start, 100)
        expect(firstByKey(rows, keys, start, 100)).toEqual(expected)
      }
    }
  })

  it('gives each row once when it is gone through page by page', () => {
    const random = seeded(6)
    const rows = Int32Array.from({ length: 1000 }, (_, i) => i)
    const keys = Float64Array.from({ length: 1000 }, () =>
      random() < 0.3 ? Number.POSITIVE_INFINITY : Math.floor(random() * 6),
    )
    const pages: number[] = []
    for (let start = 0; start < 1000; start += 15) pages.push(...firstByKey(rows, keys, start, 15))
    expect(pages).toEqual(bySorting(rows, keys, 0, 1000))
  })

  it('gives nothing of nothing, and nothing past the end', () => {
    const none = new Int32Array(0)
    expect(firstByKey(none, new Float64Array(0), 0, 15)).toEqual([])
    const [rows, keys] = [Int32Array.of(4, 2), Float64Array.of(1, 0)]
    expect(firstByKey(rows, keys, 0, 0)).toEqual([])
    expect(firstByKey(rows, keys, 2, 15)).toEqual([])
    expect(firstByKey(rows, keys, Number.MAX_SAFE_INTEGER, 100)).toEqual([])
    expect(firstByKey(rows, keys, 1, 15)).toEqual([4])
  })

  it('goes through a million rows as they come, deep down as well', () => {
    const rows = Int32Array.from({ length: 1_000_000 }, (_, i) => i)
    const keys = Float64Array.from(rows, (row) => (row * 7919) % 1000)
    const deep = firstByKey(rows, keys, 999_990, 100)
    expect(deep).toHaveLength(10)
    expect(deep.map((row) => keys[row])).toEqual(Array(10).fill(999))
    expect(deep).toEqual([...deep].sort((a, b) => a - b))
  })
})
