/**
 * Above 0 and below 1: the same for the same arguments in every process (rounds of MurmurHash3,
 * Appleby).
 */
export function uniformDraw(seed: number, step: number, num: number): number {
  let hash = seed >>> 0
  for (const value of [step, num]) {
    let k = Math.imul(value, 0xcc9e2d51)
    k = Math.imul((k << 15) | (k >>> 17), 0x1b873593)
    hash ^= k
    hash = (Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64) | 0
  }
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (((hash ^ (hash >>> 16)) >>> 0) + 0.5) / 2 ** 32
}
