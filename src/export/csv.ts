import { cues } from '../analysis/cues/cues.ts'
import type { AnalysisDocument } from '../analysis/document.ts'
import { camelot, keyName } from '../values/music-key.ts'
import { type Exported, type ExportTracks, eachOf } from './export-track.ts'

/** In seconds. */
const CUE_COLUMNS = [
  'start',
  'musicStart',
  'mixIn',
  'introEnd',
  'loudest',
  'highlight',
  'outroStart',
  'mixOut',
  'end',
] as const

/**
 * A table in CSV (RFC 4180, UTF-8, a header row): file, names, tempo, key, loudness and cues, one row
 * for each track. A cell that is not known is empty. Text is written as it is; a spreadsheet may take
 * a title that begins with `=` for a formula.
 *
 * @param tracks - handles of a library or plain data, with analyses
 * @throws {ParameterError} on a track without an analysis
 *
 * @example
 * ```ts
 * import { writeFile } from 'node:fs/promises'
 * import { toCsv } from 'audile/export'
 *
 * await writeFile('library.csv', await toCsv(music.tracks.all({ sort: 'artist-asc' })))
 * ```
 */
export async function toCsv(tracks: ExportTracks): Promise<string> {
  const rows = await eachOf(tracks, async (track) => tableRowOf(track, await track.document()))
  const header = Object.keys(rows[0] ?? tableRowOf(NAMELESS_TRACK, SILENT_DOCUMENT))
  return [header, ...rows.map((row) => Object.values(row))]
    .map((cells) => `${cells.map(csvCell).join(',')}\r\n`)
    .join('')
}

type CsvCell = string | number | undefined

/** They give the header where there are no tracks. */
const NAMELESS_TRACK: Pick<Exported, 'title' | 'path'> = { title: '', path: undefined }
const SILENT_DOCUMENT = {
  track: { duration: 0, tempo: 0, key: -1, mode: 0, key_confidence: 0 },
  bars: [],
  beats: [],
  sections: [],
  segments: [],
} as unknown as AnalysisDocument

function tableRowOf(
  {
    path,
    title,
    artist,
    release,
    genres,
    year,
  }: Pick<Exported, 'title' | 'path'> & Partial<Exported>,
  document: AnalysisDocument,
): Record<string, CsvCell> {
  const { duration, tempo, key, mode, key_confidence, loudness, time_signature } = document.track
  const isKeyed = key >= 0 && key_confidence > 0
  const documentCues = cues(document)
  return {
    file: path,
    title,
    artist,
    release,
    genre: genres?.[0],
    year,
    duration: fixedDecimals(duration),
    bpm: tempo > 0 ? fixedDecimals(tempo) : undefined,
    key: isKeyed ? keyName(key, mode, 'short') : undefined,
    camelot: isKeyed ? camelot(key, mode) : undefined,
    timeSignature: tempo > 0 ? time_signature : undefined,
    loudness: fixedDecimals(loudness ?? undefined),
    ...Object.fromEntries(
      CUE_COLUMNS.map((name) => [name, fixedDecimals(documentCues[name]?.time)]),
    ),
    phrases: documentCues.phrases.map(({ time }) => fixedDecimals(time)).join(' '),
  }
}

function fixedDecimals(value: number | undefined): string | undefined {
  return value?.toFixed(3)
}

function csvCell(value: CsvCell): string {
  const text = value === undefined ? '' : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
