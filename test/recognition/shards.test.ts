import { describe, expect, it } from 'vitest'
import { openDatabase } from '../../src/kernel/database/open.ts'
import { inTurns, type Steps } from '../../src/kernel/scheduler.ts'
import { CodeIndex } from '../../src/recognition/index/code-index.ts'
import {
  type FoundRecording,
  joinIndexes,
  type SearchedDatabase,
} from '../../src/recognition/index/joined-index.ts'
import { RecordingStore } from '../../src/recognition/recording-store.ts'
import { identifySound } from '../../src/recognition/search/identifying.ts'
import { type MatchFinding, matchCodes } from '../../src/recognition/search/match.ts'
import type { RankedQuery } from '../../src/recognition/search/query.ts'
import { type MatchRules, rulesOf } from '../../src/recognition/search/rules.ts'
import type { Shortlisted } from '../../src/recognition/search/shortlist.ts'
import { AskedShard } from '../../src/recognition/shards/asked-shard.ts'
import { packNumbers, packQuery, unpackQuery } from '../../src/recognition/shards/packed.ts'
import type { Shard } from '../../src/recognition/shards/shards-view.ts'
import { readShortlist, shortlistMessage } from '../../src/recognition/shards/shortlist-message.ts'
import type { Codes, Lookup } from '../../src/recognition/systems/codes.ts'
import { ParameterError } from '../../src/values/errors.ts'
import { addRecording, addSong } from '../support/made-recordings.ts'
import { seeded } from '../support/music.ts'
import { tracesOf } from '../support/prints.ts'
import { tune } from '../support/tune.ts'

const FAMILY = 'triplets'
const { signal } = new AbortController()

/** Codes at rising times, of few different ones: most songs have some in common. */
function made(random: () => number, count: number, different: number): Codes {
  return {
    codes: Uint32Array.from({ length: count }, () => Math.floor(different * random() ** 3)),
    times: Uint32Array.from({ length: count }, (_, i) => 3 * i + Math.floor(3 * random())),
  }
}

/** Other codes in the place of some, and some later. */
function changed({ codes, times }: Codes, share: number, random: () => number): Codes {
  return {
    codes: codes.map((code) => (random() < share ? Math.floor(1e6 * random()) : code)),
    times: times.map((time) => (random() < share / 4 ? time + 5 : time)),
  }
}

function placeOf(
  name: string,
  songs: readonly Codes[],
): SearchedDatabase & { store: RecordingStore } {
  const db = openDatabase(':memory:')
  const store = new RecordingStore(db)
  store.atomically(() => {
    for (const [i, codes] of songs.entries()) {
      const songId = `${name}-${i >> 1}`
      if (i % 2 === 0) addSong(db, songId)
      addRecording(store, { triplets: codes }, { songId, duration: 100 + i })
    }
  })
  return { name, store, recordings: store, index: new CodeIndex(store) }
}

/** The same index in another process: all that is asked and answered goes over the wire's form. */
function served({ name, store, index }: ReturnType<typeof placeOf>): Shard {
  const asked = new AskedShard(store, index)
  const { songs: end } = asked.sizeOfIndex()
  return {
    name: name!,
    songs: end,
    frequencies: (family, codes) => asked.readFrequencies(family, codes, signal),
    shortlist: async ({ family, query, codes, rules, songs }) => {
      const there = unpackQuery(packQuery(query, codes), { ...query, songs })
      const given = { family, query: there, codes: there.order.length, rules }
      const message = shortlistMessage(await asked.shortlistSongs(given, end, signal))
      return readShortlist(JSON.parse(JSON.stringify(message)))
    },
  }
}

/** What a search finds in several indexes, with the names of the songs. */
async function found(
  places: readonly (SearchedDatabase | Shard)[],
  codes: Codes,
  rules: MatchRules,
): Promise<MatchFinding<unknown>> {
  const view = joinIndexes(places)
  const ids = new Map<string, number>()
  const numberOf = (recording: number) => {
    const id = view.byId(recording)?.songId ?? ''
    if (!ids.has(id)) ids.set(id, ids.size)
    return ids.get(id)!
  }
  const steps = matchCodes(codes, view.lookup(FAMILY), rules, numberOf)
  const finding = await inTurns(view.readInSteps(steps), signal)
  const named = finding.accepted.map((one) => ({ ...one, ...view.byId(one.song) }))
  return { ...finding, accepted: named }
}

describe('indexes in other processes', () => {
  const random = seeded(11)
  const songs = Array.from({ length: 360 }, () => made(random, 150, 4_000))
  // Copies of some in other places.
  for (let i = 0; i < 40; i++) songs[200 + i] = changed(songs[i]!, 0.1, random)
  const [a, b, c, d] = [
    placeOf('a', songs.slice(0, 20)),
    placeOf('b', songs.slice(20, 150)),
    placeOf('c', songs.slice(150, 300)),
    placeOf('d', songs.slice(300)),
  ] as const
  const queries = Array.from({ length: 24 }, (_, i) => {
    const { codes, times } = songs[(i * 17) % 360]!
    const from = 40 + (i % 30)
    const piece = { codes: codes.slice(from, from + 60), times: times.slice(from, from + 60) }
    return i % 4 === 3 ? made(random, 60, 4_000) : changed(piece, 0.15 * (i % 4), random)
  })
  const usual = rulesOf(FAMILY)
  const rules: readonly MatchRules[] = [
    { ...usual, passes: [10, 30] },
    { ...usual, shortlist: 3, passes: [], rates: [0.99, 1, 1.01] },
    // Only few codes are looked up, and many songs tie.
    { ...usual, shortlist: 2, passes: [4], budget: 60, surprise: 0, lead: 0 },
  ]

  it.each([
    ['the last ones', [a, b, served(c), served(d)]],
    ['the ones in the middle', [a, served(b), served(c), d]],
    ['all but one', [a, served(b), served(c), served(d)]],
    ['all', [served(a), served(b), served(c), served(d)]],
  ] as const)('answer as if they were at hand: %s', async (_what, places) => {
    let accepted = 0
    let refused = 0
    for (const one of rules) {
      for (const query of queries) {
        const there = await found(places, query, one)
        expect(there).toEqual(await found([a, b, c, d], query, one))
        accepted += there.accepted.length
        refused += there.refused.length
      }
    }
    expect(accepted).toBeGreaterThan(24)
    expect(refused).toBeGreaterThan(8)
  })

  it('count only the recordings that there were when the search began', async () => {
    const place = placeOf('e', songs.slice(0, 4))
    const shard = served(place)
    const songIds = async (one: Shard) => {
      const { accepted } = await found([shard, one], queries[0]!, usual)
      return accepted.map((song) => (song as FoundRecording).songId)
    }
    const other = placeOf('f', songs.slice(10, 14))
    const before = served(other)
    addRecording(other.store, { triplets: queries[0]! }, { songId: 'f-0' })
    expect(await songIds(before)).toEqual(['e-0'])
    expect(await songIds(served(other))).toEqual(['e-0', 'f-0'])
  })

  it('are all asked at once, and a failure is told while the index at hand is searched', async () => {
    const begun: string[] = []
    const failing = (name: string): Shard => ({
      ...served(c),
      name,
      shortlist: async () => {
        begun.push(name)
        await new Promise(setImmediate)
        throw new Error(`${name} is away`)
      },
    })
    const search = found([a, failing('x'), failing('y')], queries[0]!, usual)
    await expect(search).rejects.toThrow('x is away')
    expect(begun).toEqual(['x', 'y'])
  })
})

it('what nobody knows takes few round trips, though it is looked for in many ways', () => {
  const prints = { ...tracesOf(tune({ seed: 50 })), chroma: made(seeded(1), 20, 1_000) }
  const empty: Shard = {
    ...{ name: 'x', songs: 5 },
    frequencies: (_family, codes) => Promise.resolve(codes.map(() => 1)),
    shortlist: async () => [],
  }
  const view = joinIndexes([empty])
  const asked = view.readInSteps(identifySound(prints, view.lookup))
  let waits = 0
  const run = async () => {
    for (let step = asked.next(); !step.done; step = asked.next()) {
      if (!step.value) continue
      waits++
      await step.value
    }
    expect(waits).toBeLessThanOrEqual(20)
    expect(waits).toBeGreaterThanOrEqual(10)
  }
  return run()
})

it('a shard that fails before it is waited for is no unhandled rejection', async () => {
  const failing: Shard = {
    ...{ name: 'x', songs: 1, frequencies: async () => [] },
    shortlist: async () => {
      throw new Error('x is away')
    },
  }
  const turn = () => new Promise(setImmediate)
  function* own(): Steps<Shortlisted[]> {
    yield
    return []
  }
  const { elsewhere } = joinIndexes([failing]).lookup(FAMILY)
  const steps = elsewhere!.joining(own(), {} as RankedQuery, 1, rulesOf(FAMILY))
  expect(steps.next()).toEqual({ done: false, value: undefined })
  await turn()
  await expect(steps.next().value).rejects.toThrow('x is away')
})

describe('how frequent a code is in all indexes', () => {
  /** An index of so many songs, in which code 1 has so many postings; and the codes it was asked for. */
  const many = (songs: number, postings: number) => {
    const asked: number[] = []
    const frequency = (code: number) => {
      asked.push(code)
      return code === 1 ? postings : 0
    }
    return { songs, frequency, asked }
  }
  type Many = ReturnType<typeof many>
  const place = ({ songs, frequency }: Many): SearchedDatabase => {
    const lookup: Lookup = {
      ...{ songs, frequency },
      postings: () => ({ songs: new Uint32Array(0), times: new Uint32Array(0), length: 0 }),
    }
    const recordings = new RecordingStore(openDatabase(':memory:'))
    return { recordings, index: { openLookups: () => () => lookup } as unknown as CodeIndex }
  }
  const shard = ({ songs, frequency }: Many): Shard => ({
    ...{ name: 'shard', songs },
    frequencies: async (_family, codes) => Array.from(codes, frequency),
    shortlist: async () => [],
  })
  const codes = Uint32Array.of(1, 2)
  const frequencies = async (places: readonly (SearchedDatabase | Shard)[]) => {
    const { elsewhere } = joinIndexes(places).lookup(FAMILY)
    return Array.from(await inTurns(elsewhere!.frequencies(codes), signal))
  }

  const SIZES = [
    '1000:2 3000:5 2000:0',
    '2000:1 100000:20 98000:33',
    '60000:0 60001:0 10:1 20:0',
    '30000:3 30000:4 29000:90',
    '60000:0 10:3 10:5',
  ]
  it.each(SIZES)('is what one index of all says: %s', async (sizes) => {
    const all = sizes.split(' ').map((one) => {
      const [songs, postings] = one.split(':')
      return many(Number(songs), Number(postings))
    })
    const lookup = joinIndexes(all.map(place)).lookup(FAMILY)
    const expected = [...codes].map((code) => lookup.frequency(code))
    expect(await frequencies(all.map(shard))).toEqual(expected)
    const mixed = all.map((one, i) => (i % 2 === 0 ? shard(one) : place(one)))
    expect(await frequencies(mixed)).toEqual(expected)
  })

  it('is asked of the largest, and of the others only for codes that none of these has', async () => {
    const [own, one, other] = [many(2_000, 1), many(100_000, 20), many(98_000, 33)]
    await frequencies([place(own), shard(one), shard(other)])
    expect([one.asked, other.asked, own.asked]).toEqual([[1, 2], [2], [2]])
  })
})

describe('what is asked of another process', () => {
  const limits = { origin: 0, last: 1_000, songs: 10 }

  it('is refused when it is cut off, or asks for too much', () => {
    expect(() => unpackQuery(packNumbers([5, 1, 3, 7]), limits)).toThrow(ParameterError)
    const many = new Array(3 * 500_001).fill(0)
    expect(() => unpackQuery(packNumbers(many), limits)).toThrow('at most 500,000')
  })

  it('is refused when its codes are in every song', async () => {
    const length = 6_000_000
    const postings = { songs: new Uint32Array(length), times: new Uint32Array(length), length }
    const lookup: Lookup = { songs: 1, frequency: () => length, postings: () => postings }
    const recordings = new RecordingStore(openDatabase(':memory:'))
    const index = { openLookups: () => () => lookup } as unknown as CodeIndex
    const query = unpackQuery(packNumbers([5, 1, 1, 7, 5, 1, 1, 8]), limits)
    const asked = { family: FAMILY, query, codes: 2, rules: rulesOf(FAMILY) } as const
    const found = new AskedShard(recordings, index).shortlistSongs(asked, 1, signal)
    await expect(found).rejects.toThrow('occur more than 10,000,000 times')
  })
})
