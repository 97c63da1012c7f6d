import type { SongRecord } from '../client/songs.ts'
import { invalidParameter } from '../errors.ts'
import { nearest } from '../validate.ts'
import * as clean from './cleaning.ts'
import type { CsvRow } from './csv-rows.ts'

/**
 * Where a field comes from: a column; several, of which the first that the file has is taken, and
 * none need be there; or a function of the row.
 */
export type CsvColumn = string | readonly string[] | ((row: CsvRow) => unknown)

/** Where a list comes from: a function of the row. */
type CsvList<K extends keyof SongRecord> = (row: CsvRow) => SongRecord[K]

/** Where the fields of records come from: it has the shape of a record. */
export interface CsvColumns {
  /** The song's title. */
  title: CsvColumn
  /** The artists as credited. */
  artistName: CsvColumn
  /** An id of the song; one of another form than `SO…` is kept as a foreign id. */
  id?: CsvColumn
  /** An id of the artist; likewise. */
  artistId?: CsvColumn
  /** The album. */
  release?: CsvColumn
  /** A year, or a date that begins with one. */
  year?: CsvColumn
  /** Seconds. Of milliseconds: `(row) => Number(row.duration_ms) / 1000`. */
  duration?: CsvColumn
  /** 0…1. */
  songHotttnesss?: CsvColumn
  /** One of the song types. */
  songType?: CsvColumn
  /** The recording's ISRC. */
  isrc?: CsvColumn
  /** MusicBrainz id of the recording. */
  musicbrainzId?: CsvColumn
  /** What is known of its sound, field by field. */
  audioSummary?: { [K in keyof NonNullable<SongRecord['audioSummary']>]?: CsvColumn }
  /** 0…1. */
  artistHotttnesss?: CsvColumn
  /** 0…1. */
  artistFamiliarity?: CsvColumn
  /** Where the artist comes from. */
  artistLocation?: {
    /** Degrees. */
    latitude?: CsvColumn
    /** Degrees. */
    longitude?: CsvColumn
    /** In words: `Memphis, TN`. */
    location?: CsvColumn
  }
  /** The song's tracks in other id spaces. */
  tracks?: CsvList<'tracks'>
  /** The song's ids in other id spaces. */
  foreignIds?: CsvList<'foreignIds'>
  /** Its code strings, each with its version. */
  fingerprints?: CsvList<'fingerprints'>
  /** The artist's ids in other id spaces. */
  artistForeignIds?: CsvList<'artistForeignIds'>
  /** Words by which the artist is described. */
  terms?: CsvList<'terms'>
}

type Cleaner = (value: unknown) => unknown

/** What may stand in a field; the rest is not known. */
const FIELDS = {
  id: clean.text,
  artistId: clean.text,
  release: clean.text,
  year: clean.year,
  duration: clean.songDuration,
  songHotttnesss: clean.hotttnesss,
  songType: clean.text,
  isrc: clean.text,
  musicbrainzId: clean.text,
  artistHotttnesss: clean.hotttnesss,
  artistFamiliarity: clean.hotttnesss,
} as const satisfies Record<string, Cleaner>

const SUMMARY = {
  tempo: clean.tempo,
  key: clean.pitchClass,
  mode: clean.mode,
  timeSignature: clean.timeSignature,
  loudness: clean.loudness,
  energy: clean.share,
  danceability: clean.share,
  speechiness: clean.share,
  acousticness: clean.share,
  instrumentalness: clean.share,
  liveness: clean.share,
  valence: clean.share,
  duration: clean.songDuration,
  audioMd5: clean.text,
} as const satisfies Record<string, Cleaner>

const PLACE = ['latitude', 'longitude', 'location']
const LISTS = ['tracks', 'foreignIds', 'fingerprints', 'artistForeignIds', 'terms'] as const

/** A row as a record. */
export function songOfRow(row: CsvRow, columns: CsvColumns): SongRecord {
  const { audioSummary = {}, artistLocation = {} } = columns
  const place = (name: keyof typeof artistLocation) => read(row, artistLocation[name])
  return clean.recordOf<SongRecord>({
    title: clean.text(read(row, columns.title)) ?? '',
    artistName: clean.text(read(row, columns.artistName)) ?? '',
    ...cleaned(row, columns, FIELDS),
    audioSummary: clean.known(cleaned(row, audioSummary, SUMMARY)),
    artistLocation: clean.known({
      ...clean.coordinates(place('latitude'), place('longitude')),
      location: clean.place(place('location')),
    }),
    ...lists(row, columns),
  })
}

function cleaned<F extends Record<string, Cleaner>>(
  row: CsvRow,
  columns: { [K in keyof F]?: CsvColumn },
  fields: F,
): { [K in keyof F]: ReturnType<F[K]> } {
  const found = Object.entries(fields).map(([name, cleaner]) => [
    name,
    cleaner(read(row, columns[name])),
  ])
  return Object.fromEntries(found) as { [K in keyof F]: ReturnType<F[K]> }
}

function lists(row: CsvRow, columns: CsvColumns): Pick<SongRecord, (typeof LISTS)[number]> {
  const terms = columns.terms?.(row)?.map((term) =>
    // A frequency that is none is left out, the term stands.
    clean.recordOf({
      ...term,
      weight: clean.share(term.weight),
      frequency: clean.share(term.frequency),
    }),
  )
  return {
    tracks: clean.some(columns.tracks?.(row) ?? []),
    foreignIds: clean.some(columns.foreignIds?.(row) ?? []),
    fingerprints: clean.some(columns.fingerprints?.(row) ?? []),
    artistForeignIds: clean.some(columns.artistForeignIds?.(row) ?? []),
    terms: clean.some(terms ?? []),
  }
}

function read(row: CsvRow, column: CsvColumn | undefined): unknown {
  if (column === undefined) return undefined
  if (typeof column === 'function') return column(row)
  if (typeof column === 'string') return row[column]
  const name = column.find((candidate) => row[candidate] !== undefined)
  return name === undefined ? undefined : row[name]
}

/**
 * Checks that columns are fields of a record, and that the file has those which it must have.
 *
 * @throws {ParameterError} naming the likely one
 */
export function checkColumns(columns: CsvColumns, row: CsvRow, file: string): void {
  const known = [
    'title',
    'artistName',
    'audioSummary',
    'artistLocation',
    ...Object.keys(FIELDS),
    ...LISTS,
  ]
  checkNames('columns', Object.keys(columns), known)
  checkNames('columns.audioSummary', Object.keys(columns.audioSummary ?? {}), Object.keys(SUMMARY))
  checkNames('columns.artistLocation', Object.keys(columns.artistLocation ?? {}), PLACE)
  const names = Object.keys(row)
  const flat = { ...columns, ...columns.audioSummary, ...columns.artistLocation }
  for (const [field, column] of Object.entries(flat)) {
    const must = field === 'title' || field === 'artistName'
    const wanted =
      typeof column === 'string' ? [column] : must && Array.isArray(column) ? column : []
    if (wanted.length === 0 || wanted.some((name) => names.includes(name))) continue
    const meant = nearest(wanted[0] as string, names)
    throw invalidParameter(
      `columns.${field}`,
      `"${wanted.join('", "')}" is no column of ${file}${
        meant === undefined ? '' : `; did you mean "${meant}"?`
      } (its columns: ${names.join(', ')})`,
    )
  }
}

function checkNames(where: string, given: readonly string[], known: readonly string[]): void {
  const other = given.find((name) => !known.includes(name))
  if (other === undefined) return
  const meant = nearest(other, known)
  throw invalidParameter(
    where,
    `"${other}" is no field of a record${
      meant === undefined ? `; these are: ${known.join(', ')}` : `; did you mean "${meant}"?`
    }`,
  )
}
