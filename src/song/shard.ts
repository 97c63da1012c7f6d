import { z } from 'zod'
import type { CatalogIds } from '../catalog/lookup-store.ts'
import { method } from '../kernel/method.ts'
import { MAX_RECORDINGS } from '../recognition/index/layout.ts'
import { packNumbers, unpackCodes, unpackQuery } from '../recognition/shards/packed.ts'
import { type ShortlistMessage, shortlistMessage } from '../recognition/shards/shortlist-message.ts'
import { FAMILIES, type Family } from '../recognition/systems/version.ts'
import { songBucketParameter, splitBuckets } from './buckets.ts'
import { findSong, findSongOfTrack, isKnownIn } from './find-song.ts'
import type { SongRoom } from './room.ts'
import { describeSong, type SongAnswer } from './song-answer.ts'

/** Answers to engines that use this database as a reference; its own references are not asked. */

const MAX_SONGS = 1_000

const shardNumber = z.int().min(0)
const familySchema = z.enum(Object.keys(FAMILIES) as [Family, ...Family[]])
const packedBytes = z.instanceof(Uint8Array)

/** `song/shard-size` (ours): the end of the numbers of recordings, and whether some have system A codes. */
export const shardSize = method({
  name: 'song/shard-size',
  parameters: z.strictObject({}),
  run({ shard }: SongRoom): { songs: number; importedKeys: boolean } {
    return shard.sizeOfIndex()
  },
})

/** `song/shard-frequencies` (ours): how many postings each of some codes has, packed as numbers. */
export const shardFrequencies = method({
  name: 'song/shard-frequencies',
  parameters: z.strictObject({
    /** The system of fingerprints. */
    family: familySchema,
    /** Codes, packed. */
    codes: packedBytes,
  }),
  async run({ shard }: SongRoom, { family, codes }, { signal }): Promise<Uint8Array> {
    return packNumbers(await shard.readFrequencies(family, unpackCodes(codes), signal))
  },
})

/** `song/shard-shortlist` (ours): the songs with the most codes of a query, and their best alignments. */
export const shardShortlist = method({
  name: 'song/shard-shortlist',
  parameters: z.strictObject({
    /** The system of fingerprints. */
    family: familySchema,
    /** Only recordings with numbers below it count. */
    end: shardNumber.max(MAX_RECORDINGS),
    /** How many songs all indexes hold. */
    songs: shardNumber,
    /** The rarest codes, packed. */
    query: packedBytes,
    /** The earliest time of the whole query, from which its times count. */
    origin: shardNumber,
    /** Its latest time. */
    last: shardNumber,
    /** Width of a bin of time offsets. */
    bin: z.int().min(1).max(1_000),
    /** A code with this many pairs of times is too common to indicate an offset. */
    common: z.int().min(2).max(4_096),
    /** The number of songs whose time offsets are compared. */
    shortlist: z.int().min(1).max(100),
    /** Playing speeds to try. */
    rates: z.array(z.number().min(0.1).max(10)).min(1).max(100),
  }),
  async run({ shard }: SongRoom, params, { signal }): Promise<ShortlistMessage> {
    const { family, end, query: packed, origin, last, songs, ...rules } = params
    const query = unpackQuery(packed, { origin, last, songs })
    const request = { family, query, codes: query.order.length, rules }
    return shortlistMessage(await shard.shortlistSongs(request, end, signal))
  },
})

/** A song in the answer to an engine that uses this database as a reference. */
export interface ShardSongAnswer {
  song: SongAnswer
  /** Seconds, from its record. */
  length: number | null
  /** The requested id spaces in which it has an id or a track. */
  spaces: string[]
}

const NO_CATALOGS: CatalogIds = {
  findItem: () => undefined,
  itemIdsOfSong: () => [],
  itemIdsOfArtist: () => [],
  songIds: () => undefined,
}

/** By its id, or by that of a track that is a recording of it. */
const wantedSongSchema = z.union([
  z.strictObject({ id: z.string() }),
  z.strictObject({ trackId: z.string() }),
])
export type WantedSong = z.output<typeof wantedSongSchema>

/** `song/shard-songs` (ours): the known facts about songs; null for unknown songs. */
export const shardSongs = method({
  name: 'song/shard-songs',
  parameters: z.strictObject({
    /** The songs. */
    songs: z.array(wantedSongSchema).max(MAX_SONGS),
    /** As in `song/profile`. */
    bucket: songBucketParameter,
  }),
  run(room: SongRoom, { songs, bucket }): (ShardSongAnswer | null)[] {
    const context = { ...room, catalogs: NO_CATALOGS }
    const { named, spaces } = splitBuckets(bucket)
    const askedBuckets = {
      named: new Set([...named].filter((name) => name !== 'own_tracks')),
      spaces,
    }
    return songs.map((wanted) => {
      const num =
        'id' in wanted ? findSong(context, wanted.id) : findSongOfTrack(context, wanted.trackId)
      const row = num === undefined ? undefined : room.store.byNum(num)
      if (!row) return null
      return {
        song: describeSong(context, row, askedBuckets),
        length: row.songDuration,
        spaces: spaces.filter((space) => isKnownIn(room.store, row.num, space)),
      }
    })
  },
})
