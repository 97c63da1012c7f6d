import { z } from 'zod'
import type { ServedReference } from '../recognition/shards/served-reference.ts'
import type { Asked } from './buckets.ts'
import { songOfItem } from './find-song.ts'
import { ownTracksOf } from './own-track-store.ts'
import type { SongRoom } from './room.ts'
import type { ShardSongAnswer, WantedSong } from './shard.ts'
import { itemBlocks, type SongAnswer } from './song-answer.ts'

const answers = z.array(
  z
    .looseObject({
      song: z.looseObject({ id: z.string(), title: z.string() }),
      length: z.number().nullable(),
      spaces: z.array(z.string()),
    })
    .nullable(),
)

const AT_ONCE = 500

interface Wanted {
  ids: readonly string[]
  trackIds?: readonly string[]
}

/** The songs of a served reference, with the catalog items and tracks of this database. */
export async function servedSongs(
  room: Pick<SongRoom, 'catalogs' | 'ownTracks' | 'files'>,
  reference: ServedReference,
  { ids, trackIds = [] }: Wanted,
  asked: Asked,
  signal: AbortSignal,
): Promise<ShardSongAnswer[]> {
  // Only this database knows the items of its catalogs.
  const wanted: WantedSong[] = [
    ...ids.map((id) => ({ id: songOfItem(room, id) ?? id })),
    ...trackIds.map((trackId) => {
      const id = songOfItem(room, trackId)
      return id === undefined ? { trackId } : { id }
    }),
  ]
  const bucket = [...asked.named, ...asked.spaces.map((space) => `id:${space}`)]
  const found: ShardSongAnswer[] = []
  for (let from = 0; from < wanted.length; from += AT_ONCE) {
    const params = { songs: wanted.slice(from, from + AT_ONCE), bucket }
    const known = await reference.askServers('song/shard-songs', params, readAnswers, signal)
    for (const answer of known) {
      if (answer) found.push({ ...answer, song: withOwn(room, answer.song, asked) })
    }
  }
  return found
}

function readAnswers(answer: unknown): (ShardSongAnswer | null)[] {
  return answers.parse(answer) as (ShardSongAnswer | null)[]
}

function withOwn(
  room: Pick<SongRoom, 'catalogs' | 'ownTracks' | 'files'>,
  song: SongAnswer,
  { named, spaces }: Asked,
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
