import { fromBase64 } from '../../values/base64.ts'
import { CHROMA_BOOK } from './chroma-book.ts'
import type { Codes } from './codes.ts'
import { CHROMA_SYSTEM } from './version.ts'

export interface ChromaSegment {
  /** Seconds. */
  readonly start: number
  readonly duration: number
  /** dB */
  readonly loudness_max: number
  /** Twelve strengths of 0…1, the strongest 1; C first. */
  readonly pitches: readonly number[]
}

/** How many similar codes queries of system A try; no stored code depends on it. */
export const CHROMA_PROBES = Object.freeze({
  /** Symbols of a segment at most. */
  symbols: 3,
  farther: 1.4,
  /** Keys of three segments at most. */
  keys: 8,
})

const PITCH_COUNT = 12
const { size, symbolBits, mark, timeStep, leastLoudness } = CHROMA_SYSTEM
const { symbols, farther, keys } = CHROMA_PROBES

/**
 * Codes after Ellis, Whitman, Jehan, Lamere (ISMIR 2010): three symbols in a row are one key, with
 * a code book of our own. Times in ms.
 */
export function chromaCodes(segments: readonly ChromaSegment[]): Codes {
  const sounding = segments.filter(isSounding)
  const nearests = sounding.map(({ pitches }) => nearestSymbols(shapeOf(pitches), 1)[0]!.symbol)
  const count = Math.max(0, sounding.length - 2)
  const codes = new Uint32Array(count)
  const times = new Uint32Array(count)
  for (let i = 0; i < count; i++) {
    codes[i] = chromaKey(nearests[i + 2]!, nearests[i + 1]!, nearests[i]!)
    times[i] = chromaTime(sounding[i + 2]!)
  }
  return { codes, times }
}

/** Codes to look a query up by: a shape near a border easily gets another symbol when encoded. */
export function chromaProbes(segments: readonly ChromaSegment[]): Codes {
  const sounding = segments.filter(isSounding)
  const choices = sounding.map(({ pitches }) =>
    nearestSymbols(shapeOf(pitches), symbols).filter(isClose),
  )
  const codes: number[] = []
  const times: number[] = []
  for (let i = 2; i < sounding.length; i++) {
    const time = chromaTime(sounding[i]!)
    const chains: { key: number; distance: number }[] = []
    for (const newest of choices[i]!)
      for (const middle of choices[i - 1]!)
        for (const oldest of choices[i - 2]!)
          chains.push({
            key: chromaKey(newest.symbol, middle.symbol, oldest.symbol),
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

function chromaKey(newest: number, middle: number, oldest: number): number {
  return mark | (newest << (2 * symbolBits)) | (middle << symbolBits) | oldest
}

/** Milliseconds, to a step. */
function chromaTime({ start }: ChromaSegment): number {
  return Math.floor((start * 1000) / timeStep) * timeStep
}

export function isSounding({ loudness_max }: ChromaSegment): boolean {
  return loudness_max > leastLoudness
}

/** Pitches as a point on the unit sphere; their roots make the weaker ones count. */
export function shapeOf(pitches: readonly number[]): Float64Array {
  const shape = Float64Array.from({ length: PITCH_COUNT }, (_, i) =>
    Math.sqrt(Math.max(0, pitches[i]!)),
  )
  const length = Math.hypot(...shape) || 1
  for (let i = 0; i < PITCH_COUNT; i++) shape[i] = shape[i]! / length
  return shape
}

interface SymbolChoice {
  readonly symbol: number
  /** Squared, from the symbol's shape to the segment's. */
  readonly distance: number
}

function isClose({ distance }: SymbolChoice, _: number, [first]: readonly SymbolChoice[]): boolean {
  return distance <= first!.distance * farther ** 2
}

function nearestSymbols(shape: Float64Array, count: number): SymbolChoice[] {
  chromaBook ??= Float64Array.from(fromBase64(CHROMA_BOOK), (byte) => byte / 255)
  const choices: SymbolChoice[] = []
  let maxDistance = Number.POSITIVE_INFINITY
  for (let symbol = 0; symbol < size; symbol++) {
    let distance = 0
    for (let i = 0; i < PITCH_COUNT && distance < maxDistance; i++) {
      const d = chromaBook[symbol * PITCH_COUNT + i]! - shape[i]!
      distance += d * d
    }
    if (distance >= maxDistance) continue
    if (choices.length === count) choices.pop()
    let place = choices.length
    while (place > 0 && choices[place - 1]!.distance > distance) place--
    choices.splice(place, 0, { symbol, distance })
    if (choices.length === count) maxDistance = choices.at(-1)!.distance
  }
  return choices
}

let chromaBook: Float64Array | undefined
