import { describe, expect, it } from 'vitest'
import type { MatchRules } from '../../src/recognition/search/rules.ts'
import type { Codes } from '../../src/recognition/systems/codes.ts'
import { indexOf } from '../support/code-index.ts'
import { codes, match, PLAIN_RULES } from '../support/match-rules.ts'
import { type Random, seeded } from '../support/music.ts'

const RULES: MatchRules = { ...PLAIN_RULES, passes: [50, 100], share: 0.01 }

/** A song: so many codes of 20 bits at random times. */
function madeUp(random: Random, count = 600, length = 6000): Codes {
  return codes(
    Array.from({ length: count }, () => [
      Math.floor(random() * 2 ** 20),
      Math.floor(random() * length),
    ]),
  )
}

/** What of a song lies between two times, from time 0 on; so many of its codes survive. */
function excerpt(song: Codes, from: number, to: number, survive: number, random: Random): Codes {
  const inside = [...song.times.keys()].filter((i) => song.times[i]! >= from && song.times[i]! < to)
  return codes(
    inside.map((i) => [
      random() < survive ? song.codes[i]! : Math.floor(random() * 2 ** 20),
      song.times[i]! - from,
    ]),
  )
}

describe('match', () => {
  const random = seeded(1)
  const songs = Array.from({ length: 50 }, () => madeUp(random))
  const index = indexOf(songs)

  it('finds the song and where in it the excerpt lies', () => {
    const query = excerpt(songs[17]!, 1500, 3000, 0.5, random)
    const found = match(query, index, RULES)
    expect(found.map(({ song }) => song)).toEqual([17])
    expect(found[0]!.offset).toBeCloseTo(1500, 0)
    expect(found[0]!.score).toBeGreaterThan(30)
    expect(found[0]!.agreeing).toBeGreaterThan(40)
    expect(found[0]!.lead).toBeGreaterThan(0.6)
    expect(found[0]!.rate).toBe(1)
  })

  it('finds the song of an index that holds nothing else, or but copies of it', () => {
    const query = excerpt(songs[17]!, 1500, 3000, 0.5, random)
    for (const copies of [1, 2, 8]) {
      const found = match(query, indexOf(Array.from({ length: copies }, () => songs[17]!)), RULES)
      expect(found).toHaveLength(copies)
      expect(found[0]!.score).toBeGreaterThan(25)
    }
  })

  it('counts a code once, however often the query has it', () => {
    const few = (distinct: number) =>
      codes(
        Array.from({ length: 3 * distinct }, (_, i) => [1000 + (i % distinct), 40 * i + (i % 7)]),
      )
    const search = (query: Codes) => match(query, indexOf([query]), { ...RULES, floor: 0 })
    expect(search(few(RULES.minimum))).toHaveLength(1)
    expect(search(few(RULES.minimum - 1))).toEqual([])
  })

  it('finds an excerpt that begins before the song', () => {
    const song = songs[3]!
    const query = { codes: song.codes, times: song.times.map((time) => time + 500) }
    expect(match(query, index, RULES)[0]).toMatchObject({ song: 3, offset: -500 })
  })

  it('does not know what the index does not hold', () => {
    for (let i = 0; i < 20; i++) expect(match(madeUp(random), index, RULES)).toEqual([])
  })

  it('has no answer to too few codes and in an empty index', () => {
    expect(match(codes([]), index, RULES)).toEqual([])
    expect(match(excerpt(songs[0]!, 0, 80, 1, random), index, RULES)).toEqual([])
    expect(match(songs[0]!, indexOf([]), RULES)).toEqual([])
  })

  it('finds a few codes more where it is told to look at other speeds', () => {
    const whole = excerpt(songs[8]!, 0, 6000, 1, random)
    const query = { codes: whole.codes, times: whole.times.map((time) => Math.round(time / 1.02)) }
    const plain = match(query, index, { ...RULES, floor: 0, lead: 0, share: 0 })[0]!
    const found = match(query, index, { ...RULES, rates: [0.98, 1, 1.02] })[0]!
    expect(found).toMatchObject({ song: 8, rate: 1.02 })
    expect(found.score).toBeGreaterThan(5 * plain.score)
  })

  it('does not take a code on every beat for agreement', () => {
    const beat = (period: number) =>
      codes(Array.from({ length: 400 }, (_, i) => [i % 5, i * period]))
    const drums = indexOf([...songs, beat(20), beat(21)])
    expect(match(beat(20), drums, RULES)).toEqual([])
  })

  it('does not take a quotation for the song', () => {
    const query = excerpt(songs[20]!, 0, 3000, 1, random)
    const own = madeUp(random, 2000, 30_000)
    const quoting = {
      codes: Uint32Array.from([...query.codes, ...own.codes]),
      times: Uint32Array.from([...query.times, ...own.times]),
    }
    const score = match(query, index, RULES)[0]!.score
    const found = match(quoting, index, { ...RULES, floor: 0, lead: 0, share: 0 })[0]!
    expect(found.song).toBe(20)
    expect(found.score).toBeLessThan(0.3 * score)
  })

  it.each([0.9, 0.8])('lets two entries of one recording not spoil each other, %s', (alike) => {
    const copy = excerpt(songs[5]!, 0, 6000, alike, random)
    const both = indexOf([...songs, copy])
    const query = excerpt(songs[5]!, 1000, 3000, 0.7, random)
    for (const recordingOf of [
      undefined,
      // Two songs may hold one recording and not know of each other.
      (song: number) => song,
      (song: number) => song % 45,
    ]) {
      const found = match(query, both, RULES, recordingOf)
      expect(found.map(({ song }) => song)).toEqual([5, 50])
      expect(found[0]!.score).toBeGreaterThan(found[1]!.score)
      expect(found[0]!.lead).toBeGreaterThan(0.6)
    }
  })

  it('does not take two songs for one recording because both are in the query', () => {
    const [one, two] = [songs[6]!, songs[7]!].map((song) => excerpt(song, 0, 6000, 1, random))
    const mixed = {
      codes: Uint32Array.from([...one!.codes, ...two!.codes]),
      times: Uint32Array.from([...one!.times, ...two!.times]),
    }
    for (const recordingOf of [undefined, (song: number) => song]) {
      // By all codes: the first few may happen to be mostly of one of them.
      expect(match(mixed, index, { ...RULES, passes: [] }, recordingOf)).toEqual([])
    }
  })

  it('does not let a song hide behind the one that quotes it', () => {
    // A medley holds a third of the song; a query that goes on is of the song alone.
    const third = excerpt(songs[5]!, 0, 2000, 1, random)
    const medley = {
      codes: Uint32Array.from([...third.codes, ...madeUp(random, 400, 4000).codes]),
      times: Uint32Array.from([...third.times, ...madeUp(random, 400, 4000).times]),
    }
    const both = indexOf([...songs, medley])
    const found = match(excerpt(songs[5]!, 0, 6000, 0.8, random), both, RULES, (song) => song)
    expect(found.map(({ song }) => song)).toEqual([5])
  })

  it('finds a minute of a recording of hours, of which times are in milliseconds', () => {
    const hours = madeUp(random, 30_000, 3 * 3_600_000)
    const long = indexOf([...songs, hours])
    const rules = { ...RULES, bin: 64 }
    for (const minute of [10, 100, 170]) {
      const cut = excerpt(hours, minute * 60_000, (minute + 1) * 60_000, 1, random)
      // Its times are the file's own, as those of a piece of it are.
      const query = { codes: cut.codes, times: cut.times.map((time) => time + minute * 60_000) }
      const [best] = match(query, long, rules)
      expect(best?.song).toBe(50)
      expect(best?.offset).toBeCloseTo(0, 0)
    }
  })

  it('asks for the rarest codes first and stops when it knows', () => {
    let asked = 0
    const counting = {
      ...index,
      postings: (code: number) => {
        asked++
        return index.postings(code)
      },
    }
    expect(match(songs[9]!, counting, RULES)[0]?.song).toBe(9)
    expect(asked).toBe(50)
  })

  it('reads no more postings than it may', () => {
    let read = 0
    const counting = {
      ...index,
      postings: (code: number) => {
        read += index.frequency(code)
        return index.postings(code)
      },
    }
    match(songs[9]!, counting, { ...RULES, floor: 1000, budget: 200 })
    expect(read).toBeGreaterThan(150)
    expect(read).toBeLessThanOrEqual(200)
  })

  it('leaves stop codes out', () => {
    const stopCodes = [...new Set(songs[11]!.codes)]
    expect(match(songs[11]!, index, { ...RULES, stopCodes })).toEqual([])
  })

  it('demands more of a large index', () => {
    const query = excerpt(songs[30]!, 1000, 1400, 1, random)
    const { score } = match(query, index, { ...RULES, floor: 5 })[0]!
    const large = { ...index, songs: 1_000_000 }
    expect(match(query, large, { ...RULES, floor: score - 1 })).toHaveLength(1)
    expect(match(query, large, { ...RULES, floor: score - 1, growth: 1 })).toEqual([])
  })
})
