import { writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import Database from 'better-sqlite3'
import { GAUSSIAN_SIZES } from '../../../src/analysis/descriptor.ts'
import { SOUND_DISTANCE, soundDistance } from '../../../src/analysis/sound-distance.ts'
import { FEATURE_PARTS, FEATURES, soundFeatures } from '../../../src/analysis/sound-features.ts'

/**
 * Makes src/analysis/sound-map.ts: the principal components of the features of sounds, each scaled
 * as `soundDistance` weighs it.
 *
 *   npx tsx test/programs/trainers/sound-map.ts DATABASE
 *
 * DATABASE is one of audile, with the assorted music on which the map is learnt.
 *
 * `soundDistance` is a sum of roots, each of a sum of squares over one part. Near a typical pair of
 * tracks, its square is a sum of these squares, each times weight / typical root. Small differences
 * of two Gaussians have the divergence (mean difference / deviation)² / 8 + (difference of the
 * logarithm of the variance)² / 16, which gives the scales below.
 */

const COMPONENTS = 47
/** Octaves apart, for a distance of 1 on the circle of tempo. */
const OCTAVES = 0.3

type Part = keyof typeof FEATURE_PARTS

const [database] = process.argv.slice(2)
if (database === undefined) throw new Error('name a database: sound-map.ts DATABASE')
const rows = new Database(database, { readonly: true })
  .prepare<[], { descriptor: Buffer }>('SELECT descriptor FROM track_sounds')
  .all()
const descriptors = rows.map(
  ({ descriptor }) => new Float32Array(new Uint8Array(descriptor).buffer),
)
const features = descriptors.map(soundFeatures)
const scaled = scaledAs(scalesOf())
const { vectors, values, means } = principal(scaled)
const [rowsOut, offsets] = quantised()
write()

/** The factor of each feature. */
function scalesOf(): Float64Array {
  const scales = new Float64Array(FEATURES)
  let at = 0
  for (const part of Object.keys(FEATURE_PARTS) as Part[]) {
    const length = FEATURE_PARTS[part]
    scales.set(
      part in GAUSSIAN_SIZES
        ? gaussianScales(at, GAUSSIAN_SIZES[part as keyof typeof GAUSSIAN_SIZES])
        : ones(part),
      at,
    )
    let sum = 0
    let pairs = 0
    for (let i = 0; i < features.length; i++) {
      for (let j = 0; j < i; j++, pairs++)
        sum += apart(features[i]!, features[j]!, scales, at, length)
    }
    const { weight, deviation } = SOUND_DISTANCE[part]
    const factor = Math.sqrt(weight / deviation / (sum / pairs))
    for (let k = at; k < at + length; k++) scales[k] = scales[k]! * factor
    at += length
  }
  return scales
}

function ones(part: Part): Float64Array {
  return new Float64Array(FEATURE_PARTS[part]).fill(part === 'tempo' ? OCTAVES : 1)
}

function gaussianScales(at: number, size: number): Float64Array {
  const scales = new Float64Array(size + (size * (size + 1)) / 2)
  const meanOf = (k: number) => features.reduce((sum, one) => sum + one[k]!, 0) / features.length
  for (let i = 0, row = size; i < size; row += ++i) {
    // The factor's diagonal is near the deviation where dimensions are hardly correlated.
    const deviation = Math.exp(meanOf(at + row + i))
    scales[i] = 1 / deviation / Math.sqrt(8)
    for (let j = 0; j < i; j++) scales[row + j] = Math.SQRT2 / 4 / deviation
    scales[row + i] = 1 / 2
  }
  return scales
}

function apart(a: Float64Array, b: Float64Array, by: Float64Array, at: number, length: number) {
  let sum = 0
  for (let k = at; k < at + length; k++) sum += ((a[k]! - b[k]!) * by[k]!) ** 2
  return Math.sqrt(sum)
}

function scaledAs(scales: Float64Array) {
  return { scales, features: features.map((one) => one.map((value, k) => value * scales[k]!)) }
}

/** The eigenvectors of the covariance, by Jacobi's rotations, those of large values first. */
function principal({ features: all }: { features: Float64Array[] }) {
  const means = Float64Array.from({ length: FEATURES }, (_, k) =>
    all.reduce((sum, one) => sum + one[k]! / all.length, 0),
  )
  const matrix = Array.from({ length: FEATURES }, (_, a) =>
    Float64Array.from({ length: FEATURES }, (_, b) =>
      all.reduce(
        (sum, one) => sum + ((one[a]! - means[a]!) * (one[b]! - means[b]!)) / all.length,
        0,
      ),
    ),
  )
  const vectors = matrix.map((_, a) => Float64Array.from(matrix, (_, b) => (a === b ? 1 : 0)))
  for (let sweep = 0; sweep < 30; sweep++) {
    for (let p = 0; p < FEATURES; p++) {
      for (let q = p + 1; q < FEATURES; q++) rotate(matrix, vectors, p, q)
    }
  }
  const order = [...matrix.keys()].sort((a, b) => matrix[b]![b]! - matrix[a]![a]!)
  return {
    means,
    values: order.map((k) => matrix[k]![k]!),
    vectors: order.map((k) => Float64Array.from(vectors, (row) => row[k]!)),
  }
}

function rotate(matrix: Float64Array[], vectors: Float64Array[], p: number, q: number): void {
  const off = matrix[p]![q]!
  if (Math.abs(off) < 1e-12) return
  const theta = (matrix[q]![q]! - matrix[p]![p]!) / (2 * off)
  const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.hypot(theta, 1))
  const c = 1 / Math.hypot(t, 1)
  const s = t * c
  const turn = (row: Float64Array) => {
    const [x, y] = [row[p]!, row[q]!]
    row[p] = c * x - s * y
    row[q] = s * x + c * y
  }
  matrix.forEach(turn)
  const [a, b] = [matrix[p]!, matrix[q]!]
  for (let k = 0; k < FEATURES; k++) {
    const [x, y] = [a[k]!, b[k]!]
    a[k] = c * x - s * y
    b[k] = s * x + c * y
  }
  vectors.forEach(turn)
}

/** Rows on the features as they are, with the unit in which four deviations of the first are 127. */
function quantised(): [Float32Array, Float32Array] {
  const unit = 127 / (4 * Math.sqrt(values[0]!))
  const out = new Float32Array(COMPONENTS * FEATURES)
  const offsets = new Float32Array(COMPONENTS)
  for (let k = 0; k < COMPONENTS; k++) {
    for (let i = 0; i < FEATURES; i++) {
      out[k * FEATURES + i] = unit * vectors[k]![i]! * scaled.scales[i]!
      offsets[k] = offsets[k]! - unit * vectors[k]![i]! * means[i]!
    }
  }
  return [out, offsets]
}

/** The line by which distances follow from those of vectors. */
function line(): [least: number, scale: number] {
  const mapped = features.map((one) =>
    Float64Array.from(offsets, (offset, k) =>
      Math.round(one.reduce((sum, x, i) => sum + x * rowsOut[k * FEATURES + i]!, offset)),
    ),
  )
  const all = new Float64Array(COMPONENTS).fill(1)
  let [n, sx, sy, sxx, sxy] = [0, 0, 0, 0, 0]
  for (let i = 0; i < mapped.length; i++) {
    for (let j = 0; j < i; j++) {
      const x = apart(mapped[i]!, mapped[j]!, all, 0, COMPONENTS)
      const y = soundDistance(descriptors[i]!, 0, descriptors[j]!, 0)
      n++
      sx += x
      sy += y
      sxx += x * x
      sxy += x * y
    }
  }
  const scale = (sxy - (sx * sy) / n) / (sxx - (sx * sx) / n)
  return [(sy - scale * sx) / n, scale]
}

function write(): void {
  const text = (numbers: Float32Array | Int8Array) =>
    Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength).toString('base64')
  // Each column of small numbers has the unit of its largest.
  const units = Float32Array.from({ length: FEATURES }, (_, i) => {
    const column = Array.from({ length: COMPONENTS }, (_, k) =>
      Math.abs(rowsOut[k * FEATURES + i]!),
    )
    return Math.max(...column) / 127
  })
  const small = Int8Array.from(rowsOut, (value, at) =>
    Math.round(value / (units[at % FEATURES] || 1)),
  )
  const [least, scale] = line()
  const path = fileURLToPath(new URL('../../../src/analysis/sound-map.ts', import.meta.url))
  writeFileSync(
    path,
    `// Made by test/programs/trainers/sound-map.ts; run it again instead of editing this.
import { fromBase64 } from '../values/base64.ts'

/** Principal components that are kept. */
export const VECTOR_FEATURES = ${COMPONENTS}

/** The unit of each feature, and the start of each component, as 32-bit floats. */
const MAP_UNITS =
  '${text(units)}'
const MAP_OFFSETS =
  '${text(offsets)}'
/** The components, one after the other: a small integer for each feature, in its unit. */
const MAP_ROWS =
  '${text(small)}'

const floatsOf = (base64: string) => new Float32Array(fromBase64(base64).buffer)
const units = floatsOf(MAP_UNITS)

/** The map from the features of a sound to its vector, and from distances of vectors to those of sounds. */
export const SOUND_MAP = {
  rows: Float32Array.from(
    new Int8Array(fromBase64(MAP_ROWS).buffer),
    (value, at) => value * units[at % units.length]!,
  ),
  offsets: floatsOf(MAP_OFFSETS),
  least: ${least.toFixed(3)},
  scale: ${scale.toFixed(5)},
}
`,
  )
  const kept = values.slice(0, COMPONENTS).reduce((sum, value) => sum + value, 0)
  const share = kept / values.reduce((sum, value) => sum + value, 0)
  console.log(
    `${features.length} tracks, ${COMPONENTS} of ${FEATURES} components keep ${share.toFixed(3)}`,
  )
}
