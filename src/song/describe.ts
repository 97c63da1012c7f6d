import { z } from 'zod'
import { type AudioSummary, summaryOf } from './audio-summary.ts'
import type { SongRow } from './store.ts'

const NAMED = [
  'audio_summary',
  'artist_familiarity',
  'artist_hotttnesss',
  'artist_location',
  'song_hotttnesss',
  'tracks',
] as const

const name = z
  .string()
  .refine((bucket) => (NAMED as readonly string[]).includes(bucket) || /^id:.+/.test(bucket), {
    error: `is not one of ${NAMED.map((b) => `"${b}"`).join(', ')}, or "id:<ID SPACE>"`,
  })

/** The `bucket` parameter of the song methods. */
export const bucket = z.union([name, z.array(name)]).optional()

/** A song as the methods answer it. Fields that are not known, or not asked for, are absent. */
export interface SongAnswer {
  id: string
  title: string
  artistId?: string
  artistName?: string
  audioSummary?: AudioSummary
  /** How well an identified song matches: distinct codes that agree. */
  score?: number
  /** `OK (match type <n>)`, with an identified song. */
  message?: string
  /** What the query was tagged with, when it was one of a list. */
  tag?: unknown
}

/** The answer for a stored song. */
export function describe(row: SongRow, buckets: string | string[] | undefined): SongAnswer {
  const answer: SongAnswer = { id: row.id, title: row.title }
  if (row.artistId !== null) answer.artistId = row.artistId
  if (row.artistName !== null) answer.artistName = row.artistName
  if ([buckets].flat().includes('audio_summary') && row.trackId !== null) {
    answer.audioSummary = summaryOf(row.trackId, row)
  }
  return answer
}
