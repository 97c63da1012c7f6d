import { grown } from '../../audio/samples.ts'

/*
 * Where one code occurs: runs of varint(count), then varint(song − song before) and varint(time),
 * or the step of time within a song.
 */

/** Room for a varint that is known only at the end of its run. */
export const RUN_HEAD_BYTES = 5
/** Two 32-bit varints. */
export const MAX_POSTING_BYTES = 10

export class PostingsWriter {
  #bytes = new Uint8Array(4096)
  #length = 0
  #song = 0
  #time = 0
  #count = 0

  beginRun(): void {
    this.#length = RUN_HEAD_BYTES
    this.#song = 0
    this.#time = 0
    this.#count = 0
  }

  /** Adds a posting. Postings must ascend by song, then time. */
  addPosting(song: number, time: number): void {
    this.#bytes = grown(this.#bytes, this.#length + MAX_POSTING_BYTES)
    const step = song - this.#song
    this.#length = writeVarint(this.#bytes, this.#length, step)
    this.#length = writeVarint(this.#bytes, this.#length, step === 0 ? time - this.#time : time)
    this.#song = song
    this.#time = time
    this.#count++
  }

  /** Valid until the next {@link beginRun}. */
  endRun(): Uint8Array {
    const start = RUN_HEAD_BYTES - varintWidth(this.#count)
    writeVarint(this.#bytes, start, this.#count)
    return this.#bytes.subarray(start, this.#length)
  }

  get byteCount(): number {
    return this.#length - RUN_HEAD_BYTES
  }

  /** Copies the run without its count; returns the place after it. */
  copyRun(target: Uint8Array, offset: number): number {
    // Most have a few bytes: a loop is faster than a view.
    for (let i = RUN_HEAD_BYTES; i < this.#length; i++) target[offset++] = this.#bytes[i]!
    return offset
  }

  get count(): number {
    return this.#count
  }
}

export interface KeyTimes {
  keys: Uint32Array
  times: Uint32Array
}

/** Arrays that grow and are used again. */
export class PostingsReader {
  songs = new Uint32Array(1024)
  times = new Uint32Array(1024)
  length = 0

  clear(): void {
    this.length = 0
  }

  addPosting(song: number, time: number): void {
    this.#makeRoom(this.length + 1)
    this.songs[this.length] = song
    this.times[this.length++] = time
  }

  /** A copy, where keys stand in the places of songs. */
  toKeys(): KeyTimes {
    return { keys: this.songs.slice(0, this.length), times: this.times.slice(0, this.length) }
  }

  /** `base` is added to every song number. */
  unpackRuns(blob: Uint8Array, base: number): void {
    const end = blob.length
    for (let offset = 0; offset < end; ) {
      const count = readVarint(blob, offset)
      // A damaged blob ends here, not in an endless loop.
      if (!(count > 0) || count > end) return
      offset = this.unpackPostings(blob, offset + varintWidth(count), end, base, count)
    }
  }

  /** Appends up to so many postings without a count; returns the place after the last one. */
  unpackPostings(
    blob: Uint8Array,
    start: number,
    end: number,
    base: number,
    maxPostings: number,
  ): number {
    let place = start
    let n = this.length
    this.#makeRoom(n + maxPostings)
    const { songs, times } = this
    const stop = n + maxPostings
    let shift = 0
    let song = base
    let time = 0
    while (n < stop && place < end) {
      // Most steps and times take one or two bytes, so both loops are unrolled.
      let byte = blob[place++]!
      let step = byte & 127
      if (byte & 128) {
        byte = blob[place++]!
        step |= (byte & 127) << 7
        for (shift = 14; byte & 128; shift += 7) {
          byte = blob[place++]!
          step |= (byte & 127) << shift
        }
      }
      byte = blob[place++]!
      let timeStep = byte & 127
      if (byte & 128) {
        byte = blob[place++]!
        timeStep |= (byte & 127) << 7
        for (shift = 14; byte & 128; shift += 7) {
          byte = blob[place++]!
          timeStep |= (byte & 127) << shift
        }
      }
      song += step
      time = step === 0 ? time + timeStep : timeStep
      songs[n] = song
      times[n++] = time
    }
    this.length = n
    return place
  }

  #makeRoom(length: number): void {
    this.songs = grown(this.songs, length)
    this.times = grown(this.times, length)
  }
}

/** Seven bits a byte, the lowest first. */
export function readVarint(bytes: Uint8Array, offset: number): number {
  let value = 0
  for (let shift = 0, i = offset, byte = 128; byte & 128; shift += 7) {
    byte = bytes[i++]!
    value |= (byte & 127) << shift
  }
  return value
}

export function varintWidth(value: number): number {
  let width = 1
  for (let remaining = value >>> 7; remaining > 0; remaining >>>= 7) width++
  return width
}

/** Writes a varint; returns the place after it. */
export function writeVarint(bytes: Uint8Array, offset: number, value: number): number {
  let remaining = value
  while (remaining > 127) {
    bytes[offset++] = (remaining & 127) | 128
    remaining >>>= 7
  }
  bytes[offset++] = remaining
  return offset
}
