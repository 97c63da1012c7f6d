import type { Codes } from './codes.ts'
import { type Landmarks, salientBySecond } from './landmarks.ts'
import { PostingsReader } from './postings.ts'
import type { Peak } from './spectral-peaks.ts'
import { LANDMARK_SYSTEM, TRIPLET_SYSTEM } from './version.ts'

/**
 * Codes of three landmarks, whose ratios survive pitch and tempo changes (Six and Leman, ISMIR
 * 2014; Wang, ISMIR 2003).
 */

export interface TripletBreadth {
  /** The most salient landmarks of a second that are used. */
  readonly perSecond: number
  /** The most salient landmarks after the first one that B and C are chosen from. */
  readonly targets: number
  readonly pairs: number
  /** How close to a step's border, as a share of the step, the next step is tried as well. */
  readonly border: number
}

/** How many codes an excerpt is looked up by; more landmarks find more than borders do. */
export const TRIPLET_BREADTHS = Object.freeze({
  /** About 75 codes a second: enough for a query of good quality. */
  narrow: { perSecond: 10, targets: 5, pairs: 10, border: 0 },
  /** About 430 codes a second. */
  broad: { perSecond: 13, targets: 6, pairs: 15, border: 0.1 },
  /** About 950 codes a second: for short excerpts. */
  widest: { perSecond: 16, targets: 8, pairs: 28, border: 0.1 },
  /** For each of many changes of pitch and tempo: about 16 codes a second. */
  sparse: { perSecond: 6, targets: 3, pairs: 3, border: 0 },
}) satisfies Readonly<Record<string, TripletBreadth>>

/** Factors of a recording's frequencies and tempo, compared with the song. */
export interface Playing {
  readonly pitch: number
  readonly tempo: number
}

const UNCHANGED_PLAYING: Playing = Object.freeze({ pitch: 1, tempo: 1 })

export function songCodes(landmarks: Landmarks): Codes {
  return excerptCodes(landmarks, { breadth: TRIPLET_SYSTEM.song })
}

/** Codes of an excerpt that is played so; times are the song's, in frames. */
export function excerptCodes(
  landmarks: Landmarks,
  { playing = UNCHANGED_PLAYING, breadth }: { playing?: Playing; breadth: TripletBreadth },
): Codes {
  const codes = new PostingsReader()
  for (const { steps, time } of landmarkTriplets(landmarks, playing, breadth)) {
    forEachCode(steps, breadth.border, (code) => codes.addPosting(code, time))
  }
  const { keys, times } = codes.toKeys()
  return { codes: keys, times }
}

/** Three landmarks as steps, with fractions. */
interface LandmarkTriplet {
  /** log fB/fA, log fC/fA, (tB − tA)/(tC − tA), log fA, log (tC − tA), each in steps. */
  readonly steps: readonly [number, number, number, number, number]
  /** Of A, in frames. */
  readonly time: number
}

function* landmarkTriplets(
  { times, frequencies, saliences }: Landmarks,
  { pitch, tempo }: Playing,
  { perSecond, targets, pairs }: TripletBreadth,
): Generator<LandmarkTriplet> {
  const landmarkPeaks = Array.from(times, (time, i) => {
    return { time: time * tempo, frequency: frequencies[i]! / pitch, salience: saliences[i]! }
  })
  const peaks = salientBySecond(landmarkPeaks, perSecond)
  for (const [i, a] of peaks.entries()) {
    for (const [b, c] of salientPairs(targetPeaks(peaks, i, targets), pairs)) {
      const span = c.time - a.time
      if (span >= TRIPLET_SYSTEM.zone.shortest) {
        yield { steps: tripletSteps(a, b, c), time: Math.max(0, Math.round(a.time)) }
      }
    }
  }
}

function targetPeaks(peaks: readonly Peak[], i: number, maxTargets: number): Peak[] {
  const { nearest, farthest, sparse, octaves } = TRIPLET_SYSTEM.zone
  const first = peaks[i]!
  const targets: Peak[] = []
  for (let j = i + 1; j < peaks.length; j++) {
    const peak = peaks[j]!
    const gap = peak.time - first.time
    // Times of peaks lie up to half a frame from their frames.
    if (gap >= (targets.length < maxTargets ? sparse : farthest + 1)) break
    if (gap < nearest || (gap >= farthest && targets.length >= maxTargets)) continue
    if (Math.abs(Math.log2(peak.frequency / first.frequency)) < octaves) targets.push(peak)
  }
  return targets.sort((a, b) => b.salience - a.salience).slice(0, maxTargets)
}

/** The most salient pairs of peaks that can be the second and third, each pair by time. */
function salientPairs(targets: readonly Peak[], maxPairs: number): [Peak, Peak][] {
  const pairs: [Peak, Peak][] = []
  for (const [i, target] of targets.entries()) {
    for (const otherTarget of targets.slice(i + 1)) {
      const pair: [Peak, Peak] =
        target.time < otherTarget.time ? [target, otherTarget] : [otherTarget, target]
      if (pair[1].time - pair[0].time >= TRIPLET_SYSTEM.zone.nearest) pairs.push(pair)
    }
  }
  const pairSalience = ([first, second]: [Peak, Peak]) => first.salience + second.salience
  return pairs.sort((a, b) => pairSalience(b) - pairSalience(a)).slice(0, maxPairs)
}

function tripletSteps(a: Peak, b: Peak, c: Peak): LandmarkTriplet['steps'] {
  const { steps, zone } = TRIPLET_SYSTEM
  const span = c.time - a.time
  return [
    (Math.log2(b.frequency / a.frequency) + zone.octaves) / steps.interval,
    (Math.log2(c.frequency / a.frequency) + zone.octaves) / steps.interval,
    (b.time - a.time) / span / steps.place,
    Math.log2(a.frequency / LANDMARK_SYSTEM.peaks.lowest) / steps.pitch +
      TRIPLET_SYSTEM.lowestPitch,
    Math.log2(span / zone.shortest) / steps.span,
  ]
}

/** For each part of a code, the first step that does not fit. */
const SPAN_STEPS = 1 << TRIPLET_SYSTEM.bits.span
const PITCH_STEPS = 1 << TRIPLET_SYSTEM.bits.pitch
const PART_STEPS = [
  1 << TRIPLET_SYSTEM.bits.second,
  1 << TRIPLET_SYSTEM.bits.third,
  1 << TRIPLET_SYSTEM.bits.place,
  PITCH_STEPS,
  SPAN_STEPS,
]

/** -1 if a step is out of range. */
function tripletCode(steps: ArrayLike<number>): number {
  let code = 0
  for (let part = 0; part < PART_STEPS.length; part++) {
    const step = steps[part]!
    if (step < 0 || step >= PART_STEPS[part]!) return -1
    code = code * PART_STEPS[part]! + step
  }
  return code
}

const ownSteps = new Int32Array(PART_STEPS.length)
const borderSteps = new Int32Array(PART_STEPS.length)
const triedSteps = new Int32Array(PART_STEPS.length)

/** Visits the code of steps, and those of next steps that are close to a border. */
function forEachCode(
  steps: LandmarkTriplet['steps'],
  border: number,
  visit: (code: number) => void,
): void {
  let closeParts = 0
  for (const [part, value] of steps.entries()) {
    ownSteps[part] = Math.floor(value)
    const fraction = value - ownSteps[part]!
    borderSteps[part] = fraction < border ? ownSteps[part]! - 1 : ownSteps[part]! + 1
    if (fraction < border || fraction > 1 - border) closeParts |= 1 << part
  }
  // All subsets of these parts.
  for (let parts = closeParts; ; parts = (parts - 1) & closeParts) {
    for (let part = 0; part < steps.length; part++) {
      triedSteps[part] = (parts >> part) & 1 ? borderSteps[part]! : ownSteps[part]!
    }
    const code = tripletCode(triedSteps)
    if (code >= 0) visit(code)
    if (parts === 0) return
  }
}

/** The codes of the same landmarks with pitches and times moved by whole steps. */
export function moveCodes({ codes, times }: Codes, pitch: number, span: number): Codes {
  const movedCodes = new Uint32Array(codes.length)
  const movedTimes = new Uint32Array(codes.length)
  let count = 0
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i]!
    const newSpan = (code % SPAN_STEPS) + span
    const newPitch = (Math.floor(code / SPAN_STEPS) % PITCH_STEPS) + pitch
    if (newSpan < 0 || newSpan >= SPAN_STEPS || newPitch < 0 || newPitch >= PITCH_STEPS) continue
    movedCodes[count] = code + pitch * SPAN_STEPS + span
    movedTimes[count++] = times[i]!
  }
  return { codes: movedCodes.subarray(0, count), times: movedTimes.subarray(0, count) }
}
