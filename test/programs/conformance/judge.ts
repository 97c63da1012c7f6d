import type { Answer, Reference } from './facts.ts'
import type { SampleComparison } from './samples.ts'

/** Seconds by which the length of a lossy file may differ: decoders treat delay and padding unalike. */
const LENGTH = 0.06
/** LU. */
const LOUDNESS = 0.1
/** Loudness below this is told as this, LUFS. */
const FLOOR = -60
/** Seconds under which there is no integrated loudness by EBU R 128. */
const SHORTEST = 0.4
/** Samples at the analysis rate by which the rounding of a duration may change it. */
const ROUNDING = 3 / 22_050

/** What came of one file. */
export interface Verdict {
  outcome: 'same' | 'refused by both' | 'refused as documented' | 'not judged' | 'differs'
  /** One sentence for each difference. */
  differences: string[]
}

/** Says in what audile's answer differs from what was demanded of it. */
export function judge(
  reference: Reference,
  answer: Answer,
  samples: SampleComparison | undefined,
): Verdict {
  const { demand } = reference
  if (demand === 'nothing') return { outcome: 'not judged', differences: [] }
  const { refused } = answer
  if (refused) {
    const differences = ofRefusal(reference, refused)
    if (demand === 'all or refuse') differences.push(...ofTags(reference, answer))
    if (differences.length > 0) return { outcome: 'differs', differences }
    const outcome = demand === 'refuse' ? 'refused by both' : 'refused as documented'
    return { outcome, differences }
  }
  const differences = ofReading(reference, answer, samples)
  return { outcome: differences.length > 0 ? 'differs' : 'same', differences }
}

function ofRefusal(
  { demand, by }: Reference,
  { code, message }: NonNullable<Answer['refused']>,
): string[] {
  if (demand === 'read') return [`audile refuses what ${by} plays: ${message}`]
  if (code === undefined) return [`audile fails without a typed error: ${message}`]
  if (demand === 'refuse and name ffmpegPath' && !message.includes('ffmpegPath')) {
    return [`the error does not name ffmpegPath: ${message}`]
  }
  return []
}

function ofReading(
  reference: Reference,
  answer: Answer,
  samples: SampleComparison | undefined,
): string[] {
  const { demand, by, frames = 0 } = reference
  if (demand === 'refuse' || demand === 'refuse and name ffmpegPath') {
    return [`audile reads ${answer.duration} s of what it is to refuse`]
  }
  if (demand === 'all or refuse') {
    const read = answer.decoded?.frames ?? 0
    const part = reference.lossless && read < frames && answer.warning === undefined
    return [
      ...(part ? [`${read} of ${frames} samples, with the status "OK"`] : []),
      ...ofTags(reference, answer),
    ]
  }
  return [
    ...(answer.warning === undefined || reference.damaged
      ? []
      : [`${by} finds no damage, audile: ${answer.warning}`]),
    ...(samples ? ofSamples(samples, reference) : ofLength(reference, answer)),
    ...ofDuration(reference, answer),
    ...ofLoudness(reference, answer),
    ...ofTags(reference, answer),
  ]
}

function ofSamples(samples: SampleComparison, reference: Reference): string[] {
  const { ours, theirs, difference } = samples
  const found = ofFormat(samples, reference)
  if (ours !== theirs) found.push(`${ours} samples, not ${theirs}`)
  if (difference) {
    const { count, frame, channel } = difference
    found.push(
      `${count} samples differ, the first at ${frame} of channel ${channel}: ` +
        `${difference.ours}, not ${difference.theirs}`,
    )
  }
  return found
}

function ofFormat(
  ours: { channels: number; sampleRate: number },
  { channels, sampleRate }: Reference,
): string[] {
  return [
    ...(ours.channels === channels ? [] : [`${ours.channels} channels, not ${channels}`]),
    ...(ours.sampleRate === sampleRate ? [] : [`${ours.sampleRate} Hz, not ${sampleRate}`]),
  ]
}

/** Of lossless files whose samples are not at hand: how many there are. */
function ofLength(reference: Reference, { decoded }: Answer): string[] {
  if (!reference.lossless || !decoded) return []
  const found = ofFormat(decoded, reference)
  if (reference.frames !== undefined && decoded.frames !== reference.frames) {
    found.push(`${decoded.frames} samples, not ${reference.frames}`)
  }
  return found
}

function ofDuration({ lossless, frames, sampleRate }: Reference, { duration }: Answer): string[] {
  if (frames === undefined) return []
  const seconds = frames / sampleRate
  const most = lossless ? ROUNDING : LENGTH
  if (duration !== undefined && Math.abs(duration - seconds) <= most) return []
  return [`${duration} s, not ${seconds.toFixed(5)}`]
}

function ofLoudness(reference: Reference, { loudness }: Answer): string[] {
  const { loudness: known, loudnessRounding = 0, frames = 0, sampleRate } = reference
  if (known === undefined || frames / sampleRate < SHORTEST) return []
  const expected = Math.max(FLOOR, known ?? FLOOR)
  // A billionth for the binary fractions of what was rounded to decimals.
  const most = LOUDNESS + loudnessRounding + 1e-9
  if (loudness !== undefined && Math.abs(loudness - expected) <= most) return []
  return [`${loudness} LUFS, not ${expected}`]
}

function ofTags(reference: Reference, answer: Answer): string[] {
  return (['title', 'artist', 'album'] as const).flatMap((name) => {
    const known = reference[name]
    const ours = answer[name]
    if (known === undefined || sameText(ours, known)) return []
    const quote = (text: string | null | undefined) => (text ? JSON.stringify(text) : 'none')
    return [`${name} ${quote(ours)}, not ${quote(known)}`]
  })
}

/** Spaces at both ends do not count: ID3v1 pads with them. An empty text is none. */
function sameText(ours: string | undefined, known: string | null): boolean {
  return (ours ?? '') === (known ?? '').trim()
}
