import { type Corrections, requireCorrections } from '../analysis/correction/corrections.ts'
import type { VoiceStretch } from '../analysis/cues/voices.ts'
import type { AnalysisDocument } from '../analysis/document.ts'
import { invalidParameter } from '../values/errors.ts'
import { quoted } from '../values/text.ts'

/** Values beyond it have no place in the formats; as seconds it is eleven days. */
const HIGHEST = 1e6

const TEXTS = ['title', 'artist', 'release', 'comment'] as const
const NUMBERS = ['year', 'trackNumber', 'discNumber', 'duration', 'bitrate', 'samplerate'] as const

/** Of the track as a whole: the lowest and the highest value, and whether it may be absent. */
const WHOLE: Readonly<Record<string, readonly [low: number, high: number, rule?: 'needed']>> = {
  duration: [0, HIGHEST, 'needed'],
  tempo: [0, HIGHEST, 'needed'],
  key: [-1, 11],
  mode: [-1, 1],
  time_signature: [0, 64],
  loudness: [-HIGHEST, HIGHEST],
  key_confidence: [0, HIGHEST],
  tempo_confidence: [0, HIGHEST],
}

const LISTS = ['bars', 'beats', 'sections', 'segments'] as const

function refuse(title: string, field: string, value: unknown, must: string): never {
  const shown = typeof value === 'string' ? quoted(value) : typeof value
  const is = typeof value === 'number' || value == null ? String(value) : shown
  throw invalidParameter('tracks', `${field} of ${quoted(title)} is ${is}; it must be ${must}.`)
}

/** @throws {ParameterError} when the track is no object */
export function requireObject(value: unknown, what: string): asserts value is object {
  if (typeof value === 'object' && value !== null) return
  throw invalidParameter(
    'tracks',
    `${what} must be an object, not ${value === null ? null : typeof value}.`,
  )
}

/**
 * The names with what formats cannot hold left out: `null`, and halves of surrogate pairs.
 *
 * @throws {ParameterError} on a field of another type, or a number that is not finite
 */
export function checkedNames<N extends object>(names: N, title: string): N {
  const texts = names as Readonly<Record<string, unknown>>
  const checked: Record<string, unknown> = {}
  for (const field of TEXTS) {
    const value = texts[field] ?? undefined
    if (value !== undefined && typeof value !== 'string') refuse(title, field, value, 'a text')
    checked[field] = value && wellFormed(value)
  }
  for (const field of NUMBERS) {
    const value = texts[field] ?? undefined
    if (value !== undefined && !isWithin(value, 0, HIGHEST))
      refuse(title, field, value, `a number from 0 to ${HIGHEST}`)
    checked[field] = value
  }
  const rating = texts.rating ?? undefined
  if (rating !== undefined && !isWithin(rating, 0, 5))
    refuse(title, 'rating', rating, 'stars, 0 to 5')
  const colour = texts.colour ?? undefined
  if (colour !== undefined && !(typeof colour === 'string' && /^#[0-9a-f]{6}$/i.test(colour)))
    refuse(title, 'colour', colour, 'a colour, #rrggbb')
  const genres: unknown = texts.genres ?? []
  if (!Array.isArray(genres) || genres.some((genre) => typeof genre !== 'string'))
    refuse(title, 'genres', genres, 'a list of texts')
  return { ...checked, rating, colour, genres: (genres as string[]).map(wellFormed) } as N
}

/**
 * Where something is heard, as a record has it.
 *
 * @throws {ParameterError} when it is no list of starts and durations
 */
export function checkedSounds(given: unknown, title: string): Record<string, VoiceStretch[]> {
  if (given == null) return {}
  requireObject(given, `sounds of ${quoted(title)}`)
  const checked: Record<string, VoiceStretch[]> = {}
  for (const kind of ['voice', 'applause']) {
    const stretches: unknown = (given as Record<string, unknown>)[kind] ?? []
    const isStretch = ({ start, duration }: Partial<VoiceStretch>) =>
      isWithin(start, 0, HIGHEST) && isWithin(duration, 0, HIGHEST)
    if (!Array.isArray(stretches) || !stretches.every((one) => one != null && isStretch(one)))
      refuse(title, kind, stretches, 'a list of starts and durations')
    checked[kind] = stretches
  }
  return checked
}

export function wellFormed(text: string): string {
  return text.replaceAll(/\p{Surrogate}/gu, '')
}

/** @throws {ParameterError} on corrections that no document can have */
export function requireRecordCorrections(value: unknown, title: string): Corrections {
  requireObject(value, `corrections of ${quoted(title)}`)
  requireCorrections(value)
  return value
}

/**
 * The document, if an export can write each number in it.
 *
 * @throws {ParameterError} that names the field
 */
export function checkedAnalysis(value: unknown, title: string): AnalysisDocument {
  requireObject(value, `analysis of ${quoted(title)}`)
  const document = { meta: {}, ...value } as Record<string, unknown>
  const { track, meta } = document
  requireObject(track, `analysis.track of ${quoted(title)}`)
  requireObject(meta, `analysis.meta of ${quoted(title)}`)
  const whole = track as Record<string, unknown>
  for (const [field, [low, high, rule]] of Object.entries(WHOLE)) {
    const number = whole[field] ?? undefined
    if (number === undefined ? rule === 'needed' : !isWithin(number, low, high))
      refuse(title, `analysis.track.${field}`, number, `a number from ${low} to ${high}`)
  }
  for (const field of ['key', 'mode', 'time_signature']) {
    const number = whole[field] ?? 0
    if (!Number.isInteger(number))
      refuse(title, `analysis.track.${field}`, number, 'a whole number')
  }
  const { sample_rate } = meta as { sample_rate?: unknown }
  if (sample_rate !== undefined && !isWithin(sample_rate, 0, HIGHEST))
    refuse(title, 'analysis.meta.sample_rate', sample_rate, `a number from 0 to ${HIGHEST}`)
  for (const list of LISTS) requireIntervals(document[list], `analysis.${list}`, title)
  requireSounds(document.segments as unknown[], title)
  return document as unknown as AnalysisDocument
}

function requireIntervals(list: unknown, name: string, title: string): void {
  if (!Array.isArray(list)) refuse(title, name, list, 'a list')
  // Segments and sections of other analysers may begin together; beats and bars have a tempo.
  const isTimed = name.endsWith('beats') || name.endsWith('bars')
  let before = Number.NEGATIVE_INFINITY
  for (const [i, one] of list.entries()) {
    requireObject(one, `${name}[${i}] of ${quoted(title)}`)
    for (const field of ['start', 'duration']) {
      const value = (one as Record<string, unknown>)[field]
      if (!isWithin(value, 0, HIGHEST))
        refuse(title, `${name}[${i}].${field}`, value, `a number from 0 to ${HIGHEST}`)
    }
    for (const [field, value] of Object.entries(one))
      if (typeof value === 'number' && !isWithin(value, -HIGHEST, HIGHEST))
        refuse(title, `${name}[${i}].${field}`, value, 'a finite number')
    const { start } = one as { start: number }
    if (isTimed ? start <= before : start < before)
      refuse(title, `${name}[${i}].start`, start, `after the one before, ${before}`)
    before = start
  }
}

function requireSounds(segments: readonly unknown[], title: string): void {
  for (const [i, segment] of segments.entries())
    for (const field of ['pitches', 'timbre']) {
      const list = (segment as Record<string, unknown>)[field]
      const isVector = Array.isArray(list) && list.length === 12 && list.every(Number.isFinite)
      if (!isVector) refuse(title, `analysis.segments[${i}].${field}`, list, 'twelve numbers')
    }
}

function isWithin(value: unknown, low: number, high: number): boolean {
  return typeof value === 'number' && value >= low && value <= high
}
