import { ACCEPTED, above, below, type Verdict } from '../refusal.ts'
import { aligning, type FileCodes } from './code-alignment.ts'
import { comparingSounds, type Segments } from './sound-difference.ts'

/** What speaks for two files being the same recording. */
export interface FileEvidence {
  /** Whether their decoded sound is the same to the bit: then nothing else was compared. */
  identical: boolean
  /** Seconds of this file at which the other one begins; negative when the other begins earlier. */
  offset: number
  /** The time in which both sound, as a share of the longer file: 0…1. */
  overlap: number
  /** How fast this file is relative to the other: 1.01 is 1 % slower. */
  speed: number
  /** How many codes agree at that offset. */
  agreeing: number
  /** The share of the codes of both that agree, where both sound: 0…1. */
  codes: number
  /** The same in the place of 10 s where the fewest agree; 15 % of the places are left out. */
  weakest: number
  /** How much the pitches differ, 0…: 0 is not at all, 1 as much as those of different moments. */
  pitches: number
  /** The same of the timbre. */
  timbre: number
  /** Seconds. */
  lengths: { file: number; other: number }
}

/**
 * When two files are the same recording, perhaps encoded differently or trimmed. Chosen on 306 pairs
 * of copies of generated music and 190 of freely licensed music (MP3 at 32 kbit/s and more, Vorbis,
 * Opus, AAC; mono, softer, trimmed by up to 9 s): 292 and 181 are accepted, and none of 25,119 and
 * 8,195 pairs of other music, much of it alike. Of pieces that nothing was chosen on, 224 of 240 pairs
 * of copies are accepted and none of 13,455 others.
 */
const SAME = Object.freeze({
  /** A trimmed file is no excerpt. */
  overlap: 2 / 3,
  /** Fewer codes may agree by chance at some offset. */
  agreeing: 10,
  /** Copies at low bit rates mostly have 0.04 or more; edits and medleys 0 to 0.02 where they differ. */
  weakest: 0.02,
  /** As a difference from 1: a beat a minute more is 0.005 or more. Codes are 46 ms apart. */
  speed: 0.003,
  /**
   * Either is enough. Another song over the same loop, whose codes agree like those of a copy, has
   * pitches from 0.1 on and a timbre from 0.3 on; copies of drums, whose pitches mean little, up to
   * 0.2 and 0.25.
   */
  pitches: 0.08,
  timbre: 0.25,
})

/** Whether two files are the same recording. */
export function sameRecording(evidence: Omit<FileEvidence, 'offset' | 'lengths'>): Verdict {
  if (evidence.identical) return ACCEPTED
  const refusal = sameCodes(evidence)
  if (!refusal.accepted || evidence.timbre <= SAME.timbre) return refusal
  return above('pitches', evidence.pitches, SAME.pitches) ?? ACCEPTED
}

/** What of the verdict needs no more than codes. */
function sameCodes({
  overlap,
  agreeing,
  weakest,
  speed,
}: Pick<FileEvidence, 'overlap' | 'agreeing' | 'weakest' | 'speed'>): Verdict {
  return (
    below('overlap', overlap, SAME.overlap) ??
    below('agreeing', agreeing, SAME.agreeing) ??
    below('weakest', weakest, SAME.weakest) ??
    above('speed', Math.abs(speed - 1), SAME.speed) ??
    ACCEPTED
  )
}

/** A file to compare: its codes, and how it sounds, which is asked for only when the codes agree. */
export interface WholeFile {
  codes: FileCodes
  segments: () => Promise<Segments | undefined>
}

/** The steps of a comparison, made one after another with pauses between. */
type InSteps = <T>(steps: Generator<void, T>) => Promise<T>

/**
 * Compares two files; `undefined` when they are not the same recording, or how they sound is unknown.
 *
 * @returns the evidence for `file`, relative to `other`
 */
export async function comparing(
  file: WholeFile,
  other: WholeFile,
  inSteps: InSteps,
): Promise<FileEvidence | undefined> {
  const lengths = { file: file.codes.duration, other: other.codes.duration }
  const alignments = await inSteps(aligning(other.codes, file.codes, SAME.overlap))
  for (const aligned of alignments.filter((one) => sameCodes(one).accepted)) {
    const [sound, otherSound] = [await file.segments(), await other.segments()]
    if (!sound || !otherSound) return undefined
    const { offset } = aligned
    const from = Math.max(0, -offset)
    const length = Math.min(lengths.other, lengths.file - offset) - from
    const difference = await inSteps(comparingSounds(otherSound, sound, { from, length, offset }))
    const evidence = { identical: false, ...aligned, ...difference, lengths }
    if (sameRecording(evidence).accepted) return evidence
  }
  return undefined
}

/** The evidence of two files with the same samples. */
export function identical(lengths: FileEvidence['lengths']): FileEvidence {
  const same = { offset: 0, overlap: 1, speed: 1, agreeing: 0, codes: 1, weakest: 1 }
  return { identical: true, ...same, pitches: 0, timbre: 0, lengths }
}

/** The evidence of the other file, relative to this one. */
export function reversed(evidence: FileEvidence): FileEvidence {
  const { offset, speed, lengths } = evidence
  return {
    ...evidence,
    offset: -offset / speed,
    speed: 1 / speed,
    lengths: { file: lengths.other, other: lengths.file },
  }
}
