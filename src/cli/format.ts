import { basename } from 'node:path'
import {
  type AnalysisDocument,
  type AudioSummary,
  camelot,
  keyName,
  stringifyAnalysis,
  type TrackAnswer,
} from '../index.ts'

/** A format of the output. It is written line by line, so that a long run shows results early. */
export interface Format {
  head: string
  /** The lines of one file; empty when the format leaves it out. */
  lines(finding: Finding): string
}

/**
 * A table for people. Only the last column has no fixed width, so each row can be printed at once.
 * Files with errors are left out, as errors go to standard error.
 *
 * @param columns - the width of the terminal; without it, lines are not cut
 */
export function table(columns = Number.POSITIVE_INFINITY): Format {
  const row = (tempo: string, key: string, wheel: string, ...rest: [string, string, string]) => {
    const [time, lufs, length] = rest
    const left = `${tempo.padStart(5)}  ${key.padEnd(8)}  ${wheel.padEnd(7)}`
    return `${left}  ${time.padStart(4)}  ${lufs.padStart(5)}  ${length.padStart(7)}`
  }
  return {
    head: `${row('BPM', 'key', 'Camelot', 'time', 'LUFS', 'length')}  title\n`,
    lines({ file, track, error }) {
      if (error !== undefined || !track?.audioSummary) return ''
      const { tempo, timeSignature, loudness, duration } = track.audioSummary
      const title = [track.artist, track.title ?? basename(file)].filter(Boolean).join(' – ')
      const start = row(
        tempo > 0 ? tempo.toFixed(1) : '–',
        keyOf(track.audioSummary) ?? '–',
        camelotOf(track.audioSummary) ?? '–',
        tempo > 0 ? `${timeSignature}/4` : '–',
        loudness?.toFixed(1) ?? '–',
        clock(duration),
      )
      return `${cutTo(`${start}  ${visible(title)}`, columns)}\n`
    },
  }
}

/**
 * JSON lines for programs, each with the path of a file, its track as the library answers it, and
 * two spellings of its key.
 */
export const json: Format = {
  head: '',
  lines({ file, track, error, analysis }) {
    const failed = error === undefined ? undefined : { status: 'error', error }
    const summary = error === undefined ? track?.audioSummary : undefined
    const key = summary && { keyName: keyOf(summary), camelot: camelotOf(summary) }
    const line = JSON.stringify({ file, ...track, ...key, ...failed })
    if (analysis === undefined) return `${line}\n`
    return `${line.slice(0, -1)},"analysis":${stringifyAnalysis(analysis)}}\n`
  },
}

type Cell = string | number | boolean | null | undefined
type SummaryOf = (summary: AudioSummary) => Cell
const of =
  (given: keyof AudioSummary | SummaryOf) =>
  ({ track }: Finding): Cell => {
    const summary = track?.audioSummary
    return summary && (typeof given === 'function' ? given(summary) : summary[given])
  }

/** Columns that belong together are adjacent: a value, its confidence and its other spellings. */
const COLUMNS: Record<string, (finding: Finding) => Cell> = {
  file: ({ file }) => file,
  status: ({ track, error }) => (error === undefined ? track?.status : 'error'),
  error: ({ error }) => error,
  title: ({ track }) => track?.title,
  artist: ({ track }) => track?.artist,
  release: ({ track }) => track?.release,
  duration: of('duration'),
  loudness: of('loudness'),
  tempo: of(({ tempo }) => tempo || undefined),
  tempoConfidence: of('tempoConfidence'),
  beatsSteady: of('beatsSteady'),
  firstDownbeat: of('firstDownbeat'),
  timeSignature: of(({ timeSignature }) => timeSignature || undefined),
  timeSignatureConfidence: of('timeSignatureConfidence'),
  key: of((summary) => keyOf(summary) && summary.key),
  keyConfidence: of('keyConfidence'),
  mode: of((summary) => keyOf(summary) && summary.mode),
  modeConfidence: of('modeConfidence'),
  keyName: of(keyOf),
  camelot: of(camelotOf),
  energy: of('energy'),
  danceability: of('danceability'),
  valence: of('valence'),
  acousticness: of('acousticness'),
  speechiness: of('speechiness'),
  id: ({ track }) => track?.id,
  songId: ({ track }) => track?.songId,
  md5: ({ track }) => track?.md5,
}

/** CSV for spreadsheets: RFC 4180, in UTF-8. */
export const csv: Format = {
  head: `${Object.keys(COLUMNS).join(',')}\r\n`,
  lines: (finding) =>
    `${Object.values(COLUMNS)
      .map((cell) => quoted(String(cell(finding) ?? '')))
      .join(',')}\r\n`,
}

/** The name of the key; `undefined` where no key was heard. */
function keyOf({ key, mode, keyConfidence }: AudioSummary): string | undefined {
  return keyConfidence === 0 ? undefined : keyName(key, mode)
}

/** The key on the Camelot wheel; `undefined` where no key was heard. */
function camelotOf({ key, mode, keyConfidence }: AudioSummary): string | undefined {
  return keyConfidence === 0 ? undefined : camelot(key, mode)
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

/** Control characters of terminals, and characters that reorder the text around them. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern matches control characters
const CONTROLS = /[\0-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g
/** Most characters that take two columns: East Asian wide and full width, emoji. */
const WIDE =
  /[\u1100-\u115f\u2e80-\ua4cf\ua960-\ua97f\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}|[\u{1f000}-\u{1faff}\u{20000}-\u{3ffff}]/u
const NO_WIDTH = /[\p{M}\p{Cf}]/u

/** Makes text of unknown origin (tags, file names) safe to print on one line of a terminal. */
export function visible(text: string): string {
  return text.replace(CONTROLS, (control) => {
    const short = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }[control]
    return short ?? `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

export function cutTo(line: string, columns: number): string {
  let width = 0
  let whole = ''
  let cut = ''
  for (const character of line) {
    width += NO_WIDTH.test(character) ? 0 : WIDE.test(character) ? 2 : 1
    if (width > columns) return `${cut}…`
    whole += character
    if (width < columns) cut = whole
  }
  return line
}

/** Formats seconds as `m:ss`, or as `h:mm:ss` from one hour on. */
export function clock(seconds: number): string {
  const whole = Math.round(seconds)
  const two = (number: number) => String(number).padStart(2, '0')
  const minutes = Math.floor(whole / 60)
  if (minutes < 60) return `${minutes}:${two(whole % 60)}`
  return `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(whole % 60)}`
}

export interface Finding {
  file: string
  track?: TrackAnswer
  error?: string
  analysis?: AnalysisDocument
}
