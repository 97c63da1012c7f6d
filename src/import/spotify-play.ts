import { unixSeconds } from '../values/unix-time.ts'
import { number, text } from './cleaning.ts'
import type { PlayedSong } from './play-history.ts'
import type { Json } from './rows.ts'

/** Which plays of a history count. */
export interface PlayRules {
  /** The seconds that must be heard of a song, unless it was heard to its end. Default 30. */
  minSeconds?: number | undefined
}

/** A play of a history, or a skip. */
interface Play {
  song: PlayedSong
  time: number | undefined
  isOfMinute: boolean
  playCount: number
  skipCount: number
}

const HEARD_SECONDS = 30

/** Reasons of Spotify for the end of a song: the listener went on or back. */
const SKIPPED = ['fwdbtn', 'backbtn', 'clickrow', 'clickside']
const WITHOUT_NAMES = /^unknown (?:track|song|title)$/i

/** A row of a history of either kind; as a string, why it is left out. */
export function playOfRow(row: Json, { minSeconds = HEARD_SECONDS }: PlayRules): Play | string {
  const title = text(row.master_metadata_track_name) ?? text(row.trackName)
  const other = otherMediumOf(row)
  if (title === undefined && other !== undefined) return `a play is of ${other}, not of a song`
  if (title === undefined) return 'a play names no song'
  if (WITHOUT_NAMES.test(title)) return 'a play is of an unknown song'
  const time = unixSeconds(row.ts ?? row.endTime)
  const isOfMinute = row.ts === undefined
  const seconds = (number(row.ms_played ?? row.msPlayed) ?? 0) / 1000
  const isPlayed = seconds >= minSeconds || (seconds > 0 && row.reason_end === 'trackdone')
  const isSkipped = row.skipped === true || SKIPPED.includes(String(row.reason_end))
  if (!isPlayed && !isSkipped) {
    return seconds > 0 ? `a play is shorter than ${minSeconds} s` : 'a play has no length (0 ms)'
  }
  return {
    song: {
      songName: title,
      artistName: text(row.master_metadata_album_artist_name) ?? text(row.artistName),
      release: text(row.master_metadata_album_album_name) ?? text(row.albumName),
      url: text(row.spotify_track_uri) ?? text(row.trackUri),
    },
    time: isPlayed ? time : undefined,
    isOfMinute,
    playCount: isPlayed ? 1 : 0,
    skipCount: isPlayed ? 0 : 1,
  }
}

function otherMediumOf(row: Json): string | undefined {
  const has = (...fields: string[]) => fields.some((field) => text(row[field]) !== undefined)
  if (
    has('episode_name', 'episode_show_name', 'spotify_episode_uri', 'podcastName', 'episodeName')
  ) {
    return 'a podcast episode'
  }
  return has('audiobook_title', 'audiobook_uri', 'audiobook_chapter_title', 'audiobookName')
    ? 'an audiobook'
    : undefined
}
