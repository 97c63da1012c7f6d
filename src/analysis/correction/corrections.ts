import { invalidParameter, limitExceeded } from '../../values/errors.ts'
import type { AnalysisDocument } from '../document.ts'
import { type GridAnchor, requireAnchors } from './grid-anchors.ts'

/** A correction of a part of a track. `null` and `undefined` correct nothing. */
export interface PartCorrection {
  /** Where the part begins, seconds. */
  from: number
  /** Where it ends, seconds; without it, the part goes to the end of the track. */
  to?: number | undefined
  /** The tempo: `double` or `half` of that which the part has, or beats per minute, 20…500. */
  tempo?: 'double' | 'half' | number | null | undefined
  /** A moment of the part at which a bar begins, in seconds. */
  downbeat?: number | null | undefined
}

/**
 * A listener's corrections to an analysis. `null` and `undefined` correct nothing.
 */
export interface Corrections {
  /**
   * With `from`, `to` or both, in seconds, `tempo` and `downbeat` hold for the part between them; the
   * other corrections hold for a whole track only.
   */
  from?: number | undefined
  /** Where that part ends, in seconds. */
  to?: number | undefined
  /** Corrections of parts, which are applied after those of the whole, in order; at most 100. */
  parts?: readonly PartCorrection[] | null | undefined
  /**
   * A whole grid, in place of `tempo` and `downbeat`: beats in order, each with the tempo from there on. The
   * first one's tempo holds before it too; at most 10,000.
   */
  grid?: readonly GridAnchor[] | null | undefined
  /** The tempo: `double` or `half` of the present one, or beats per minute, 20…500: a number is kept. */
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
   * The expected range of the tempo, beats per minute. A hint: a tempo outside becomes the multiple
   * inside that the onsets support best. `tempo` takes precedence.
   */
  tempoRange?: readonly [low: number, high: number] | null | undefined
}

/** A check of each value, and the words for what is valid. */
const VALID_CORRECTIONS: Record<
  Exclude<keyof Corrections, 'parts' | 'grid'>,
  [isValid: (value: unknown) => boolean, give: string]
> = {
  tempo: [
    (value) => value === 'double' || value === 'half' || isTempo(value),
    `give 'double', 'half', or beats per minute from 20 to 500.`,
  ],
  from: [(value) => isNumberWithin(value, 0, Infinity), 'give seconds from the beginning.'],
  to: [(value) => isNumberWithin(value, 0, Infinity), 'give seconds from the beginning.'],
  downbeat: [(value) => isNumberWithin(value, 0, Infinity), 'give seconds from the beginning.'],
  key: [(value) => isWholeWithin(value, 0, 11), 'give a pitch class from 0 (C) to 11 (B).'],
  mode: [(value) => isWholeWithin(value, 0, 1), 'give 0 (minor) or 1 (major).'],
  timeSignature: [
    (value) => isWholeWithin(value, 3, 7),
    'give the beats in a bar, from 3 to 7 (for bars of two, 4).',
  ],
  tempoRange: [
    (value) => Array.isArray(value) && value.length === 2 && value.every(isTempo),
    'give the lowest and the highest beats per minute, from 20 to 500: [80, 160].',
  ],
}

/** A range must hold a multiple of nearly every tempo. */
const WIDEST_GAP = 2 * 0.95

/** @throws {ParameterError} when no document can have them */
export function requireCorrections(corrections: Corrections): void {
  for (const [name, [isValid, give]] of Object.entries(VALID_CORRECTIONS)) {
    const value = corrections[name as keyof Corrections]
    if (value != null && !isValid(value))
      throw invalidParameter(name, `${shownValue(value)}; ${give}`)
  }
  if (corrections.grid != null) requireAnchors(corrections.grid)
  requirePart(corrections)
  for (const correction of requirePartList(corrections.parts ?? [])) requireCorrections(correction)
  const [low, high] = corrections.tempoRange ?? [1, 2]
  if (high < WIDEST_GAP * low)
    throw invalidParameter(
      'tempoRange',
      `${shownValue([low, high])}; ${high} is less than double ${low}, so some tempi would have no multiple inside.`,
    )
}

/** Each one is applied to the whole document. */
const MOST_PART_CORRECTIONS = 100

function requirePartList(parts: readonly PartCorrection[]): readonly PartCorrection[] {
  if (
    !Array.isArray(parts) ||
    parts.some((correction) => typeof correction !== 'object' || correction === null)
  )
    throw invalidParameter('parts', 'must be a list of corrections with from.')
  requireFewParts(parts)
  return parts
}

export function requireFewParts({ length }: readonly PartCorrection[]): void {
  if (length <= MOST_PART_CORRECTIONS) return
  const remedy = 'undo some with null, or correct larger parts'
  throw limitExceeded('parts', `${length} are more than ${MOST_PART_CORRECTIONS}; ${remedy}.`)
}

const PART_FIELDS: readonly string[] = [
  'from',
  'to',
  'tempo',
  'downbeat',
] satisfies (keyof PartCorrection)[]

function requirePart({ parts: _, ...corrections }: Corrections): void {
  const { from = 0, to, downbeat } = corrections
  if (corrections.from === undefined && to === undefined) return
  const wholeTrackField = Object.entries(corrections).find(
    ([name, value]) => value !== undefined && !PART_FIELDS.includes(name),
  )
  if (wholeTrackField)
    throw invalidParameter(wholeTrackField[0], 'holds for whole tracks; leave out from and to.')
  const end = to ?? Infinity
  if (end <= from) throw invalidParameter('to', `${to} is not after from, ${from}.`)
  if (downbeat != null && (downbeat < from || downbeat >= end))
    throw invalidParameter('downbeat', `${downbeat} is not in the part from ${from} to ${end}.`)
}

/** @throws {ParameterError} when this document cannot have them */
export function requireFitting(
  { track }: Pick<AnalysisDocument, 'track'>,
  { tempo, downbeat }: Corrections,
): void {
  if (tempo === 'double' || tempo === 'half') {
    const newTempo = tempo === 'double' ? 2 * track.tempo : track.tempo / 2
    if (!isTempo(newTempo))
      throw invalidParameter(
        'tempo',
        `'${tempo}' of ${track.tempo} BPM is ${newTempo}; give beats per minute from 20 to 500.`,
      )
  }
  if (downbeat != null && downbeat >= track.duration)
    throw invalidParameter(
      'downbeat',
      `${downbeat} is not before the end of the track, at ${track.duration} seconds.`,
    )
}

function isTempo(value: unknown): boolean {
  return isNumberWithin(value, 20, 500)
}

function isWholeWithin(value: unknown, low: number, high: number): boolean {
  return Number.isInteger(value) && isNumberWithin(value, low, high)
}

function isNumberWithin(value: unknown, low: number, high: number): boolean {
  return typeof value === 'number' && value >= low && value <= high && Number.isFinite(value)
}

function shownValue(value: unknown): string {
  return JSON.stringify(value) ?? String(value)
}
