import type { MixRules, Rule } from './rules.ts'
import type { Wish } from './wish.ts'

/** What ended a mix. */
export interface MixEnd {
  /**
   * `length`: it has the wished length. `where`: every track that meets the conditions was played
   * (with `repeatAfter` lately), or none does; `avoid` and `library` likewise, where there are no
   * conditions. `artist`, `album`,
   * `song`, `missing`: the rule that most of the remaining tracks break.
   */
  bound: Rule | 'length' | 'where' | 'avoid' | 'library'
  /** The same as a sentence. */
  message: string
}

export function explainEnd(wish: Wish, allowed: Int32Array, rules: MixRules): MixEnd {
  const { where, avoid, repeatAfter } = wish
  const remaining = [...allowed].filter((num) => !rules.isPlayed(num))
  const broken = new Map<Rule, number>()
  for (const num of remaining) {
    const rule = rules.brokenRule(num, false)
    if (rule) broken.set(rule, (broken.get(rule) ?? 0) + 1)
  }
  const [commonestRule] = [...broken].sort(([, a], [, b]) => b - a)
  if (commonestRule) {
    const [rule, count] = commonestRule
    const message = `Of the ${remaining.length} tracks that are left, ${count} break the rule "${rule}".`
    return { bound: rule, message }
  }
  const bound = Object.keys(where).length > 0 ? 'where' : avoid.length > 0 ? 'avoid' : 'library'
  const count = allowed.length
  const message =
    count === 0
      ? 'The mix may play no track: none is analysed and meets its conditions.'
      : repeatAfter === undefined
        ? `All ${count} tracks that the mix may play were played.`
        : `All ${count} tracks that the mix may play were played in its last ${repeatAfter} hours; a shorter repeatAfter brings them again.`
  return { bound, message }
}
