import { FILE_SYSTEMS, type FileEvidence, type FileSystem } from '../evidence.ts'
import { haveSameCodes, isSameRecording, isSparse, SAME_OVERLAP } from '../verdict.ts'
import { alignCodes, countAgreeing, type FileCodes } from './code-alignment.ts'
import { comparePitches, type Segments } from './pitch-difference.ts'

/** A file to compare; its segments are asked for only when the codes agree. */
export interface WholeFile {
  codes: Partial<Record<FileSystem, FileCodes>>
  /** Seconds. */
  duration: number
  segments: () => Promise<Segments | undefined>
}

export function needsEchoprint({ codes, duration }: Omit<WholeFile, 'segments'>): boolean {
  return isSparse(codes.triplets?.keys.length ?? 0, duration)
}

type InSteps = <T>(steps: Generator<void, T>) => Promise<T>

/** Seconds. Systems are exact to a code step. */
const OFFSET_TOLERANCE = 0.1
/** In repeated music a wrong offset may have a fifth more codes than the right one. */
const AS_GOOD_SHARE = 0.8

/** Compares two files; `undefined` when they differ, or how they sound is unknown. */
export async function compareFiles(
  file: WholeFile,
  other: WholeFile,
  inSteps: InSteps,
): Promise<FileEvidence | undefined> {
  if (!isAfter(file, other)) return compareOrdered(file, other, inSteps)
  const evidence = await compareOrdered(other, file, inSteps)
  return evidence && reverseEvidence(evidence)
}

function isAfter(file: WholeFile, other: WholeFile): boolean {
  if (file.duration !== other.duration) return file.duration > other.duration
  const countOf = ({ codes }: WholeFile) =>
    FILE_SYSTEMS.reduce((sum, system) => sum + (codes[system]?.keys.length ?? 0), 0)
  return countOf(file) > countOf(other)
}

async function compareOrdered(
  file: WholeFile,
  other: WholeFile,
  inSteps: InSteps,
): Promise<FileEvidence | undefined> {
  const lengths = { file: file.duration, other: other.duration }
  const pairs: FileCodePair[] = []
  const evidences: FileEvidence[] = []
  for (const system of FILE_SYSTEMS) {
    const [codes, otherCodes] = [file.codes[system], other.codes[system]]
    if (!codes || !otherCodes) continue
    if (system === 'echoprint' && !needsEchoprint(file) && !needsEchoprint(other)) continue
    pairs.push([otherCodes, codes])
    const alignments = await inSteps(alignCodes(otherCodes, codes, SAME_OVERLAP))
    for (const aligned of alignments) {
      if (!haveSameCodes(aligned, system)) continue
      const [sound, otherSound] = [await file.segments(), await other.segments()]
      if (!sound || !otherSound) return undefined
      const { offset } = aligned
      const start = Math.max(0, -offset)
      const length = Math.min(lengths.other, lengths.file - offset) - start
      const together = { from: start, length, offset }
      const pitches = await inSteps(comparePitches(otherSound, sound, together))
      const evidence = { identical: false, system, ...aligned, pitches, lengths }
      if (isSameRecording(evidence)) evidences.push(evidence)
    }
  }
  return inSteps(chooseOffset(evidences, pairs))
}

type FileCodePair = readonly [FileCodes, FileCodes]

/**
 * The offset with the longest overlap among those at which about the most codes agree. Pitches vary
 * more with encoding than with whole bars.
 */
function* chooseOffset(
  evidences: readonly FileEvidence[],
  pairs: readonly FileCodePair[],
): Generator<void, FileEvidence | undefined> {
  const [first] = evidences
  if (!first || evidences.every((candidate) => isSameOffset(candidate, first))) return first
  const counted: { candidate: FileEvidence; agreeing: number }[] = []
  for (const candidate of evidences) {
    yield
    const agreeing = pairs.reduce((sum, [a, b]) => sum + countAgreeing(a, b, candidate.offset), 0)
    counted.push({ candidate, agreeing })
  }
  const maxAgreeing = Math.max(...counted.map(({ agreeing }) => agreeing))
  const likeliest = counted.filter(({ agreeing }) => agreeing >= AS_GOOD_SHARE * maxAgreeing)
  const longest = Math.max(...likeliest.map(({ candidate }) => sharedSeconds(candidate)))
  const [best] = likeliest
    .filter(({ candidate }) => sharedSeconds(candidate) >= longest - OFFSET_TOLERANCE)
    .sort((a, b) => b.agreeing - a.agreeing)
  return best?.candidate
}

function isSameOffset({ offset }: FileEvidence, other: FileEvidence): boolean {
  return Math.abs(offset - other.offset) <= OFFSET_TOLERANCE
}

function sharedSeconds({ overlap, lengths }: FileEvidence): number {
  return overlap * Math.max(lengths.file, lengths.other)
}

export function identicalEvidence(lengths: FileEvidence['lengths']): FileEvidence {
  const same = { offset: 0, overlap: 1, speed: 1, agreeing: 0, codes: 1, weakest: 1 }
  return { identical: true, ...same, pitches: 0, lengths }
}

/** The same evidence, seen from the other file. */
export function reverseEvidence(evidence: FileEvidence): FileEvidence {
  const { offset, speed, lengths } = evidence
  return {
    ...evidence,
    offset: -offset / speed,
    speed: 1 / speed,
    lengths: { file: lengths.other, other: lengths.file },
  }
}
