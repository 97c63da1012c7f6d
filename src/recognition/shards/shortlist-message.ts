import { z } from 'zod'
import type { ShardSong } from './shards-view.ts'

const countSchema = z.int().min(0)

/** A shortlist as it is sent: each value a list, one element a song. */
const shortlistSchema = z.object({
  songs: z.array(countSchema),
  held: z.array(countSchema),
  ranks: z.array(countSchema),
  scores: z.array(z.number()),
  offsets: z.array(z.number()),
  rates: z.array(z.number()),
  chances: z.array(z.number()),
  aligned: z.array(z.number()),
  occurrences: z.array(countSchema),
  agreed: z.array(z.array(countSchema)),
  songIds: z.array(z.string().nullable()),
  durations: z.array(z.number().nullable()),
})

export type ShortlistMessage = z.output<typeof shortlistSchema>

export function shortlistMessage(songs: readonly ShardSong[]): ShortlistMessage {
  return {
    songs: songs.map(({ aligned }) => aligned.song),
    held: songs.map(({ held }) => held),
    ranks: songs.map(({ rank }) => rank),
    scores: songs.map(({ aligned }) => aligned.score),
    offsets: songs.map(({ aligned }) => aligned.offset),
    rates: songs.map(({ aligned }) => aligned.rate),
    chances: songs.map(({ aligned }) => aligned.chance),
    aligned: songs.map(({ aligned }) => aligned.aligned),
    occurrences: songs.map(({ aligned }) => aligned.occurrences),
    agreed: songs.map(({ aligned }) => [...aligned.agreed]),
    songIds: songs.map(({ songId }) => songId),
    durations: songs.map(({ duration }) => duration),
  }
}

/** @throws {ZodError} when the message is not a shortlist */
export function readShortlist(message: unknown): ShardSong[] {
  const lists = shortlistSchema.parse(message)
  return lists.songs.map((song, i) => ({
    aligned: {
      song,
      score: lists.scores[i]!,
      offset: lists.offsets[i]!,
      rate: lists.rates[i]!,
      chance: lists.chances[i]!,
      aligned: lists.aligned[i]!,
      occurrences: lists.occurrences[i]!,
      agreed: new Set(lists.agreed[i]),
    },
    held: lists.held[i]!,
    rank: lists.ranks[i]!,
    songId: lists.songIds[i]!,
    duration: lists.durations[i]!,
  }))
}
