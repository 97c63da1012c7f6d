import { nameKey } from '../naming/names.ts'
import { textWords } from '../naming/typed-text.ts'
import type { LibraryColumn } from './library-columns.ts'

export interface AlbumRow {
  num: number
  artistKey: string
  titleKey: string
  artist: string | null
  title: string
}

export interface AlbumGroup {
  /** The number by which callers name it. */
  id: number
  title: string
  titleKey: string
  /** `null` where there are several, or none is known. */
  artist: string | null
  artistKey: string
  /** Its tracks are by several artists, and the album is by none of them. */
  compilation: boolean
  tracks: number
  discs: number
  /** Seconds. */
  duration: number
  /** 0 where none is known. */
  years: [first: number, last: number]
  /** When its newest track was added: milliseconds since 1970. */
  created: number
  first: number
  nums: readonly number[]
}

export interface LibraryValues {
  length: number
  columns: Readonly<Record<LibraryColumn, ArrayLike<number>>>
}

/** Albums of one title by fewer artists are no compilation. */
const MIN_COMPILATION_ARTISTS = 3

/**
 * Tags decide where they name an album artist. Otherwise albums of one title are one if no track
 * number occurs twice: hits of several artists all have a track 1. `placeOf` maps an album number
 * to the index of its group, or -1.
 */
export function albumGroups(
  albums: readonly AlbumRow[],
  values: LibraryValues,
): { groups: AlbumGroup[]; placeOf: Int32Array } {
  const tracksOf = new Map<number, number[]>()
  const { album, status } = values.columns
  for (let num = 0; num < values.length; num++) {
    if (status[num] === 0) continue
    const albumNum = album[num] as number
    const tracks = tracksOf.get(albumNum)
    if (tracks) tracks.push(num)
    else tracksOf.set(albumNum, [num])
  }
  const rowsByTitle = new Map<string, AlbumRow[]>()
  let highest = 0
  for (const row of albums) {
    highest = Math.max(highest, row.num)
    if (!tracksOf.has(row.num)) continue
    const rows = rowsByTitle.get(row.titleKey)
    if (rows) rows.push(row)
    else rowsByTitle.set(row.titleKey, [row])
  }
  const builtGroups: { rows: readonly AlbumRow[]; group: AlbumGroup }[] = []
  const addGroup = (rows: readonly AlbumRow[]) => {
    const tracks = rows.flatMap(({ num }) => tracksOf.get(num) ?? [])
    builtGroups.push({ rows, group: buildGroup(rows, tracks, values) })
  }
  for (const rows of rowsByTitle.values()) {
    const looseRows = rows.filter((row) => hasNoStatedArtist(tracksOf.get(row.num) ?? [], values))
    const isOneAlbum = areOneAlbum(looseRows, tracksOf, values)
    if (isOneAlbum) addGroup(looseRows)
    for (const row of rows) if (!isOneAlbum || !looseRows.includes(row)) addGroup([row])
  }
  builtGroups.sort((a, b) => byArtist(a.group, b.group))
  const placeOf = new Int32Array(highest + 1).fill(-1)
  for (const [place, { rows }] of builtGroups.entries())
    for (const { num } of rows) placeOf[num] = place
  return { groups: builtGroups.map(({ group }) => group), placeOf }
}

/** No key of a real title has it before a colon. */
export const UNKNOWN_ALBUM = 'unknown'

export const isUnknownAlbum = ({ titleKey }: AlbumGroup) => titleKey.startsWith(`${UNKNOWN_ALBUM}:`)

/** By artist, those without one last; then by year and title, unknown ones last. */
export function byArtist(a: AlbumGroup, b: AlbumGroup): number {
  return (
    Number(a.artistKey === '') - Number(b.artistKey === '') ||
    compareCodeUnits(a.artistKey, b.artistKey) ||
    Number(isUnknownAlbum(a)) - Number(isUnknownAlbum(b)) ||
    a.years[0] - b.years[0] ||
    compareCodeUnits(a.titleKey, b.titleKey) ||
    a.id - b.id
  )
}

export function fitsName(key: string, typed: string | undefined): boolean {
  if (typed === undefined) return true
  const words = textWords(key)
  const typedWords = textWords(nameKey(typed))
  return typedWords.every((word, i) =>
    i < typedWords.length - 1
      ? words.includes(word)
      : words.some((keyWord) => keyWord.startsWith(word)),
  )
}

/** By code units, so that the order is the same on every machine. */
export function compareCodeUnits(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

function hasNoStatedArtist(
  tracks: readonly number[],
  { columns: { stated } }: LibraryValues,
): boolean {
  return tracks.every((num) => stated[num] === 0)
}

/** Each track number occurs once. */
function areOneAlbum(
  rows: readonly AlbumRow[],
  tracksOf: ReadonlyMap<number, readonly number[]>,
  { columns: { trackNumber, discNumber } }: LibraryValues,
): boolean {
  if (rows.length < MIN_COMPILATION_ARTISTS) return false
  const usedPlaces = new Set<number>()
  for (const num of rows.flatMap((row) => tracksOf.get(row.num) ?? [])) {
    const place = (discNumber[num] as number) * 65_536 + (trackNumber[num] as number)
    if (trackNumber[num] === 0 || usedPlaces.has(place)) return false
    usedPlaces.add(place)
  }
  return true
}

function buildGroup(
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
  let firstPlace = Number.POSITIVE_INFINITY
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
    if (place >= firstPlace) continue
    firstPlace = place
    group.first = num
  }
  if (group.artistKey === '') group.compilation ||= artists.size > 1
  return group
}
