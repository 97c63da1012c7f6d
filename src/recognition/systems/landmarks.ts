import { type Peak, PeakFinder } from './spectral-peaks.ts'
import { LANDMARKS } from './version.ts'

/** The peaks of a recording, by time; parallel arrays. See Peak for the units. */
export interface Landmarks {
  readonly times: Float32Array
  readonly frequencies: Float32Array
  readonly saliences: Float32Array
}

/**
 * Finds the landmarks of streamed sound: the most salient peaks of each second of
 * its spectrogram. They survive noise, codecs, rooms and equalisers better than any onset, since
 * what is loudest in its surroundings stays so.
 */
export class LandmarkCoder {
  readonly #finder: PeakFinder
  readonly #kept: Peak[] = []
  /** Peaks of the current second. */
  #second: Peak[] = []
  #seconds = 0

  constructor() {
    const { secondFrames, perSecond } = LANDMARKS
    this.#finder = new PeakFinder((peak) => {
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

/** The most salient peaks, in their original order. */
export function salient(peaks: readonly Peak[], most: number): readonly Peak[] {
  if (peaks.length <= most) return peaks
  const ranked = [...peaks].sort((a, b) => b.salience - a.salience)
  const chosen = new Set(ranked.slice(0, most))
  return peaks.filter((peak) => chosen.has(peak))
}

/** The most salient peaks of each second. */
export function strongest(peaks: readonly Peak[], perSecond: number): Peak[] {
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
