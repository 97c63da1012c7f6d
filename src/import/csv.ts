import type { SongRecord } from '../client/songs.ts'
import { suggestName } from '../options/validate.ts'
import { invalidParameter, missingParameter } from '../values/errors.ts'
import { shortened } from '../values/text.ts'
import {
  CSV_PRESETS,
  type CsvColumns,
  type CsvPresetName,
  checkColumns,
  songOfRow,
} from './csv-columns.ts'
import { type RecognizedCsv, recognizeCsv } from './csv-recognized.ts'
import { type CsvFormat, type CsvRow, csvRowsOf } from './csv-rows.ts'
import { type Imported, type ImportRun, importRecords, type SkippingOptions } from './import-run.ts'
import { type ImportInput, inputName } from './input.ts'
import { readRows } from './rows.ts'

/** How a CSV is read: by columns, by a preset, or by a preset with some columns replaced. */
export type CsvOptions = CsvFormat &
  SkippingOptions &
  (
    | {
        /**
         * Where the fields of records come from. Default: the columns are recognized by their names, as
         * Exportify, TuneMyMusic, Soundiiz, Chosic and the like write them, in several languages.
         */
        columns?: CsvColumns | undefined
        /** Not given. */
        preset?: undefined
      }
    | {
        /**
         * - `spotify-features`: the published files of Spotify's audio features (`track`,
         *   `artist`, `uri`, `danceability` … `duration_ms`, `time_signature`), also with `name`,
         *   `artists`, `id` and the like
         * - `million-song-csv`: the Million Song Dataset as CSV (`song.id`, `artist.name`,
         *   `familiarity`, `terms` …). A row whose ids show that its fields are shifted is skipped
         * - `musicbrainz-canonical`: `canonical_musicbrainz_data.csv`
         */
        preset: CsvPresetName
        /** Columns that replace those of the preset. */
        columns?: Partial<CsvColumns> | undefined
      }
  )

/**
 * Reads songs from a CSV, plain or gzipped, row by row.
 *
 * Values that mean "not known" or are impossible are left out: empty fields, year 0, tempo 0, keys
 * other than 0–11, shares outside 0–1, durations of 0 or above six hours, `Not available` as a
 * place, coordinates that are a file's mean. Hotttnesss and familiarity a little above 1 become 1.
 * Damaged text is not repaired. Numbers may have a decimal comma, and a key may be a name (`Am`,
 * `C# minor`, `8A`), which gives the mode too. Where columns are recognized, popularity becomes
 * `songHotttnesss` and genres become `terms`; rows without a name, and podcasts, are left out and counted.
 *
 * @param input - the path of a file, or bytes
 * @throws {ParameterError} when a named column does not exist, or the file is not a CSV or has no
 * rows
 * @example
 * ```ts
 * import { fromCsv } from 'audile/import'
 *
 * await music.songs.import(fromCsv('liked_songs.csv')) // of Exportify: features, genres, popularity
 * await music.songs.import(fromCsv('features.csv', { preset: 'spotify-features' }))
 * await music.songs.import(
 *   fromCsv('songs.tsv', {
 *     delimiter: '\t',
 *     columns: {
 *       title: 'Song',
 *       artistName: 'Band',
 *       duration: (row) => Number(row.millis) / 1000,
 *       audioSummary: { tempo: 'BPM' },
 *     },
 *   }),
 * )
 * ```
 */
export function fromCsv(
  input: ImportInput,
  options: CsvOptions = {} as CsvOptions,
): Imported<SongRecord> {
  return importRecords(CSV_TRAITS, input, options, (csvInput, run) =>
    songsOfCsv(csvInput, options, run),
  )
}

const CSV_TRAITS = { name: 'fromCsv', reads: 'a CSV', forms: ['text'] } as const

export function songsOfCsv(
  input: ImportInput,
  options: CsvOptions,
  run: ImportRun,
): AsyncGenerator<SongRecord, void> {
  const { preset, columns: givenColumns } = options
  if (preset === undefined && givenColumns === undefined)
    return songsOfRecognized(input, options, run)
  const knownPreset = preset === undefined ? undefined : CSV_PRESETS[preset]
  if (preset !== undefined && knownPreset === undefined) {
    const names = Object.keys(CSV_PRESETS)
    const hint = suggestName(preset, names, '')
    throw invalidParameter('preset', `"${preset}" is not one of ${names.join(', ')}${hint}`)
  }
  const columns = { ...knownPreset?.columns, ...givenColumns } as CsvColumns
  let isChecked = false
  return readRows(input, csvRowsOf(input, options), run, ({ row }) => {
    if (typeof row === 'string') return row
    if (!isChecked) checkColumns(columns, row, inputName(input))
    isChecked = true
    return knownPreset?.faultOf?.(row) ?? songOfRow(row, columns)
  })
}

async function* songsOfRecognized(
  input: ImportInput,
  options: CsvOptions,
  run: ImportRun,
): AsyncGenerator<SongRecord, void> {
  let recognized: RecognizedCsv | undefined
  for await (const { row, line } of csvRowsOf(input, options)) {
    if (typeof row === 'string') {
      run.skip(input, row, line)
      continue
    }
    recognized ??= requireRecognized(row)
    const fault = recognized.faultOf?.(row)
    const reason = recognized.reasonAgainst?.(row)
    if (fault !== undefined) run.skip(input, fault, line)
    else if (reason !== undefined) run.leaveOut(input, reason, line)
    else {
      run.countRead()
      yield songOfRow(row, recognized.columns)
    }
  }
}

/** @throws {ParameterError} when no column is known to hold titles, or none artists */
function requireRecognized(row: CsvRow): RecognizedCsv {
  const names = Object.keys(row)
  const recognized = recognizeCsv(names)
  if (recognized) return recognized
  throw missingParameter(
    'columns',
    `no column is known to hold titles and artists (its columns: ${shortened(names.join(', '))}); say which hold title and artistName, or give a preset`,
  )
}
