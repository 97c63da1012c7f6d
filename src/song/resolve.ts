import { z } from 'zod'
import { requireArtist } from '../artist/find-artist.ts'
import { method } from '../kernel/method.ts'
import type { Candidate } from '../naming/candidates.ts'
import type { Penalty } from '../naming/distance.ts'
import { flag, name, oneOrMany, positive, text } from '../options/parameter-types.ts'
import { known } from '../values/known.ts'
import { askedOf } from './buckets.ts'
import { type Resolution, resolveSong, type SongQuery } from './match.ts'
import type { SongRoom } from './room.ts'
import { describe, type SongAnswer } from './song-answer.ts'

const parameters = z.strictObject({
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
  refused?: NonNullable<Resolution['refused']>
  /** With `explain`: the greatest accepted distance, after the lookups that were needed. */
  limit?: number
  /** With `explain`: the differences that count against the nearest song. */
  penalties?: readonly Penalty[]
  /** With `explain`: the songs that were compared, the nearest first, at most 10. */
  candidates?: ComparedSong[]
}

const SHOWN = 10

/**
 * `song/resolve` (ours): finds the one song that names mean, as an update of a catalog does, and
 * explains the result on request.
 */
export const resolve = method({
  name: 'song/resolve',
  parameters,
  run(context: SongRoom, { explain, ...asked }): ResolvedSong {
    return context.store.atomically.reading(() => {
      const { match, refused, limit, candidates } = resolveSong(context, queryOf(context, asked))
      const ranked = candidates.ranked()
      const chosen = ranked.find(({ song }) => song.num === match?.num)
      const { song, distance } = chosen ? compared(context, chosen) : {}
      const answer = known({ song, distance, refused: chosen ? undefined : (refused ?? 'unknown') })
      if (!explain) return answer
      const { penalties = [] } = (chosen ?? ranked[0])?.distance ?? {}
      const shown = ranked.slice(0, SHOWN).map((one) => compared(context, one))
      return { ...answer, limit, penalties, candidates: shown }
    })
  },
})

function queryOf(
  { artists: store, catalogs }: SongRoom,
  { title, artist, artistId, isrc = [], ...others }: Omit<z.output<typeof parameters>, 'explain'>,
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

function compared(context: SongRoom, { song, distance }: Candidate): ComparedSong {
  const row = context.store.byNum(song.num)
  const answer = row
    ? describe(context, row, askedOf(undefined))
    : { id: song.id, title: song.title }
  return { song: answer, distance: distance.sum, penalties: distance.penalties }
}
