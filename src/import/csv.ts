import type { SongRecord } from '../client/songs.ts'
import { invalidParameter, missingParameter, type ParameterError } from '../errors.ts'
import { nearest } from '../validate.ts'
import { type CsvColumns, checkColumns, songOfRow } from './csv-columns.ts'
import { CSV_PRESETS, type CsvPresetName } from './csv-presets.ts'
import { type CsvFormat, csvRowsOf } from './csv-rows.ts'
import { type ImportInput, nameOf } from './input.ts'
import { type SkippingOptions, Skips } from './skipped.ts'

/** How a CSV is read: by a preset, by columns, or by a preset of which some columns are others. */
export type CsvOptions = CsvFormat &
  SkippingOptions &
  (
    | {
        /** Where the fields of records come from. */
        columns: CsvColumns
        /** None. */
        preset?: undefined
      }
    | {
        /**
         * - `spotify-features`: the files of Spotify's audio features that go round (`track`,
         *   `artist`, `uri`, `danceability` … `duration_ms`, `time_signature`), also with `name`,
         *   `artists`, `id` and the like
         * - `million-song-csv`: the Million Song Dataset as CSV (`song.id`, `artist.name`,
         *   `familiarity`, `terms` …). A row whose ids are none, as its fields are shifted, is skipped
         * - `musicbrainz-canonical`: `canonical_musicbrainz_data.csv`
         */
        preset: CsvPresetName
        /** Columns that are others than the preset's. */
        columns?: Partial<CsvColumns> | undefined
      }
  )

/**
 * Reads songs from a CSV, plain or gzipped, row by row.
 *
 * What stands for "not known" or cannot be meant is left out: empty fields, year 0, tempo 0, keys
 * other than 0–11, shares outside 0–1, durations of 0 or over six hours, `Not available` for a
 * place, coordinates that are a file's mean. Hotttnesss and familiarity a little over 1 are taken
 * for 1. Text is left as it is, damaged or not.
 *
 * @param input - the path of a file, or bytes
 * @throws {ParameterError} when a named column is not there, or the file is no CSV
 * @example
 * ```ts
 * import { fromCsv } from 'audile/import'
 *
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
export async function* fromCsv(
  input: ImportInput,
  options: CsvOptions,
): AsyncGenerator<SongRecord, void> {
  const { preset, columns: given } = options
  if (preset === undefined && given === undefined) {
    throw missingParameter(
      'columns',
      'say which columns hold title and artistName, or give a preset',
    )
  }
  const known = preset === undefined ? undefined : CSV_PRESETS[preset]
  if (preset !== undefined && known === undefined) throw unknownPreset(preset)
  const columns = { ...known?.columns, ...given } as CsvColumns
  const skips = new Skips(options)
  let checked = false
  for await (const { row, line } of csvRowsOf(input, options, skips)) {
    if (!checked) checkColumns(columns, row, nameOf(input))
    checked = true
    const fault = known?.fault?.(row)
    if (fault === undefined) {
      skips.took()
      yield songOfRow(row, columns)
    } else {
      skips.skip(input, fault, line)
    }
  }
}

function unknownPreset(name: string): ParameterError {
  const names = Object.keys(CSV_PRESETS)
  const meant = nearest(name, names)
  return invalidParameter(
    'preset',
    `"${name}" is not one of ${names.join(', ')}${
      meant === undefined ? '' : `; did you mean "${meant}"?`
    }`,
  )
}
