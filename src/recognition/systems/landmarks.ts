import { type Peak, PeakFinder } from './spectral-peaks.ts'
import { LANDMARK_SYSTEM } from './version.ts'

export interface Landmarks {
  readonly times: Float32Array
  readonly frequencies: Float32Array
  readonly saliences: Float32Array
}

/**
 * The most salient peaks of each second: what is loudest in its surroundings survives noise, codecs
 * and rooms.
 */
export class LandmarkCoder {
  readonly #finder: PeakFinder
  readonly #landmarks: Peak[] = []
  #peaksOfSecond: Peak[] = []
  #seconds = 0

  constructor() {
    const { secondFrames, perSecond } = LANDMARK_SYSTEM
    this.#finder = new PeakFinder((peak) => {
      const second = Math.floor(peak.time / secondFrames)
      if (second > this.#seconds) {
        this.#closeSecond(perSecond)
        this.#seconds = second
      }
      this.#peaksOfSecond.push(peak)
    })
  }

  /** Takes the next samples, mono at 11,025 Hz. */
  push(samples: Float32Array): void {
    this.#finder.push(samples)
  }

  finish(): Landmarks {
    this.#finder.finish()
    this.#closeSecond(LANDMARK_SYSTEM.perSecond)
    const landmarks = this.#landmarks
    return {
      times: Float32Array.from(landmarks, ({ time }) => time),
      frequencies: Float32Array.from(landmarks, ({ frequency }) => frequency),
      saliences: Float32Array.from(landmarks, ({ salience }) => salience),
    }
  }

  #closeSecond(maxPeaks: number): void {
    for (const peak of mostSalient(this.#peaksOfSecond, maxPeaks)) this.#landmarks.push(peak)
    this.#peaksOfSecond = []
  }
}

/** In their original order. */
export function mostSalient(peaks: readonly Peak[], maxPeaks: number): readonly Peak[] {
  if (peaks.length <= maxPeaks) return peaks
  const ranked = [...peaks].sort((a, b) => b.salience - a.salience)
  const chosen = new Set(ranked.slice(0, maxPeaks))
  return peaks.filter((peak) => chosen.has(peak))
}

export function salientBySecond(peaks: readonly Peak[], perSecond: number): Peak[] {
  const { secondFrames } = LANDMARK_SYSTEM
  const chosen: Peak[] = []
  for (let start = 0; start < peaks.length; ) {
    const second = Math.floor(peaks[start]!.time / secondFrames)
    let end = start
    while (end < peaks.length && Math.floor(peaks[end]!.time / secondFrames) === second) end++
    chosen.push(...mostSalient(peaks.slice(start, end), perSecond))
    start = end
  }
  return chosen
}
