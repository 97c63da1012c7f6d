import { VECTOR_LENGTH } from '../analysis/sound-vector.ts'
import { instantiateModule, reserveMemory, type WasmMemory } from '../audio/web-assembly.ts'
import { RowBlocks } from '../kernel/database/blocks.ts'
import type { Database } from '../kernel/database/open.ts'
import { VECTORS_MODULE } from './vectors/simd-module.ts'

const ROWS_PER_BLOCK = 512
const BLOCK_BYTES = ROWS_PER_BLOCK * VECTOR_LENGTH

/** Compared in one step; a thousand take 10 µs. */
export const ROWS_PER_SCAN = 65_536

interface ScanExports {
  readonly memory: WasmMemory
  readonly query: { readonly value: number }
  readonly sums: { readonly value: number }
  readonly rows: { readonly value: number }
  /** From `first` on, to the query. */
  scan(first: number, count: number): void
}

/** By the numbers of the library, in the memory of a WebAssembly module. */
export class TrackVectors extends RowBlocks {
  readonly #module = instantiateModule<ScanExports>(VECTORS_MODULE)
  #bytes: Int8Array
  #length = 0

  constructor(db: Database) {
    super(db, 'track_vectors', ROWS_PER_BLOCK, 2 ** 26)
    this.#bytes = new Int8Array(this.#module.memory.buffer)
  }

  /** Inside the transaction that changes their source data. */
  writeVectors(rows: ReadonlyMap<number, Int8Array | undefined>): void {
    this.changeBlocks(rows.keys(), (storedBytes, nums) => {
      const bytes = storedBytes ?? new Uint8Array(BLOCK_BYTES)
      for (const num of nums) {
        const offset = (num % ROWS_PER_BLOCK) * VECTOR_LENGTH
        bytes.fill(0, offset, offset + VECTOR_LENGTH)
        const vector = rows.get(num)
        if (vector) bytes.set(vector, offset)
      }
      return bytes
    })
  }

  /** As of the last {@link refresh}; above all numbers of rows. */
  get length(): number {
    return this.#length
  }

  /** Returns a number above those of all rows. */
  refresh(): number {
    this.updateBlocks()
    return this.#length
  }

  protected override isSound({ length }: Uint8Array): boolean {
    return length === BLOCK_BYTES
  }

  protected override holdBlock(block: number, bytes: Uint8Array): void {
    this.#reserveRows((block + 1) * ROWS_PER_BLOCK)
    this.#bytes.set(bytes, this.#offsetOf(block * ROWS_PER_BLOCK))
  }

  protected override forgetAll(): void {
    this.#length = 0
    this.#bytes.fill(0, this.#offsetOf(0))
  }

  /** `undefined` if it has none. */
  vectorOf(num: number): Int8Array | undefined {
    if (!this.has(num)) return undefined
    const offset = this.#offsetOf(num)
    return this.#bytes.slice(offset, offset + VECTOR_LENGTH)
  }

  /** The last number of a vector is 1. */
  has(num: number): boolean {
    return num < this.#length && this.#bytes[this.#offsetOf(num + 1) - 1] === 1
  }

  /** Changes with the vector; 0 without one. */
  checksumOf(num: number): number {
    if (!this.has(num)) return 0
    const offset = this.#offsetOf(num)
    let sum = 0
    for (let k = 0; k < VECTOR_LENGTH; k++) sum += this.#bytes[offset + k]! * (k + 1)
    return sum
  }

  squaredDistance(num: number, vector: Int8Array): number {
    const offset = this.#offsetOf(num)
    let sum = 0
    for (let k = 0; k < VECTOR_LENGTH; k++) {
      const difference = this.#bytes[offset + k]! - vector[k]!
      sum += difference * difference
    }
    return sum
  }

  /**
   * 2³¹ − 1 where there is no row. The next call overwrites the answer. @param count - at most
   * {@link ROWS_PER_SCAN}
   */
  squaredDistances(vector: Int8Array, first: number, count: number): Int32Array {
    const { memory, query, sums, scan } = this.#module
    this.#bytes.set(vector, query.value)
    scan(first, count)
    return new Int32Array(memory.buffer, sums.value, count)
  }

  #offsetOf(num: number): number {
    return this.#module.rows.value + num * VECTOR_LENGTH
  }

  #reserveRows(length: number): void {
    const end = this.#offsetOf(length)
    // A quarter more, so that a growing library does not grow the memory for each block.
    if (end > this.#bytes.length) {
      const bytes = Math.max(end, 1.25 * this.#bytes.length)
      this.#bytes = new Int8Array(reserveMemory(this.#module.memory, bytes))
    }
    this.#length = Math.max(this.#length, length)
  }
}
