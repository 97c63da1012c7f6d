import type { Codes } from './codes.ts'
import { type Landmarks, strongest } from './landmarks.ts'
import { PostingsReader } from './postings.ts'
import type { Peak } from './spectral-peaks.ts'
import { LANDMARKS, TRIPLETS } from './version.ts'

/**
 * Codes of three landmarks A, B and C, in the order of their times. log fB/fA, log fC/fA and
 * (tB − tA)/(tC − tA) do not change with pitch and tempo; only two parts of a
 * code, log fA and log (tC − tA), move, each by a number of steps. After Six and Leman (Panako, ISMIR
 * 2014), with Wang's landmarks (ISMIR 2003).
 */

/** Which of a recording's triplets become codes. */
export interface Breadth {
  /** The most salient landmarks of a second that are used. */
  readonly perSecond: number
  /** The most salient landmarks after the first one that B and C are chosen from. */
  readonly targets: number
  /** The most salient pairs of these that are used. */
  readonly pairs: number
  /** How close to a step's border, as a share of the step, the next step is tried as well. */
  readonly border: number
}

/**
 * The breadths at which an excerpt is looked up. More landmarks find more than borders do, and agree
 * less by chance: of ten seconds in a room, 83 % score 4 by `widest` and unknown music at most 3.5;
 * with 10 landmarks a second and borders of a quarter, 71 % and 4.0 (52 excerpts, 143 pieces).
 */
export const BREADTHS = Object.freeze({
  /** About 75 codes a second: enough for a query of good quality. */
  narrow: { perSecond: 10, targets: 5, pairs: 10, border: 0 },
  /** About 430 codes a second. */
  broad: { perSecond: 13, targets: 6, pairs: 15, border: 0.1 },
  /** About 950 codes a second: for short excerpts. */
  widest: { perSecond: 16, targets: 8, pairs: 28, border: 0.1 },
  /** For each of many changes of pitch and tempo: about 16 codes a second, those a song is likely to have. */
  sparse: { perSecond: 6, targets: 3, pairs: 3, border: 0 },
}) satisfies Readonly<Record<string, Breadth>>

/** How a recording is played, compared with the song: factors of its frequencies and of its tempo. */
export interface Playing {
  readonly pitch: number
  readonly tempo: number
}

/** As it was recorded. */
const UNCHANGED: Playing = Object.freeze({ pitch: 1, tempo: 1 })

/** The codes of a song for an index: few, of its most salient landmarks. Times in frames. */
export function songCodes(landmarks: Landmarks): Codes {
  return excerptCodes(landmarks, { breadth: TRIPLETS.song })
}

/** The codes to look an excerpt up by if it is played so; times are the song's, in frames. */
export function excerptCodes(
  landmarks: Landmarks,
  { playing = UNCHANGED, breadth }: { playing?: Playing; breadth: Breadth },
): Codes {
  const found = new PostingsReader()
  for (const { steps, time } of tripletsOf(landmarks, playing, breadth)) {
    eachCode(steps, breadth.border, (code) => found.add(code, time))
  }
  const { keys, times } = found.copied()
  return { codes: keys, times }
}

/** Three landmarks as steps, with fractions. */
interface Triplet {
  /** log fB/fA and log fC/fA, from one octave down; (tB − tA)/(tC − tA); log fA; log (tC − tA). */
  readonly steps: readonly [number, number, number, number, number]
  /** Of A, in frames. */
  readonly time: number
}

function* tripletsOf(
  { times, frequencies, saliences }: Landmarks,
  { pitch, tempo }: Playing,
  { perSecond, targets, pairs }: Breadth,
): Generator<Triplet> {
  const all = Array.from(times, (time, i) => {
    return { time: time * tempo, frequency: frequencies[i]! / pitch, salience: saliences[i]! }
  })
  const peaks = strongest(all, perSecond)
  for (const [i, a] of peaks.entries()) {
    for (const [b, c] of pairsOf(targetsOf(peaks, i, targets), pairs)) {
      const span = c.time - a.time
      if (span >= TRIPLETS.zone.shortest) {
        yield { steps: stepsOf(a, b, c), time: Math.max(0, Math.round(a.time)) }
      }
    }
  }
}

/** The peaks that may follow the one at place `i` in a triplet, most salient first. */
function targetsOf(peaks: readonly Peak[], i: number, most: number): Peak[] {
  const { nearest, farthest, sparse, octaves } = TRIPLETS.zone
  const first = peaks[i]!
  const found: Peak[] = []
  for (let j = i + 1; j < peaks.length; j++) {
    const peak = peaks[j]!
    const gap = peak.time - first.time
    // Peaks are in the order of their frames, their times lie up to half a frame away.
    if (gap >= (found.length < most ? sparse : farthest + 1)) break
    if (gap < nearest || (gap >= farthest && found.length >= most)) continue
    if (Math.abs(Math.log2(peak.frequency / first.frequency)) < octaves) found.push(peak)
  }
  return found.sort((a, b) => b.salience - a.salience).slice(0, most)
}

/** The most salient pairs of peaks that can be the second and third, each pair by time. */
function pairsOf(targets: readonly Peak[], most: number): [Peak, Peak][] {
  const found: [Peak, Peak][] = []
  for (const [i, one] of targets.entries()) {
    for (const other of targets.slice(i + 1)) {
      const pair: [Peak, Peak] = one.time < other.time ? [one, other] : [other, one]
      if (pair[1].time - pair[0].time >= TRIPLETS.zone.nearest) found.push(pair)
    }
  }
  const salience = ([one, other]: [Peak, Peak]) => one.salience + other.salience
  return found.sort((a, b) => salience(b) - salience(a)).slice(0, most)
}

function stepsOf(a: Peak, b: Peak, c: Peak): Triplet['steps'] {
  const { steps, zone } = TRIPLETS
  const span = c.time - a.time
  return [
    (Math.log2(b.frequency / a.frequency) + zone.octaves) / steps.interval,
    (Math.log2(c.frequency / a.frequency) + zone.octaves) / steps.interval,
    (b.time - a.time) / span / steps.place,
    Math.log2(a.frequency / LANDMARKS.peaks.lowest) / steps.pitch + TRIPLETS.lowestPitch,
    Math.log2(span / zone.shortest) / steps.span,
  ]
}

/** For each part of a code, the first step that does not fit into its bits. */
const SPANS = 1 << TRIPLETS.bits.span
const PITCHES = 1 << TRIPLETS.bits.pitch
const ENDS = [
  1 << TRIPLETS.bits.second,
  1 << TRIPLETS.bits.third,
  1 << TRIPLETS.bits.place,
  PITCHES,
  SPANS,
]

/** The code of the whole steps of a {@link Triplet}; -1 if a step is out of range. */
function codeOf(steps: ArrayLike<number>): number {
  let code = 0
  for (let part = 0; part < ENDS.length; part++) {
    const step = steps[part]!
    if (step < 0 || step >= ENDS[part]!) return -1
    code = code * ENDS[part]! + step
  }
  return code
}

const own = new Int32Array(ENDS.length)
const next = new Int32Array(ENDS.length)
const tried = new Int32Array(ENDS.length)

/** Calls `found` with the code of steps, and with those of the next steps that are close to a border. */
function eachCode(steps: Triplet['steps'], border: number, found: (code: number) => void): void {
  /** The parts, as bits, whose next step is tried too. */
  let close = 0
  for (const [part, value] of steps.entries()) {
    own[part] = Math.floor(value)
    const within = value - own[part]!
    next[part] = within < border ? own[part]! - 1 : own[part]! + 1
    if (within < border || within > 1 - border) close |= 1 << part
  }
  // All subsets of these parts.
  for (let parts = close; ; parts = (parts - 1) & close) {
    for (let part = 0; part < steps.length; part++) {
      tried[part] = (parts >> part) & 1 ? next[part]! : own[part]!
    }
    const code = codeOf(tried)
    if (code >= 0) found(code)
    if (parts === 0) return
  }
}

/** The codes of the same landmarks with all pitches, and the times between them, moved by whole steps. */
export function moved({ codes, times }: Codes, pitch: number, span: number): Codes {
  const movedCodes = new Uint32Array(codes.length)
  const movedTimes = new Uint32Array(codes.length)
  let count = 0
  for (let i = 0; i < codes.length; i++) {
    const code = codes[i]!
    const newSpan = (code % SPANS) + span
    const newPitch = (Math.floor(code / SPANS) % PITCHES) + pitch
    if (newSpan < 0 || newSpan >= SPANS || newPitch < 0 || newPitch >= PITCHES) continue
    movedCodes[count] = code + pitch * SPANS + span
    movedTimes[count++] = times[i]!
  }
  return { codes: movedCodes.subarray(0, count), times: movedTimes.subarray(0, count) }
}
