/** A mood that is derived from energy and valence. */
export interface DerivedMood {
  /** A term of the service's vocabulary. */
  name: string
  /** 0…1: how far energy and valence lie on the mood's side; the lesser of both. */
  confidence: number
}

const MOOD_LEVELS = Object.freeze({
  /** The median of published energy and valence. */
  middle: 0.66,
  /** Their 5 and 95 %, at which the confidence is 1. */
  low: 0.245,
  high: 0.945,
  /** The least confidence of a mood: half of the way from the middle. */
  least: 0.5,
})

/** The quadrants of Russell, "A circumplex model of affect" (1980), and the two ends of arousal. */
const SIDES = Object.freeze({
  energetic: { energy: 1 },
  mellow: { energy: -1 },
  happy: { energy: 1, valence: 1 },
  peaceful: { energy: -1, valence: 1 },
  aggressive: { energy: 1, valence: -1 },
  sad: { energy: -1, valence: -1 },
} as const satisfies Record<string, { energy?: 1 | -1; valence?: 1 | -1 }>)

/**
 * The moods that energy and valence imply, the surest first.
 *
 * @param summary - `energy` and `valence`, 0…1 or `null`, as {@link summarize} gives them
 *
 * @example
 * ```ts
 * import { analyze, moodsOf, summarize } from 'audile/analysis'
 *
 * const summary = summarize(analyze({ samples: [left, right], sampleRate: 44100 }))
 * console.log(moodsOf(summary)[0]?.name)
 * ```
 */
export function moodsOf(summary: { energy: number | null; valence: number | null }): DerivedMood[] {
  const moods = Object.entries(SIDES).map(([name, sides]) => {
    const sure = Object.entries(sides).map(([value, side]) =>
      onSide(summary[value as 'energy' | 'valence'], side),
    )
    return { name, confidence: Math.min(...sure) }
  })
  return moods
    .filter(({ confidence }) => confidence >= MOOD_LEVELS.least)
    .sort((a, b) => b.confidence - a.confidence)
}

function onSide(value: number | null, side: 1 | -1): number {
  if (value === null) return 0
  const { middle, low, high } = MOOD_LEVELS
  const share = side === 1 ? (value - middle) / (high - middle) : (middle - value) / (middle - low)
  return Math.max(0, Math.min(1, share))
}
