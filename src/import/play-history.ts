import { joinedTimes } from '../catalog/play-times.ts'
import { singleSpaced } from '../values/text.ts'
import { type CatalogEntry, entryOf, itemIdOf } from './catalog-entry.ts'

/** A song as a history names it. */
export interface PlayedSong {
  songName: string
  artistName?: string | undefined
  release?: string | undefined
  url?: string | undefined
}

/** What a history says of a song at one place. */
interface Remark {
  /** When it was played, in Unix seconds. */
  time?: number | undefined
  /** Whether the time is only that of the minute. */
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

/** Names for comparison: players differ in capitals and blanks. */
export function comparedNames(songName: string, artistName = ''): string[] {
  return [songName, artistName].map((name) => singleSpaced(name).toLowerCase().normalize('NFC'))
}

/** The songs of a history, by their names, with the times of their plays. */
export class PlayHistory {
  readonly #songs = new Map<string, SongPlays>()

  /** Remembers a song, and what is said of it. */
  add({ songName, artistName, release, url }: PlayedSong, remark: Remark): void {
    const names = comparedNames(songName, artistName).join('\0')
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

  /**
   * One entry for each song, with the times of its plays, each once.
   *
   * @param repeated - called with how many plays of a song stood there more than once
   */
  *entries(repeated: (count: number) => void): Generator<CatalogEntry, void> {
    for (const { times, minutes, undated, skipCount, ...song } of this.#songs.values()) {
      const plays = joinedTimes(joinedTimes(times, []), joinedTimes(minutes, []))
      const again = times.length + minutes.length - plays.length
      if (again > 0) repeated(again)
      const playCount = plays.length + undated
      yield entryOf({
        ...song,
        itemId: itemIdOf(...comparedNames(song.songName, song.artistName)),
        ...(playCount > 0 && { playCount }),
        ...(plays.length > 0 && { plays }),
        ...(skipCount > 0 && { skipCount }),
      })
    }
  }
}
