import { cues } from '../analysis/cues/cues.ts'
import type { AnalysisDocument } from '../analysis/document.ts'
import { camelot, keyName } from '../values/music-key.ts'
import { type Exported, type ExportTracks, eachOf } from './export-track.ts'

/** The cues that have a column, in seconds. */
const CUES = [
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
  const rows = await eachOf(tracks, async (track) => rowOf(track, await track.document()))
  const header = Object.keys(rows[0] ?? rowOf(NOBODY, SILENCE))
  return [header, ...rows.map((row) => Object.values(row))]
    .map((cells) => `${cells.map(cell).join(',')}\r\n`)
    .join('')
}

type Cell = string | number | undefined

/** What is read of a track without names, and of a document without sound, for the header alone. */
const NOBODY: Pick<Exported, 'title' | 'path'> = { title: '', path: undefined }
const SILENCE = {
  track: { duration: 0, tempo: 0, key: -1, mode: 0, key_confidence: 0 },
  bars: [],
  beats: [],
  sections: [],
  segments: [],
} as unknown as AnalysisDocument

function rowOf(
  {
    path,
    title,
    artist,
    release,
    genres,
    year,
  }: Pick<Exported, 'title' | 'path'> & Partial<Exported>,
  document: AnalysisDocument,
): Record<string, Cell> {
  const { duration, tempo, key, mode, key_confidence, loudness, time_signature } = document.track
  const isKeyed = key >= 0 && key_confidence > 0
  const known = cues(document)
  return {
    file: path,
    title,
    artist,
    release,
    genre: genres?.[0],
    year,
    duration: fixed(duration),
    bpm: tempo > 0 ? fixed(tempo) : undefined,
    key: isKeyed ? keyName(key, mode, 'short') : undefined,
    camelot: isKeyed ? camelot(key, mode) : undefined,
    timeSignature: tempo > 0 ? time_signature : undefined,
    loudness: fixed(loudness ?? undefined),
    ...Object.fromEntries(CUES.map((name) => [name, fixed(known[name]?.time)])),
    phrases: known.phrases.map(({ time }) => fixed(time)).join(' '),
  }
}

function fixed(value: number | undefined): string | undefined {
  return value?.toFixed(3)
}

function cell(value: Cell): string {
  const text = value === undefined ? '' : String(value)
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}
