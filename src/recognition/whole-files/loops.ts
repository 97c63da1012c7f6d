import { atOnce } from '../../kernel/scheduler.ts'
import type { Codes, Lookup } from '../systems/codes.ts'
import { haveSameCodes, SAME_OVERLAP } from '../verdict.ts'
import { alignCodes, type CodeAlignment, sortFileCodes } from './code-alignment.ts'

/** A file repeats itself if its distinct codes are at most this share of all. */
const MAX_DISTINCT_SHARE = 0.5
const MAX_COMPARED = 10
const MIN_HELD_SHARE = 0.4

/** The recording of a file that repeats itself. */
export interface RepeatedRecording {
  recording: number
  held: number
  alignment: CodeAlignment
}

/**
 * Finds the recording of repeated music. Its codes agree with a copy at many offsets, so whole
 * files are compared.
 */
export function findRepeated(
  codes: Codes,
  { perSecond, duration }: { perSecond: number; duration: number },
  lookup: Lookup,
  durationOf: (recording: number) => number | null | undefined,
): RepeatedRecording | undefined {
  const distinct = new Set(codes.codes)
  if (distinct.size > MAX_DISTINCT_SHARE * codes.codes.length) return undefined
  const codesByRecording = new Map<number, { count: number; codes: number[]; times: number[] }>()
  for (const code of distinct) {
    const { songs, times, length } = lookup.postings(code)
    for (let i = 0; i < length; i++) {
      const ownCodes = codesByRecording.get(songs[i]!) ?? { count: 0, codes: [], times: [] }
      codesByRecording.set(songs[i]!, ownCodes)
      if (ownCodes.codes.at(-1) !== code) ownCodes.count++
      ownCodes.codes.push(code)
      ownCodes.times.push(times[i]!)
    }
  }
  const likeliest = [...codesByRecording]
    .filter(([, { count }]) => count >= MIN_HELD_SHARE * distinct.size)
    .sort(([, one], [, other]) => other.count - one.count)
  const file = sortFileCodes(codes, { perSecond, duration })
  for (const [recording, { count, ...ownCodes }] of likeliest.slice(0, MAX_COMPARED)) {
    const other = sortFileCodes(
      { codes: Uint32Array.from(ownCodes.codes), times: Uint32Array.from(ownCodes.times) },
      { perSecond, duration: durationOf(recording) ?? duration },
    )
    const alignment = atOnce(alignCodes(file, other, SAME_OVERLAP)).find((aligned) =>
      haveSameCodes(aligned, 'repeating'),
    )
    if (alignment) return { recording, held: count, alignment }
  }
  return undefined
}
