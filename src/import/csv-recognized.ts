import { eachFact, SUMMARIZED } from '../song/facts.ts'
import { foreignIds, number, text } from './cleaning.ts'
import { type ColumnRole, plainHeader, rolesOf } from './column-names.ts'
import { CSV_PRESETS, type CsvColumns } from './csv-columns.ts'
import type { CsvRow } from './csv-rows.ts'

/** How the rows of a CSV are read whose columns were recognized. */
export interface RecognizedCsv {
  columns: CsvColumns
  /** Why a row is no song, in words. */
  reasonAgainst?: (row: CsvRow) => string | undefined
  fault?: ((row: CsvRow) => string | undefined) | undefined
}

/** Recognizes a CSV by the names of its columns; `undefined` if title and artist are not among them. */
export function recognizedCsv(names: readonly string[]): RecognizedCsv | undefined {
  if (names.includes('song.id') && names.includes('artist.name')) {
    return CSV_PRESETS['million-song-csv']
  }
  if (names.includes('recording_name') && names.includes('artist_credit_name')) {
    return CSV_PRESETS['musicbrainz-canonical']
  }
  const roles = rolesOf(names)
  const [title, artist] = [roles.get('title'), roles.get('artist')]
  if (title === undefined || artist === undefined) return undefined
  return { columns: columnsOf(roles, names), reasonAgainst: (row) => reasonAgainst(row, roles) }
}

/** Tables that write shares as whole numbers 0…100 shorten these names. */
const OF_PERCENT = ['dance', 'happy', 'acoustic', 'speech', 'live']

const TRACK_ID =
  /(?:^|spotify:track:|open\.spotify\.com\/(?:[a-z-]{1,9}\/)?track\/)([0-9A-Za-z]{22})(?:\?.*)?$/s

function columnsOf(roles: ReadonlyMap<ColumnRole, string>, names: readonly string[]): CsvColumns {
  const of = (role: ColumnRole) => (row: CsvRow) => row[roles.get(role) ?? '']
  const inPercent = names.some((name) => OF_PERCENT.includes(plainHeader(name)))
  const idOf = (row: CsvRow) => TRACK_ID.exec(of('id')(row)?.trim() ?? '')?.[1]
  const beatless = (row: CsvRow) => number(of('tempo')(row)) === 0
  return {
    id: (row) => {
      const id = idOf(row)
      return id === undefined ? undefined : `spotify:song:${id}`
    },
    title: of('title'),
    artistName: (row) => artistsIn(of('artist')(row)),
    release: of('release'),
    year: of('date'),
    duration: (row) => durationOf(of('milliseconds')(row), of('length')(row)),
    songHotttnesss: (row) => shareOfHundred(of('popularity')(row)),
    isrc: of('isrc'),
    audioSummary: eachFact(SUMMARIZED, (name, { beatBased }) => (row: CsvRow) => {
      const value = of(name as ColumnRole)(row)
      if (beatBased && beatless(row) && number(value) === 0) return undefined
      if (name === 'key' && value === undefined) return of('camelot')(row)
      return inPercent && SHARES.includes(name) ? shareOfHundred(value) : value
    }),
    tracks: (row) => foreignIds({ spotify: idOf(row) }),
    terms: (row) => genresIn(of('genres')(row)).map((name) => ({ name })),
  }
}

const SHARES = [
  'danceability',
  'energy',
  'speechiness',
  'acousticness',
  'instrumentalness',
  'liveness',
  'valence',
]

function shareOfHundred(value: string | undefined): number | undefined {
  const percent = number(value)
  return percent === undefined || percent < 0 || percent > 100 ? undefined : percent / 100
}

/** `A;B`, `A,B` and `['A', 'B']` as `A, B`. */
function artistsIn(value = ''): string {
  const listed = /^\[(.*)\]$/s.exec(value.trim())?.[1]
  if (listed !== undefined) return itemsOfList(listed).join(', ')
  const parts = value.includes(';') ? value.split(';') : value.split(/,(?=\S)/)
  return parts
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .join(', ')
}

function genresIn(value = ''): string[] {
  const listed = /^\[(.*)\]$/s.exec(value.trim())?.[1]
  const parts = listed === undefined ? value.split(/[,;|]/) : itemsOfList(listed)
  return [...new Set(parts.flatMap((part) => text(part) ?? []))]
}

/** The texts of a list as Python or JSON writes it. */
function itemsOfList(listed: string): string[] {
  const items = listed.matchAll(/'((?:[^'\\]|\\.){0,999})'|"((?:[^"\\]|\\.){0,999})"/gs)
  return Array.from(items, ([, single, double]) =>
    (single ?? double ?? '').replace(/\\(.)/gs, '$1').trim(),
  )
}

/** Above this, a length is in milliseconds. */
const LONGEST_SECONDS = 21_600

/** A length in seconds: of milliseconds, of `3:45`, of seconds. */
function durationOf(milliseconds: string | undefined, length = ''): number | undefined {
  const ms = number(milliseconds)
  if (ms !== undefined) return ms / 1000
  const [, hours = '0', minutes, seconds] =
    /^(?:(\d{1,2}):)?(\d{1,3}):(\d\d)(?:\.\d{1,6})?$/.exec(length.trim()) ?? []
  if (minutes !== undefined) return Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)
  const value = number(length)
  return value !== undefined && value > LONGEST_SECONDS ? value / 1000 : value
}

function reasonAgainst(row: CsvRow, roles: ReadonlyMap<ColumnRole, string>): string | undefined {
  const id = row[roles.get('id') ?? ''] ?? ''
  if (/spotify:episode:|\/episode\//.test(id)) return 'a row is a podcast episode'
  return text(row[roles.get('title') ?? '']) === undefined ? 'a row names no song' : undefined
}
