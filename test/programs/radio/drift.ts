import type { Audile } from '../../../src/index.ts'
import { distance, type Heard } from './library.ts'

const STEPS = 200
/** Steps whose distances from the seed are told as one. */
const PART = 50
/** Hours: a recording comes again after about thirty excerpts of a minute. */
const REPEAT_AFTER = 0.5

/** How far mixes without an end are from their seeds, as rows of a table. */
export async function driftRows(
  music: Audile,
  seeds: readonly Heard[],
  byId: ReadonlyMap<string, Heard>,
): Promise<string[]> {
  const starts = Array.from({ length: STEPS / PART }, (_, part) => part * PART)
  const heads = starts.map((start) => `${start + 1} to ${start + PART}`)
  const rows = [
    `| from seed, endless mix | ${heads.join(' | ')} |`,
    `|---|${starts.map(() => '---|').join('')}`,
  ]
  for (const adventurousness of [0, 0.3, 0.5, 1]) {
    const sums = starts.map(() => 0)
    for (const [place, seed] of seeds.entries()) {
      const wish = { seeds: seed.id, seed: place, adventurousness, repeatAfter: REPEAT_AFTER }
      let step = 0
      for await (const { track } of await music.mixes.create(wish)) {
        const part = Math.floor(step / PART)
        sums[part] = sums[part]! + distance(seed, byId.get(track.id)!)
        if (++step === STEPS) break
      }
    }
    const means = sums.map((sum) => (sum / PART / seeds.length).toFixed(2))
    rows.push(`| adventurousness ${adventurousness} | ${means.join(' | ')} |`)
  }
  return rows
}
