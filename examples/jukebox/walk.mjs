// Walks through a piece beat by beat, and now and then to a twin of the beat that is due.

/** A jump is considered from this many beats after the last one, and by and by more likely. */
const REST = 6
const RISE = 0.04
const MOST = 0.5

/**
 * @param {Pick<ReturnType<typeof import('./branches.mjs').branchesOf>,
 *   'beats' | 'branches' | 'last'>} piece
 * @param {() => number} random of 0…1
 */
export function createWalk({ beats, branches, last }, random = Math.random) {
  const twins = new Map()
  for (const { beat, twin } of branches) twins.set(beat, [...(twins.get(beat) ?? []), twin])
  const played = new Uint32Array(beats.length)
  let rested = 0

  return {
    /** The beat to be played after one, −1 to begin with; `from`: what was due, when it is a jump. */
    next(previous) {
      const due = previous + 1
      const beat = due >= last.beat || due >= beats.length ? leap(due) : due
      const to = beat === due && rested >= REST && random() < chance() ? leastPlayed(due) : beat
      rested = to === due ? rested + 1 : 0
      played[to]++
      return to === due ? { beat: to } : { beat: to, from: due }
    },
  }

  /** Only at the last branch, or when someone has gone beyond it, at the end. */
  function leap(due) {
    return due === last.beat || due >= beats.length ? last.twin : due
  }

  function chance() {
    return Math.min(MOST, RISE * (rested - REST + 1))
  }

  /** Of the beat and its twins the one that was heard least; of equal ones, any. */
  function leastPlayed(due) {
    const choices = twins.get(due) ?? []
    if (choices.length === 0) return due
    const least = Math.min(...choices.map((beat) => played[beat]))
    const fresh = choices.filter((beat) => played[beat] === least)
    return fresh[Math.floor(random() * fresh.length)]
  }
}

/** A generator of numbers of 0…1 that is the same for the same seed (a 32-bit xorshift). */
export function seeded(seed) {
  let state = Math.imul(seed, 2_654_435_761) || 1
  return () => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    return (state >>> 0) / 2 ** 32
  }
}
