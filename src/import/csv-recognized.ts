import { eachFact, SUMMARIZED } from '../song/facts.ts'
import { cleanForeignIds, cleanNumber, cleanTextValue } from './cleaning.ts'
import { type ColumnRole, columnsByRole, plainHeader } from './column-names.ts'
import { CSV_PRESETS, type CsvColumns } from './csv-columns.ts'
import type { CsvRow } from './csv-rows.ts'

export interface RecognizedCsv {
  columns: CsvColumns
  reasonAgainst?: (row: CsvRow) => string | undefined
  faultOf?: ((row: CsvRow) => string | undefined) | undefined
}

/** `undefined` if title and artist are not among the columns. */
export function recognizeCsv(names: readonly string[]): RecognizedCsv | undefined {
  if (names.includes('song.id') && names.includes('artist.name')) {
    return CSV_PRESETS['million-song-csv']
  }
  if (names.includes('recording_name') && names.includes('artist_credit_name')) {
    return CSV_PRESETS['musicbrainz-canonical']
  }
  const roles = columnsByRole(names)
  const [title, artist] = [roles.get('title'), roles.get('artist')]
  if (title === undefined || artist === undefined) return undefined
  return {
    columns: recognizedColumns(roles, names),
    reasonAgainst: (row) => reasonAgainst(row, roles),
  }
}

/** Tables that write shares as 0…100 shorten these names. */
const PERCENT_HEADERS = ['dance', 'happy', 'acoustic', 'speech', 'live']

const TRACK_ID =
  /(?:^|spotify:track:|open\.spotify\.com\/(?:[a-z-]{1,9}\/)?track\/)([0-9A-Za-z]{22})(?:\?.*)?$/s

function recognizedColumns(
  roles: ReadonlyMap<ColumnRole, string>,
  names: readonly string[],
): CsvColumns {
  const columnOf = (role: ColumnRole) => (row: CsvRow) => row[roles.get(role) ?? '']
  const isInPercent = names.some((name) => PERCENT_HEADERS.includes(plainHeader(name)))
  const idOf = (row: CsvRow) => TRACK_ID.exec(columnOf('id')(row)?.trim() ?? '')?.[1]
  const isBeatless = (row: CsvRow) => cleanNumber(columnOf('tempo')(row)) === 0
  return {
    id: (row) => {
      const id = idOf(row)
      return id === undefined ? undefined : `spotify:song:${id}`
    },
    title: columnOf('title'),
    artistName: (row) => joinArtists(columnOf('artist')(row)),
    release: columnOf('release'),
    year: columnOf('date'),
    duration: (row) => secondsOfLength(columnOf('milliseconds')(row), columnOf('length')(row)),
    songHotttnesss: (row) => shareOfHundred(columnOf('popularity')(row)),
    isrc: columnOf('isrc'),
    audioSummary: eachFact(SUMMARIZED, (name, { beatBased }) => (row: CsvRow) => {
      const value = columnOf(name as ColumnRole)(row)
      if (beatBased && isBeatless(row) && cleanNumber(value) === 0) return undefined
      if (name === 'key' && value === undefined) return columnOf('camelot')(row)
      return isInPercent && SHARE_FACTS.includes(name) ? shareOfHundred(value) : value
    }),
    tracks: (row) => cleanForeignIds({ spotify: idOf(row) }),
    terms: (row) => splitGenres(columnOf('genres')(row)).map((name) => ({ name })),
  }
}

const SHARE_FACTS = [
  'danceability',
  'energy',
  'speechiness',
  'acousticness',
  'instrumentalness',
  'liveness',
  'valence',
]

function shareOfHundred(value: string | undefined): number | undefined {
  const percent = cleanNumber(value)
  return percent === undefined || percent < 0 || percent > 100 ? undefined : percent / 100
}

/** `A;B`, `A,B` and `['A', 'B']` as `A, B`. */
function joinArtists(value = ''): string {
  const list = /^\[(.*)\]$/s.exec(value.trim())?.[1]
  if (list !== undefined) return itemsOfList(list).join(', ')
  const parts = value.includes(';') ? value.split(';') : value.split(/,(?=\S)/)
  return parts
    .map((artist) => artist.trim())
    .filter((artist) => artist !== '')
    .join(', ')
}

function splitGenres(value = ''): string[] {
  const list = /^\[(.*)\]$/s.exec(value.trim())?.[1]
  const parts = list === undefined ? value.split(/[,;|]/) : itemsOfList(list)
  return [...new Set(parts.flatMap((genre) => cleanTextValue(genre) ?? []))]
}

/** As Python or JSON writes it. */
function itemsOfList(list: string): string[] {
  const items = list.matchAll(/'((?:[^'\\]|\\.){0,999})'|"((?:[^"\\]|\\.){0,999})"/gs)
  return Array.from(items, ([, inSingleQuotes, inDoubleQuotes]) =>
    (inSingleQuotes ?? inDoubleQuotes ?? '').replace(/\\(.)/gs, '$1').trim(),
  )
}

/** A longer length is in milliseconds. */
const MAX_SECONDS = 21_600

/** Of milliseconds, of `3:45`, of seconds. */
function secondsOfLength(milliseconds: string | undefined, length = ''): number | undefined {
  const ms = cleanNumber(milliseconds)
  if (ms !== undefined) return ms / 1000
  const [, hours = '0', minutes, seconds] =
    /^(?:(\d{1,2}):)?(\d{1,3}):(\d\d)(?:\.\d{1,6})?$/.exec(length.trim()) ?? []
  if (minutes !== undefined) return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
  const value = cleanNumber(length)
  return value !== undefined && value > MAX_SECONDS ? value / 1000 : value
}

function reasonAgainst(row: CsvRow, roles: ReadonlyMap<ColumnRole, string>): string | undefined {
  const id = row[roles.get('id') ?? ''] ?? ''
  if (/spotify:episode:|\/episode\//.test(id)) return 'a row is a podcast episode'
  return cleanTextValue(row[roles.get('title') ?? '']) === undefined
    ? 'a row names no song'
    : undefined
}
