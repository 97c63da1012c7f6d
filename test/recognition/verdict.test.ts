import { describe, expect, it } from 'vitest'
import { lengthPenalty } from '../../src/naming/candidates.ts'
import { type Evidence, lengthsApart, lengthsOf } from '../../src/recognition/evidence.ts'
import type { Family } from '../../src/recognition/systems/version.ts'
import {
  areCopies,
  type Circumstance,
  demandOf,
  fillsWholeFile,
  isConfirmed,
  isMatch,
  isNamedMatch,
  isSameRecord,
  isTaggedSong,
  surpriseOf,
} from '../../src/recognition/verdict.ts'

/** Evidence that every verdict accepts. */
const CLEAR: Evidence = {
  system: 'echoprint',
  score: 50,
  agreeing: 60,
  chance: 0.5,
  codes: 0.5,
  aligned: 1,
  offset: 12,
  speed: 1,
  pitch: 0,
  lead: 1,
  lengths: { query: 200, recording: 200 },
  names: { title: true, artist: true },
}

/** Least score in 1,000 songs, and least share of the codes. */
const LEAST: [Family, Circumstance, score: number, codes: number][] = [
  ['enmfp', 'alone', 12.3, 0.01],
  ['chroma', 'alone', 8, 0.01],
  ['chroma', 'besideLandmarks', 20, 0.025],
  ['echoprint40', 'alone', 12.3, 0.01],
  ['echoprint', 'alone', 12.3, 0.01],
  ['echoprint', 'besideLandmarks', 30.75, 0.025],
  ['echoprint', 'named', 6.15, 0.005],
]

describe('codes that agree are of the recording', () => {
  it.each(LEAST)(
    '%s, %s: from a score of %d and a share of %d on',
    (system, known, score, codes) => {
      const demand = demandOf(system, known)
      const just = { score, codes: codes * 1.0001, lead: 0.4, chance: 0.5 }
      expect(isMatch({ ...just, score: score * 1.0001 }, demand, 1_000)).toBe(true)
      expect(isMatch({ ...just, score: score * 0.999 }, demand, 1_000)).toBe(false)
      const few = { ...just, score: score + 1, codes: codes * 0.999 }
      expect(isMatch(few, demand, 1_000)).toBe(false)
    },
  )

  const demand = demandOf('echoprint')

  it('if the next other recording falls behind', () => {
    expect(isMatch({ ...CLEAR, lead: 0.4 }, demand, 1_000)).toBe(true)
    expect(isMatch({ ...CLEAR, lead: 0.39 }, demand, 1_000)).toBe(false)
  })

  it.each([
    [1, 12.3 + 0.5 * Math.log2(0.1)],
    [100, 12.3 + 0.5 * Math.log2(0.1)],
    [1_000, 12.3],
    [2_000, 12.8],
    [1_024_000, 17.3],
  ])('by a score that grows with the index: of %d songs, %d', (songs, least) => {
    const with_ = (score: number) => isMatch({ ...CLEAR, score }, demand, songs)
    expect([with_(least + 0.01), with_(least - 0.01)]).toEqual([true, false])
  })
})

describe('triplets must agree more than can be expected', () => {
  const demand = demandOf('triplets')
  const of = (score: number, chance: number, next: number, songs = 1_000) =>
    isMatch({ score, codes: 1e-4, chance, lead: 1 - next / score }, demand, songs)

  it.each([
    // The score, what chance brings, and what the next other recording has.
    [4.2, 0, 0, true],
    [4.1, 0, 0, false],
    [5.7, 0.05, 1, true],
    [5.3, 0.05, 1, false],
    [5.7, 1, 1, false],
    [6.9, 0.05, 2, true],
    [6.4, 0.05, 2, false],
    // Chords that are held, or bars that are repeated, agree at many offsets.
    [8.7, 2, 3, false],
    [30, 12, 3, true],
  ])('%d, where chance brings %d and the next has %d: %s', (score, chance, next, accepted) => {
    expect(of(score, chance, next)).toBe(accepted)
    // What an index of any size holds shows in the next.
    expect(of(score, chance, next, 10 ** 6)).toBe(accepted)
  })

  it('and their surprise is measured', () => {
    expect(surpriseOf({ score: 4, chance: 0, lead: 1 })).toBeCloseTo(4 * Math.log(2))
    expect(surpriseOf({ score: 1, chance: 0, lead: 1 })).toBe(0)
    expect(surpriseOf({ score: 100, chance: 0, lead: 0.39 })).toBeGreaterThan(demand.surprise)
    expect(of(100, 0, 61)).toBe(false)
  })

  it('and a tenth of it for where to look closer', () => {
    const guess = demandOf('triplets', 'guess')
    const guessed = (score: number) => isMatch({ score, codes: 0, chance: 0.1, lead: 1 }, guess, 1)
    expect([guessed(2.4), guessed(2.3)]).toEqual([true, false])
    expect(demandOf('triplets', 'transformed')).toEqual(demand)
    expect(demandOf('triplets', 'fewLandmarks')).toEqual(demand)
  })
})

describe('two systems count together', () => {
  /** Half of what each must have in 1,000 songs. */
  const triplets = { ...CLEAR, system: 'triplets' as const, score: 3.22, chance: 0, lead: 1 }
  const echoprint = { ...CLEAR, score: 6.2 }

  it('if what both have is enough', () => {
    expect(isMatch(triplets, demandOf('triplets'), 1_000)).toBe(false)
    expect(isMatch(echoprint, demandOf('echoprint'), 1_000)).toBe(false)
    expect(isConfirmed(triplets, echoprint, 1_000)).toBe(true)
    expect(isConfirmed(triplets, { ...echoprint, score: 5.9 }, 1_000)).toBe(false)
    expect(isConfirmed({ ...triplets, chance: 0.5 }, echoprint, 1_000)).toBe(false)
    // More is asked of Echoprint in a larger index.
    expect(isConfirmed(triplets, echoprint, 4_000)).toBe(false)
    expect(isConfirmed(triplets, { ...echoprint, codes: 0.004 }, 1_000)).toBe(false)
  })

  it('if they place the query at one offset', () => {
    expect(isConfirmed(triplets, { ...echoprint, offset: 12.5 }, 1_000)).toBe(true)
    expect(isConfirmed(triplets, { ...echoprint, offset: 11.4 }, 1_000)).toBe(false)
  })

  it('if each has its recording lead', () => {
    const strong = { ...echoprint, score: 13 }
    expect(isConfirmed({ ...triplets, score: 1 }, strong, 1_000)).toBe(true)
    expect(isConfirmed({ ...triplets, score: 1 }, { ...strong, lead: 0.3 }, 1_000)).toBe(false)
  })
})

describe('two songs are copies', () => {
  const upTo = (end: number, from = 0) =>
    new Set(Array.from({ length: end - from }, (_, i) => from + i))

  it('if they have two fifths of the codes in common, of those of either', () => {
    expect(areCopies(upTo(10), upTo(16, 6))).toBe(true)
    expect(areCopies(upTo(10), upTo(17, 7))).toBe(false)
    // A part of another song is no copy of it.
    expect(areCopies(upTo(4), upTo(10))).toBe(true)
    expect(areCopies(upTo(3), upTo(10))).toBe(false)
    expect(areCopies(upTo(10), upTo(3))).toBe(false)
  })
})

describe('a whole file is a recording', () => {
  it('if seven tenths of it agree', () => {
    expect(fillsWholeFile({ ...CLEAR, aligned: 0.7 })).toBe(true)
    expect(fillsWholeFile({ ...CLEAR, aligned: 0.69 })).toBe(false)
  })

  it('if the shorter of them is three fifths of the longer at least', () => {
    const of = (query?: number, recording?: number) =>
      fillsWholeFile({ aligned: 1, lengths: lengthsOf(query, recording) })
    expect([of(60, 100), of(100, 60), of(60), of(undefined, 60), of(), of(0, 0)]).toEqual(
      Array(6).fill(true),
    )
    expect(of(59, 100)).toBe(false)
    expect(of(100, 59)).toBe(false)
  })
})

describe('names make up for a low score', () => {
  const low: Evidence = { ...CLEAR, score: 7, codes: 0.006 }

  it('of half what is asked without them', () => {
    expect(isMatch(low, demandOf('echoprint'), 1_000)).toBe(false)
    expect(isNamedMatch(low, 1_000)).toBe(true)
    expect(isNamedMatch({ ...low, score: 6 }, 1_000)).toBe(false)
    expect(isNamedMatch({ ...low, codes: 0.004 }, 1_000)).toBe(false)
    expect(isNamedMatch({ ...low, lead: 0.1 }, 1_000)).toBe(false)
    // In a larger index more is asked of it, too.
    expect(isNamedMatch(low, 64_000)).toBe(false)
  })

  it.each([
    [{ title: true, artist: true }, true],
    [{ title: true, artist: false }, false],
    [{ title: true }, false],
    [{ title: false, artist: true }, false],
    [{ artist: true }, false],
    [{}, false],
  ])('if both are known and agree: %o', (names, accepted) => {
    expect(isNamedMatch({ ...low, names }, 1_000)).toBe(accepted)
  })

  it('if the query is not longer than the song', () => {
    const of = (query?: number, recording?: number) =>
      isNamedMatch({ ...low, lengths: lengthsOf(query, recording) }, 1_000)
    expect([of(210, 200), of(8, 200), of(210), of(undefined, 200), of()]).toEqual(
      Array(5).fill(true),
    )
    expect(of(211, 200)).toBe(false)
  })
})

describe('a file whose sound is not known is the song that its tags name', () => {
  const lengths = { query: 210, recording: 200 }

  it('by an id, whatever else they are', () => {
    expect(
      isTaggedSong({ byId: true, indexed: true, lengths: { query: 1, recording: 9_999 } }),
    ).toBe(true)
  })

  it('by names, if the song has no sound to be recognised by', () => {
    expect(isTaggedSong({ byId: false, indexed: false, lengths })).toBe(true)
    expect(isTaggedSong({ byId: false, indexed: true, lengths })).toBe(false)
  })

  it('and their lengths are those of masterings of one recording', () => {
    const of = (query?: number, recording?: number) =>
      isTaggedSong({ byId: false, indexed: false, lengths: lengthsOf(query, recording) })
    expect([of(190, 200), of(200), of(undefined, 200), of()]).toEqual(Array(4).fill(true))
    expect(of(211, 200)).toBe(false)
    expect(of(189, 200)).toBe(false)
  })
})

describe('two records of one name are one song', () => {
  const of = (query?: number, recording?: number, artist = true) =>
    isSameRecord({ names: { artist }, lengths: lengthsOf(query, recording) })

  it('if their artists are credited alike', () => {
    expect(of(200, 200)).toBe(true)
    expect(of(200, 200, false)).toBe(false)
    expect(isSameRecord({ names: {}, lengths: {} })).toBe(false)
  })

  it('and their lengths are the same, or both unknown', () => {
    expect([of(203, 200), of(197, 200), of()]).toEqual(Array(3).fill(true))
    expect(of(204, 200)).toBe(false)
    expect(of(196, 200)).toBe(false)
    expect(of(200)).toBe(false)
    expect(of(undefined, 200)).toBe(false)
  })
})

describe('lengths', () => {
  it.each([
    [200, 210, 0],
    [210, 200, 0],
    [200, 220, 0.5],
    [200, 230, 1],
    [200, 400, 1],
    [200, 401, Number.POSITIVE_INFINITY],
    [401, 200, Number.POSITIVE_INFINITY],
    // Short recordings differ by no more than versions do.
    [10, 40, 1],
    [10, 41, Number.POSITIVE_INFINITY],
  ])('of %d and %d s speak against one recording: %d', (query, recording, penalty) => {
    expect(lengthPenalty({ query, recording })).toBe(penalty)
    expect(lengthPenalty({ query })).toBe(0)
  })

  it('are apart where both are known', () => {
    expect(lengthsApart({ query: 3, recording: 5 })).toBe(2)
    expect(lengthsApart({ query: 3 })).toBeUndefined()
    expect(lengthsOf(null, undefined)).toEqual({})
    expect(lengthsOf(0, null)).toEqual({ query: 0 })
  })
})
