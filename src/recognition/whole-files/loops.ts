import { atOnce } from '../../kernel/scheduler.ts'
import type { Codes, Lookup } from '../systems/codes.ts'
import { SAME_OVERLAP, sameCodes } from '../verdict.ts'
import { aligning, type CodeAlignment, fileCodes } from './code-alignment.ts'

/**
 * A file repeats itself if its distinct codes are at most this share of all: those of 22 loops are 0.2
 * to 0.51, songs over a loop have 0.53 or more, of 419 files of other music all have 0.61 or more.
 */
const DISTINCT = 0.5
/** How many recordings are compared, and the share of the file's distinct codes that they hold. */
const MOST = 10
const HELD = 0.4

/** The recording that was found for a file that repeats itself. */
export interface Repeated {
  recording: number
  /** Distinct codes of the file that the recording has. */
  held: number
  alignment: CodeAlignment
}

/**
 * Finds the recording of a file of strictly repeated music, such as a loop. Its codes agree with
 * those of a copy at many offsets, so that a search for one offset says nothing: the whole file is
 * compared with the recordings that have most of its codes.
 *
 * @param duration - of the file, seconds
 * @param durationOf - that of a recording
 * @returns `undefined` also when the file does not repeat itself
 */
export function repeatedIn(
  codes: Codes,
  { perSecond, duration }: { perSecond: number; duration: number },
  lookup: Lookup,
  durationOf: (recording: number) => number | null | undefined,
): Repeated | undefined {
  const distinct = new Set(codes.codes)
  if (distinct.size > DISTINCT * codes.codes.length) return undefined
  const held = new Map<number, { count: number; codes: number[]; times: number[] }>()
  for (const code of distinct) {
    const { songs, times, length } = lookup.postings(code)
    for (let i = 0; i < length; i++) {
      const own = held.get(songs[i]!) ?? { count: 0, codes: [], times: [] }
      held.set(songs[i]!, own)
      if (own.codes.at(-1) !== code) own.count++
      own.codes.push(code)
      own.times.push(times[i]!)
    }
  }
  const likeliest = [...held]
    .filter(([, { count }]) => count >= HELD * distinct.size)
    .sort(([, one], [, other]) => other.count - one.count)
  const file = fileCodes(codes, { perSecond, duration })
  for (const [recording, { count, ...found }] of likeliest.slice(0, MOST)) {
    const other = fileCodes(
      { codes: Uint32Array.from(found.codes), times: Uint32Array.from(found.times) },
      { perSecond, duration: durationOf(recording) ?? duration },
    )
    const alignment = atOnce(aligning(file, other, SAME_OVERLAP)).find((one) =>
      sameCodes(one, 'repeating'),
    )
    if (alignment) return { recording, held: count, alignment }
  }
  return undefined
}
