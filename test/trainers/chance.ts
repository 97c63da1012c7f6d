import type { Random } from '../support/music.ts'

/** One of a list. */
export function pick<T>(from: readonly T[], random: Random): T {
  return from[Math.floor(random() * from.length)]!
}

/** Mean 0, standard deviation 1. */
export function gaussian(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random())
}
