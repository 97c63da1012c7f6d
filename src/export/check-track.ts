import { type Corrections, requireCorrections } from '../analysis/correction/corrections.ts'
import type { VoiceStretch } from '../analysis/cues/voices.ts'
import type { AnalysisDocument } from '../analysis/document.ts'
import { invalidParameter } from '../values/errors.ts'
import { quoted } from '../values/text.ts'

/** Larger values have no place in the formats; as seconds it is eleven days. */
const MAX_VALUE = 1e6

const TEXT_NAME_FIELDS = ['title', 'artist', 'release', 'comment'] as const
const NUMBER_FIELDS = [
  'year',
  'trackNumber',
  'discNumber',
  'duration',
  'bitrate',
  'samplerate',
] as const

/** The lowest and the highest value, and whether it is required. */
const TRACK_RANGES: Readonly<
  Record<string, readonly [low: number, high: number, rule?: 'needed']>
> = {
  duration: [0, MAX_VALUE, 'needed'],
  tempo: [0, MAX_VALUE, 'needed'],
  key: [-1, 11],
  mode: [-1, 1],
  time_signature: [0, 64],
  loudness: [-MAX_VALUE, MAX_VALUE],
  key_confidence: [0, MAX_VALUE],
  tempo_confidence: [0, MAX_VALUE],
}

const INTERVAL_LISTS = ['bars', 'beats', 'sections', 'segments'] as const

function refuseField(title: string, field: string, value: unknown, requirement: string): never {
  const typeOrText = typeof value === 'string' ? quoted(value) : typeof value
  const actual = typeof value === 'number' || value == null ? String(value) : typeOrText
  throw invalidParameter(
    'tracks',
    `${field} of ${quoted(title)} is ${actual}; it must be ${requirement}.`,
  )
}

/** @throws {ParameterError} when the value is no object */
export function requireExportObject(value: unknown, what: string): asserts value is object {
  if (typeof value === 'object' && value !== null) return
  throw invalidParameter(
    'tracks',
    `${what} must be an object, not ${value === null ? null : typeof value}.`,
  )
}

/**
 * Formats cannot hold `null` and halves of surrogate pairs.
 *
 * @throws {ParameterError} on a field of another type, or a number that is not finite
 */
export function checkedNames<N extends object>(names: N, title: string): N {
  const texts = names as Readonly<Record<string, unknown>>
  const checked: Record<string, unknown> = {}
  for (const field of TEXT_NAME_FIELDS) {
    const value = texts[field] ?? undefined
    if (value !== undefined && typeof value !== 'string') refuseField(title, field, value, 'a text')
    checked[field] = value && withoutSurrogates(value)
  }
  for (const field of NUMBER_FIELDS) {
    const value = texts[field] ?? undefined
    if (value !== undefined && !isInRange(value, 0, MAX_VALUE))
      refuseField(title, field, value, `a number from 0 to ${MAX_VALUE}`)
    checked[field] = value
  }
  const rating = texts.rating ?? undefined
  if (rating !== undefined && !isInRange(rating, 0, 5))
    refuseField(title, 'rating', rating, 'stars, 0 to 5')
  const colour = texts.colour ?? undefined
  if (colour !== undefined && !(typeof colour === 'string' && /^#[0-9a-f]{6}$/i.test(colour)))
    refuseField(title, 'colour', colour, 'a colour, #rrggbb')
  const genres: unknown = texts.genres ?? []
  if (!Array.isArray(genres) || genres.some((genre) => typeof genre !== 'string'))
    refuseField(title, 'genres', genres, 'a list of texts')
  return { ...checked, rating, colour, genres: (genres as string[]).map(withoutSurrogates) } as N
}

/** @throws {ParameterError} when it is no list of starts and durations */
export function checkedSounds(sounds: unknown, title: string): Record<string, VoiceStretch[]> {
  if (sounds == null) return {}
  requireExportObject(sounds, `sounds of ${quoted(title)}`)
  const checked: Record<string, VoiceStretch[]> = {}
  for (const kind of ['voice', 'applause']) {
    const stretches: unknown = (sounds as Record<string, unknown>)[kind] ?? []
    const isStretch = ({ start, duration }: Partial<VoiceStretch>) =>
      isInRange(start, 0, MAX_VALUE) && isInRange(duration, 0, MAX_VALUE)
    if (
      !Array.isArray(stretches) ||
      !stretches.every((stretch) => stretch != null && isStretch(stretch))
    )
      refuseField(title, kind, stretches, 'a list of starts and durations')
    checked[kind] = stretches
  }
  return checked
}

export function withoutSurrogates(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, '')
}

/** @throws {ParameterError} on corrections that no document can have */
export function requireRecordCorrections(value: unknown, title: string): Corrections {
  requireExportObject(value, `corrections of ${quoted(title)}`)
  requireCorrections(value)
  return value
}

/** @throws {ParameterError} that names the field which no export can write */
export function checkedAnalysis(value: unknown, title: string): AnalysisDocument {
  requireExportObject(value, `analysis of ${quoted(title)}`)
  const document = { meta: {}, ...value } as Record<string, unknown>
  const { track, meta } = document
  requireExportObject(track, `analysis.track of ${quoted(title)}`)
  requireExportObject(meta, `analysis.meta of ${quoted(title)}`)
  const trackFields = track as Record<string, unknown>
  for (const [field, [low, high, rule]] of Object.entries(TRACK_RANGES)) {
    const number = trackFields[field] ?? undefined
    if (number === undefined ? rule === 'needed' : !isInRange(number, low, high))
      refuseField(title, `analysis.track.${field}`, number, `a number from ${low} to ${high}`)
  }
  for (const field of ['key', 'mode', 'time_signature']) {
    const number = trackFields[field] ?? 0
    if (!Number.isInteger(number))
      refuseField(title, `analysis.track.${field}`, number, 'a whole number')
  }
  const { sample_rate } = meta as { sample_rate?: unknown }
  if (sample_rate !== undefined && !isInRange(sample_rate, 0, MAX_VALUE))
    refuseField(title, 'analysis.meta.sample_rate', sample_rate, `a number from 0 to ${MAX_VALUE}`)
  for (const list of INTERVAL_LISTS) requireIntervals(document[list], `analysis.${list}`, title)
  requireSounds(document.segments as unknown[], title)
  return document as unknown as AnalysisDocument
}

function requireIntervals(list: unknown, name: string, title: string): void {
  if (!Array.isArray(list)) refuseField(title, name, list, 'a list')
  // Segments and sections of other analysers may begin together.
  const isTimed = name.endsWith('beats') || name.endsWith('bars')
  let previousStart = Number.NEGATIVE_INFINITY
  for (const [i, interval] of list.entries()) {
    requireExportObject(interval, `${name}[${i}] of ${quoted(title)}`)
    for (const field of ['start', 'duration']) {
      const value = (interval as Record<string, unknown>)[field]
      if (!isInRange(value, 0, MAX_VALUE))
        refuseField(title, `${name}[${i}].${field}`, value, `a number from 0 to ${MAX_VALUE}`)
    }
    for (const [field, value] of Object.entries(interval))
      if (typeof value === 'number' && !isInRange(value, -MAX_VALUE, MAX_VALUE))
        refuseField(title, `${name}[${i}].${field}`, value, 'a finite number')
    const { start } = interval as { start: number }
    if (isTimed ? start <= previousStart : start < previousStart)
      refuseField(title, `${name}[${i}].start`, start, `after the one before, ${previousStart}`)
    previousStart = start
  }
}

function requireSounds(segments: readonly unknown[], title: string): void {
  for (const [i, segment] of segments.entries())
    for (const field of ['pitches', 'timbre']) {
      const list = (segment as Record<string, unknown>)[field]
      const isVector = Array.isArray(list) && list.length === 12 && list.every(Number.isFinite)
      if (!isVector) refuseField(title, `analysis.segments[${i}].${field}`, list, 'twelve numbers')
    }
}

function isInRange(value: unknown, low: number, high: number): boolean {
  return typeof value === 'number' && value >= low && value <= high
}
