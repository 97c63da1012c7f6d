import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/kernel/database/open.ts'
import type { CodeIndex } from '../../src/recognition/index/code-index.ts'
import { joinIndexes, type SearchedDatabase } from '../../src/recognition/index/joined-index.ts'
import { RecordingStore } from '../../src/recognition/recording-store.ts'
import type { Lookup } from '../../src/recognition/systems/codes.ts'

/** A place with so many songs, in which code 1 has so many postings; and what it was asked for. */
function place(songs: number, postings: number): { place: SearchedDatabase; asked: number[] } {
  const asked: number[] = []
  const lookup: Lookup = {
    songs,
    frequency: (code) => {
      asked.push(code)
      return code === 1 ? postings : 0
    },
    postings: () => ({ songs: new Uint32Array(0), times: new Uint32Array(0), length: 0 }),
  }
  const index = { openLookups: () => () => lookup } as Pick<CodeIndex, 'openLookups'> as CodeIndex
  const recordings = new RecordingStore(openDatabase(':memory:'))
  return { place: { recordings, index }, asked }
}

/** How often the places together have a code. */
function frequency(places: readonly { place: SearchedDatabase }[], code: number): number {
  return joinIndexes(places.map((one) => one.place))
    .lookup('triplets')
    .frequency(code)
}

describe('several indexes as one', () => {
  it('have the postings of all', () => {
    expect(frequency([place(1_000, 2), place(3_000, 5), place(2_000, 0)], 1)).toBe(7)
    expect(frequency([place(1_000, 2), place(3_000, 5)], 2)).toBe(0)
  })

  it('have as many a song as the largest, where that has many songs', () => {
    const [own, one, other] = [place(2_000, 1), place(100_000, 20), place(98_000, 33)]
    expect(frequency([own, one, other], 1)).toBe(40)
    expect(own.asked.length + other.asked.length).toBe(0)
  })

  it('certainly have none only of what none has', () => {
    expect(frequency([place(60_000, 0), place(60_000, 0), place(10, 1)], 1)).toBe(1)
    expect(frequency([place(60_000, 0), place(60_000, 0), place(10, 1)], 2)).toBe(0)
  })
})
