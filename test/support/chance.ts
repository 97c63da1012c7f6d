import type { Random } from './music.ts'

export { type Random, seeded } from './music.ts'

/** A whole number from `least` up to, but not including, `end`. */
export function whole(random: Random, least: number, end: number): number {
  return least + Math.floor(random() * (end - least))
}

/** One of a list. */
export function pick<T>(random: Random, list: readonly T[]): T {
  if (list.length === 0) throw new Error('There is nothing to pick from.')
  return list[whole(random, 0, list.length)] as T
}

/** A list in an order by chance. */
export function shuffled<T>(list: readonly T[], random: Random): T[] {
  const result = [...list]
  for (let i = result.length - 1; i > 0; i--) {
    const j = whole(random, 0, i + 1)
    ;[result[i], result[j]] = [result[j]!, result[i]!]
  }
  return result
}

/** Mean 0, standard deviation 1. */
export function gaussian(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}

/** A seed that a text stands for (FNV-1a). */
export function seedOf(text: string): number {
  let hash = 0x811c9dc5
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193)
  return hash >>> 0
}

/**
 * Draws one of many things whose frequencies are log-normal, each as often as it is frequent: drawn so,
 * log-normal numbers are log-normal too.
 *
 * @param spread - the standard deviation of the logarithms of the frequencies
 * @returns its place in the order of frequency, 0 to below 1
 */
export function byFrequency(random: Random, spread: number): number {
  return Math.min(1 - 1e-9, phi(gaussian(random) + spread))
}

/** The normal distribution function (Abramowitz and Stegun, 26.2.17). */
function phi(x: number): number {
  const t = 1 / (1 + 0.2316419 * Math.abs(x))
  const tail =
    0.3989422804014327 *
    Math.exp(-(x * x) / 2) *
    t *
    (0.31938153 + t * (-0.356563782 + t * (1.781477937 + t * (-1.821255978 + t * 1.330274429))))
  return x > 0 ? 1 - tail : tail
}
