import { inflateSync } from 'node:zlib'
import type { AnalysisDocument, Segment } from './document.ts'

export const DESCRIPTOR = Object.freeze({
  /** Stored descriptors of another version are recomputed. */
  version: '1',
  /** Segments quieter than this are left out, dB. */
  leastLoudness: -50,
  /** Longer segments count as this long, seconds. */
  longest: 2,
  /** Variance added to every timbre, and to every share of an interval (in hundredths). */
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
const ONSET_BANDS = 8

/** Mean, lower half of the covariance row by row, log of its determinant. */
const gaussianLength = (size: number) => size + (size * (size + 1)) / 2 + 1

const PATTERN_START = 2 * gaussianLength(TIMBRES) + gaussianLength(INTERVALS)
const DENSITY_START = PATTERN_START + DESCRIPTOR.bands * DESCRIPTOR.places

export const DESCRIPTOR_PARTS = Object.freeze({
  timbre: 0,
  /** Of changes from one segment to the next. */
  change: gaussianLength(TIMBRES),
  /** Of the intervals that sound together: the same in every key. */
  harmony: 2 * gaussianLength(TIMBRES),
  /** Onsets per beat at each position in the beat, low bands first. */
  pattern: PATTERN_START,
  /** Logarithms of onsets per second in each band, and of segments per second. */
  density: DENSITY_START,
  /** BPM; 0 when it is not known. */
  tempo: DENSITY_START + ONSET_BANDS + 1,
})

export const GAUSSIAN_SIZES = Object.freeze({
  timbre: TIMBRES,
  change: TIMBRES,
  harmony: INTERVALS,
})

/** Characters; six hours of music have four million. */
const MOST_INFLATED = 2 ** 24

export const DESCRIPTOR_LENGTH = DESCRIPTOR_PARTS.tempo + 1

type DescribedAnalysis = Pick<AnalysisDocument, 'track' | 'beats' | 'segments'>

/**
 * Timbre is one Gaussian of all segments (Mandel & Ellis, ISMIR 2005); rhythm is where in the beat
 * onsets fall.
 *
 * @returns {@link DESCRIPTOR_LENGTH} finite numbers
 */
export function describeSound(document: DescribedAnalysis): Float32Array<ArrayBuffer> {
  const steps = describingSound(document)
  for (;;) {
    const { done, value } = steps.next()
    if (done) return value
  }
}

/** In steps of a millisecond or two, so that other work can run in between. */
export function* describingSound({
  track,
  beats,
  segments,
}: DescribedAnalysis): Generator<void, Float32Array<ArrayBuffer>> {
  const sounding = segments.filter((segment) => segment.loudness_max > DESCRIPTOR.leastLoudness)
  const heard = sounding.length > 2 ? sounding : segments
  const weights = Float64Array.from(heard, ({ duration }) => Math.min(duration, DESCRIPTOR.longest))
  const vector = new Float32Array(DESCRIPTOR_LENGTH)
  yield
  const timbres = concatNumbers(heard, TIMBRES, ({ timbre }, k) => timbre[k]!)
  vector.set(
    yield* gaussianOf(timbres, weights, TIMBRES, DESCRIPTOR.timbreNoise),
    DESCRIPTOR_PARTS.timbre,
  )
  const changes = timbres.subarray(TIMBRES).map((value, i) => value - timbres[i]!)
  vector.set(
    yield* gaussianOf(changes, weights.subarray(1), TIMBRES, DESCRIPTOR.timbreNoise),
    DESCRIPTOR_PARTS.change,
  )
  const intervals = concatNumbers(heard, INTERVALS, ({ pitches }, k) => shareApart(pitches, k + 1))
  yield
  vector.set(
    yield* gaussianOf(intervals, weights, INTERVALS, DESCRIPTOR.intervalNoise),
    DESCRIPTOR_PARTS.harmony,
  )
  const bands = onsetsOf(track.rhythmstring)
  vector.set(patternOf(bands, beats), DESCRIPTOR_PARTS.pattern)
  const seconds = Math.max(track.duration, 1)
  const counts = Array.from({ length: ONSET_BANDS }, (_, band) => bands[band]?.length ?? 0)
  const density = [...counts, heard.length].map((count) =>
    Math.log(DESCRIPTOR.fewestOnsets + count / seconds),
  )
  vector.set(density, DESCRIPTOR_PARTS.density)
  vector[DESCRIPTOR_PARTS.tempo] = Math.max(0, track.tempo)
  return vector
}

function concatNumbers(
  segments: readonly Segment[],
  size: number,
  numberOf: (segment: Segment, k: number) => number,
): Float64Array {
  const numbers = new Float64Array(segments.length * size)
  for (let i = 0; i < segments.length; i++) {
    for (let k = 0; k < size; k++) numbers[i * size + k] = numberOf(segments[i]!, k)
  }
  return numbers
}

const ROWS_PER_STEP = 2_000

function* gaussianOf(
  rows: Float64Array,
  weights: Float64Array,
  size: number,
  noise: number,
): Generator<void, Float64Array> {
  const gaussian = new Float64Array(gaussianLength(size))
  const mean = gaussian.subarray(0, size)
  const covariance = gaussian.subarray(size, gaussian.length - 1)
  // All segments of an imported document may have length 0.
  const total = weights.reduce((sum, weight) => sum + weight, 0) || 1
  for (let i = 0; i < weights.length; i++) {
    const share = weights[i]! / total
    for (let a = 0; a < size; a++) mean[a] = mean[a]! + share * rows[i * size + a]!
  }
  for (let i = 0; i < weights.length; i++) {
    if (i % ROWS_PER_STEP === ROWS_PER_STEP - 1) yield
    const share = weights[i]! / total
    for (let a = 0, entry = 0; a < size; a++) {
      const x = share * (rows[i * size + a]! - mean[a]!)
      for (let b = 0; b <= a; b++, entry++) {
        covariance[entry] = covariance[entry]! + x * (rows[i * size + b]! - mean[b]!)
      }
    }
  }
  for (let a = 0, entry = 0; a < size; entry += ++a + 1)
    covariance[entry] = covariance[entry]! + noise
  // From the covariance as rounded for storage, so that a sound has distance 0 from itself.
  gaussian[gaussian.length - 1] = logDeterminant(
    Float64Array.from(Float32Array.from(covariance)),
    size,
  )
  return gaussian
}

/**
 * By Cholesky's decomposition.
 *
 * @param lower - the lower half, row by row, of a positive definite matrix; overwritten
 */
export function logDeterminant(lower: Float64Array, size: number): number {
  let product = 1
  for (let i = 0, row = 0; i < size; row += ++i) {
    for (let j = 0, otherRow = 0; j <= i; otherRow += ++j) {
      let sum = lower[row + j]!
      for (let k = 0; k < j; k++) sum -= lower[row + k]! * lower[otherRow + k]!
      if (j < i) lower[row + j] = sum / lower[otherRow + j]!
      else {
        const square = Math.max(sum, 1e-9)
        lower[row + j] = Math.sqrt(square)
        product *= square
      }
    }
  }
  return Math.log(product)
}

/** In hundredths of all pairs. */
function shareApart(pitches: readonly number[], semitones: number): number {
  let total = 0
  let sum = 0
  for (let a = 0; a < 12; a++) {
    total += pitches[a]!
    sum += pitches[a]! * pitches[(a + semitones) % 12]!
  }
  return total === 0 ? 0 : (100 * sum) / total ** 2
}

/** In groups of neighbouring bands. */
function patternOf(bands: number[][], beats: AnalysisDocument['beats']): Float64Array {
  const { places, bands: groups } = DESCRIPTOR
  const pattern = new Float64Array(groups * places)
  for (const [band, onsets] of bands.entries()) {
    const group = Math.floor((band * groups) / ONSET_BANDS) * places
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

/** Seconds, band by band. Imported documents may have no string, or one that was cut. */
function onsetsOf(rhythmstring: string | undefined): number[][] {
  const text = inflateRhythmstring(rhythmstring ?? '')
  const [rate = 1, hop = 1, bands = 0, ...numbers] = text.split(' ').map(Number)
  let index = 0
  return Array.from({ length: Math.min(bands, ONSET_BANDS) }, () => {
    const count = Math.min(numbers[index++] ?? 0, numbers.length)
    let position = 0
    return Array.from({ length: count }, () => {
      position += numbers[index++] ?? 0
      return (position * hop) / rate
    })
  })
}

function inflateRhythmstring(code: string): string {
  try {
    const bytes = Buffer.from(code, 'base64url')
    return inflateSync(bytes, { maxOutputLength: MOST_INFLATED }).toString('latin1')
  } catch {
    return ''
  }
}
