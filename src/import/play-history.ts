import { joinedTimes } from '../catalog/play-times.ts'
import { singleSpaced } from '../values/text.ts'
import { type CatalogEntry, catalogEntryOf, itemIdOf } from './catalog-entry.ts'

export interface PlayedSong {
  songName: string
  artistName?: string | undefined
  release?: string | undefined
  url?: string | undefined
}

/** At one place of the history. */
interface Remark {
  /** Unix seconds. */
  time?: number | undefined
  /** The time is only that of the minute. */
  isOfMinute?: boolean
  playCount?: number
  skipCount?: number
  favorite?: true
  banned?: true
}

interface SongPlays extends PlayedSong {
  times: number[]
  minutes: number[]
  undated: number
  skipCount: number
  favorite?: true
  banned?: true
}

/** Players differ in capitals and blanks. */
export function comparableNames(songName: string, artistName = ''): string[] {
  return [songName, artistName].map((name) => singleSpaced(name).toLowerCase().normalize('NFC'))
}

/** By the names of the songs. */
export class PlayHistory {
  readonly #songs = new Map<string, SongPlays>()

  addRemark({ songName, artistName, release, url }: PlayedSong, remark: Remark): void {
    const names = comparableNames(songName, artistName).join('\0')
    let song = this.#songs.get(names)
    if (song === undefined) {
      song = { songName, artistName, times: [], minutes: [], undated: 0, skipCount: 0 }
      this.#songs.set(names, song)
    }
    song.release ??= release
    song.url ??= url
    if (remark.favorite) song.favorite = true
    if (remark.banned) song.banned = true
    song.skipCount += remark.skipCount ?? 0
    if (remark.time === undefined) song.undated += remark.playCount ?? 0
    else if (remark.isOfMinute) song.minutes.push(remark.time)
    else song.times.push(remark.time)
  }

  /** @param countRepeats - called with how many plays of a song stood there more than once */
  *makeEntries(countRepeats: (count: number) => void): Generator<CatalogEntry, void> {
    for (const { times, minutes, undated, skipCount, ...song } of this.#songs.values()) {
      const plays = joinedTimes(joinedTimes(times, []), joinedTimes(minutes, []))
      const repeatCount = times.length + minutes.length - plays.length
      if (repeatCount > 0) countRepeats(repeatCount)
      const playCount = plays.length + undated
      yield catalogEntryOf({
        ...song,
        itemId: itemIdOf(...comparableNames(song.songName, song.artistName)),
        ...(playCount > 0 && { playCount }),
        ...(plays.length > 0 && { plays }),
        ...(skipCount > 0 && { skipCount }),
      })
    }
  }
}
