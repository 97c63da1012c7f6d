import type { Codes } from './codes.ts'
import type { Family } from './version.ts'

/**
 * Families whose codes have more than 20 bits, with the bits of their codes. An index stores such a
 * code as its key: another number of as many bits, whose top bits are as good as random whatever the
 * codes are like. A share of all keys is then the same share of any song's codes, and the keys of a
 * share lie side by side.
 */
const WIDE = Object.freeze({ enmfp: 31, chroma: 31, triplets: 30 })

/** The bits of a family's keys; `undefined` where its codes have 20 bits and are their own keys. */
export function keyBitsOf(family: Family): number | undefined {
  return (WIDE as Partial<Record<Family, number>>)[family]
}

/** The odd factors of MurmurHash3's finalizer (Austin Appleby, public domain). */
const ONE = 0x85eb_ca6b
const TWO = 0xc2b2_ae35
/** At least half of the most bits, so that folding twice gives the number back. */
const FOLD = 16

/** The key of a code. No two codes have the same: {@link codeOfKey} gives it back. */
export function mixed(code: number, bits: number): number {
  const mask = 2 ** bits - 1
  const one = Math.imul(code ^ (code >>> FOLD), ONE) & mask
  const two = Math.imul(one ^ (one >>> FOLD), TWO) & mask
  return two ^ (two >>> FOLD)
}

const ONE_BACK = inverse(ONE)
const TWO_BACK = inverse(TWO)

export function codeOfKey(key: number, bits: number): number {
  const mask = 2 ** bits - 1
  const two = Math.imul(key ^ (key >>> FOLD), TWO_BACK) & mask
  const one = Math.imul(two ^ (two >>> FOLD), ONE_BACK) & mask
  return one ^ (one >>> FOLD)
}

/** The number whose product with an odd one is 1, modulo 2^32: each step doubles the right bits. */
function inverse(odd: number): number {
  let found = odd
  for (let i = 0; i < 5; i++) found = Math.imul(found, 2 - Math.imul(odd, found))
  return found
}

/** The share of all keys that a whole file is looked up by: about 1 kB of a song's postings. */
const SAMPLE = 0.1

/**
 * The triplets of a whole file by which it is looked up at first. Their postings are the first tenth of
 * the family's.
 */
export function sampleOf({ codes, times }: Codes): Codes {
  const bits = WIDE.triplets
  const sampled = (_: number, i: number) => mixed(codes[i]!, bits) < SAMPLE * 2 ** bits
  return { codes: codes.filter(sampled), times: times.filter(sampled) }
}
