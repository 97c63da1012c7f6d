import type { Interval } from './intervals.ts'
import type { Segment } from './segments.ts'

/** The version of the analyser. Change it when any result changes: it tells old analyses apart. */
export const ANALYZER_VERSION: string = '1.14.0'

export type { Interval } from './intervals.ts'
export type { Segment } from './segments.ts'

/** A long stretch of music of one kind: verse, chorus, bridge. Confidences are 0…1. */
export interface Section extends Interval {
  /** Mean level, dB, at least -60. */
  loudness: number
  /** Beats per minute; 0 when there is no beat. */
  tempo: number
  /** How sure the tempo is. */
  tempo_confidence: number
  /** Pitch class of the tonic, 0 is C. */
  key: number
  /** How sure the key is. */
  key_confidence: number
  /** 1 major, 0 minor. */
  mode: number
  /** How sure the mode is. */
  mode_confidence: number
  /** Beats in a bar. */
  time_signature: number
  /** How sure the time signature is. */
  time_signature_confidence: number
}

/**
 * The levels of a track, of all channels: audile's own fields. `null` for a sound shorter than the
 * 400 ms of one block of ITU-R BS.1770.
 */
export interface TrackLevels {
  /** The range from quiet to loud (EBU Tech 3342), LU, 0 or more. */
  loudness_range: number | null
  /** The highest loudness of any 400 ms (EBU Tech 3341), LUFS, at least -60. */
  max_momentary_loudness: number | null
  /** The highest loudness of any 3 s (EBU Tech 3341), LUFS, at least -60. */
  max_short_term_loudness: number | null
  /** The peak between and at the samples (ITU-R BS.1770-4, annex 2), dBTP, at least -60. */
  true_peak: number | null
}

/** An analysis of the track as a whole. */
export interface AnalysisTrack extends Omit<Section, keyof Interval | 'loudness'>, TrackLevels {
  /** Integrated (ITU-R BS.1770), LUFS, at least -60; `null` for less than 400 ms of sound. */
  loudness: number | null
  /** Mono samples at 22,050 Hz. */
  num_samples: number
  /** num_samples / 22050 */
  duration: number
  /** MD5 of the mono samples at 22,050 Hz as 16-bit little-endian integers, rounded, clipped. */
  sample_md5: string
  /** Start of the analysed part, seconds: 0. */
  offset_seconds: number
  /** Length of the analysed part, seconds; 0: the whole track. */
  window_seconds: number
  /** 22,050 Hz. */
  analysis_sample_rate: number
  /** 1: mono. */
  analysis_channels: number
  /** End of the fade-in, seconds; without one, the end of the silence before the music. */
  end_of_fade_in: number
  /** Start of the fade-out, seconds; without one, the end of the music. */
  start_of_fade_out: number
  /** Zero crossings, to align the analysis with the samples of another decoder. */
  synchstring: string
  /** 1 */
  synch_version: number
  /** Onsets in eight bands, to compare rhythms. */
  rhythmstring: string
  /** 1 */
  rhythm_version: number
}

/** The fingerprints of a track as text, with the versions of their codes. */
export interface AnalysisCodes {
  /** The code string of system A, with audile's own codes: bit 30 of its keys is set. */
  codestring: string
  /** 3.15 */
  code_version: number
  /** The code string of Echoprint. */
  echoprintstring: string
  /** 4.12 */
  echoprint_version: number
}

/**
 * The analysis of a track, with the field names of the published documents.
 * Times are in seconds, levels in dB, tempos in BPM, confidences 0…1.
 *
 * @typeParam Fingerprints - `true`: it holds the code strings; `false`: it does not; `boolean`: it may
 */
export interface AnalysisDocument<Fingerprints extends boolean = boolean> {
  /** About the file, and how the analysis was made. */
  meta: {
    /** The version of the analyser, not of the package. */
    analyzer_version: string
    /** The operating system of the engine; `JavaScript` where samples were analysed without one. */
    platform: string
    /** `OK`, or what is wrong with the file. */
    detailed_status: string
    /** The file's name, without its folder. */
    filename?: string
    /** From the file's tags. */
    artist?: string
    /** From the file's tags. */
    album?: string
    /** From the file's tags. */
    title?: string
    /** From the file's tags. */
    genre?: string
    /** kbit/s. */
    bitrate?: number
    /** Of the file, Hz. */
    sample_rate: number
    /** Whole seconds of audio. */
    seconds: number
    /** 0: no error. */
    status_code: number
    /** When the analysis was made, seconds since 1970. */
    timestamp: number
    /** Duration of the analysis, seconds. */
    analysis_time: number
    /** How the channels were mixed and resampled. */
    input_process: string
  }
  /** The track as a whole, with its code strings where fingerprints were taken. */
  track: AnalysisTrack &
    ([Fingerprints] extends [true]
      ? AnalysisCodes
      : [Fingerprints] extends [false]
        ? unknown
        : Partial<AnalysisCodes>)
  /** Bars, each of whole beats, without gaps but for pauses of 20 s or more in which nothing is heard. */
  bars: Interval[]
  /** Beats, each of whole tatums, with the same gaps. */
  beats: Interval[]
  /** The smallest pulse that a listener hears. */
  tatums: Interval[]
  /** Verse, chorus, bridge and the like, over the whole track. */
  sections: Section[]
  /** Stretches of one sound each, over the whole track. */
  segments: Segment[]
}

/** The code strings stand before the other strings in the published order. */
export function withCodes(
  document: AnalysisDocument<false>,
  codes: AnalysisCodes,
): AnalysisDocument<true> {
  const { synchstring, synch_version, rhythmstring, rhythm_version, ...otherFields } =
    document.track
  const strings = { synchstring, synch_version, rhythmstring, rhythm_version }
  return { ...document, track: { ...otherFields, ...codes, ...strings } }
}

/** The fields with 0, 1, 2 … decimals, one string per number; others have three. */
const DOCUMENT_DECIMALS = new Map(
  [
    'num_samples offset_seconds window_seconds analysis_sample_rate analysis_channels ' +
      'time_signature key mode bitrate sample_rate seconds status_code timestamp',
    'synch_version rhythm_version',
    'code_version echoprint_version',
    '',
    '',
    'start duration loudness_max_time end_of_fade_in start_of_fade_out analysis_time',
  ].flatMap((names, decimals) => names.split(' ').map((name) => [name, decimals] as const)),
)
/** The published order; other fields follow. */
const META_ORDER = (
  'analyzer_version platform detailed_status filename artist album title genre bitrate ' +
  'sample_rate seconds status_code timestamp analysis_time input_process'
).split(' ')

/**
 * The document as JSON with fixed decimals, as older programs expect it: five for times,
 * three for levels, tempos, confidences, pitches and timbre (`1.000`, never `1`), none for
 * integers.
 *
 * @example
 * ```ts
 * import { stringifyAnalysis } from 'audile'
 *
 * const json = stringifyAnalysis(await track.analysis())
 * ```
 */
export function stringifyAnalysis(document: AnalysisDocument): string {
  return [...documentText(document)].join('')
}

const INTERVALS_PER_PIECE = 1_000

/**
 * In pieces, because the text of a long document is large.
 *
 * @param rounds - whether the written numbers replace those of the document
 */
export function* documentText(document: AnalysisDocument, rounds = false): Generator<string> {
  let separator = '{'
  for (const [name, value] of Object.entries(document)) {
    if (value === undefined) continue
    yield `${separator}${JSON.stringify(name)}:`
    separator = ','
    if (!Array.isArray(value)) {
      const text = writeValue(name === 'meta' ? inMetaOrder(value) : value, name)
      if (rounds) Object.assign(document, { [name]: JSON.parse(text) })
      yield text
      continue
    }
    for (let pieceStart = 0; pieceStart < value.length; pieceStart += INTERVALS_PER_PIECE) {
      const text = writeValue(value.slice(pieceStart, pieceStart + INTERVALS_PER_PIECE), name)
      if (rounds) value.splice(pieceStart, INTERVALS_PER_PIECE, ...JSON.parse(text))
      yield `${pieceStart === 0 ? '[' : ','}${text.slice(1, -1)}`
    }
    yield value.length === 0 ? '[]' : ']'
  }
  yield '}'
}

function inMetaOrder(meta: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const names = [...META_ORDER, ...Object.keys(meta)]
  return Object.fromEntries(
    names.filter((name) => meta[name] !== undefined).map((name) => [name, meta[name]]),
  )
}

function writeValue(value: unknown, name: string): string {
  if (typeof value === 'number') return writeNumber(value, name)
  if (Array.isArray(value)) return `[${value.map((item) => writeValue(item, name)).join(',')}]`
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(roundedInterval(value as Partial<Segment>))
      .filter(([, member]) => member !== undefined)
      .map(([key, member]) => `${JSON.stringify(key)}:${writeValue(member, key)}`)
    return `{${members.join(',')}}`
  }
  return JSON.stringify(value)
}

/**
 * Rounds ends, not durations, so that lists have no gaps; a segment's loudest moment stays inside
 * it, its pitches above 0.
 */
function roundedInterval<T extends Partial<Segment>>(interval: T): T {
  const { start, duration } = interval
  if (start === undefined || duration === undefined) return interval
  const rounded = { ...interval, duration: toTime(start + duration) - toTime(start) }
  if (interval.loudness_max_time !== undefined) {
    rounded.loudness_max_time = Math.min(interval.loudness_max_time, rounded.duration)
  }
  if (interval.pitches) rounded.pitches = interval.pitches.map((p) => Math.max(p, 0.001))
  return rounded
}

function toTime(seconds: number): number {
  return Number(seconds.toFixed(5))
}

function writeNumber(value: number, name: string): string {
  const finite = Number.isFinite(value) ? value : 0
  const decimals = DOCUMENT_DECIMALS.get(name) ?? 3
  if (decimals === 0) return String(Math.round(finite))
  const text = finite.toFixed(decimals)
  return /^-0\.?0*$/.test(text) ? text.slice(1) : text
}
