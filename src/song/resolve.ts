import { z } from 'zod'
import { requireArtist } from '../artist/find-artist.ts'
import { method } from '../kernel/method.ts'
import type { MatchCandidate } from '../naming/candidates.ts'
import type { Penalty } from '../naming/distance.ts'
import { flag, name, oneOrMany, positive, text } from '../options/parameter-types.ts'
import { known } from '../values/known.ts'
import { parseBuckets } from './buckets.ts'
import { type NameResolution, resolveSong, type SongQuery } from './match.ts'
import type { SongRoom } from './room.ts'
import { describeSong, type SongAnswer } from './song-answer.ts'

const resolveParameters = z.strictObject({
  /** The title, as tags and lists write it, or the name of a file. It may include the artist. */
  title: name,
  /** The artist or artists, as credited. */
  artist: name.optional(),
  /** The id of the artist, if it is known: the artist's name then decides nothing. */
  artistId: text.optional(),
  /** The name of the release. */
  release: name.optional(),
  /** The length, seconds. */
  duration: positive.optional(),
  /** One or several ISRCs of the recording. A known ISRC decides, whatever the names are. */
  isrc: oneOrMany(text).optional(),
  /** The MusicBrainz id of the recording. A known id decides too. */
  musicbrainzId: text.optional(),
  /** Whether the answer explains the result. Default false. */
  explain: flag.default(false),
})

/** A song that the names were compared with. */
export interface ComparedSong {
  /** The song, with its names. */
  song: SongAnswer
  /** The sum of the penalties; 1 or more for a song that is certainly another one. */
  distance: number
  /** The differences that count against the song, if any. */
  penalties: readonly Penalty[]
}

/** The song that names mean, and the reasons. */
export interface ResolvedSong {
  /** The song; absent when none is certain enough. */
  song?: SongAnswer
  /** The distance between the names of that song and the given names: 0 when they are equal. */
  distance?: number
  /**
   * Why there is no song: none was found, the nearest is farther than `limit`, or another one is
   * nearly as near.
   */
  refused?: NonNullable<NameResolution['refused']>
  /** With `explain`: the greatest accepted distance, after the lookups that were needed. */
  limit?: number
  /** With `explain`: the differences that count against the nearest song. */
  penalties?: readonly Penalty[]
  /** With `explain`: the songs that were compared, the nearest first, at most 10. */
  candidates?: ComparedSong[]
}

const MAX_CANDIDATES = 10

/**
 * `song/resolve` (ours): finds the song that names mean, as a catalog update does, and explains it
 * on request.
 */
export const resolveNames = method({
  name: 'song/resolve',
  parameters: resolveParameters,
  run(context: SongRoom, { explain, ...names }): ResolvedSong {
    return context.store.atomically.reading(() => {
      const { match, refused, limit, candidates } = resolveSong(
        context,
        songQueryOf(context, names),
      )
      const rankedCandidates = candidates.rankedSongs()
      const chosenCandidate = rankedCandidates.find(({ song }) => song.num === match?.num)
      const { song, distance } = chosenCandidate ? describeCandidate(context, chosenCandidate) : {}
      const answer = known({
        song,
        distance,
        refused: chosenCandidate ? undefined : (refused ?? 'unknown'),
      })
      if (!explain) return answer
      const { penalties = [] } = (chosenCandidate ?? rankedCandidates[0])?.distance ?? {}
      const shownCandidates = rankedCandidates
        .slice(0, MAX_CANDIDATES)
        .map((candidate) => describeCandidate(context, candidate))
      return { ...answer, limit, penalties, candidates: shownCandidates }
    })
  },
})

function songQueryOf(
  { artists: store, catalogs }: SongRoom,
  {
    title,
    artist,
    artistId,
    isrc = [],
    ...others
  }: Omit<z.output<typeof resolveParameters>, 'explain'>,
): SongQuery {
  const id = artistId === undefined ? undefined : requireArtist({ store, catalogs }, artistId).num
  return known({
    songName: title,
    artistName: artist,
    artist: id,
    isrc: [isrc].flat(),
    ...others,
  })
}

function describeCandidate(context: SongRoom, { song, distance }: MatchCandidate): ComparedSong {
  const row = context.store.byNum(song.num)
  const answer = row
    ? describeSong(context, row, parseBuckets(undefined))
    : { id: song.id, title: song.title }
  return { song: answer, distance: distance.sum, penalties: distance.penalties }
}
