import type { Chroma } from './chroma.ts'
import { softmax } from './statistics.ts'

const KEY_FINDING = {
  /** Spread of the classes at which correlations count half: noise has 0.1, music 0.4 to 1. */
  contrast: 0.25,
  /** Weight of the whole track's scores in a section's key. */
  trackShare: 0.5,
  /**
   * Difference in correlation that makes a key e times as likely, fitted by
   * test/programs/trainers/key-profiles.ts.
   */
  softness: 0.062,
  /** Share of the strongest class below which others are overtones of a single tone. */
  secondClass: 0.35,
}

/** Weights of the degrees from the tonic up. */
export type KeyProfile = readonly [minor: readonly number[], major: readonly number[]]

/**
 * The pair that finds most keys of ten published profiles, by
 * test/programs/trainers/key-profiles.ts.
 */
const KEY_PROFILES: readonly KeyProfile[] = Object.freeze([
  // Sha'ath, "Estimation of key in digital music recordings" (2011).
  [
    [6.5, 2.7, 3.5, 5.4, 2.6, 3.5, 2.5, 5.2, 4, 2.7, 4.3, 3.2],
    [6.6, 2, 3.5, 2.3, 4.6, 4, 2.5, 5.2, 2.4, 3.7, 2.3, 3.4],
  ],
  // Albrecht & Shanahan, Music Perception 31 (2013).
  [
    [0.22, 0.006, 0.104, 0.123, 0.019, 0.103, 0.012, 0.214, 0.062, 0.022, 0.061, 0.052],
    [0.238, 0.006, 0.111, 0.006, 0.137, 0.094, 0.016, 0.214, 0.009, 0.08, 0.008, 0.081],
  ],
])

interface Key {
  /** Pitch class of the tonic, 0 is C. */
  key: number
  /** 1 major, 0 minor. */
  mode: 0 | 1
  /** Of the tonic, in either mode, 0…1. */
  keyConfidence: number
  /** Of the mode, on any tonic, 0…1. */
  modeConfidence: number
}

/**
 * The profile that correlates best with the pitch classes (Krumhansl & Schmuckler); a single tone
 * has none.
 *
 * @param endFrame - exclusive
 * @param prior - scores of the whole track to mix in
 */
export function findKey(
  chroma: Chroma,
  firstFrame = 0,
  endFrame = chroma.frames,
  prior?: Float64Array,
): Key {
  const scores = scoresOf(meanClasses(chroma, firstFrame, endFrame), KEY_PROFILES)
  if (prior)
    for (let i = 0; i < 24; i++)
      scores[i] = (scores[i]! + KEY_FINDING.trackShare * prior[i]!) / (1 + KEY_FINDING.trackShare)
  let best = 0
  for (let i = 1; i < 24; i++) if (scores[i]! > scores[best]!) best = i
  return { key: best >> 1, mode: (best & 1) as 0 | 1, ...keyConfidences(scores, best) }
}

/** Scores[2·tonic + mode], −1…1; all 0 in silence and for a single tone. */
export function keyScores(chroma: Chroma, profiles = KEY_PROFILES): Float64Array {
  return scoresOf(meanClasses(chroma, 0, chroma.frames), profiles)
}

/**
 * 0 where all scores are the same.
 *
 * @param key - 2·tonic + mode
 */
export function keyConfidences(
  scores: Float64Array,
  key: number,
  softness = KEY_FINDING.softness,
): Pick<Key, 'keyConfidence' | 'modeConfidence'> {
  if (scores.every((score) => score === scores[0])) return { keyConfidence: 0, modeConfidence: 0 }
  const odds = softmax(Array.from(scores, (score) => score / softness))
  let modeConfidence = 0
  for (let i = key & 1; i < 24; i += 2) modeConfidence += odds[i]!
  return { keyConfidence: odds[key]! + odds[key ^ 1]!, modeConfidence }
}

function scoresOf(classes: Float64Array, profiles: readonly KeyProfile[]): Float64Array {
  const scores = new Float64Array(24)
  if (isOneTone(classes)) return scores
  for (const profile of profiles)
    for (let i = 0; i < 24; i++)
      scores[i] =
        scores[i]! + profileCorrelation(profile[i & 1]!, classes, i >> 1) / profiles.length
  return scores
}

function isOneTone(classes: Float64Array): boolean {
  const [first = 0, second = 0] = classes.toSorted().reverse()
  return second < KEY_FINDING.secondClass * first
}

/** Summed over frames, with mean 1; all 0 in silence. */
function meanClasses({ classes }: Chroma, firstFrame: number, endFrame: number): Float64Array {
  const sum = new Float64Array(12)
  let total = 0
  for (let frame = firstFrame; frame < endFrame; frame++) {
    for (let c = 0; c < 12; c++) {
      const value = classes[12 * frame + c]!
      sum[c] = sum[c]! + value
      total += value
    }
  }
  return total > 0 ? sum.map((value) => (12 * value) / total) : sum
}

/** Pearson correlation, scaled down if the classes differ little, as those of noise do. */
function profileCorrelation(
  profile: readonly number[],
  classes: Float64Array,
  tonic: number,
): number {
  let mean = 0
  let profileMean = 0
  for (let i = 0; i < 12; i++) {
    mean += classes[i]! / 12
    profileMean += profile[i]! / 12
  }
  let xy = 0
  let xx = 0
  let yy = 0
  for (let i = 0; i < 12; i++) {
    const x = profile[i]! - profileMean
    const y = classes[(i + tonic) % 12]! - mean
    xy += x * y
    xx += x * x
    yy += y * y
  }
  const pitched = yy / (yy + 12 * KEY_FINDING.contrast ** 2)
  return yy > 0 ? (pitched * xy) / Math.sqrt(xx * yy) : 0
}
