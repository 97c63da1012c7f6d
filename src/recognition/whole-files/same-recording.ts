import { FILE_SYSTEMS, type FileEvidence, type FileSystem } from '../evidence.ts'
import { isSparse, SAME_OVERLAP, sameCodes, sameRecording } from '../verdict.ts'
import { agreeingAt, aligning, type FileCodes } from './code-alignment.ts'
import { comparingPitches, type Segments } from './pitch-difference.ts'

/** A file to compare: its codes, and how it sounds, which is asked for only when the codes agree. */
export interface WholeFile {
  codes: Partial<Record<FileSystem, FileCodes>>
  /** Seconds. */
  duration: number
  segments: () => Promise<Segments | undefined>
}

export function needsEchoprint({ codes, duration }: Omit<WholeFile, 'segments'>): boolean {
  return isSparse(codes.triplets?.keys.length ?? 0, duration)
}

/** The steps of a comparison, made one after another with pauses between. */
type InSteps = <T>(steps: Generator<void, T>) => Promise<T>

/** Seconds. Offsets that differ by at most this are the same: systems are exact to a code step. */
const ONE_OFFSET = 0.1
/**
 * An offset with this share of the most agreeing codes is as good. Where bars are the same to the
 * sample, a wrong offset has up to a fifth more than the right one: frames lie at other places of each bar.
 * Of 83 copies of such music that lack up to half a bar, on which this was not chosen, 3 are found at a
 * wrong offset; 46 where the first that is accepted is taken.
 */
const AS_MANY = 0.8

/**
 * Compares two files; `undefined` when they are not the same recording, or how they sound is unknown.
 * If the files are exchanged, the evidence is that of the other file.
 *
 * @returns the evidence for `file`, relative to `other`
 */
export async function comparing(
  file: WholeFile,
  other: WholeFile,
  inSteps: InSteps,
): Promise<FileEvidence | undefined> {
  if (!isAfter(file, other)) return comparingOrdered(file, other, inSteps)
  const evidence = await comparingOrdered(other, file, inSteps)
  return evidence && reversed(evidence)
}

/** Whether two files are compared in exchanged order, so that their order does not matter. */
function isAfter(file: WholeFile, other: WholeFile): boolean {
  if (file.duration !== other.duration) return file.duration > other.duration
  const countOf = ({ codes }: WholeFile) =>
    FILE_SYSTEMS.reduce((sum, system) => sum + (codes[system]?.keys.length ?? 0), 0)
  return countOf(file) > countOf(other)
}

async function comparingOrdered(
  file: WholeFile,
  other: WholeFile,
  inSteps: InSteps,
): Promise<FileEvidence | undefined> {
  const lengths = { file: file.duration, other: other.duration }
  const pairs: CodePair[] = []
  const found: FileEvidence[] = []
  for (const system of FILE_SYSTEMS) {
    const [own, others] = [file.codes[system], other.codes[system]]
    if (!own || !others) continue
    if (system === 'echoprint' && !needsEchoprint(file) && !needsEchoprint(other)) continue
    pairs.push([others, own])
    const alignments = await inSteps(aligning(others, own, SAME_OVERLAP))
    for (const aligned of alignments) {
      if (!sameCodes(aligned, system)) continue
      const [sound, otherSound] = [await file.segments(), await other.segments()]
      if (!sound || !otherSound) return undefined
      const { offset } = aligned
      const from = Math.max(0, -offset)
      const length = Math.min(lengths.other, lengths.file - offset) - from
      const together = { from, length, offset }
      const pitches = await inSteps(comparingPitches(otherSound, sound, together))
      const evidence = { identical: false, system, ...aligned, pitches, lengths }
      if (sameRecording(evidence)) found.push(evidence)
    }
  }
  return inSteps(choosing(found, pairs))
}

/** The codes of the other file and of this one, of a system. */
type CodePair = readonly [FileCodes, FileCodes]

/**
 * The likeliest of the offsets at which two files are the same: the one with the longest overlap,
 * among those at which about the most codes of all systems agree. Pitches do not decide: among
 * accepted offsets, frame positions and encoding change them more than a shift by whole bars does.
 */
function* choosing(
  found: readonly FileEvidence[],
  pairs: readonly CodePair[],
): Generator<void, FileEvidence | undefined> {
  const [first] = found
  if (!first || found.every((one) => isAt(one, first))) return first
  const counted: { one: FileEvidence; agreeing: number }[] = []
  for (const one of found) {
    yield
    const agreeing = pairs.reduce((sum, [a, b]) => sum + agreeingAt(a, b, one.offset), 0)
    counted.push({ one, agreeing })
  }
  const most = Math.max(...counted.map(({ agreeing }) => agreeing))
  const asMany = counted.filter(({ agreeing }) => agreeing >= AS_MANY * most)
  const longest = Math.max(...asMany.map(({ one }) => secondsOf(one)))
  const [best] = asMany
    .filter(({ one }) => secondsOf(one) >= longest - ONE_OFFSET)
    .sort((a, b) => b.agreeing - a.agreeing)
  return best?.one
}

function isAt({ offset }: FileEvidence, other: FileEvidence): boolean {
  return Math.abs(offset - other.offset) <= ONE_OFFSET
}

/** Seconds that sound in both files. */
function secondsOf({ overlap, lengths }: FileEvidence): number {
  return overlap * Math.max(lengths.file, lengths.other)
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
