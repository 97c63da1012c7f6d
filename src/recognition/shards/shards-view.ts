import type { Steps } from '../../kernel/scheduler.ts'
import { type RankedQuery, readFrequencies } from '../search/query.ts'
import {
  joinShortlists,
  type RemoteIndexes,
  type Shortlisted,
  type ShortlistRules,
} from '../search/shortlist.ts'
import type { Lookup } from '../systems/codes.ts'
import type { Family } from '../systems/version.ts'

/**
 * Enough recordings to estimate how frequent a code is: each question costs a read in every index.
 */
export const ENOUGH_SONGS = 50_000

export interface ShardSong extends Shortlisted {
  /** Null when the recording was removed meanwhile. */
  songId: string | null
  duration: number | null
}

/** The index of another process; the call's signal aborts its requests. */
export interface Shard {
  readonly name: string
  /** All numbers of its recordings are below this. */
  readonly songs: number
  frequencies(family: Family, codes: Uint32Array): Promise<ArrayLike<number>>
  shortlist(asked: ShardQuery): Promise<ShardSong[]>
}

export interface ShardQuery {
  family: Family
  query: RankedQuery
  codes: number
  rules: ShortlistRules
  /** How many songs all indexes hold. */
  songs: number
}

interface LocalIndexes {
  songs: number
  lookups: readonly { lookup: Lookup; base: number }[]
  numberOf(song: number): number
}

export class ShardsView {
  /** Recordings that were on a shortlist, by their numbers among all. */
  readonly #songsByNumber = new Map<
    number,
    { songId: string; duration: number | null; reference: string }
  >()

  /** Each shard has the first number of its recordings among all. */
  constructor(private readonly shards: readonly { shard: Shard; base: number }[]) {}

  byId(recording: number) {
    return this.#songsByNumber.get(recording)
  }

  searchWith(family: Family, { songs, lookups, numberOf }: LocalIndexes): RemoteIndexes {
    const largest = [...lookups, ...this.shards].sort(
      (one, other) => songsIn(other) - songsIn(one) || one.base - other.base,
    )
    return {
      songs,
      frequencies: (codes) => estimateFrequencies(family, codes, largest, songs),
      joining: (steps, query, codes, rules) =>
        this.#joinShortlist(steps, { family, query, codes, rules, songs }, numberOf),
    }
  }

  *#joinShortlist(
    steps: Steps<Shortlisted[]>,
    query: ShardQuery,
    numberOf: LocalIndexes['numberOf'],
  ): Steps<Shortlisted[]> {
    const answers = collectAnswers(this.shards.map(({ shard }) => shard.shortlist(query)))
    const localSongs = yield* steps
    const songs = localSongs.map((song) => withSongNumber(song, numberOf(song.aligned.song)))
    yield answers.whenAll
    for (const [i, { shard, base }] of this.shards.entries()) {
      for (const { songId, duration, ...shardSong } of answers.values[i]!) {
        const song = base + shardSong.aligned.song
        if (songId !== null)
          this.#songsByNumber.set(song, { songId, duration, reference: shard.name })
        songs.push(withSongNumber(shardSong, song))
      }
    }
    return joinShortlists(songs, query.rules.shortlist)
  }
}

function withSongNumber({ aligned, held, rank }: Shortlisted, song: number): Shortlisted {
  return { aligned: { ...aligned, song }, held, rank }
}

type IndexPart = { lookup: Lookup } | { shard: Shard }

function songsIn(part: IndexPart): number {
  return 'shard' in part ? part.shard.songs : part.lookup.songs
}

/** The largest indexes are asked for all codes, the others only for codes that none has. */
function* estimateFrequencies(
  family: Family,
  codes: Uint32Array,
  largest: readonly IndexPart[],
  songs: number,
): Steps<Float64Array> {
  let askedSongs = 0
  let first = 0
  while (first < largest.length && askedSongs < ENOUGH_SONGS)
    askedSongs += songsIn(largest[first++]!)
  const counts = yield* askFrequencies(family, codes, largest.slice(0, first))
  const sums = Float64Array.from(codes, (_, i) => counts.reduce((sum, all) => sum + all[i]!, 0))
  const rare = codes.filter((_, i) => sums[i] === 0)
  const others = largest.slice(first)
  const otherCounts = rare.length > 0 ? yield* askFrequencies(family, rare, others) : []
  let next = 0
  return sums.map((sum) => {
    let count = sum
    let songsAsked = askedSongs
    const place = count === 0 ? next++ : -1
    for (let part = 0; count === 0 && part < otherCounts.length; part++) {
      count += otherCounts[part]![place]!
      songsAsked += songsIn(others[part]!)
    }
    return count === 0 ? 0 : Math.ceil((count * songs) / songsAsked)
  })
}

/** Shards are asked first; local indexes are read while these answer. */
function* askFrequencies(
  family: Family,
  codes: Uint32Array,
  parts: readonly IndexPart[],
): Steps<ArrayLike<number>[]> {
  const answers = collectAnswers(
    parts.flatMap((part) => ('shard' in part ? [part.shard.frequencies(family, codes)] : [])),
  )
  const localCounts: Uint32Array[] = []
  for (const part of parts) {
    if ('lookup' in part) localCounts.push(yield* readFrequencies(part.lookup, codes))
  }
  yield answers.whenAll
  const shardCounts = [...answers.values]
  return parts.map((part) => ('shard' in part ? shardCounts : localCounts).shift()!)
}

/** A failure before `all` is awaited is thrown only then. */
function collectAnswers<T>(promises: readonly Promise<T>[]): {
  whenAll: Promise<unknown>
  values: T[]
} {
  const values: T[] = []
  const all = Promise.all(promises).then((answers) => values.push(...answers))
  all.catch(() => {})
  return { whenAll: all, values }
}
