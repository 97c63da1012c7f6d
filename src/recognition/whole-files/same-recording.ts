import { FILE_SYSTEMS, type FileEvidence, type FileSystem } from '../evidence.ts'
import { isSparse, SAME_OVERLAP, sameCodes, sameRecording } from '../verdict.ts'
import { aligning, type FileCodes } from './code-alignment.ts'
import { comparingPitches, type Segments } from './pitch-difference.ts'

/** A file to compare: its codes, and how it sounds, which is asked for only when the codes agree. */
export interface WholeFile {
  codes: Partial<Record<FileSystem, FileCodes>>
  /** Seconds. */
  duration: number
  segments: () => Promise<Segments | undefined>
}

/** Whether a file is also compared by Echoprint codes. */
export function needsEchoprint({ codes, duration }: Omit<WholeFile, 'segments'>): boolean {
  return isSparse((codes.triplets ?? codes.landmarks)?.keys.length ?? 0, duration)
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
  const lengths = { file: file.duration, other: other.duration }
  for (const system of FILE_SYSTEMS) {
    const [own, others] = [file.codes[system], other.codes[system]]
    if (!own || !others) continue
    if (system === 'echoprint' && !needsEchoprint(file) && !needsEchoprint(other)) continue
    const alignments = await inSteps(aligning(others, own, SAME_OVERLAP))
    for (const aligned of alignments) {
      if (!sameCodes(aligned, system).accepted) continue
      const [sound, otherSound] = [await file.segments(), await other.segments()]
      if (!sound || !otherSound) return undefined
      const { offset } = aligned
      const from = Math.max(0, -offset)
      const length = Math.min(lengths.other, lengths.file - offset) - from
      const together = { from, length, offset }
      const pitches = await inSteps(comparingPitches(otherSound, sound, together))
      const evidence = { identical: false, system, ...aligned, pitches, lengths }
      if (sameRecording(evidence).accepted) return evidence
    }
  }
  return undefined
}

/** The evidence of two files with the same samples. */
export function identical(lengths: FileEvidence['lengths']): FileEvidence {
  const same = { offset: 0, overlap: 1, speed: 1, agreeing: 0, codes: 1, weakest: 1 }
  return { identical: true, ...same, pitches: 0, lengths }
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
