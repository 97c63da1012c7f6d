import type { Steps } from '../../kernel/scheduler.ts'
import { frequenciesIn, type Query } from '../search/query.ts'
import {
  type Elsewhere,
  type Shortlisted,
  type ShortlistRules,
  shortlistOf,
} from '../search/shortlist.ts'
import type { Lookup } from '../systems/codes.ts'
import type { Family } from '../systems/version.ts'

/**
 * Indexes with so many recordings together are enough to estimate how frequent a code is in all. A
 * search asks for the frequencies of all its codes, and each costs a read in every index.
 */
export const ENOUGH = 50_000

export interface ShardSong extends Shortlisted {
  /** Null when the recording was removed meanwhile. */
  songId: string | null
  /** Seconds. */
  duration: number | null
}

/** The index of another process, as a search uses it. The call's signal aborts its requests. */
export interface Shard {
  readonly name: string
  /** All numbers of its recordings are below this. */
  readonly songs: number
  /** How many postings each code has there; the codes ascend. */
  frequencies(family: Family, codes: Uint32Array): Promise<ArrayLike<number>>
  /** The songs there that hold the most of the rarest codes. */
  shortlist(asked: ShardQuery): Promise<ShardSong[]>
}

/** A search in a shard, by the rarest codes of a query. */
export interface ShardQuery {
  family: Family
  query: Query
  /** How many codes. */
  codes: number
  rules: ShortlistRules
  /** How many songs all indexes hold. */
  songs: number
}

/** The local indexes, of one family. */
interface AtHand {
  /** How many songs all indexes hold, local or not. */
  songs: number
  own: readonly { lookup: Lookup; base: number }[]
  /** The number that a local song has among all songs. */
  numberOf(song: number): number
}

/** The shards of one view of several indexes. */
export class ShardsView {
  /** What is known of the recordings that were on a shortlist, by their numbers among all. */
  readonly #known = new Map<
    number,
    { songId: string; duration: number | null; reference: string }
  >()

  /** @param shards - each with the first number of its recordings among all */
  constructor(private readonly shards: readonly { shard: Shard; base: number }[]) {}

  byId(recording: number) {
    return this.#known.get(recording)
  }

  of(family: Family, { songs, own, numberOf }: AtHand): Elsewhere {
    const largest = [...own, ...this.shards].sort(
      (one, other) => sizeOf(other) - sizeOf(one) || one.base - other.base,
    )
    return {
      songs,
      frequencies: (codes) => frequenciesOf(family, codes, largest, songs),
      joining: (steps, query, codes, rules) =>
        this.#joining(steps, { family, query, codes, rules, songs }, numberOf),
    }
  }

  *#joining(
    steps: Steps<Shortlisted[]>,
    asked: ShardQuery,
    numberOf: AtHand['numberOf'],
  ): Steps<Shortlisted[]> {
    const answers = awaited(this.shards.map(({ shard }) => shard.shortlist(asked)))
    const own = yield* steps
    const found = own.map((one) => numbered(one, numberOf(one.aligned.song)))
    yield answers.all
    for (const [i, { shard, base }] of this.shards.entries()) {
      for (const { songId, duration, ...one } of answers.values[i]!) {
        const song = base + one.aligned.song
        if (songId !== null) this.#known.set(song, { songId, duration, reference: shard.name })
        found.push(numbered(one, song))
      }
    }
    return shortlistOf(found, asked.rules.shortlist)
  }
}

function numbered({ aligned, held, rank }: Shortlisted, song: number): Shortlisted {
  return { aligned: { ...aligned, song }, held, rank }
}

type Part = { lookup: Lookup } | { shard: Shard }

function sizeOf(part: Part): number {
  return 'shard' in part ? part.shard.songs : part.lookup.songs
}

/**
 * Estimates how frequent codes are in all indexes: the largest indexes are asked for all codes, the
 * others only for codes that none of these has.
 */
function* frequenciesOf(
  family: Family,
  codes: Uint32Array,
  largest: readonly Part[],
  songs: number,
): Steps<Float64Array> {
  let asked = 0
  let first = 0
  while (first < largest.length && asked < ENOUGH) asked += sizeOf(largest[first++]!)
  const counts = yield* askedAll(family, codes, largest.slice(0, first))
  const sums = Float64Array.from(codes, (_, i) => counts.reduce((sum, all) => sum + all[i]!, 0))
  const rare = codes.filter((_, i) => sums[i] === 0)
  const others = largest.slice(first)
  const rest = rare.length > 0 ? yield* askedAll(family, rare, others) : []
  let next = 0
  return sums.map((sum) => {
    let found = sum
    let among = asked
    const place = found === 0 ? next++ : -1
    for (let part = 0; found === 0 && part < rest.length; part++) {
      found += rest[part]![place]!
      among += sizeOf(others[part]!)
    }
    return found === 0 ? 0 : Math.ceil((found * songs) / among)
  })
}

/** The answers of some parts: shards are asked first; local indexes are read while these answer. */
function* askedAll(
  family: Family,
  codes: Uint32Array,
  parts: readonly Part[],
): Steps<ArrayLike<number>[]> {
  const answers = awaited(
    parts.flatMap((part) => ('shard' in part ? [part.shard.frequencies(family, codes)] : [])),
  )
  const own: Uint32Array[] = []
  for (const part of parts) {
    if ('lookup' in part) own.push(yield* frequenciesIn(part.lookup, codes))
  }
  yield answers.all
  const theirs = [...answers.values]
  return parts.map((part) => ('shard' in part ? theirs : own).shift()!)
}

/** Answers to wait for later; a failure before that is thrown only when `all` is awaited. */
function awaited<T>(promises: readonly Promise<T>[]): { all: Promise<unknown>; values: T[] } {
  const values: T[] = []
  const all = Promise.all(promises).then((found) => values.push(...found))
  all.catch(() => {})
  return { all, values }
}
