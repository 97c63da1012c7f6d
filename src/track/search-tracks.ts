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
  STATUS_NUMBERS,
  unknownLibraryValue,
} from './library-columns.ts'
import type { TrackRoom } from './room.ts'
import { MIXES_WITH_ERROR, type Page, type TrackSearch } from './search-parameters.ts'
import { TEXT_SORTS, type TextSort, type TrackSort } from './track-sorts.ts'

export interface TrackIdPage {
  total: number
  ids: string[]
}

type LibraryReading = ReturnType<TrackRoom['library']['read']>

/** Without a sort, a query with a text gives the best matches first, others the order of adding. */
export function searchTracks(
  room: TrackRoom,
  query: TrackSearch,
  { start, results }: Page,
): TrackIdPage {
  const { library, store } = room
  const reading = library.read()
  const { sort } = query
  const fitting = tracksOfNames(room, reading, query)
  keepPassing(fitting, queryFilters(room, reading, query))
  const { rows } = fitting
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
      ? trackRelevance(room, reading, fitting)
      : sortKeys(library, reading, rows, sort ?? 'created-asc')
  return { total, ids: library.idsOf(firstByKey(rows, order, start, results)) }
}

function isTextSort(sort: TrackSort | undefined): sort is TextSort {
  return TEXT_SORTS.some((name) => name === sort)
}

export function matchingTracks(room: TrackRoom, query: TrackSearch): Int32Array {
  const reading = room.library.read()
  const fitting = tracksOfNames(room, reading, query)
  keepPassing(fitting, queryFilters(room, reading, query))
  return fitting.rows
}

/** All tracks if the query has no names. */
function tracksOfNames(
  { library }: TrackRoom,
  { columns, length }: LibraryReading,
  { text, artist, release, genre }: TrackSearch,
): Fitting {
  const required: WantedWords[] = []
  const requireWords = (words: readonly string[], fields: number) =>
    required.push({ words, fields })
  if (artist !== undefined) requireWords(textWords(artistKey(artist)), FIELD_SETS.artist)
  if (release !== undefined) requireWords(textWords(nameKey(release)), FIELD_SETS.release)
  if (genre !== undefined) requireWords([nameKey(genre)], FIELD_SETS.genre)
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

function keepPassing(fitting: Fitting, passing: readonly TrackFilter[]): void {
  for (const passes of passing) {
    const { rows, keys } = fitting
    let keptCount = 0
    for (let i = 0; i < rows.length; i++) {
      if (!passes(rows[i] as number)) continue
      keys[keptCount] = keys[i] as number
      rows[keptCount++] = rows[i] as number
    }
    fitting.rows = rows.subarray(0, keptCount)
    fitting.keys = keys.subarray(0, keptCount)
  }
}

/** No song has this number. */
const NO_SONG = -1

type TrackFilter = (num: number) => boolean

function queryFilters(room: TrackRoom, reading: LibraryReading, query: TrackSearch): TrackFilter[] {
  const { song, library } = room
  const { columns } = reading
  const passing: TrackFilter[] = []
  const requireWithin = (column: LibraryColumn, [low, high]: readonly [number, number]) => {
    const values = columns[column]
    passing.push((num) => (values[num] as number) >= low && (values[num] as number) <= high)
  }
  const requireValue = (column: LibraryColumn, value: number) =>
    requireWithin(column, [value, value])
  const requireKeys = (keys: readonly MusicKey[]) =>
    passing.push((num) => {
      const [key, mode] = [columns.key[num], columns.mode[num]]
      return keys.some((wantedKey) => wantedKey.key === key && (wantedKey.mode ?? mode) === mode)
    })
  for (const fact of RANGED) {
    const range = query[fact]
    if (range !== undefined) requireWithin(fact, range)
  }
  const { key, mode, mixesWith, year, status, songId, album, missing } = query
  if (key !== undefined) requireKeys([key].flat())
  if (mode !== undefined) requireValue('mode', mode)
  if (typeof mixesWith === 'object') requireKeys(mixingKeys(mixesWith))
  if (typeof mixesWith === 'string') {
    const { num, keys, tempi } = mixingValues(room, reading, mixesWith)
    requireKeys(keys)
    passing.push((otherNum) => {
      const tempo = columns.tempo[otherNum] as number
      return (
        otherNum !== num &&
        tempi.some((mixingTempo) => Math.abs(tempo / mixingTempo - 1) <= MAX_TEMPO_CHANGE)
      )
    })
  }
  if (year !== undefined) requireWithin('year', year)
  if (album !== undefined) {
    // A compilation may have several album numbers, one per artist.
    const { placeOf } = library.albumGroups()
    const place = placeOf[album] ?? -1
    passing.push((num) => place >= 0 && placeOf[columns.album[num] as number] === place)
  }
  if (songId !== undefined) requireValue('song', findSong(song, songId) ?? NO_SONG)
  if (status !== undefined) {
    const wantedStatuses = new Set([status].flat())
    passing.push((num) => wantedStatuses.has(trackStatusAt(columns, num)))
  }
  if (missing !== undefined) {
    const missingNums = library.missing.nums()
    passing.push((num) => missingNums.has(num) === missing)
  }
  return passing
}

/** The range of most players' pitch faders. */
const MAX_TEMPO_CHANGE = 0.06

/** An unknown key gives no keys. */
function mixingValues({ store, library }: TrackRoom, { columns }: LibraryReading, id: string) {
  const row = trackById(store, id)
  if (!row)
    throw new ParameterError('unknown_identifier', `mixesWith: ${quoted(id)} ${MIXES_WITH_ERROR}`)
  const num = library.numOf(row.id) as number
  const [key, mode, tempo] = [columns.key[num]!, columns.mode[num]!, columns.tempo[num]!]
  const keys = [key, mode].includes(unknownLibraryValue('key')) ? [] : compatibleKeys(key, mode)
  return { num, keys, tempi: [tempo, 2 * tempo, tempo / 2] }
}

/** A key without a mode may be minor or major. */
function mixingKeys({ key, mode }: MusicKey): MusicKey[] {
  return (mode === undefined ? [0, 1] : [mode]).flatMap((keyMode) => compatibleKeys(key, keyMode))
}

const CURRENT_ANALYZER = analyzerNumber(ANALYZER_VERSION, 0)

/** The analysis is the current one, one of another version, or none. */
function trackStatusAt(columns: LibraryReading['columns'], num: number): TrackStatus {
  const status = STATUS_NUMBERS[columns.status[num] as number] ?? 'unknown'
  const analyzer = columns.analyzer[num] as number
  const analyzerVersion =
    analyzer === 0 ? null : analyzer === CURRENT_ANALYZER ? ANALYZER_VERSION : ''
  const importedAnalysis = analyzer === IMPORTED_ANALYSIS ? 1 : 0
  return trackStatusOf({ status, analyzerVersion, importedAnalysis })
}

/** By how well the names match, then by the hotttnesss of the song. */
function trackRelevance(
  { song }: TrackRoom,
  { columns }: LibraryReading,
  { rows, keys }: Fitting,
): Float64Array {
  const { hotttnesss } = song.store.columns.readColumns().columns
  return keys.map(
    (key, i) => key + coldnessKey(hotttnesss[columns.song[rows[i] as number] as number]),
  )
}

const LAST_SORT_KEY = Number.POSITIVE_INFINITY

/** Unknown numbers come last in both directions. */
function sortKeys(
  library: TrackRoom['library'],
  reading: LibraryReading,
  rows: Int32Array,
  sort: Exclude<TrackSort, TextSort>,
): Float64Array {
  const [name, direction] = sort.split('-') as [LibraryColumn, 'asc' | 'desc']
  const sign = direction === 'asc' ? 1 : -1
  const keys = new Float64Array(rows.length)
  if (name === 'album') {
    const placeOf = albumPlace(reading, library)
    for (let i = 0; i < keys.length; i++) keys[i] = sign * placeOf(rows[i] as number)
    return keys
  }
  const values = reading.columns[name]
  const unknown = unknownLibraryValue(name)
  for (let i = 0; i < keys.length; i++) {
    const value = values[rows[i] as number] as number
    keys[i] = value === unknown || Number.isNaN(value) ? LAST_SORT_KEY : sign * value
  }
  return keys
}

function albumPlace(
  { columns }: LibraryReading,
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
