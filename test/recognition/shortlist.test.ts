import { describe, expect, it } from 'vitest'
import { Hits } from '../../src/recognition/search/query.ts'

/** Hits of as many codes as there are lists, each a list of the songs that hold it. */
function hitsOf(codes: readonly number[][], songs: number): Hits {
  const hits = new Hits(songs)
  for (const [rank, holders] of codes.entries()) {
    const times = new Uint32Array(holders.length)
    hits.addPostings(rank, { songs: Uint32Array.from(holders), times, length: holders.length })
  }
  return hits
}

describe('the shortlist', () => {
  it('has the song with the most codes, whatever its number and however many tie below', () => {
    const many = [...Array(900).keys()]
    const best = hitsOf([many, many, [950], [950], [950]], 1_000).songsWithMost(30)
    expect(best[0]).toBe(950)
    expect(best.length).toBeLessThanOrEqual(60)
    expect(best.length).toBeGreaterThanOrEqual(30)
  })

  it('is empty when no song holds a code', () => {
    expect(hitsOf([[]], 10).songsWithMost(30)).toEqual([])
  })
})
