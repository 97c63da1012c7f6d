import type { Audile } from '../../src/index.ts'

/**
 * How often others have their turn on this thread while some work is under way. Counted, not timed:
 * however slow the machine is, each step of the work that lets others come between lets one.
 *
 * @param turn - what another does in its turn
 */
export async function turnsDuring(
  work: Promise<unknown>,
  turn: () => unknown = () => {},
): Promise<number> {
  let underWay = true
  const end = work.finally(() => {
    underWay = false
  })
  // It is told below, which may be a while after it was rejected.
  end.catch(() => {})
  for (let turns = 0; ; turns++) {
    await new Promise((resolve) => setImmediate(resolve))
    await turn()
    if (underWay) continue
    await end
    return turns
  }
}

/** How many other calls are answered while some work is under way. */
export function answersDuring(music: Audile, work: Promise<unknown>): Promise<number> {
  return turnsDuring(work, () => music.catalogs.list({ results: 1 }))
}
