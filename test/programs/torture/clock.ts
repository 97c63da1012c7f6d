import { pick, type Random } from '../../support/chance.ts'

const JUMPS = [-86_400_000, -3_600_000, -600_000, -40_000, -5_000, -1_000, 2_000, 30_000, 3_600_000]

/** A clock that somebody sets again and again, mostly back. */
export function jumpingClock(random: Random): () => number {
  let offset = 0
  return () => {
    if (random() < 0.002) offset += pick(random, JUMPS)
    return Date.now() + offset
  }
}
