import { codeOfKey, keyBitsOf, keyOfCode } from '../systems/code-keys.ts'
import { FAMILIES, type Family } from '../systems/version.ts'

/** Fixed when the database is made. */
export interface LayoutChoice {
  /** Wide keys have 2^slotBits rows (20 to 26); fewer postings a row cost bytes, more cost time. */
  slotBits: number
  /** A row is divided into segments of 2^segmentBits recordings, 13 to 24. */
  segmentBits: number
}

/** Of a database that is written to: each addition changes one segment of a row. */
export const WRITABLE_LAYOUT: Readonly<LayoutChoice> = Object.freeze({
  slotBits: 20,
  segmentBits: 13,
})

const NARROW_BITS = 20
/** The number of values of {@link FamilyLayout.topOf}. */
export const TOP_COUNT = 2 ** NARROW_BITS
const RECORDING_BITS = 24
export const MAX_RECORDINGS = 2 ** RECORDING_BITS

/** Adjacent slots of each family; a task on the whole index has a step for each chunk. */
export const CHUNKS = 2048

const FAMILY_NAMES = Object.keys(FAMILIES) as Family[]
export const TASK_STEPS = FAMILY_NAMES.length * CHUNKS

export function chunkOfStep(step: number): { family: Family; chunk: number } {
  return { family: FAMILY_NAMES[Math.floor(step / CHUNKS)]!, chunk: step % CHUNKS }
}

export function familyOf(number: number): Family {
  return FAMILY_NAMES.find((name) => FAMILIES[name] === number)!
}

export function chunkRowOf(family: Family, chunk: number): number {
  return FAMILIES[family] * CHUNKS + chunk
}

export class FamilyLayout {
  readonly family: Family
  /** Whether a slot has several keys, which its rows store. */
  readonly isWide: boolean
  /** Slots of a chunk. */
  readonly chunk: number
  /** Recordings of a segment. */
  readonly segment: number
  /** The bits of a key that its slot lacks are stored in the row. */
  readonly #keyBits: number
  readonly #restBits: number
  readonly #rests: number
  readonly #first: number
  readonly #segments: number

  constructor(family: Family, { slotBits, segmentBits }: LayoutChoice) {
    const bits = keyBitsOf(family)
    this.family = family
    this.isWide = bits !== undefined
    this.#keyBits = bits ?? NARROW_BITS
    const used = bits === undefined ? NARROW_BITS : Math.min(slotBits, bits)
    this.#restBits = this.#keyBits - used
    this.#rests = 2 ** this.#restBits
    this.chunk = 2 ** used / CHUNKS
    this.segment = 2 ** segmentBits
    this.#segments = 2 ** (RECORDING_BITS - segmentBits)
    this.#first = FAMILIES[family] * 2 ** slotBits
  }

  keyOf(code: number): number {
    if (this.isWide) return keyOfCode(code, this.#keyBits)
    return code & (2 ** NARROW_BITS - 1)
  }

  codeOf(key: number): number {
    return this.isWide ? codeOfKey(key, this.#keyBits) : key
  }

  slotOf(key: number): number {
    return key >>> this.#restBits
  }

  /** The top bits of a key, as many as the shortest keys have. */
  topOf(key: number): number {
    return key >>> (this.#keyBits - NARROW_BITS)
  }

  restOf(key: number): number {
    return key & (this.#rests - 1)
  }

  firstKeyOf(slot: number): number {
    return slot * this.#rests
  }

  rowOf(slot: number, segment = 0): number {
    return (this.#first + slot) * this.#segments + segment
  }

  lastRowOf(slot: number): number {
    return this.rowOf(slot, this.#segments - 1)
  }

  slotOfRow(row: number): number {
    return Math.floor(row / this.#segments) - this.#first
  }

  segmentOf(recording: number): number {
    return Math.floor(recording / this.segment)
  }

  /** The first recording of the segment that a row belongs to. */
  baseOf(row: number): number {
    return (row % this.#segments) * this.segment
  }
}

export type IndexLayout = Readonly<Record<Family, FamilyLayout>>

export function createLayout(choice: LayoutChoice): IndexLayout {
  const layouts = FAMILY_NAMES.map((family) => [family, new FamilyLayout(family, choice)])
  return Object.freeze(Object.fromEntries(layouts) as Record<Family, FamilyLayout>)
}
