import { unixSeconds } from '../values/unix-time.ts'
import { cleanNumber, cleanTextValue } from './cleaning.ts'
import type { PlayedSong } from './play-history.ts'
import type { Json } from './rows.ts'

/** Which plays of a history count. */
export interface PlayRules {
  /** The seconds that must be heard of a song, unless it was heard to its end. Default 30. */
  minSeconds?: number | undefined
}

/** A play, or a skip. */
interface Play {
  song: PlayedSong
  time: number | undefined
  isOfMinute: boolean
  playCount: number
  skipCount: number
}

const MIN_HEARD_SECONDS = 30

/** Spotify's reasons for the end: the listener went on or back. */
const SKIP_REASONS = ['fwdbtn', 'backbtn', 'clickrow', 'clickside']
const UNKNOWN_SONG_NAME = /^unknown (?:track|song|title)$/i

/** A string says why it is left out. */
export function playOfRow(row: Json, { minSeconds = MIN_HEARD_SECONDS }: PlayRules): Play | string {
  const title = cleanTextValue(row.master_metadata_track_name) ?? cleanTextValue(row.trackName)
  const otherMedium = otherMediumOfPlay(row)
  if (title === undefined && otherMedium !== undefined)
    return `a play is of ${otherMedium}, not of a song`
  if (title === undefined) return 'a play names no song'
  if (UNKNOWN_SONG_NAME.test(title)) return 'a play is of an unknown song'
  const time = unixSeconds(row.ts ?? row.endTime)
  const isOfMinute = row.ts === undefined
  const seconds = (cleanNumber(row.ms_played ?? row.msPlayed) ?? 0) / 1000
  const isPlayed = seconds >= minSeconds || (seconds > 0 && row.reason_end === 'trackdone')
  const isSkipped = row.skipped === true || SKIP_REASONS.includes(String(row.reason_end))
  if (!isPlayed && !isSkipped) {
    return seconds > 0 ? `a play is shorter than ${minSeconds} s` : 'a play has no length (0 ms)'
  }
  return {
    song: {
      songName: title,
      artistName:
        cleanTextValue(row.master_metadata_album_artist_name) ?? cleanTextValue(row.artistName),
      release:
        cleanTextValue(row.master_metadata_album_album_name) ?? cleanTextValue(row.albumName),
      url: cleanTextValue(row.spotify_track_uri) ?? cleanTextValue(row.trackUri),
    },
    time: isPlayed ? time : undefined,
    isOfMinute,
    playCount: isPlayed ? 1 : 0,
    skipCount: isPlayed ? 0 : 1,
  }
}

function otherMediumOfPlay(row: Json): string | undefined {
  const hasAny = (...fields: string[]) =>
    fields.some((field) => cleanTextValue(row[field]) !== undefined)
  if (
    hasAny('episode_name', 'episode_show_name', 'spotify_episode_uri', 'podcastName', 'episodeName')
  ) {
    return 'a podcast episode'
  }
  return hasAny('audiobook_title', 'audiobook_uri', 'audiobook_chapter_title', 'audiobookName')
    ? 'an audiobook'
    : undefined
}
