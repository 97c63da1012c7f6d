import { grown } from '../../audio/samples.ts'

/*
 * Packed postings: where one code occurs, in about four bytes an occurrence.
 *
 * A blob is a sequence of runs, so that a later run is added by appending. A run is varint(count),
 * then for each posting varint(song − song before) and varint(time), where the time of a further
 * posting in the same song is the difference to the one before. Both start from 0 in each run;
 * postings are sorted by song, then time.
 */

/** Room before a run for a number that is known only at its end: a 32-bit varint. */
export const HEAD = 5
/** Bytes that one posting needs at most: two 32-bit varints. */
export const MOST = 10

/** Writes runs of postings into a buffer that is reused for each run. */
export class PostingsWriter {
  #bytes = new Uint8Array(4096)
  #length = 0
  #song = 0
  #time = 0
  #count = 0

  begin(): void {
    this.#length = HEAD
    this.#song = 0
    this.#time = 0
    this.#count = 0
  }

  /** Adds a posting. Postings must ascend by song, then time. */
  add(song: number, time: number): void {
    this.#bytes = grown(this.#bytes, this.#length + MOST)
    const step = song - this.#song
    this.#length = write(this.#bytes, this.#length, step)
    this.#length = write(this.#bytes, this.#length, step === 0 ? time - this.#time : time)
    this.#song = song
    this.#time = time
    this.#count++
  }

  /** The run. Valid until the next {@link begin}. */
  end(): Uint8Array {
    const start = HEAD - widthOf(this.#count)
    write(this.#bytes, start, this.#count)
    return this.#bytes.subarray(start, this.#length)
  }

  /** Bytes of the run without its count. */
  get bytes(): number {
    return this.#length - HEAD
  }

  /** Copies the run without its count to a place; returns the place after it. */
  copy(to: Uint8Array, at: number): number {
    // Most have two or three bytes: a loop is several times as fast as a view.
    for (let i = HEAD; i < this.#length; i++) to[at++] = this.#bytes[i]!
    return at
  }

  get count(): number {
    return this.#count
  }
}

/** Keys and their times: parallel arrays, in the order of the keys. */
export interface Keys {
  keys: Uint32Array
  times: Uint32Array
}

/** Postings unpacked: parallel arrays that grow and are used again. */
export class PostingsReader {
  songs = new Uint32Array(1024)
  times = new Uint32Array(1024)
  length = 0

  clear(): void {
    this.length = 0
  }

  add(song: number, time: number): void {
    this.#makeRoom(this.length + 1)
    this.songs[this.length] = song
    this.times[this.length++] = time
  }

  /** A copy of what it holds, where keys stand in the places of songs. */
  copied(): Keys {
    return { keys: this.songs.slice(0, this.length), times: this.times.slice(0, this.length) }
  }

  /**
   * Appends the postings of a blob.
   *
   * @param base - added to every song number
   */
  unpack(blob: Uint8Array, base: number): void {
    const end = blob.length
    for (let at = 0; at < end; ) {
      const count = varintAt(blob, at)
      // A damaged blob ends here, not in an endless loop.
      if (!(count > 0) || count > end) return
      at = this.take(blob, at + widthOf(count), end, base, count)
    }
  }

  /**
   * Appends postings that stand one after the other, without their count.
   *
   * @param most - how many; fewer when the bytes end before
   * @returns the place after the last one
   */
  take(blob: Uint8Array, from: number, end: number, base: number, most: number): number {
    let at = from
    let n = this.length
    this.#makeRoom(n + most)
    const { songs, times } = this
    const stop = n + most
    let shift = 0
    let song = base
    let time = 0
    while (n < stop && at < end) {
      // Most steps and times take one or two bytes, so both loops are unrolled for these.
      let byte = blob[at++]!
      let step = byte & 127
      if (byte & 128) {
        byte = blob[at++]!
        step |= (byte & 127) << 7
        for (shift = 14; byte & 128; shift += 7) {
          byte = blob[at++]!
          step |= (byte & 127) << shift
        }
      }
      byte = blob[at++]!
      let offset = byte & 127
      if (byte & 128) {
        byte = blob[at++]!
        offset |= (byte & 127) << 7
        for (shift = 14; byte & 128; shift += 7) {
          byte = blob[at++]!
          offset |= (byte & 127) << shift
        }
      }
      song += step
      time = step === 0 ? time + offset : offset
      songs[n] = song
      times[n++] = time
    }
    this.length = n
    return at
  }

  #makeRoom(length: number): void {
    this.songs = grown(this.songs, length)
    this.times = grown(this.times, length)
  }
}

/** The number that a varint at a place stands for: seven bits a byte, the lowest first. */
export function varintAt(bytes: Uint8Array, at: number): number {
  let value = 0
  for (let shift = 0, i = at, byte = 128; byte & 128; shift += 7) {
    byte = bytes[i++]!
    value |= (byte & 127) << shift
  }
  return value
}

/** The bytes of a number's varint. */
export function widthOf(value: number): number {
  let width = 1
  for (let rest = value >>> 7; rest > 0; rest >>>= 7) width++
  return width
}

/** Writes a varint; returns the place after it. */
export function write(bytes: Uint8Array, at: number, value: number): number {
  let rest = value
  while (rest > 127) {
    bytes[at++] = (rest & 127) | 128
    rest >>>= 7
  }
  bytes[at++] = rest
  return at
}
