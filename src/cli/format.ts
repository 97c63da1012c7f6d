import { basename } from 'node:path'
import { stringifyAnalysis } from '../index.ts'
import type { Finding } from './finding.ts'
import { clock, cutTo, visible } from './text.ts'

/** A format of the output. It is written line by line, so that a long run shows results early. */
export interface Format {
  /** Written before the first line. */
  head: string
  /** The lines of one file; empty when the format leaves it out. */
  lines(finding: Finding): string
}

const KEYS = ['C', 'C#', 'D', 'Eb', 'E', 'F', 'F#', 'G', 'Ab', 'A', 'Bb', 'B']

/**
 * For people. The column without a fixed width is the last, so that no row has to wait for others.
 * Files with errors are left out, as errors go to standard error.
 *
 * @param columns - the width of the terminal; without it, lines are not cut
 */
export function table(columns = Number.POSITIVE_INFINITY): Format {
  const row = (tempo: string, key: string, time: string, lufs: string, length: string) =>
    `${tempo.padStart(5)}  ${key.padEnd(8)}  ${time.padStart(4)}  ${lufs.padStart(5)}  ${length.padStart(7)}`
  return {
    head: `${row('BPM', 'key', 'time', 'LUFS', 'length')}  title\n`,
    lines({ file, track, error }) {
      if (error !== undefined || !track?.audioSummary) return ''
      const { tempo, key, mode, timeSignature, loudness, duration } = track.audioSummary
      const title = [track.artist, track.title ?? basename(file)].filter(Boolean).join(' – ')
      const start = row(
        tempo > 0 ? tempo.toFixed(1) : '–',
        keyName(key, mode),
        tempo > 0 ? `${timeSignature}/4` : '–',
        loudness.toFixed(1),
        clock(duration),
      )
      return `${cutTo(`${start}  ${visible(title)}`, columns)}\n`
    },
  }
}

/** For programs: JSON lines, each with the path of a file and its track as the library answers it. */
export const json: Format = {
  head: '',
  lines({ file, track, error, analysis }) {
    const failed = error === undefined ? undefined : { status: 'error', error }
    const line = JSON.stringify({ file, ...track, ...failed })
    if (analysis === undefined) return `${line}\n`
    return `${line.slice(0, -1)},"analysis":${stringifyAnalysis(analysis)}}\n`
  },
}

const COLUMNS: Record<string, (finding: Finding) => string | number | null | undefined> = {
  file: ({ file }) => file,
  status: ({ track, error }) => (error === undefined ? track?.status : 'error'),
  error: ({ error }) => error,
  title: ({ track }) => track?.title,
  artist: ({ track }) => track?.artist,
  release: ({ track }) => track?.release,
  duration: ({ track }) => track?.audioSummary?.duration,
  tempo: ({ track }) => track?.audioSummary?.tempo,
  key: ({ track }) => track?.audioSummary?.key,
  mode: ({ track }) => track?.audioSummary?.mode,
  keyName: ({ track: { audioSummary: s } = {} }) => s && keyName(s.key, s.mode),
  timeSignature: ({ track }) => track?.audioSummary?.timeSignature,
  loudness: ({ track }) => track?.audioSummary?.loudness,
  energy: ({ track }) => track?.audioSummary?.energy,
  danceability: ({ track }) => track?.audioSummary?.danceability,
  id: ({ track }) => track?.id,
  songId: ({ track }) => track?.songId,
  md5: ({ track }) => track?.md5,
}

/** For spreadsheets: RFC 4180, in UTF-8. */
export const csv: Format = {
  head: `${Object.keys(COLUMNS).join(',')}\r\n`,
  lines: (finding) =>
    `${Object.values(COLUMNS)
      .map((cell) => quoted(String(cell(finding) ?? '')))
      .join(',')}\r\n`,
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
}

function keyName(key: number, mode: number): string {
  return key < 0 ? '–' : `${KEYS[key]} ${mode === 1 ? 'major' : 'minor'}`
}
