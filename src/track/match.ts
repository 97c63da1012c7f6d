import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { method } from '../kernel/method.ts'
import { callTurn } from '../kernel/scheduler.ts'
import type { Penalty } from '../naming/distance.ts'
import { positive } from '../options/parameter-types.ts'
import { findSong, findSongOfTrack } from '../song/find-song.ts'
import { type NameResolution, resolveSong } from '../song/match.ts'
import { known } from '../values/known.ts'
import { trackById } from './find-track.ts'
import { OwnFileStore } from './own-file-store.ts'
import type { TrackRoom } from './room.ts'
import { describeAll, type TrackProfile } from './track-answer.ts'

const MAX_SOUGHT_SONGS = 250

const soughtSong = z.strictObject({
  /** Paths or `file:` addresses. */
  files: z.array(z.string()).default([]),
  /** Ids of tracks, native or foreign. */
  trackIds: z.array(z.string()).default([]),
  /** Ids of songs, native or foreign. */
  songIds: z.array(z.string()).default([]),
  title: z.string().optional(),
  artist: z.string().optional(),
  release: z.string().optional(),
  /** Seconds. */
  duration: positive.optional(),
  /** ISRCs of the recording. */
  isrc: z.array(z.string()).default([]),
  musicbrainzId: z.string().optional(),
})

/** Why a track is the song that was asked for, or why none is. */
export interface MatchEvidence {
  /** What decided: the file, an id of the track or of the song (ISRC and MusicBrainz too), the names. */
  by?: 'file' | 'track' | 'song' | 'names'
  /** The distance of the names: 0 when they are equal. */
  distance?: number
  /** What counts against the track, or against the nearest of your songs if there is none. */
  penalties?: readonly Penalty[]
  /** Why there is none: nothing alike, the nearest is too far, or two are nearly as near. */
  refused?: NonNullable<NameResolution['refused']>
  /** The title of the nearest of your songs, if there is no track. */
  nearest?: string
}

interface TrackMatch {
  track: TrackProfile | null
  /** What the match rests on. */
  evidence: MatchEvidence
}

/** `track/match` (ours): which of your own files each of the songs is. */
export const matchTracks = method({
  name: 'track/match',
  parameters: z.strictObject({
    /** What is known of each song, at most 250. */
    records: z.array(soughtSong).max(MAX_SOUGHT_SONGS),
  }),
  async run(room: TrackRoom, { records }, { signal }): Promise<TrackMatch[]> {
    const files = new OwnFileStore(room.store.db)
    const songs = new Set(files.songs())
    const matches: TrackMatch[] = []
    for (const record of records) {
      await callTurn(signal)
      const { id, evidence } = room.store.atomically.reading(() =>
        findOwnTrack({ room, files, songs }, record),
      )
      const [track] = id === undefined ? [] : describeAll(room.store, [id], undefined)
      matches.push({ track: track ?? null, evidence })
    }
    return matches
  },
})

type SoughtSong = z.output<typeof soughtSong>
interface MatchWork {
  room: TrackRoom
  files: OwnFileStore
  /** The numbers of the songs that own files are recordings of. */
  songs: ReadonlySet<number>
}

function findOwnTrack(
  { room, files, songs }: MatchWork,
  record: SoughtSong,
): { id?: string; evidence: MatchEvidence } {
  const { store, song } = room
  for (const path of record.files.map(pathOfAddress)) {
    const id = path === undefined ? undefined : store.files.byPath(path)?.trackId
    if (id !== undefined) return { id, evidence: { by: 'file' } }
  }
  for (const trackId of record.trackIds) {
    const [id] = files.own(trackById(store, trackId)?.id ?? '')
    if (id !== undefined) return { id, evidence: { by: 'track' } }
  }
  const numbers = [
    ...record.trackIds.map((id) => findSongOfTrack(song, id)),
    ...record.songIds.map((id) => findSong(song, id)),
  ]
  for (const num of numbers) {
    const [id] = num === undefined ? [] : files.tracksOfSong(num)
    if (id !== undefined) return { id, evidence: { by: 'song' } }
  }
  return findByNames({ room, files, songs }, record)
}

function findByNames(
  { room, files, songs }: MatchWork,
  { title, artist, release, duration, isrc, musicbrainzId }: SoughtSong,
): { id?: string; evidence: MatchEvidence } {
  const query = known({ songName: title, artistName: artist, release, duration, musicbrainzId })
  const resolution = resolveSong(room.song, {
    ...query,
    isrc,
    isWanted: ({ num }) => songs.has(num),
  })
  const [nearest] = resolution.candidates.rankedSongs()
  const { sum: distance, penalties } = nearest?.distance ?? {}
  const [id] = resolution.match === undefined ? [] : files.tracksOfSong(resolution.match.num)
  if (id !== undefined && resolution.match) {
    const by = resolution.match.by === 'id' ? 'song' : 'names'
    return { id, evidence: known({ by, distance, penalties }) }
  }
  const refused = resolution.refused ?? 'unknown'
  return { evidence: known({ refused, distance, penalties, nearest: nearest?.song.title }) }
}

function pathOfAddress(address: string): string | undefined {
  if (!/^file:/i.test(address)) return address
  try {
    return fileURLToPath(address)
  } catch {
    return undefined
  }
}
