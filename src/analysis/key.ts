import type { Chroma } from './chroma.ts'

const KEY = {
  /** Spread of the classes about their mean that counts as pitch: noise has 0.1, music 0.4 to 1. */
  contrast: 0.25,
  /** How much a section's key leans on the whole track's. */
  trackShare: 0.5,
  /** Margin of correlation over which the odds of being wrong fall by e. */
  sureMargin: 0.1,
}

type Profile = readonly number[]

/** Weight of each scale degree from the tonic up, as [minor, major]. */
const KEY_PROFILES: readonly (readonly [minor: Profile, major: Profile])[] = Object.freeze([
  // Sha'ath, "Estimation of key in digital music recordings" (2011), the KeyFinder profiles.
  [
    [6.5, 2.7, 3.5, 5.4, 2.6, 3.5, 2.5, 5.2, 4, 2.7, 4.3, 3.2],
    [6.6, 2, 3.5, 2.3, 4.6, 4, 2.5, 5.2, 2.4, 3.7, 2.3, 3.4],
  ],
  // Albrecht & Shanahan, "The use of large corpora to train a new type of key-finding algorithm",
  // Music Perception 31 (2013).
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
  keyConfidence: number
  modeConfidence: number
}

/**
 * The key of a stretch of music: the rotation of a major or minor profile that correlates best
 * with its mean pitch classes (Krumhansl & Schmuckler), averaged over two sets of profiles.
 *
 * @param from, to - frames of the chroma, `to` exclusive
 * @param prior - correlations of the whole track to lean on, from {@link keyScores}
 */
export function keyOf(chroma: Chroma, from = 0, to = chroma.frames, prior?: Float64Array): Key {
  const profile = keyProfile(chroma, from, to)
  const scores = scoresOf(profile)
  if (prior) for (let i = 0; i < 24; i++) scores[i] = scores[i]! + KEY.trackShare * prior[i]!
  let best = 0
  for (let i = 1; i < 24; i++) if (scores[i]! > scores[best]!) best = i
  const tonic = best >> 1
  const mode = (best & 1) as 0 | 1
  let otherKey = -Infinity
  for (let i = 0; i < 24; i++) if (i >> 1 !== tonic) otherKey = Math.max(otherKey, scores[i]!)
  const clarity = clarityOf(profile)
  return {
    key: tonic,
    mode,
    keyConfidence: confidence(scores[best]! - otherKey, clarity),
    modeConfidence: confidence(scores[best]! - scores[best ^ 1]!, clarity),
  }
}

/** How well each key fits a whole track: scores[2·tonic + mode]. All 0 in silence. */
export function keyScores(chroma: Chroma): Float64Array {
  return scoresOf(keyProfile(chroma, 0, chroma.frames))
}

function scoresOf(profile: Float64Array): Float64Array {
  const scores = new Float64Array(24)
  for (const [minor, major] of KEY_PROFILES) {
    for (let tonic = 0; tonic < 12; tonic++) {
      const at = 2 * tonic
      scores[at] = scores[at]! + correlation(minor, profile, tonic) / KEY_PROFILES.length
      scores[at + 1] = scores[at + 1]! + correlation(major, profile, tonic) / KEY_PROFILES.length
    }
  }
  return scores
}

/** Pitch classes summed over frames, with mean 1; all 0 in silence. */
function keyProfile({ classes }: Chroma, from: number, to: number): Float64Array {
  const sum = new Float64Array(12)
  let total = 0
  for (let frame = from; frame < to; frame++) {
    for (let c = 0; c < 12; c++) {
      const value = classes[12 * frame + c]!
      sum[c] = sum[c]! + value
      total += value
    }
  }
  return total > 0 ? sum.map((value) => (12 * value) / total) : sum
}

/** Pearson correlation of a profile on C with pitch classes that start at `tonic`. */
function correlation(profile: readonly number[], classes: Float64Array, tonic: number): number {
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
  return yy > 1e-12 ? xy / Math.sqrt(xx * yy) : 0
}

/**
 * How likely the better of two is right: even odds at no margin, less where pitch is unclear.
 *
 * @param clarity - 0…1
 */
function confidence(margin: number, clarity: number): number {
  return clarity * (1 - 0.5 * Math.exp(-Math.max(0, margin) / KEY.sureMargin))
}

/** How far the pitch classes differ from each other: near 0 for noise, near 1 for music. */
function clarityOf(classes: Float64Array): number {
  let variance = 0
  for (const value of classes) variance += (value - 1) ** 2 / 12
  return classes.some((value) => value > 0) ? 1 - Math.exp(-variance / KEY.contrast ** 2) : 0
}
