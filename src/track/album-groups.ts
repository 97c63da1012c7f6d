import { nameKey } from '../naming/names.ts'
import { textWords } from '../naming/typed-text.ts'
import type { LibraryColumn } from './library-columns.ts'

export interface AlbumRow {
  num: number
  /** The key of the album's artist; empty when there is none. */
  artistKey: string
  titleKey: string
  artist: string | null
  title: string
}

export interface AlbumGroup {
  /** The number that callers name it by. */
  id: number
  title: string
  /** The title in lower case, without accents: the sort key. */
  titleKey: string
  /** The artist; `null` where there are several, or none is known. */
  artist: string | null
  artistKey: string
  /** Whether its tracks are by several artists, and the album is by none of them. */
  compilation: boolean
  tracks: number
  discs: number
  /** Seconds, of the tracks whose length is known. */
  duration: number
  /** The first and the last year of its tracks, 0 where none is known. */
  years: [first: number, last: number]
  /** When its newest track was added, in milliseconds since 1970. */
  created: number
  /** The number of its first track. */
  first: number
  /** The numbers of all its tracks. */
  nums: readonly number[]
}

export interface LibraryValues {
  length: number
  columns: Readonly<Record<LibraryColumn, ArrayLike<number>>>
}

/** Albums with one title by at least this many artists can be one compilation. */
const ARTISTS = 3

/**
 * The albums of the library, by artist, year and title. `placeOf` maps an album number of the
 * columns to the index of its group, or -1.
 *
 * Tracks are grouped by the album artist or the compilation flag in their tags. Without these, the
 * tracks of one main artist are one album. But albums of at least three artists with one title are
 * one compilation if no track number occurs twice; the hits of three artists all have a track 1.
 */
export function albumGroups(
  albums: readonly AlbumRow[],
  values: LibraryValues,
): { groups: AlbumGroup[]; placeOf: Int32Array } {
  const tracksOf = new Map<number, number[]>()
  const { album, status } = values.columns
  for (let num = 0; num < values.length; num++) {
    if (status[num] === 0) continue
    const at = album[num] as number
    const tracks = tracksOf.get(at)
    if (tracks) tracks.push(num)
    else tracksOf.set(at, [num])
  }
  const titled = new Map<string, AlbumRow[]>()
  let highest = 0
  for (const row of albums) {
    highest = Math.max(highest, row.num)
    if (!tracksOf.has(row.num)) continue
    const rows = titled.get(row.titleKey)
    if (rows) rows.push(row)
    else titled.set(row.titleKey, [row])
  }
  const made: { rows: readonly AlbumRow[]; group: AlbumGroup }[] = []
  const add = (rows: readonly AlbumRow[]) => {
    const tracks = rows.flatMap(({ num }) => tracksOf.get(num) ?? [])
    made.push({ rows, group: groupOf(rows, tracks, values) })
  }
  for (const rows of titled.values()) {
    const loose = rows.filter((row) => isLoose(tracksOf.get(row.num) ?? [], values))
    const one = completes(loose, tracksOf, values)
    if (one) add(loose)
    for (const row of rows) if (!one || !loose.includes(row)) add([row])
  }
  made.sort((a, b) => byArtist(a.group, b.group))
  const placeOf = new Int32Array(highest + 1).fill(-1)
  for (const [place, { rows }] of made.entries()) for (const { num } of rows) placeOf[num] = place
  return { groups: made.map(({ group }) => group), placeOf }
}

/** The title of an album whose tracks name none. No key of a real title has it before a colon. */
export const UNKNOWN_ALBUM = 'unknown'

export const isUnknown = ({ titleKey }: AlbumGroup) => titleKey.startsWith(`${UNKNOWN_ALBUM}:`)

/** The order of albums: by artist, those without one last; then by year and title, unknown ones last. */
export function byArtist(a: AlbumGroup, b: AlbumGroup): number {
  return (
    Number(a.artistKey === '') - Number(b.artistKey === '') ||
    compare(a.artistKey, b.artistKey) ||
    Number(isUnknown(a)) - Number(isUnknown(b)) ||
    a.years[0] - b.years[0] ||
    compare(a.titleKey, b.titleKey) ||
    a.id - b.id
  )
}

/** Whether a name has all typed words; the last one may be the beginning of a word. */
export function fitsName(key: string, typed: string | undefined): boolean {
  if (typed === undefined) return true
  const words = textWords(key)
  const asked = textWords(nameKey(typed))
  return asked.every((word, i) =>
    i < asked.length - 1 ? words.includes(word) : words.some((one) => one.startsWith(word)),
  )
}

/** Compares by code units, so that the order is the same on every machine. */
export function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Whether no track's tags give an album artist or mark a compilation. */
function isLoose(tracks: readonly number[], { columns: { stated } }: LibraryValues): boolean {
  return tracks.every((num) => stated[num] === 0)
}

/** Whether albums of several artists are parts of one: each track number occurs once. */
function completes(
  rows: readonly AlbumRow[],
  tracksOf: ReadonlyMap<number, readonly number[]>,
  { columns: { trackNumber, discNumber } }: LibraryValues,
): boolean {
  if (rows.length < ARTISTS) return false
  const seen = new Set<number>()
  for (const num of rows.flatMap((row) => tracksOf.get(row.num) ?? [])) {
    const place = (discNumber[num] as number) * 65_536 + (trackNumber[num] as number)
    if (trackNumber[num] === 0 || seen.has(place)) return false
    seen.add(place)
  }
  return true
}

function groupOf(
  rows: readonly AlbumRow[],
  tracks: readonly number[],
  { columns }: LibraryValues,
): AlbumGroup {
  const [{ num: id, title, titleKey, artist, artistKey }] = rows as [AlbumRow]
  const group: AlbumGroup = {
    id,
    title,
    titleKey,
    tracks: tracks.length,
    discs: 1,
    duration: 0,
    created: 0,
    artist: rows.length > 1 ? null : artist,
    artistKey: rows.length > 1 ? '' : artistKey,
    compilation: rows.length > 1,
    years: [0, 0],
    first: tracks[0] as number,
    nums: tracks,
  }
  const artists = new Set<number>()
  let least = Number.POSITIVE_INFINITY
  for (const num of tracks) {
    const disc = columns.discNumber[num] as number
    const year = columns.year[num] as number
    const seconds = columns.duration[num] as number
    if (columns.artist[num] !== 0) artists.add(columns.artist[num] as number)
    group.discs = Math.max(group.discs, disc)
    group.created = Math.max(group.created, columns.created[num] as number)
    if (!Number.isNaN(seconds)) group.duration += seconds
    if (year > 0) {
      const [first, last] = group.years
      group.years = [first === 0 ? year : Math.min(first, year), Math.max(last, year)]
    }
    const place = Math.max(disc, 1) * 65_536 + (columns.trackNumber[num] as number)
    if (place >= least) continue
    least = place
    group.first = num
  }
  if (group.artistKey === '') group.compilation ||= artists.size > 1
  return group
}
