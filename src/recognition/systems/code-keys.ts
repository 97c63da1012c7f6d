import type { Codes } from './codes.ts'
import type { Family } from './version.ts'

/** Bits of wide codes. Their keys spread evenly, so a share of all keys is a share of any song. */
const WIDE_KEY_BITS = Object.freeze({ enmfp: 31, chroma: 31, triplets: 30 })

/** The bits of a family's keys; `undefined` where its codes have 20 bits and are their own keys. */
export function keyBitsOf(family: Family): number | undefined {
  return (WIDE_KEY_BITS as Partial<Record<Family, number>>)[family]
}

/** The odd factors of MurmurHash3's finalizer (Austin Appleby, public domain). */
const FIRST_FACTOR = 0x85eb_ca6b
const SECOND_FACTOR = 0xc2b2_ae35
/** At least half of the bits, so that folding twice gives the number back. */
const FOLD_BITS = 16

/** No two codes have the same key: {@link codeOfKey} gives the code back. */
export function keyOfCode(code: number, bits: number): number {
  const mask = 2 ** bits - 1
  const first = Math.imul(code ^ (code >>> FOLD_BITS), FIRST_FACTOR) & mask
  const second = Math.imul(first ^ (first >>> FOLD_BITS), SECOND_FACTOR) & mask
  return second ^ (second >>> FOLD_BITS)
}

const FIRST_INVERSE = inverseOf(FIRST_FACTOR)
const SECOND_INVERSE = inverseOf(SECOND_FACTOR)

export function codeOfKey(key: number, bits: number): number {
  const mask = 2 ** bits - 1
  const second = Math.imul(key ^ (key >>> FOLD_BITS), SECOND_INVERSE) & mask
  const first = Math.imul(second ^ (second >>> FOLD_BITS), FIRST_INVERSE) & mask
  return first ^ (first >>> FOLD_BITS)
}

/** The factor whose product with an odd one is 1, modulo 2^32. */
function inverseOf(odd: number): number {
  let factor = odd
  for (let i = 0; i < 5; i++) factor = Math.imul(factor, 2 - Math.imul(odd, factor))
  return factor
}

/** The share of all keys by which a whole file is looked up. */
const SAMPLE_SHARE = 0.1

export function sampleCodes({ codes, times }: Codes): Codes {
  const bits = WIDE_KEY_BITS.triplets
  const isSampled = (_: number, i: number) => keyOfCode(codes[i]!, bits) < SAMPLE_SHARE * 2 ** bits
  return { codes: codes.filter(isSampled), times: times.filter(isSampled) }
}
