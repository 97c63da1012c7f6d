import { grown } from '../../audio/grown.ts'
import type { Postings } from '../lookup.ts'

/** The postings found for a query's codes, and how many of these codes each song holds. */
export class Hits {
  /** Distinct codes of the query, by song. */
  readonly counts: Uint32Array
  /** Rank of the code that was counted last plus 1, by song. */
  readonly #lastRanks: Uint32Array
  /** One element for each hit, of which the first `length` count. */
  songs = new Uint32Array(4_096)
  times = new Uint32Array(4_096)
  ranks = new Uint32Array(4_096)
  length = 0

  constructor(songs: number) {
    this.counts = new Uint32Array(songs)
    this.#lastRanks = new Uint32Array(songs)
  }

  /** @param rank - the code's place in the query's order */
  add(rank: number, postings: Postings): void {
    const { songs, times, length } = postings
    const start = this.length
    const end = start + length
    this.songs = grown(this.songs, end)
    this.times = grown(this.times, end)
    this.ranks = grown(this.ranks, end).fill(rank, start, end)
    const { counts, songs: hitSongs, times: hitTimes } = this
    const lastRanks = this.#lastRanks
    for (let i = 0; i < length; i++) {
      const song = songs[i]!
      hitSongs[start + i] = song
      hitTimes[start + i] = times[i]!
      if (lastRanks[song] !== rank + 1) {
        lastRanks[song] = rank + 1
        counts[song] = counts[song]! + 1
      }
    }
    this.length = end
  }

  /** The songs that hold the most of the codes: at least `most`, up to twice as many in a tie. */
  best(most: number): number[] {
    const { counts } = this
    const tallies: number[] = []
    for (const count of counts) if (count > 0) tallies[count] = (tallies[count] ?? 0) + 1
    let least = tallies.length
    for (let sum = 0; least > 1 && sum < most; ) {
      least--
      sum += tallies[least] ?? 0
    }
    const songs: number[] = []
    for (let song = 0; song < counts.length && songs.length < 2 * most; song++) {
      if (counts[song]! >= least && counts[song]! > 0) songs.push(song)
    }
    return songs
  }
}
