import { fromBase64 } from '../../values/base64.ts'
import { CHROMA_BOOK } from './chroma-book.ts'
import type { Codes } from './codes.ts'
import { CHROMA } from './version.ts'

/** The part of an analysis segment that its symbol is made of. */
export interface ChromaSegment {
  /** Seconds. */
  readonly start: number
  readonly duration: number
  /** dB */
  readonly loudness_max: number
  /** Twelve strengths of 0…1, the strongest 1; C first. */
  readonly pitches: readonly number[]
}

/** How many similar codes queries of system A try: see chromaProbes. Affects no stored code. */
export const CHROMA_PROBES = Object.freeze({
  /** Symbols of a segment at most. */
  symbols: 3,
  /** Their shapes are at most this many times as far from the segment's as the nearest one. */
  farther: 1.4,
  /** Keys of three segments at most. */
  keys: 8,
})

const PITCHES = 12
const { size, symbolBits, mark, timeStep, leastLoudness } = CHROMA
const { symbols, farther, keys } = CHROMA_PROBES

/**
 * The codes of system A, ours: each segment's pitches as the nearest of 1,024 shapes, and every
 * three symbols in a row as one key, the newest in the highest bits. Bit 30 tells our keys from
 * those of the old service, which had another book. Times are in ms, multiples of 32: the start of
 * the newest segment.
 *
 * After Ellis, Whitman, Jehan, Lamere, "The Echo Nest Musical Fingerprint" (ISMIR 2010, late
 * breaking), with a code book of our own.
 *
 * @param segments - of an analysis, in order
 * @returns none for fewer than three segments in which something sounds
 */
export function chromaCodes(segments: readonly ChromaSegment[]): Codes {
  const sounding = segments.filter(sounds)
  const nearests = sounding.map(({ pitches }) => nearest(shapeOf(pitches), 1)[0]!.symbol)
  const count = Math.max(0, sounding.length - 2)
  const codes = new Uint32Array(count)
  const times = new Uint32Array(count)
  for (let i = 0; i < count; i++) {
    codes[i] = keyOf(nearests[i + 2]!, nearests[i + 1]!, nearests[i]!)
    times[i] = timeOf(sounding[i + 2]!)
  }
  return { codes, times }
}

/**
 * The codes to look a query up by: those of chromaCodes and, for each, the likeliest codes of the
 * same sound in another encoding. A shape near the border of two symbols easily falls to the
 * other: of segments cut alike in an original and a 64 kbit/s MP3 of it, 82 % have the same
 * symbol, and 92 % have the original's as the first or second.
 *
 * @param segments - of an analysis, in order
 * @returns one to eight codes for each three segments in a row, of one time, the chain itself first
 */
export function chromaProbes(segments: readonly ChromaSegment[]): Codes {
  const sounding = segments.filter(sounds)
  const choices = sounding.map(({ pitches }) => nearest(shapeOf(pitches), symbols).filter(close))
  const codes: number[] = []
  const times: number[] = []
  for (let i = 2; i < sounding.length; i++) {
    const time = timeOf(sounding[i]!)
    const chains: { key: number; distance: number }[] = []
    for (const newest of choices[i]!)
      for (const middle of choices[i - 1]!)
        for (const oldest of choices[i - 2]!)
          chains.push({
            key: keyOf(newest.symbol, middle.symbol, oldest.symbol),
            distance: newest.distance + middle.distance + oldest.distance,
          })
    chains.sort((a, b) => a.distance - b.distance)
    for (const { key } of chains.slice(0, keys)) {
      codes.push(key)
      times.push(time)
    }
  }
  return { codes: Uint32Array.from(codes), times: Uint32Array.from(times) }
}

function keyOf(newest: number, middle: number, oldest: number): number {
  return mark | (newest << (2 * symbolBits)) | (middle << symbolBits) | oldest
}

/** Milliseconds, to a step. */
function timeOf({ start }: ChromaSegment): number {
  return Math.floor((start * 1000) / timeStep) * timeStep
}

/** Whether a segment is loud enough for its pitches to mean anything. */
export function sounds({ loudness_max }: ChromaSegment): boolean {
  return loudness_max > leastLoudness
}

/**
 * Pitches as a point on the unit sphere, so that only their proportions count; roots, so that the
 * weaker ones count as well.
 */
export function shapeOf(pitches: readonly number[]): Float64Array {
  const shape = Float64Array.from({ length: PITCHES }, (_, i) =>
    Math.sqrt(Math.max(0, pitches[i]!)),
  )
  const length = Math.hypot(...shape) || 1
  for (let i = 0; i < PITCHES; i++) shape[i] = shape[i]! / length
  return shape
}

/** A symbol that a segment might have. */
interface Choice {
  readonly symbol: number
  /** Squared, from the symbol's shape to the segment's. */
  readonly distance: number
}

/** Whether a choice is hardly farther than the nearest one, which comes first. */
function close({ distance }: Choice, _: number, [first]: readonly Choice[]): boolean {
  return distance <= first!.distance * farther ** 2
}

/** The symbols whose shapes are nearest, the nearest first; in a tie, the lower one first. */
function nearest(shape: Float64Array, count: number): Choice[] {
  book ??= Float64Array.from(fromBase64(CHROMA_BOOK), (byte) => byte / 255)
  const found: Choice[] = []
  /** Only nearer symbols still count. */
  let most = Number.POSITIVE_INFINITY
  for (let symbol = 0; symbol < size; symbol++) {
    let distance = 0
    for (let i = 0; i < PITCHES && distance < most; i++) {
      const d = book[symbol * PITCHES + i]! - shape[i]!
      distance += d * d
    }
    if (distance >= most) continue
    if (found.length === count) found.pop()
    let at = found.length
    while (at > 0 && found[at - 1]!.distance > distance) at--
    found.splice(at, 0, { symbol, distance })
    if (found.length === count) most = found.at(-1)!.distance
  }
  return found
}

let book: Float64Array | undefined
