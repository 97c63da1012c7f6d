import { z } from 'zod'
import type { ServedReference } from '../recognition/shards/served-reference.ts'
import type { AskedBuckets } from './buckets.ts'
import { songOfItem } from './find-song.ts'
import { ownTracksOf } from './own-track-store.ts'
import type { SongRoom } from './room.ts'
import type { ShardSongAnswer, WantedSong } from './shard.ts'
import { itemBlocks, type SongAnswer } from './song-answer.ts'

const answersSchema = z.array(
  z
    .looseObject({
      song: z.looseObject({ id: z.string(), title: z.string() }),
      length: z.number().nullable(),
      spaces: z.array(z.string()),
    })
    .nullable(),
)

const SONGS_PER_CALL = 500

interface WantedIds {
  ids: readonly string[]
  trackIds?: readonly string[]
}

/** With the catalog items and tracks of this database. */
export async function servedSongs(
  room: Pick<SongRoom, 'catalogs' | 'ownTracks' | 'files'>,
  reference: ServedReference,
  { ids, trackIds = [] }: WantedIds,
  askedBuckets: AskedBuckets,
  signal: AbortSignal,
): Promise<ShardSongAnswer[]> {
  // Only this database knows the items of its catalogs.
  const wantedSongs: WantedSong[] = [
    ...ids.map((id) => ({ id: songOfItem(room, id) ?? id })),
    ...trackIds.map((trackId) => {
      const id = songOfItem(room, trackId)
      return id === undefined ? { trackId } : { id }
    }),
  ]
  const bucket = [...askedBuckets.named, ...askedBuckets.spaces.map((space) => `id:${space}`)]
  const servedAnswers: ShardSongAnswer[] = []
  for (let offset = 0; offset < wantedSongs.length; offset += SONGS_PER_CALL) {
    const params = { songs: wantedSongs.slice(offset, offset + SONGS_PER_CALL), bucket }
    const answers = await reference.askServers('song/shard-songs', params, readAnswers, signal)
    for (const answer of answers) {
      if (answer)
        servedAnswers.push({ ...answer, song: withLocalParts(room, answer.song, askedBuckets) })
    }
  }
  return servedAnswers
}

function readAnswers(answer: unknown): (ShardSongAnswer | null)[] {
  return answersSchema.parse(answer) as (ShardSongAnswer | null)[]
}

function withLocalParts(
  room: Pick<SongRoom, 'catalogs' | 'ownTracks' | 'files'>,
  song: SongAnswer,
  { named, spaces }: AskedBuckets,
): SongAnswer {
  const answer = { ...song }
  if (named.has('own_tracks')) answer.ownTracks = ownTracksOf(room, song.id)
  if (spaces.length > 0) {
    answer.foreignIds = spaces.flatMap((space) => {
      const items = itemBlocks(room, space, song.id)
      if (items.length > 0) return items
      return (song.foreignIds ?? []).filter(({ catalog }) => catalog === space)
    })
  }
  return answer
}
