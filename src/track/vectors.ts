import { VECTOR_LENGTH } from '../analysis/sound-vector.ts'
import { instantiateModule, reserveMemory, type WasmMemory } from '../audio/web-assembly.ts'
import { RowBlocks } from '../kernel/database/blocks.ts'
import type { Database } from '../kernel/database/open.ts'
import { SIMD_MODULE } from './vectors/simd-module.ts'

/** Rows in a block. */
const BLOCK = 512
const BLOCK_BYTES = BLOCK * VECTOR_LENGTH

/** Rows that are compared in one step; a thousand take 10 µs. */
export const SCANNED = 65_536

interface Exports {
  readonly memory: WasmMemory
  readonly query: { readonly value: number }
  readonly sums: { readonly value: number }
  readonly rows: { readonly value: number }
  /** The squared Euclidean distances of `count` rows from `first` on to the query. */
  scan(first: number, count: number): void
}

/**
 * The vectors of all tracks, by the numbers of the library: 48 bytes each, held in the memory of a
 * WebAssembly module.
 */
export class Vectors extends RowBlocks {
  readonly #module = instantiateModule<Exports>(SIMD_MODULE)
  #bytes: Int8Array
  #length = 0

  constructor(db: Database) {
    super(db, 'track_vectors', BLOCK, 2 ** 26)
    this.#bytes = new Int8Array(this.#module.memory.buffer)
  }

  /** Writes vectors by number, inside the transaction that changes their source data. */
  write(rows: ReadonlyMap<number, Int8Array | undefined>): void {
    this.changeBlocks(rows.keys(), (before, nums) => {
      const bytes = before ?? new Uint8Array(BLOCK_BYTES)
      for (const num of nums) {
        const at = (num % BLOCK) * VECTOR_LENGTH
        bytes.fill(0, at, at + VECTOR_LENGTH)
        const vector = rows.get(num)
        if (vector) bytes.set(vector, at)
      }
      return bytes
    })
  }

  /** A number above those of all rows, as of the last {@link refresh}. */
  get length(): number {
    return this.#length
  }

  /** Reads what changed. Returns a number above those of all rows. */
  refresh(): number {
    this.updateBlocks()
    return this.#length
  }

  protected override isSound({ length }: Uint8Array): boolean {
    return length === BLOCK_BYTES
  }

  protected override holdBlock(block: number, bytes: Uint8Array): void {
    this.#reserve((block + 1) * BLOCK)
    this.#bytes.set(bytes, this.#offset(block * BLOCK))
  }

  protected override forgetAll(): void {
    this.#length = 0
    this.#bytes.fill(0, this.#offset(0))
  }

  /** The vector of a track, or `undefined` if it has none. */
  of(num: number): Int8Array | undefined {
    if (!this.has(num)) return undefined
    const at = this.#offset(num)
    return this.#bytes.slice(at, at + VECTOR_LENGTH)
  }

  /** Whether a track has a vector: its last number is 1. */
  has(num: number): boolean {
    return num < this.#length && this.#bytes[this.#offset(num + 1) - 1] === 1
  }

  /** A number that tells a vector from the one that the track had before; 0 without a vector. */
  checksum(num: number): number {
    if (!this.has(num)) return 0
    const at = this.#offset(num)
    let sum = 0
    for (let k = 0; k < VECTOR_LENGTH; k++) sum += this.#bytes[at + k]! * (k + 1)
    return sum
  }

  /** The squared Euclidean distance of a track from a vector. */
  squaredDistance(num: number, vector: Int8Array): number {
    const at = this.#offset(num)
    let sum = 0
    for (let k = 0; k < VECTOR_LENGTH; k++) {
      const apart = this.#bytes[at + k]! - vector[k]!
      sum += apart * apart
    }
    return sum
  }

  /**
   * The squared Euclidean distances of rows from a vector, 2³¹ − 1 where there is none, in
   * a buffer that the next call overwrites.
   *
   * @param count  at most {@link SCANNED}
   */
  squaredDistances(vector: Int8Array, first: number, count: number): Int32Array {
    const { memory, query, sums, scan } = this.#module
    this.#bytes.set(vector, query.value)
    scan(first, count)
    return new Int32Array(memory.buffer, sums.value, count)
  }

  #offset(num: number): number {
    return this.#module.rows.value + num * VECTOR_LENGTH
  }

  #reserve(length: number): void {
    const end = this.#offset(length)
    // A quarter more, so that a growing library does not grow the memory for each block.
    if (end > this.#bytes.length) {
      const bytes = Math.max(end, 1.25 * this.#bytes.length)
      this.#bytes = new Int8Array(reserveMemory(this.#module.memory, bytes))
    }
    this.#length = Math.max(this.#length, length)
  }
}
