// Walks through a piece beat by beat, and now and then to a twin of the beat that is due.

/** A jump is considered from this many beats after the last one, and by and by more likely. */
const REST = 6
const RISE = 0.04
const MOST = 0.5

/**
 * @param {number} beats how many the piece has
 * @param {() => number} random of 0…1
 */
export function createWalk(beats, random = Math.random) {
  const played = new Uint32Array(beats)
  let twins = new Map()
  let last
  let rested = 0

  return {
    /** @param {ReturnType<typeof import('../branches.mjs').tuned>} tune the branches from now on */
    retune(tune) {
      last = tune.last
      twins = new Map()
      for (const { beat, twin } of tune.branches) {
        twins.set(beat, [...(twins.get(beat) ?? []), twin])
      }
    },

    /**
     * The beat to be played after one, −1 to begin with; `from`: what was due, when it is a jump.
     * `undefined` when the piece is over.
     */
    next(previous) {
      const due = previous + 1
      const beat = last && (due === last.beat || due >= beats) ? last.twin : due
      const to = beat === due && rested >= REST && random() < chance() ? leastPlayed(due) : beat
      if (to >= beats) return undefined
      rested = to === due ? rested + 1 : 0
      played[to]++
      return to === due ? { beat: to } : { beat: to, from: due }
    },

    /** The twins of a beat; those of the last branch where there is no other. */
    twinsOf(beat) {
      const choices = twins.get(beat) ?? []
      return choices.length === 0 && beat === last?.beat ? [last.twin] : choices
    },
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
