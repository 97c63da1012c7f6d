import { FAMILIES, type Family } from '../systems/version.ts'

/**
 * Every code has one of 2^20 slots in the index: codes of 20 bits are their own slots, the longer
 * ones of system A are hashed. Two codes that share a slot are found for each other, at random
 * offsets, which count as noise.
 */
const SLOT_BITS = 20
export const SLOTS = 2 ** SLOT_BITS

/** Recordings in a segment. A row of postings holds one slot's occurrences in one segment. */
export const SEGMENT = 2 ** 13
/** The number of segments; a power of two, so that the parts of a row's id do not overlap. */
const SEGMENTS = 2 ** 11

/** Slots whose frequencies are stored together, and that are packed in one step. */
export const CHUNK = 512
export const CHUNKS = SLOTS / CHUNK

/** The number of recordings that the ids of rows have room for. */
export const MOST_RECORDINGS = SEGMENTS * SEGMENT

const FAMILY_NAMES = Object.keys(FAMILIES) as Family[]
/** A task on the whole index has one step for each chunk of each family. */
export const STEPS = FAMILY_NAMES.length * CHUNKS

/** The chunk that a step works on. */
export function chunkOfStep(step: number): { family: Family; chunk: number } {
  const family = FAMILY_NAMES[Math.floor(step / CHUNKS)]
  if (!family) throw new RangeError(`The index has ${STEPS} steps; there is no step ${step}.`)
  return { family, chunk: step % CHUNKS }
}

/** The name of a family by the number that is stored. */
export function familyOf(number: number): Family | undefined {
  return FAMILY_NAMES.find((name) => FAMILIES[name] === number)
}

/** Families whose 20-bit codes need no hashing. */
const NARROW: ReadonlySet<Family> = new Set(['echoprint', 'echoprint40', 'landmarks'])

/** Fibonacci hashing (Knuth, The Art of Computer Programming 6.4): 2^32 over the golden ratio. */
const GOLDEN = 0x9e37_79b1

export function slotOf(family: Family, code: number): number {
  return NARROW.has(family) ? code & (SLOTS - 1) : Math.imul(code, GOLDEN) >>> (32 - SLOT_BITS)
}

/** The first row of a slot's postings; those of its further segments follow. */
export function rowOf(family: Family, slot: number, segment = 0): number {
  return (FAMILIES[family] * SLOTS + slot) * SEGMENTS + segment
}

/** The last row that a slot can have. */
export function lastRowOf(family: Family, slot: number): number {
  return rowOf(family, slot, SEGMENTS - 1)
}

/** The segment that a recording belongs to. */
export function segmentOf(recording: number): number {
  return Math.floor(recording / SEGMENT)
}

/** The first recording of the segment that a row belongs to. */
export function baseOf(row: number): number {
  return (row % SEGMENTS) * SEGMENT
}

/** The row of a chunk's frequencies. */
export function chunkRowOf(family: Family, chunk: number): number {
  return FAMILIES[family] * CHUNKS + chunk
}

/** The index of the first of ascending slots that is not below `slot`. */
export function firstAt(slots: Uint32Array, slot: number): number {
  let low = 0
  let high = slots.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (slots[middle]! < slot) low = middle + 1
    else high = middle
  }
  return low
}
