import { invalidParameter } from '../../errors.ts'
import type { AnalysisDocument } from '../document.ts'

/**
 * What a listener knows better than an analysis. `null` and `undefined` correct nothing.
 */
export interface Corrections {
  /** The tempo: `double` or `half` of what it is, or beats per minute, 20…500. */
  tempo?: 'double' | 'half' | number | null | undefined
  /** A moment at which a bar begins, in seconds. */
  downbeat?: number | null | undefined
  /** Pitch class of the tonic, 0 is C. */
  key?: number | null | undefined
  /** 1 major, 0 minor. */
  mode?: number | null | undefined
  /** Beats in a bar, 3…7. Bars of two are written in pairs, as bars of four. */
  timeSignature?: number | null | undefined
  /**
   * Beats per minute between which the tempo is expected. A hint: a tempo outside becomes its multiple
   * inside that the onsets support best. A `tempo` goes before it.
   */
  tempoRange?: readonly [low: number, high: number] | null | undefined
}

/** The values that corrections may have, ends included. */
const BOUNDS = {
  /** Beats per minute. */
  tempo: [20, 500],
  /** Beats in a bar. */
  timeSignature: [3, 7],
  key: [0, 11],
  mode: [0, 1],
} as const

/** A range of tempi must hold a multiple of nearly every tempo: what its ends are apart, at least. */
const WIDEST_GAP = 2 * 0.95

/**
 * Refuses corrections that no document can have.
 *
 * @throws {ParameterError} that names the value and what may be given
 */
export function requireCorrections({
  tempo,
  downbeat,
  key,
  mode,
  timeSignature,
  tempoRange,
}: Corrections): void {
  if (tempo != null && tempo !== 'double' && tempo !== 'half' && !isWithin(tempo, BOUNDS.tempo))
    throw invalidParameter(
      'tempo',
      `${shown(tempo)}; give 'double', 'half', or beats per minute from 20 to 500.`,
    )
  if (downbeat != null && !isWithin(downbeat, [0, Infinity]))
    throw invalidParameter('downbeat', `${shown(downbeat)}; give seconds from the beginning.`)
  if (key != null && !(Number.isInteger(key) && isWithin(key, BOUNDS.key)))
    throw invalidParameter('key', `${shown(key)}; give a pitch class from 0 (C) to 11 (B).`)
  if (mode != null && mode !== 0 && mode !== 1)
    throw invalidParameter('mode', `${shown(mode)}; give 0 (minor) or 1 (major).`)
  if (
    timeSignature != null &&
    !(Number.isInteger(timeSignature) && isWithin(timeSignature, BOUNDS.timeSignature))
  )
    throw invalidParameter(
      'timeSignature',
      `${shown(timeSignature)}; give the beats in a bar, from 3 to 7 (for bars of two, 4).`,
    )
  if (tempoRange != null) requireRange(tempoRange)
}

function requireRange(range: readonly [low: number, high: number]): void {
  const isPair = Array.isArray(range) && range.length === 2
  if (!isPair || range.some((end) => !isWithin(end, BOUNDS.tempo)))
    throw invalidParameter(
      'tempoRange',
      `${shown(range)}; give the lowest and the highest beats per minute, from 20 to 500: [80, 160].`,
    )
  const [low, high] = range
  if (high < WIDEST_GAP * low)
    throw invalidParameter(
      'tempoRange',
      `${shown(range)}; ${high} is less than double ${low}, so some tempi would have no multiple inside.`,
    )
}

/**
 * Refuses what one document cannot have.
 *
 * @throws {ParameterError} that names the value and what may be given
 */
export function requireFitting(
  { track }: Pick<AnalysisDocument, 'track'>,
  { tempo, downbeat }: Corrections,
): void {
  if (tempo === 'double' || tempo === 'half') {
    const wanted = tempo === 'double' ? 2 * track.tempo : track.tempo / 2
    if (!isWithin(wanted, BOUNDS.tempo))
      throw invalidParameter(
        'tempo',
        `'${tempo}' of ${track.tempo} BPM is ${wanted}; give beats per minute from 20 to 500.`,
      )
  }
  if (downbeat != null && downbeat >= track.duration)
    throw invalidParameter(
      'downbeat',
      `${downbeat} is not before the end of the track, at ${track.duration} seconds.`,
    )
}

function isWithin(value: unknown, [low, high]: readonly [number, number]): boolean {
  return typeof value === 'number' && value >= low && value <= high && Number.isFinite(value)
}

function shown(value: unknown): string {
  return typeof value === 'string'
    ? JSON.stringify(value)
    : (JSON.stringify(value) ?? String(value))
}
