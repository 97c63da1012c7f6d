import { grown } from '../../audio/samples.ts'
import type { KeyTimes } from '../systems/postings.ts'
import { type FamilyLayout, TOP_COUNT } from './layout.ts'

interface PostingTaker {
  addPosting(recording: number, time: number): void
}

/**
 * The codes of unpacked recordings. Keys with the same top bits form a chain, so time depends on
 * postings only.
 */
export class HeadTable {
  /** By top bits: the place plus 1 of the newest posting. */
  readonly #newest = new Uint32Array(TOP_COUNT)
  /** By place: the place plus 1 of the next older posting with the same top bits. */
  #older = new Uint32Array(1_024)
  #keys = new Uint32Array(1_024)
  #times = new Uint32Array(1_024)
  #length = 0
  readonly #recordings: number[] = []
  readonly #starts: number[] = []
  readonly #present = new Set<number>()
  #droppedCodes = 0

  constructor(private readonly layout: FamilyLayout) {}

  get isWorn(): boolean {
    return this.#droppedCodes > this.#length / 2
  }

  hasRecording(recording: number): boolean {
    return this.#present.has(recording)
  }

  get presentRecordings(): Iterable<number> {
    return this.#present
  }

  /** Numbers of recordings ascend. */
  addRecording(recording: number, { keys, times }: KeyTimes): void {
    const start = this.#length
    const end = start + keys.length
    this.#older = grown(this.#older, end)
    this.#keys = grown(this.#keys, end)
    this.#times = grown(this.#times, end)
    this.#keys.set(keys, start)
    this.#times.set(times, start)
    for (let place = start; place < end; place++) {
      const top = this.layout.topOf(this.#keys[place]!)
      this.#older[place] = this.#newest[top]!
      this.#newest[top] = place + 1
    }
    this.#length = end
    this.#recordings.push(recording)
    this.#starts.push(start)
    this.#present.add(recording)
  }

  dropRecording(recording: number): void {
    if (!this.#present.delete(recording)) return
    const index = this.#recordings.indexOf(recording)
    this.#droppedCodes += (this.#starts[index + 1] ?? this.#length) - this.#starts[index]!
  }

  countPostings(key: number): number {
    let count = 0
    this.#forEachPlace(key, () => count++)
    return count
  }

  /** Adds the postings of a key in later recordings, by recording, then time. */
  readPostings(key: number, after: number, taker: PostingTaker): void {
    const places: number[] = []
    this.#forEachPlace(key, (place) => places.push(place))
    for (const place of places.reverse()) {
      const recording = this.#recordingAt(place)
      if (recording > after) taker.addPosting(recording, this.#times[place]!)
    }
  }

  #forEachPlace(key: number, visit: (place: number) => void): void {
    for (let next = this.#newest[this.layout.topOf(key)]!; next > 0; ) {
      const place = next - 1
      if (this.#keys[place] === key && this.#present.has(this.#recordingAt(place))) visit(place)
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
