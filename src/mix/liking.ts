import { decayHeat } from '../artist/popularity.ts'
import type { ItemRow } from '../catalog/item-store.ts'
import type { MixRoom } from './room.ts'

const HOUR_MS = 3_600_000
const ITEMS_PER_READ = 1_000

export function* allItems({ catalog }: MixRoom, id: string): Generator<ItemRow> {
  const { num } = catalog.catalogs.findCatalog(id)
  for (let after = 0; ; ) {
    const rows = catalog.items.page({ catalog: num, after, start: 0, results: ITEMS_PER_READ })
    yield* rows
    const last = rows.at(-1)
    if (!last || rows.length < ITEMS_PER_READ) return
    after = last.num
  }
}

/**
 * Below 0 is disliked. A favorite counts as three points of rating; plays and skips count by their
 * logarithms.
 */
export function likingOf(item: ItemRow, now: number): number {
  if (item.banned === 1) return Number.NEGATIVE_INFINITY
  const { favorite, rating, playCount, skipCount, heat, heatAt } = item
  return (
    (favorite === 1 ? 3 : 0) +
    ((rating ?? 5) - 5) +
    Math.log2((1 + (playCount ?? 0)) / (1 + (skipCount ?? 0))) +
    Math.log2(1 + decayHeat(heat, heatAt, now))
  )
}

export function isRecent({ heat, heatAt }: ItemRow, hours: number | undefined, now: number) {
  return hours !== undefined && heat > 0 && heatAt > now - hours * HOUR_MS
}

/** By item; an item of an artist stands for all tracks of that artist. */
export function tracksOfItems(
  room: MixRoom,
  items: readonly ItemRow[],
): Map<ItemRow, readonly number[]> {
  const songsOf = (item: ItemRow) =>
    item.song !== null
      ? [item.song]
      : item.artist === null
        ? []
        : room.song.store.ofArtist(item.artist)
  const ofSong = tracksOfSongs(room, new Set(items.flatMap(songsOf)))
  return new Map(
    items.map((item) => {
      const ownTrack = item.trackId === null ? undefined : room.track.library.numOf(item.trackId)
      const ofSongs = songsOf(item).flatMap((song) => ofSong.get(song) ?? [])
      return [item, ownTrack === undefined ? ofSongs : [ownTrack]]
    }),
  )
}

export function tracksOfSongs(
  { track }: MixRoom,
  songs: ReadonlySet<number>,
): Map<number, number[]> {
  const { columns, length } = track.library.read()
  const tracksBySong = new Map<number, number[]>()
  if (songs.size === 0) return tracksBySong
  for (let num = 0; num < length; num++) {
    const song = columns.song[num]!
    if (!songs.has(song) || columns.status[num] === 0) continue
    const tracks = tracksBySong.get(song) ?? []
    tracksBySong.set(song, tracks)
    tracks.push(num)
  }
  return tracksBySong
}
