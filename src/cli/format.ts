import { basename } from 'node:path'
import {
  type AnalysisDocument,
  type AudioSummary,
  camelot,
  keyName,
  stringifyAnalysis,
  type TrackAnswer,
} from '../index.ts'

/** Written line by line, so that a long run shows results early. */
export interface Format {
  head: string
  /** The lines of one file; empty when the format leaves it out. */
  lines(finding: Finding): string
}

/**
 * Only the last column has no fixed width, so that each row can be printed at once. @param columns
 * - the width of the terminal; without it, lines are not cut
 */
export function tableFormat(columns = Number.POSITIVE_INFINITY): Format {
  const formatRow = (
    tempo: string,
    key: string,
    wheel: string,
    ...otherCells: [string, string, string]
  ) => {
    const [time, lufs, length] = otherCells
    const firstCells = `${tempo.padStart(5)}  ${key.padEnd(8)}  ${wheel.padEnd(7)}`
    return `${firstCells}  ${time.padStart(4)}  ${lufs.padStart(5)}  ${length.padStart(7)}`
  }
  return {
    head: `${formatRow('BPM', 'key', 'Camelot', 'time', 'LUFS', 'length')}  title\n`,
    lines({ file, track, error }) {
      if (error !== undefined || !track?.audioSummary) return ''
      const { tempo, timeSignature, loudness, duration } = track.audioSummary
      const title = [track.artist, track.title ?? basename(file)].filter(Boolean).join(' – ')
      const start = formatRow(
        tempo > 0 ? tempo.toFixed(1) : '–',
        keyNameOf(track.audioSummary) ?? '–',
        camelotOf(track.audioSummary) ?? '–',
        tempo > 0 ? `${timeSignature}/4` : '–',
        loudness?.toFixed(1) ?? '–',
        formatClock(duration),
      )
      return `${cutToWidth(`${start}  ${visibleText(title)}`, columns)}\n`
    },
  }
}

/**
 * For programs: the path of a file, its track as the library answers it, and two spellings of its
 * key.
 */
export const jsonFormat: Format = {
  head: '',
  lines({ file, track, error, analysis }) {
    const failed = error === undefined ? undefined : { status: 'error', error }
    const summary = error === undefined ? track?.audioSummary : undefined
    const key = summary && { keyName: keyNameOf(summary), camelot: camelotOf(summary) }
    const line = JSON.stringify({ file, ...track, ...key, ...failed })
    if (analysis === undefined) return `${line}\n`
    return `${line.slice(0, -1)},"analysis":${stringifyAnalysis(analysis)}}\n`
  },
}

type CellValue = string | number | boolean | null | undefined
type SummaryOf = (summary: AudioSummary) => CellValue
const summaryCell =
  (field: keyof AudioSummary | SummaryOf) =>
  ({ track }: Finding): CellValue => {
    const summary = track?.audioSummary
    return summary && (typeof field === 'function' ? field(summary) : summary[field])
  }

/** A value stands beside its confidence and its other spellings. */
const CSV_COLUMNS: Record<string, (finding: Finding) => CellValue> = {
  file: ({ file }) => file,
  status: ({ track, error }) => (error === undefined ? track?.status : 'error'),
  error: ({ error }) => error,
  title: ({ track }) => track?.title,
  artist: ({ track }) => track?.artist,
  release: ({ track }) => track?.release,
  duration: summaryCell('duration'),
  loudness: summaryCell('loudness'),
  tempo: summaryCell(({ tempo }) => tempo || undefined),
  tempoConfidence: summaryCell('tempoConfidence'),
  beatsSteady: summaryCell('beatsSteady'),
  firstDownbeat: summaryCell('firstDownbeat'),
  timeSignature: summaryCell(({ timeSignature }) => timeSignature || undefined),
  timeSignatureConfidence: summaryCell('timeSignatureConfidence'),
  key: summaryCell((summary) => keyNameOf(summary) && summary.key),
  keyConfidence: summaryCell('keyConfidence'),
  mode: summaryCell((summary) => keyNameOf(summary) && summary.mode),
  modeConfidence: summaryCell('modeConfidence'),
  keyName: summaryCell(keyNameOf),
  camelot: summaryCell(camelotOf),
  energy: summaryCell('energy'),
  danceability: summaryCell('danceability'),
  valence: summaryCell('valence'),
  acousticness: summaryCell('acousticness'),
  speechiness: summaryCell('speechiness'),
  id: ({ track }) => track?.id,
  songId: ({ track }) => track?.songId,
  md5: ({ track }) => track?.md5,
}

/** RFC 4180, in UTF-8. */
export const csvFormat: Format = {
  head: `${Object.keys(CSV_COLUMNS).join(',')}\r\n`,
  lines: (finding) =>
    `${Object.values(CSV_COLUMNS)
      .map((cell) => quoteCell(String(cell(finding) ?? '')))
      .join(',')}\r\n`,
}

/** `undefined` where no key was heard. */
function keyNameOf({ key, mode, keyConfidence }: AudioSummary): string | undefined {
  return keyConfidence === 0 ? undefined : keyName(key, mode)
}

/** `undefined` where no key was heard. */
function camelotOf({ key, mode, keyConfidence }: AudioSummary): string | undefined {
  return keyConfidence === 0 ? undefined : camelot(key, mode)
}

function quoteCell(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

/** Control characters of terminals, and characters that reorder the text around them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters
const CONTROL_CHARACTERS = /[\0-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g
/** Most characters that take two columns: East Asian wide and full width, emoji. */
const WIDE_CHARACTERS =
  /[\u1100-\u115f\u2e80-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{1f000}-\u{1faff}\u{20000}-\u{3ffff}]/u
const ZERO_WIDTH_CHARACTERS = /[\p{M}\p{Cf}]/u

/** For text of unknown origin on one line of a terminal. */
export function visibleText(text: string): string {
  return text.replace(CONTROL_CHARACTERS, (control) => {
    const short = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }[control]
    return short ?? `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

export function cutToWidth(line: string, columns: number): string {
  let width = 0
  let fullText = ''
  let cutText = ''
  for (const character of line) {
    width += ZERO_WIDTH_CHARACTERS.test(character) ? 0 : WIDE_CHARACTERS.test(character) ? 2 : 1
    if (width > columns) return `${cutText}…`
    fullText += character
    if (width < columns) cutText = fullText
  }
  return line
}

/** `m:ss`, or `h:mm:ss` from one hour on. */
export function formatClock(seconds: number): string {
  const wholeSeconds = Math.round(seconds)
  const twoDigits = (number: number) => String(number).padStart(2, '0')
  const minutes = Math.floor(wholeSeconds / 60)
  if (minutes < 60) return `${minutes}:${twoDigits(wholeSeconds % 60)}`
  return `${Math.floor(minutes / 60)}:${twoDigits(minutes % 60)}:${twoDigits(wholeSeconds % 60)}`
}

export interface Finding {
  file: string
  track?: TrackAnswer
  error?: string
  analysis?: AnalysisDocument
}
