import { grown } from '../../audio/samples.ts'
import type { Codes } from './codes.ts'
import { type Peak, PeakFinder } from './spectral-peaks.ts'
import { LANDMARKS } from './version.ts'

/** How many of a query's landmarks become codes, and how far from a step's border both are tried. */
export interface Breadth {
  readonly perSecond: number
  readonly fanOut: number
  /** As a share of a step. */
  readonly border: number
}

/** The breadths at which landmarks are looked up. A query of good quality needs only the first. */
export const BREADTHS = Object.freeze({
  /** About 60 codes a second. */
  narrow: { perSecond: 9, fanOut: 8, border: 0 },
  /** About 470 codes a second. */
  broad: { perSecond: 20, fanOut: 30, border: 0.2 },
  /** At other playing speeds, where many are tried: about 140 codes a second. */
  shifted: { perSecond: 11, fanOut: 12, border: 0.2 },
}) satisfies Readonly<Record<string, Breadth>>

/** The peaks of a recording, by time; parallel arrays. See Peak for the units. */
export interface Landmarks {
  readonly times: Float32Array
  readonly frequencies: Float32Array
  readonly saliences: Float32Array
}

/**
 * Finds the landmarks of a recording while it comes in: the most salient peaks of each second of
 * its spectrogram. They survive noise, codecs, rooms and equalisers better than any onset, since
 * what is loudest in its surroundings stays so.
 */
export class LandmarkCoder {
  readonly #finder: PeakFinder
  readonly #kept: Peak[] = []
  /** Peaks of the second at hand. */
  #second: Peak[] = []
  #seconds = 0

  constructor() {
    const { peaks, secondFrames, perSecond } = LANDMARKS
    this.#finder = new PeakFinder(peaks, (peak) => {
      const second = Math.floor(peak.time / secondFrames)
      if (second > this.#seconds) {
        this.#close(perSecond)
        this.#seconds = second
      }
      this.#second.push(peak)
    })
  }

  /** Takes the next samples, mono at 11,025 Hz. */
  push(samples: Float32Array): void {
    this.#finder.push(samples)
  }

  finish(): Landmarks {
    this.#finder.finish()
    this.#close(LANDMARKS.perSecond)
    const kept = this.#kept
    return {
      times: Float32Array.from(kept, ({ time }) => time),
      frequencies: Float32Array.from(kept, ({ frequency }) => frequency),
      saliences: Float32Array.from(kept, ({ salience }) => salience),
    }
  }

  #close(most: number): void {
    for (const peak of salient(this.#second, most)) this.#kept.push(peak)
    this.#second = []
  }
}

/** The most salient peaks, in their old order. */
function salient(peaks: readonly Peak[], most: number): readonly Peak[] {
  if (peaks.length <= most) return peaks
  const ranked = [...peaks].sort((a, b) => b.salience - a.salience)
  const chosen = new Set(ranked.slice(0, most))
  return peaks.filter((peak) => chosen.has(peak))
}

/** The codes of a song for an index: few, of its most salient landmarks. Times in frames. */
export function songCodes(landmarks: Landmarks): Codes {
  return paired(peaksOf(landmarks, 1), LANDMARKS.song)
}

/**
 * The codes of an excerpt, to be looked up: of many more landmarks than a song's, and where a
 * quantity lies close to the border of its step, the code of the next step too.
 *
 * @param options.rate - the speed the excerpt is played at, compared with the song
 */
export function excerptCodes(
  landmarks: Landmarks,
  { rate = 1, breadth = BREADTHS.broad }: { rate?: number; breadth?: Breadth } = {},
): Codes {
  return paired(peaksOf(landmarks, rate), breadth)
}

function paired(all: readonly Peak[], { perSecond, fanOut, border }: Breadth): Codes {
  const peaks = strongest(all, perSecond)
  const writer = new CodeWriter()
  for (let i = 0; i < peaks.length; i++) {
    const targets = targetsOf(peaks, i)
    for (const target of salient(targets, fanOut)) writer.add(peaks[i]!, target, border)
  }
  return writer.codes()
}

/** The landmarks of a recording that is played at `rate`, as they are in the song. */
function peaksOf({ times, frequencies, saliences }: Landmarks, rate: number): Peak[] {
  return Array.from(times, (time, i) => ({
    time: time * rate,
    frequency: frequencies[i]! / rate,
    salience: saliences[i]!,
  }))
}

/** The most salient peaks of each second. */
function strongest(peaks: readonly Peak[], perSecond: number): Peak[] {
  const { secondFrames } = LANDMARKS
  const chosen: Peak[] = []
  for (let from = 0; from < peaks.length; ) {
    const second = Math.floor(peaks[from]!.time / secondFrames)
    let to = from
    while (to < peaks.length && Math.floor(peaks[to]!.time / secondFrames) === second) to++
    chosen.push(...salient(peaks.slice(from, to), perSecond))
    from = to
  }
  return chosen
}

/** The peaks that the one at place `i` is paired with: later ones, close in time and frequency. */
function targetsOf(peaks: readonly Peak[], i: number): Peak[] {
  const { nearest, farthest, span } = LANDMARKS.zone
  const anchor = peaks[i]!
  const found: Peak[] = []
  for (let j = i + 1; j < peaks.length; j++) {
    const target = peaks[j]!
    const gap = target.time - anchor.time
    if (gap >= farthest + 1) break
    if (gap < nearest || gap >= farthest) continue
    if (Math.abs(target.frequency - anchor.frequency) < span) found.push(target)
  }
  return found
}

class CodeWriter {
  #codes = new Uint32Array(1_024)
  #times = new Uint32Array(1_024)
  #count = 0

  /** @param border - how close to a step's border, in steps, the next step's code is added as well */
  add(anchor: Peak, target: Peak, border: number): void {
    const { steps, zone, peaks } = LANDMARKS
    const pitch = (anchor.frequency - peaks.lowest + 1) / steps.frequency
    const interval = (target.frequency - anchor.frequency + zone.span) / steps.interval
    const gap = (target.time - anchor.time) / steps.gap
    const time = Math.max(0, Math.round(anchor.time))
    const a = Math.floor(pitch)
    const b = Math.floor(interval)
    const c = Math.floor(gap)
    const a2 = neighbour(pitch, border)
    const b2 = neighbour(interval, border)
    const c2 = neighbour(gap, border)
    for (let i = 0; i < 8; i++) {
      if ((i & 1 && a2 === a) || (i & 2 && b2 === b) || (i & 4 && c2 === c)) continue
      this.#put(i & 1 ? a2 : a, i & 2 ? b2 : b, i & 4 ? c2 : c, time)
    }
  }

  #put(pitch: number, interval: number, gap: number, time: number): void {
    const { bits } = LANDMARKS
    if (pitch < 0 || interval < 0 || interval >= 1 << bits.interval || gap < 0) return
    if (gap >= 1 << bits.gap || pitch >= 1 << bits.frequency) return
    this.#codes = grown(this.#codes, this.#count + 1)
    this.#times = grown(this.#times, this.#count + 1)
    this.#codes[this.#count] = (((pitch << bits.interval) | interval) << bits.gap) | gap
    this.#times[this.#count++] = time
  }

  codes(): Codes {
    return { codes: this.#codes.slice(0, this.#count), times: this.#times.slice(0, this.#count) }
  }
}

/** The step next to the one a value lies in, if it is closer to it than `border`; else its own. */
function neighbour(value: number, border: number): number {
  const step = Math.floor(value)
  const within = value - step
  if (within < border) return step - 1
  return within >= 1 - border ? step + 1 : step
}
