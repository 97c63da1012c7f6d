import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { Network } from '../../../src/analysis/activation/network.ts'
import { ACTIVATION } from '../../../src/analysis/activation/network-weights.ts'
import type { BarPath } from '../../../src/analysis/bar-pointer.ts'
import { likeliestMetre, metrePaths } from '../../../src/analysis/metre-choice.ts'
import { type RhythmSpectrum, SPECTRUM } from '../../../src/analysis/novelty.ts'
import { oddsOf } from '../../../src/analysis/rhythm.ts'
import { FRAME_RATE } from '../../../src/analysis/spectra.ts'
import { type Heard, likeliestTempo, tempoPaths } from '../../../src/analysis/tempo-choice.ts'
import { tempoWithin, USUAL_TEMPO } from '../../../src/analysis/usual-tempo.ts'
import { beatsAtLevel, timesF } from '../../support/accuracy.ts'
import { chanceOf, piecesOf } from './pieces.ts'
import type { Labels } from './rhythm-material.ts'

/**
 * Writes src/analysis/tempo-head.ts: what tells the usual tempo of music from the means of the network's
 * layers, by ridge regression of the logarithm of the tempo. It prints what comes of it in families, songs
 * and scores that are left out of the fit, against the same choice with one usual tempo for all music.
 *
 *   npx tsx test/programs/trainers/tempo-head.ts --data DIR [--data DIR …] [--unheard DIR …]
 *     [--unknown DIR …] [--each 12] [--try]
 *
 * The folders have spectra (rhythm-spectra.ts); at most `--each` pieces of a family are heard. `--unheard` are
 * judged, but not fitted to; `--unknown` are recordings whose beats nobody knows: it is told how many change
 * their level. `--try` writes nothing. To be run again whenever the network is trained.
 */

/** Each piece is also heard so many times as fast. */
const RATIOS = [1, 0.84, 0.92, 1.09, 1.19, 1.28]
const FOLDS = 5
/** How strongly weights of standardised means are held to 0. */
const RIDGE = 400
/**
 * Pieces count by the root of how rare their tempo is, in classes of a quarter of an octave from 50 BPM; those
 * that are known best are of medium tempo.
 */
const CLASSES = { slowest: 50, octave: 4, count: 8 }
/**
 * Regression draws all tempi to the mean: what it says is taken so many times as far from `at`, BPM, where
 * the usual tempo is the fastest. Chosen with `at` on pieces that were left out.
 */
const STEEPNESS = { times: 1.92, at: 105 }
const NEAR = 0.07
/** Tempi that differ by more octaves are two levels. */
const LEVEL = 0.06

interface Piece {
  labels: Labels
  /** What is left out of a fit at once. */
  group: string
  heard: Heard
  /** Means of the layers, and the tempo's octaves, for each ratio. */
  means: { inputs: Float64Array; octaves: number }[]
}
type Line = (means: ArrayLike<number>) => number

export function main(argv: readonly string[]): void {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      data: { type: 'string', multiple: true, default: [] },
      unheard: { type: 'string', multiple: true, default: [] },
      unknown: { type: 'string', multiple: true, default: [] },
      each: { type: 'string', default: '12' },
      try: { type: 'boolean', default: false },
    },
  })
  const network = new Network(ACTIVATION.form, ACTIVATION.weights)
  const read = (folders: readonly string[], ratios: readonly number[]): Piece[] =>
    Array.from(piecesOf(folders), ({ folder, labels }) => {
      const spectrum = spectrumOf(readFileSync(join(folder, `${labels.id}.u8`)))
      const means = ratios.map((ratio) => ({
        inputs: network.hear(stretched(spectrum, ratio)).means,
        octaves: Math.log2(labels.tempo * ratio),
      }))
      return { labels, group: groupOf(labels), heard: oddsOf(spectrum, network), means }
    })
  const counts = new Map<string, number>()
  const pieces = read(values.data, RATIOS).filter(({ group, labels }) => {
    const count = (counts.get(group) ?? 0) + 1
    counts.set(group, count)
    return count <= Number(values.each) && labels.beats.length >= 8
  })
  const fold = ({ group }: Piece): number => Math.floor(FOLDS * chanceOf(`f${group}`))
  const gains: Gain[] = []
  for (let left = 0; left < FOLDS; left++) {
    const line = fitted(pieces.filter((piece) => fold(piece) !== left)).line
    for (const piece of pieces) if (fold(piece) === left) gains.push(gainOf(piece, line))
  }
  const { line, bias, weights } = fitted(pieces)
  for (const piece of read(values.unheard, [1])) gains.push(gainOf(piece, line, 'unheard'))
  tell(gains)
  const changed = read(values.unknown, [1]).filter(({ heard, means }) => {
    const [before, after] = [USUAL_TEMPO.fastest, tempoWithin(line(means[0]!.inputs))].map(
      (usual) => octavesOf(likeliestTempo(tempoPaths({ ...heard, usual })).path, heard.fps),
    ) as [number, number]
    return Math.abs(before - after) > LEVEL
  })
  if (values.unknown.length > 0) console.log(`of the unknown ${changed.length} change their level`)
  if (values.try) return
  const path = fileURLToPath(new URL('../../../src/analysis/tempo-head.ts', import.meta.url))
  writeFileSync(path, sourceOf(bias, weights, pieces.length))
  execFileSync('npx', ['biome', 'check', '--write', path])
}

function groupOf({ family, music }: Labels): string {
  return family === 'pop909' || family.startsWith('score') ? music : family
}

function spectrumOf(levels: Uint8Array): RhythmSpectrum {
  const { bands } = ACTIVATION.form
  return { fps: FRAME_RATE / 2, frames: levels.length / bands, bands, levels }
}

/** The same, so many times as fast. */
function stretched({ bands, frames, levels, fps }: RhythmSpectrum, ratio: number): RhythmSpectrum {
  const count = Math.floor((frames - 1) / ratio)
  const out = new Uint8Array(count * bands)
  for (let frame = 0; frame < count; frame++) {
    const at = Math.floor(frame * ratio)
    const part = frame * ratio - at
    for (let band = 0; band < bands; band++) {
      const low = levels[at * bands + band]!
      out[frame * bands + band] = Math.round(low + part * (levels[(at + 1) * bands + band]! - low))
    }
  }
  return { fps, frames: count, bands, levels: out }
}

/** The line through the means of some pieces, and its weights, as the source has them. */
function fitted(pieces: readonly Piece[]): { line: Line; bias: number; weights: Float32Array } {
  const rows = pieces.flatMap(({ means }) => means)
  const classOf = (octaves: number): number => {
    const { slowest, octave, count } = CLASSES
    const one = Math.floor(octave * (octaves - Math.log2(slowest)))
    return Math.max(0, Math.min(count - 1, one))
  }
  const counts = new Float64Array(CLASSES.count).fill(1)
  for (const { octaves } of rows) counts[classOf(octaves)]!++
  const shares = rows.map(({ octaves }) => counts[classOf(octaves)]! ** -0.5)
  const all = shares.reduce((sum, share) => sum + share, 0)
  const mean = rows.reduce((sum, { octaves }, r) => sum + shares[r]! * octaves, 0) / all
  const size = rows[0]!.inputs.length
  const centre = new Float64Array(size)
  const spread = new Float64Array(size)
  for (const { inputs } of rows)
    for (let i = 0; i < size; i++) centre[i]! += inputs[i]! / rows.length
  for (const { inputs } of rows)
    for (let i = 0; i < size; i++) spread[i]! += (inputs[i]! - centre[i]!) ** 2 / rows.length
  const matrix = Array.from({ length: size }, () => new Float64Array(size))
  const right = new Float64Array(size)
  rows.forEach(({ inputs, octaves }, r) => {
    const share = (shares[r]! * rows.length) / all
    const row = inputs.map((x, i) => (x - centre[i]!) / Math.sqrt(spread[i]! + 1e-12))
    for (let i = 0; i < size; i++) {
      right[i]! += share * row[i]! * (octaves - mean)
      for (let j = 0; j <= i; j++) matrix[i]![j]! += share * row[i]! * row[j]!
    }
  })
  for (let i = 0; i < size; i++) matrix[i]![i]! += RIDGE
  const { times, at } = STEEPNESS
  const slopes = solved(matrix, right).map((x, i) => (times * x) / Math.sqrt(spread[i]! + 1e-12))
  const weights = Float32Array.from(slopes)
  const bias = slopes.reduce(
    (sum, slope, i) => sum - slope * centre[i]!,
    Math.log2(USUAL_TEMPO.fastest) + times * (mean - Math.log2(at)),
  )
  const line: Line = (means) => weights.reduce((sum, x, i) => sum + x * means[i]!, bias)
  return { line, bias, weights }
}

/** Solves a symmetric, positive definite system, of which the lower half is given, by Cholesky's way. */
function solved(matrix: Float64Array[], right: Float64Array): Float64Array {
  const size = right.length
  const out = right.slice()
  for (let i = 0; i < size; i++)
    for (let j = 0; j <= i; j++) {
      let sum = matrix[i]![j]!
      for (let k = 0; k < j; k++) sum -= matrix[i]![k]! * matrix[j]![k]!
      matrix[i]![j] = i === j ? Math.sqrt(sum) : sum / matrix[j]![j]!
    }
  for (let i = 0; i < size; i++) {
    for (let k = 0; k < i; k++) out[i]! -= matrix[i]![k]! * out[k]!
    out[i]! /= matrix[i]![i]!
  }
  for (let i = size - 1; i >= 0; i--) {
    for (let k = i + 1; k < size; k++) out[i]! -= matrix[k]![i]! * out[k]!
    out[i]! /= matrix[i]![i]!
  }
  return out
}

function octavesOf({ frames }: Pick<BarPath, 'frames'>, fps: number): number {
  return Math.log2((60 * fps * (frames.length - 1)) / (frames.at(-1)! - frames[0]!))
}

/** How much better the rhythm of a piece is: F of beats and of downbeats, CMLt, whether the tempo is right. */
interface Gain {
  kinds: readonly string[]
  before: readonly number[]
  gain: readonly number[]
}
const MEASURES = ['F', 'CMLt', 'tempo', 'downbeats']

function gainOf({ labels, heard, means }: Piece, line: Line, of?: string): Gain {
  const paths = tempoPaths({ ...heard, usual: USUAL_TEMPO.fastest })
  const before = likeliestTempo(paths).path
  const usual = tempoWithin(line(means[0]!.inputs))
  const after = likeliestTempo(
    paths.map((path) => ({
      ...path,
      traits: {
        ...path.traits,
        distance: (octavesOf(path, heard.fps) - Math.log2(usual)) ** 2,
      },
    })),
  ).path
  const measured = (path: BarPath): number[] => {
    // Spectra have no pitch classes.
    const { path: bars } = likeliestMetre(metrePaths({ ...heard, changeAt: () => 0 }, path))
    const within = (time: number): boolean =>
      time > labels.beats[0]! - NEAR && time < labels.beats.at(-1)! + NEAR
    const times = Array.from(bars.frames, (frame) => frame / heard.fps + SPECTRUM.late)
    const beats = times.filter(within)
    const downbeats = times.filter((time, i) => bars.places[i] === 0 && within(time))
    const off = Math.abs(octavesOf(bars, heard.fps) - Math.log2(labels.tempo))
    return [
      timesF(labels.beats, beats, NEAR),
      beatsAtLevel(labels.beats, beats),
      Number(off < LEVEL),
      timesF(labels.downbeats, downbeats, NEAR),
    ]
  }
  const first = measured(before)
  const second =
    octavesOf(before, heard.fps) === octavesOf(after, heard.fps) ? first : measured(after)
  const { tempo, source } = labels
  const pace = [70, 90, 120, 150].find((limit) => tempo < limit)
  const kind = ['composed', 'POP909', 'MMA', 'music21'].includes(source) ? source : 'modules'
  return {
    kinds: of ? [of] : ['all', kind, pace ? `under ${pace} BPM` : 'faster'],
    before: first,
    gain: second.map((value, i) => value - first[i]!),
  }
}

/** Prints for each kind of music what was, and the gain with its standard error. */
function tell(gains: readonly Gain[]): void {
  for (const kind of [...new Set(gains.flatMap(({ kinds }) => kinds))].sort()) {
    const some = gains.filter(({ kinds }) => kinds.includes(kind))
    const columns = MEASURES.map((name, m) => {
      const mean = (of: (one: Gain) => number) =>
        some.reduce((sum, one) => sum + of(one), 0) / some.length
      const gain = mean((one) => one.gain[m]!)
      const error = Math.sqrt(mean((one) => (one.gain[m]! - gain) ** 2) / some.length)
      const was = mean((one) => one.before[m]!).toFixed(3)
      return `${name} ${was} ${gain < 0 ? '' : '+'}${gain.toFixed(3)} ± ${error.toFixed(3)}`
    })
    console.log(`${kind} (${some.length}): ${columns.join(', ')}`)
  }
}

function sourceOf(bias: number, weights: Float32Array, pieces: number): string {
  const text = Buffer.from(weights.buffer).toString('base64')
  return `/**
 * What tells the usual tempo from the means of the network's layers (usual-tempo.ts), in octaves of one beat
 * a minute: by test/programs/trainers/tempo-head.ts from ${pieces} pieces; its README has the figures.
 */
export const TEMPO_HEAD: { readonly bias: number; readonly weights: string } = {
  bias: ${bias},
  weights: \`
${text.match(/.{1,92}/g)!.join('\n')}
\`,
}
`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2))
