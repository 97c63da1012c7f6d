import { ANALYZER_VERSION } from '../analysis/document.ts'
import type { TrackStatus } from '../kernel/events.ts'
import { firstByKey } from '../kernel/smallest.ts'
import { artistKey, nameKey } from '../naming/names.ts'
import type { WantedWords } from '../naming/search-box.ts'
import { FIELD_SETS } from '../naming/text-fields.ts'
import type { Fitting } from '../naming/typed-question.ts'
import { textWords } from '../naming/typed-text.ts'
import { RANGED } from '../song/facts.ts'
import { findSong } from '../song/find-song.ts'
import { coldnessKey } from '../song/search.ts'
import { trackStatusOf } from '../song/track-status.ts'
import { ParameterError } from '../values/errors.ts'
import { compatibleKeys, type MusicKey } from '../values/music-key.ts'
import { quoted } from '../values/text.ts'
import { trackById } from './find-track.ts'
import {
  analyzerNumber,
  IMPORTED_ANALYSIS,
  type LibraryColumn,
  STATUSES,
  unknownLibraryValue,
} from './library-columns.ts'
import type { TrackRoom } from './room.ts'
import { MIXING, type Page, type TrackSearch } from './search-parameters.ts'
import { TEXT_SORTS, type TextSort, type TrackSort } from './track-sorts.ts'

/** A page of the tracks of a query, and how many there are in all. */
export interface FoundTracks {
  total: number
  ids: string[]
}

type OpenStreams = ReturnType<TrackRoom['library']['read']>

/**
 * Finds the tracks that match the whole query. Without a sort, a query with a text gives the best
 * matches first, others the order of adding.
 */
export function searchTracks(
  room: TrackRoom,
  query: TrackSearch,
  { start, results }: Page,
): FoundTracks {
  const { library, store } = room
  const held = library.read()
  const { sort } = query
  const found = namedTracks(room, held, query)
  keepPassing(found, filtersOf(room, held, query))
  const { rows } = found
  const total = rows.length
  if (isTextSort(sort)) {
    // The database sorts by text. For all tracks, it reads the order from an index.
    const ids =
      total === library.count()
        ? store.inOrder(sort, start, Math.min(results, total))
        : store.amongInOrder(sort, rows, start, Math.min(results, total))
    return { total, ids }
  }
  const order =
    sort === undefined && query.text !== undefined
      ? relevance(room, held, found)
      : sortKeys(library, held, rows, sort ?? 'created-asc')
  return { total, ids: library.idsOf(firstByKey(rows, order, start, results)) }
}

function isTextSort(sort: TrackSort | undefined): sort is TextSort {
  return TEXT_SORTS.some((name) => name === sort)
}

/** The numbers of the tracks that match the whole query, in no order. */
export function matchingTracks(room: TrackRoom, query: TrackSearch): Int32Array {
  const held = room.library.read()
  const found = namedTracks(room, held, query)
  keepPassing(found, filtersOf(room, held, query))
  return found.rows
}

/** The tracks that match the names in the query, and how well; all tracks if it has none. */
function namedTracks(
  { library }: TrackRoom,
  { columns, length }: OpenStreams,
  { text, artist, release, genre }: TrackSearch,
): Fitting {
  const required: WantedWords[] = []
  const require = (words: readonly string[], fields: number) => required.push({ words, fields })
  if (artist !== undefined) require(textWords(artistKey(artist)), FIELD_SETS.artist)
  if (release !== undefined) require(textWords(nameKey(release)), FIELD_SETS.release)
  if (genre !== undefined) require([nameKey(genre)], FIELD_SETS.genre)
  if (text !== undefined) {
    return library.box.findTexts(
      [{ text, fields: FIELD_SETS.title | FIELD_SETS.artist | FIELD_SETS.release }],
      required,
    )
  }
  if (required.length > 0) return library.box.findTexts([], required)
  const rows = new Int32Array(length)
  let count = 0
  for (let num = 0; num < length; num++) if (columns.status[num] !== 0) rows[count++] = num
  return { rows: rows.subarray(0, count), keys: new Float64Array(count) }
}

function keepPassing(found: Fitting, passing: readonly Passes[]): void {
  for (const passes of passing) {
    const { rows, keys } = found
    let kept = 0
    for (let i = 0; i < rows.length; i++) {
      if (!passes(rows[i] as number)) continue
      keys[kept] = keys[i] as number
      rows[kept++] = rows[i] as number
    }
    found.rows = rows.subarray(0, kept)
    found.keys = keys.subarray(0, kept)
  }
}

/** No song has this number. */
const NO_SONG = -1

type Passes = (num: number) => boolean

/** The conditions of the query besides names. An unknown value passes none. */
function filtersOf(room: TrackRoom, held: OpenStreams, query: TrackSearch): Passes[] {
  const { song, library } = room
  const { columns } = held
  const passing: Passes[] = []
  const within = (column: LibraryColumn, [low, high]: readonly [number, number]) => {
    const values = columns[column]
    passing.push((num) => (values[num] as number) >= low && (values[num] as number) <= high)
  }
  const only = (column: LibraryColumn, value: number) => within(column, [value, value])
  const inKeys = (keys: readonly MusicKey[]) =>
    passing.push((num) => {
      const [key, mode] = [columns.key[num], columns.mode[num]]
      return keys.some((one) => one.key === key && (one.mode ?? mode) === mode)
    })
  for (const fact of RANGED) {
    const range = query[fact]
    if (range !== undefined) within(fact, range)
  }
  const { key, mode, mixesWith, year, status, songId, album, missing } = query
  if (key !== undefined) inKeys([key].flat())
  if (mode !== undefined) only('mode', mode)
  if (typeof mixesWith === 'object') inKeys(mixingKeys(mixesWith))
  if (typeof mixesWith === 'string') {
    const { num, keys, tempi } = mixing(room, held, mixesWith)
    inKeys(keys)
    passing.push((other) => {
      const tempo = columns.tempo[other] as number
      return other !== num && tempi.some((one) => Math.abs(tempo / one - 1) <= MIXED)
    })
  }
  if (year !== undefined) within('year', year)
  if (album !== undefined) {
    // A compilation may have several album numbers, one per artist.
    const { placeOf } = library.albumGroups()
    const place = placeOf[album] ?? -1
    passing.push((num) => place >= 0 && placeOf[columns.album[num] as number] === place)
  }
  if (songId !== undefined) only('song', findSong(song, songId) ?? NO_SONG)
  if (status !== undefined) {
    const wanted = new Set([status].flat())
    passing.push((num) => wanted.has(statusAt(columns, num)))
  }
  if (missing !== undefined) {
    const gone = library.missing.nums()
    passing.push((num) => gone.has(num) === missing)
  }
  return passing
}

/** The largest relative tempo change for mixing: the range of most players' pitch faders. */
const MIXED = 0.06

/** The number of a track, and the keys and tempi that mix with it. An unknown key gives no keys. */
function mixing({ store, library }: TrackRoom, { columns }: OpenStreams, id: string) {
  const row = trackById(store, id)
  if (!row) throw new ParameterError('unknown_identifier', `mixesWith: ${quoted(id)} ${MIXING}`)
  const num = library.numOf(row.id) as number
  const [key, mode, tempo] = [columns.key[num]!, columns.mode[num]!, columns.tempo[num]!]
  const keys = [key, mode].includes(unknownLibraryValue('key')) ? [] : compatibleKeys(key, mode)
  return { num, keys, tempi: [tempo, 2 * tempo, tempo / 2] }
}

/** The keys that mix with a key. One without a mode may be minor or major. */
function mixingKeys({ key, mode }: MusicKey): MusicKey[] {
  return (mode === undefined ? [0, 1] : [mode]).flatMap((one) => compatibleKeys(key, one))
}

const CURRENT = analyzerNumber(ANALYZER_VERSION, 0)

/** The state of a track. It has the current analysis, one of another version, or none. */
function statusAt(columns: OpenStreams['columns'], num: number): TrackStatus {
  const status = STATUSES[columns.status[num] as number] ?? 'unknown'
  const analyzer = columns.analyzer[num] as number
  const analyzerVersion = analyzer === 0 ? null : analyzer === CURRENT ? ANALYZER_VERSION : ''
  const importedAnalysis = analyzer === IMPORTED_ANALYSIS ? 1 : 0
  return trackStatusOf({ status, analyzerVersion, importedAnalysis })
}

/** Sort keys: by how well the names match, then by the hotttnesss of the song. */
function relevance(
  { song }: TrackRoom,
  { columns }: OpenStreams,
  { rows, keys }: Fitting,
): Float64Array {
  const { hotttnesss } = song.store.columns.readColumns().columns
  return keys.map(
    (key, i) => key + coldnessKey(hotttnesss[columns.song[rows[i] as number] as number]),
  )
}

const LAST = Number.POSITIVE_INFINITY

/** The keys of a sort by numbers. Unknown numbers come last in both directions. */
function sortKeys(
  library: TrackRoom['library'],
  held: OpenStreams,
  rows: Int32Array,
  sort: Exclude<TrackSort, TextSort>,
): Float64Array {
  const [name, direction] = sort.split('-') as [LibraryColumn, 'asc' | 'desc']
  const sign = direction === 'asc' ? 1 : -1
  const keys = new Float64Array(rows.length)
  if (name === 'album') {
    const placeOf = albumPlace(held, library)
    for (let i = 0; i < keys.length; i++) keys[i] = sign * placeOf(rows[i] as number)
    return keys
  }
  const values = held.columns[name]
  const unknown = unknownLibraryValue(name)
  for (let i = 0; i < keys.length; i++) {
    const value = values[rows[i] as number] as number
    keys[i] = value === unknown || Number.isNaN(value) ? LAST : sign * value
  }
  return keys
}

function albumPlace(
  { columns }: OpenStreams,
  library: TrackRoom['library'],
): (num: number) => number {
  const { album, discNumber, trackNumber } = columns
  const { placeOf } = library.albumGroups()
  return (num) => {
    // 256 and 32,768 are the ranges of the columns. A disc without a number is the first.
    const disc = placeOf[album[num]!]! * 256 + Math.max(1, discNumber[num]!)
    return disc * 32_768 + trackNumber[num]!
  }
}
