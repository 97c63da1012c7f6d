import { grown } from '../../audio/samples.ts'
import type { Keys } from '../systems/postings.ts'
import { type FamilyLayout, TOPS } from './layout.ts'

interface Taker {
  add(recording: number, time: number): void
}

/**
 * The codes of one family of the recordings that are not packed (the heads). Keys with the same top
 * bits form a chain, newest first: the time to find a key depends on its postings, not on the
 * number of recordings.
 */
export class HeadTable {
  /** By top bits: the place plus 1 of the newest posting. */
  readonly #newest = new Uint32Array(TOPS)
  /** By place: the place plus 1 of the next older posting with the same top bits. */
  #older = new Uint32Array(1_024)
  #keys = new Uint32Array(1_024)
  #times = new Uint32Array(1_024)
  #length = 0
  /** Numbers of recordings, ascending, and the place of the first code of each. */
  readonly #recordings: number[] = []
  readonly #starts: number[] = []
  readonly #held = new Set<number>()
  #gone = 0

  constructor(private readonly layout: FamilyLayout) {}

  /** Whether so much was dropped that a new table is better. */
  get isWorn(): boolean {
    return this.#gone > this.#length / 2
  }

  has(recording: number): boolean {
    return this.#held.has(recording)
  }

  get recordings(): Iterable<number> {
    return this.#held
  }

  /**
   * @param recording - a higher number than all before
   */
  add(recording: number, { keys, times }: Keys): void {
    const from = this.#length
    const end = from + keys.length
    this.#older = grown(this.#older, end)
    this.#keys = grown(this.#keys, end)
    this.#times = grown(this.#times, end)
    this.#keys.set(keys, from)
    this.#times.set(times, from)
    for (let place = from; place < end; place++) {
      const top = this.layout.topOf(this.#keys[place]!)
      this.#older[place] = this.#newest[top]!
      this.#newest[top] = place + 1
    }
    this.#length = end
    this.#recordings.push(recording)
    this.#starts.push(from)
    this.#held.add(recording)
  }

  drop(recording: number): void {
    if (!this.#held.delete(recording)) return
    const at = this.#recordings.indexOf(recording)
    this.#gone += (this.#starts[at + 1] ?? this.#length) - this.#starts[at]!
  }

  frequency(key: number): number {
    let found = 0
    this.#each(key, () => found++)
    return found
  }

  /** Adds the postings of a key in recordings after the one given, by ascending recording, then time. */
  postings(key: number, after: number, taker: Taker): void {
    const places: number[] = []
    this.#each(key, (place) => places.push(place))
    for (const place of places.reverse()) {
      const recording = this.#recordingAt(place)
      if (recording > after) taker.add(recording, this.#times[place]!)
    }
  }

  #each(key: number, found: (place: number) => void): void {
    for (let next = this.#newest[this.layout.topOf(key)]!; next > 0; ) {
      const place = next - 1
      if (this.#keys[place] === key && this.#held.has(this.#recordingAt(place))) found(place)
      next = this.#older[place]!
    }
  }

  #recordingAt(place: number): number {
    let low = 0
    let high = this.#starts.length
    while (high - low > 1) {
      const middle = (low + high) >>> 1
      if (this.#starts[middle]! <= place) low = middle
      else high = middle
    }
    return this.#recordings[low]!
  }
}
