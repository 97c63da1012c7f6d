import { inflateSync } from 'node:zlib'
import type { AnalysisDocument, Segment } from './document.ts'

export const DESCRIPTOR = Object.freeze({
  /** Stored descriptors of another version are not comparable and are recomputed. */
  version: '1',
  /** Segments quieter than this are left out, dB. */
  leastLoudness: -50,
  /** Longer segments count as this long, seconds. */
  longest: 2,
  /** Variance that is added to every timbre, and to every share of an interval (in hundredths). */
  timbreNoise: 5,
  intervalNoise: 0.05,
  /** Positions in a beat at which onsets are counted, and the number of bands. */
  places: 12,
  bands: 4,
  /** Onsets per second, added so that the logarithm of none stays near that of few. */
  fewestOnsets: 0.05,
})

const TIMBRES = 12
const INTERVALS = 6
const BANDS = 8

/** Length of a Gaussian: mean, lower half of the covariance row by row, log of its determinant. */
const gaussianLength = (size: number) => size + (size * (size + 1)) / 2 + 1

const PATTERN = 2 * gaussianLength(TIMBRES) + gaussianLength(INTERVALS)
const DENSITY = PATTERN + DESCRIPTOR.bands * DESCRIPTOR.places

/** Where each part of a descriptor begins. */
export const PARTS = Object.freeze({
  /** Gaussian of the segments' timbre. */
  timbre: 0,
  /** Gaussian of how the timbre changes from one segment to the next. */
  change: gaussianLength(TIMBRES),
  /** Gaussian of the intervals that sound together: the same in every key. */
  harmony: 2 * gaussianLength(TIMBRES),
  /** Onsets per beat at each position in the beat, low bands first. */
  pattern: PATTERN,
  /** Logarithms of the onsets per second in each band, and of the segments per second. */
  density: DENSITY,
  /** BPM; 0 when it is not known. */
  tempo: DENSITY + BANDS + 1,
})

/** Sizes of the Gaussians. */
export const SIZES = Object.freeze({ timbre: TIMBRES, change: TIMBRES, harmony: INTERVALS })

/** Most characters of a rhythmstring; six hours of music have four million. */
const MOST_INFLATED = 2 ** 24

/** The count of numbers in a descriptor. */
export const DESCRIPTOR_LENGTH = PARTS.tempo + 1

/** The part of an analysis that a descriptor is made of. */
type Described = Pick<AnalysisDocument, 'track' | 'beats' | 'segments'>

/**
 * The sound of a track as a fixed count of numbers: timbre and its changes, harmony, rhythm.
 * {@link soundDistance} compares them.
 *
 * Timbre is one Gaussian of all segments, weighted by their length, as in Mandel & Ellis, "Song-level
 * features and support vector machines for music classification" (ISMIR 2005). Rhythm is where in
 * the beat onsets fall, band by band, in the spirit of the fluctuation patterns of Pampalk,
 * "Computational models of music similarity" (2006), but on the track's own beats.
 *
 * @returns {@link DESCRIPTOR_LENGTH} finite numbers
 */
export function describeSound(document: Described): Float32Array<ArrayBuffer> {
  const steps = describingSound(document)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** {@link describeSound} in steps of a millisecond or two, so that other work can run in between. */
export function* describingSound({
  track,
  beats,
  segments,
}: Described): Generator<void, Float32Array<ArrayBuffer>> {
  const sounding = segments.filter((segment) => segment.loudness_max > DESCRIPTOR.leastLoudness)
  const heard = sounding.length > 2 ? sounding : segments
  const weights = Float64Array.from(heard, ({ duration }) => Math.min(duration, DESCRIPTOR.longest))
  const vector = new Float32Array(DESCRIPTOR_LENGTH)
  yield
  const timbres = flat(heard, TIMBRES, ({ timbre }, k) => timbre[k]!)
  vector.set(yield* gaussianOf(timbres, weights, TIMBRES, DESCRIPTOR.timbreNoise), PARTS.timbre)
  const changes = timbres.subarray(TIMBRES).map((value, i) => value - timbres[i]!)
  vector.set(
    yield* gaussianOf(changes, weights.subarray(1), TIMBRES, DESCRIPTOR.timbreNoise),
    PARTS.change,
  )
  const intervals = flat(heard, INTERVALS, ({ pitches }, k) => shareApart(pitches, k + 1))
  yield
  vector.set(
    yield* gaussianOf(intervals, weights, INTERVALS, DESCRIPTOR.intervalNoise),
    PARTS.harmony,
  )
  const bands = onsetsOf(track.rhythmstring)
  vector.set(patternOf(bands, beats), PARTS.pattern)
  const seconds = Math.max(track.duration, 1)
  const counts = Array.from({ length: BANDS }, (_, band) => bands[band]?.length ?? 0)
  const density = [...counts, heard.length].map((count) =>
    Math.log(DESCRIPTOR.fewestOnsets + count / seconds),
  )
  vector.set(density, PARTS.density)
  vector[PARTS.tempo] = Math.max(0, track.tempo)
  return vector
}

/** `size` numbers for each segment, concatenated. */
function flat(
  segments: readonly Segment[],
  size: number,
  of: (segment: Segment, k: number) => number,
): Float64Array {
  const numbers = new Float64Array(segments.length * size)
  for (let i = 0; i < segments.length; i++) {
    for (let k = 0; k < size; k++) numbers[i * size + k] = of(segments[i]!, k)
  }
  return numbers
}

/** Rows processed between two `yield`s. */
const PACE = 2_000

/** Mean, covariance and log-determinant of weighted rows. */
function* gaussianOf(
  rows: Float64Array,
  weights: Float64Array,
  size: number,
  noise: number,
): Generator<void, Float64Array> {
  const found = new Float64Array(gaussianLength(size))
  const mean = found.subarray(0, size)
  const covariance = found.subarray(size, found.length - 1)
  // All segments of an imported document may have length 0.
  const total = weights.reduce((sum, weight) => sum + weight, 0) || 1
  for (let i = 0; i < weights.length; i++) {
    const share = weights[i]! / total
    for (let a = 0; a < size; a++) mean[a] = mean[a]! + share * rows[i * size + a]!
  }
  for (let i = 0; i < weights.length; i++) {
    if (i % PACE === PACE - 1) yield
    const share = weights[i]! / total
    for (let a = 0, at = 0; a < size; a++) {
      const x = share * (rows[i * size + a]! - mean[a]!)
      for (let b = 0; b <= a; b++, at++) {
        covariance[at] = covariance[at]! + x * (rows[i * size + b]! - mean[b]!)
      }
    }
  }
  for (let a = 0, at = 0; a < size; at += ++a + 1) covariance[at] = covariance[at]! + noise
  // From the covariance as rounded for storage, so that a sound has distance 0 from itself.
  found[found.length - 1] = logDeterminant(Float64Array.from(Float32Array.from(covariance)), size)
  return found
}

/**
 * The log of the determinant of a symmetric, positive definite matrix, by Cholesky's decomposition.
 *
 * @param lower - its lower half, row by row; overwritten
 */
export function logDeterminant(lower: Float64Array, size: number): number {
  let product = 1
  for (let i = 0, row = 0; i < size; row += ++i) {
    for (let j = 0, other = 0; j <= i; other += ++j) {
      let sum = lower[row + j]!
      for (let k = 0; k < j; k++) sum -= lower[row + k]! * lower[other + k]!
      if (j < i) lower[row + j] = sum / lower[other + j]!
      else {
        // Rounding can make the pivot of a nearly constant dimension 0 or negative.
        const square = Math.max(sum, 1e-9)
        lower[row + j] = Math.sqrt(square)
        product *= square
      }
    }
  }
  return Math.log(product)
}

/** The share of pairs of pitches that lie `semitones` apart, in hundredths. */
function shareApart(pitches: readonly number[], semitones: number): number {
  let total = 0
  let sum = 0
  for (let a = 0; a < 12; a++) {
    total += pitches[a]!
    sum += pitches[a]! * pitches[(a + semitones) % 12]!
  }
  return total === 0 ? 0 : (100 * sum) / total ** 2
}

/** Onsets per beat at each position in the beat, in groups of neighbouring bands. */
function patternOf(bands: number[][], beats: AnalysisDocument['beats']): Float64Array {
  const { places, bands: groups } = DESCRIPTOR
  const pattern = new Float64Array(groups * places)
  for (const [band, onsets] of bands.entries()) {
    const group = Math.floor((band * groups) / BANDS) * places
    let beat = 0
    for (const onset of onsets) {
      while (beat < beats.length && beats[beat]!.start + beats[beat]!.duration <= onset) beat++
      const { start, duration } = beats[beat] ?? { start: Number.POSITIVE_INFINITY, duration: 1 }
      if (onset < start) continue
      const place = group + (Math.round((places * (onset - start)) / duration) % places)
      pattern[place] = pattern[place]! + 1 / beats.length
    }
  }
  return pattern
}

/**
 * The times in seconds of a rhythmstring's onsets, band by band. Imported documents may have none, or
 * one that was cut.
 */
function onsetsOf(rhythmstring: string | undefined): number[][] {
  const text = inflated(rhythmstring ?? '')
  const [rate = 1, hop = 1, bands = 0, ...numbers] = text.split(' ').map(Number)
  let at = 0
  return Array.from({ length: Math.min(bands, BANDS) }, () => {
    const count = Math.min(numbers[at++] ?? 0, numbers.length)
    let position = 0
    return Array.from({ length: count }, () => {
      position += numbers[at++] ?? 0
      return (position * hop) / rate
    })
  })
}

function inflated(code: string): string {
  try {
    const bytes = Buffer.from(code, 'base64url')
    return inflateSync(bytes, { maxOutputLength: MOST_INFLATED }).toString('latin1')
  } catch {
    return ''
  }
}
