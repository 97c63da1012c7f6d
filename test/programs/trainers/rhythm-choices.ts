import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import type { BarPath } from '../../../src/analysis/bar-pointer.ts'
import { chromaOf } from '../../../src/analysis/chroma.ts'
import { FrontEnd } from '../../../src/analysis/front-end.ts'
import { harmonicChanges } from '../../../src/analysis/harmonic-change.ts'
import {
  likeliestMetre,
  METRE_CHOICE,
  type MetrePath,
  metrePaths,
} from '../../../src/analysis/metre-choice.ts'
import { SPECTRUM } from '../../../src/analysis/novelty.ts'
import { oddsOf } from '../../../src/analysis/rhythm.ts'
import { softmax } from '../../../src/analysis/statistics.ts'
import { TRAITS, tempoPaths } from '../../../src/analysis/tempo-choice.ts'
import { timesF } from '../../support/accuracy.ts'
import { Adam } from './adam.ts'
import { chanceOf, networkOf, piecesOf, samplesOf } from './pieces.ts'
import { SAMPLE_RATE } from './rhythm-band.ts'

/**
 * Fits what chooses among the paths of the bar pointer: the weights of `TEMPO_CHOICE` and the priors of
 * `METRE_CHOICE`. It prints them, and how often the right path is chosen in families that are left out; and
 * the downbeats' F with each of some weights of its `harmony`.
 *
 *   npx tsx test/programs/trainers/rhythm-choices.ts --data DIR [--data DIR …] [--model MODEL.json]
 *     [--each 3] [--held 1]
 *
 * `--data` has music whose tempo is that which its players count; at most `--each` pieces of a family are
 * heard. With `--held` only families of that share are, those that rhythm-network.py holds back for it.
 * Without `--model` the network of the source is used.
 */

/** Seconds within which a beat is where it should be. */
const NEAR = 0.07
/** Of two paths, one whose F-measure is higher by a tenth is so many nats likelier to be the right one. */
const SHARPNESS = 1.2
const FOLDS = 5
/** Weights of a change of harmony that are compared. */
const HARMONY = [0, 12, 24, 36, METRE_CHOICE.harmony, 72, 96]
/** Where the beats are at another level, no downbeat can be right. */
const LEAST_F = 0.8
const ROUNDS = 400
/** How strongly weights are held to 0. */
const RIDGE = 1

/** A piece, and the paths of which one is to be chosen. */
interface Choice {
  family: string
  options: {
    inputs: number[]
    /** F-measure of its beats or downbeats. */
    right: number
  }[]
}

export function main(argv: readonly string[]): void {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      model: { type: 'string' },
      data: { type: 'string', multiple: true, default: [] },
      each: { type: 'string', default: '3' },
      held: { type: 'string', default: '1' },
    },
  })
  const { network } = networkOf(values.model)
  const tempi: Choice[] = []
  const harmonies: number[][] = []
  const metres: Choice[] = []
  const limits = { share: Number(values.held), each: Number(values.each) }
  for (const { folder, labels } of piecesOf(values.data, limits)) {
    const front = new FrontEnd(SAMPLE_RATE, 1)
    front.push([samplesOf(join(folder, `${labels.id}.raw`))])
    const { novelty, peaks, lead } = front.finish()
    const heard = oddsOf(novelty.spectrum, network)
    const timesOf = ({ frames }: Pick<BarPath, 'frames'>): number[] =>
      Array.from(frames, (frame) => frame / heard.fps + SPECTRUM.late - lead)
    const rightness = (path: BarPath): number =>
      fMeasure(
        timesOf(path).filter((_, i) => path.places[i] === 0),
        labels.downbeats,
      )
    const paths = tempoPaths(heard)
    if (paths.length === 0) continue
    const { family } = labels
    const rights = paths.map((path) => fMeasure(timesOf(path), labels.beats))
    tempi.push({
      family,
      options: paths.map(({ traits }, i) => ({
        inputs: TRAITS.map((name) => traits[name]),
        right: rights[i]!,
      })),
    })
    const best = paths[rights.indexOf(Math.max(...rights))]!
    if (Math.max(...rights) < LEAST_F) continue
    const changeAt = harmonicChanges(chromaOf(peaks), best.frames, { fps: heard.fps, first: 0 })
    const bars = (harmony?: number): MetrePath[] =>
      metrePaths({ ...heard, changeAt }, best, harmony)
    metres.push({ family, options: metreOptions(bars(), rightness) })
    const chosen = HARMONY.map((harmony) => likeliestMetre(bars(harmony)))
    harmonies.push(chosen.map(({ path }) => rightness(path)))
  }
  tell('tempo', tempi, TRAITS)
  tell('metre', metres, ['score', ...METRES.map(String)])
  tellHarmonies(harmonies)
}

const METRES = Object.keys(METRE_CHOICE.prior)
  .map(Number)
  .filter((metre) => metre !== 4)

function metreOptions(
  paths: readonly MetrePath[],
  rightness: (path: BarPath) => number,
): Choice['options'] {
  const usual = paths.find(({ metre }) => metre === 4)!.path
  return paths.map(({ metre, path }) => ({
    inputs: [
      (path.score - usual.score) / usual.frames.length,
      ...METRES.map((one) => Number(one === metre)),
    ],
    right: rightness(path),
  }))
}

function fMeasure(found: readonly number[], known: readonly number[]): number {
  return timesF(known, found, NEAR)
}

/** Prints the weights, and how often the best path is chosen in families that they were not fitted on. */
function tell(name: string, choices: readonly Choice[], inputs: readonly string[]): void {
  const fold = ({ family }: Choice): number => Math.floor(FOLDS * chanceOf(`f${family}`))
  const loss: number[] = []
  for (let left = 0; left < FOLDS; left++) {
    const weights = fitted(choices.filter((choice) => fold(choice) !== left))
    for (const choice of choices)
      if (fold(choice) === left) {
        const { right } = choice.options[chosen(choice, weights)]!
        loss.push(Math.max(...choice.options.map((option) => option.right)) - right)
      }
  }
  const mean = loss.reduce((sum, one) => sum + one, 0) / loss.length
  const best = loss.filter((one) => one < 0.02).length / loss.length
  console.log(
    `${name}: ${choices.length} pieces; in families left out the best path for ${best.toFixed(3)}, F ${mean.toFixed(3)} below it`,
  )
  const weights = fitted(choices)
  // Priors of metres are told in the nats of the path's score.
  const unit = inputs[0] === 'score' ? weights[0]! : 1
  inputs.forEach((input, i) => {
    console.log(`  ${input}: ${(weights[i]! / unit).toPrecision(3)}`)
  })
}

/** Prints the downbeats' F with each weight of harmony, and how much more it is than without. */
function tellHarmonies(pieces: readonly number[][]): void {
  const mean = (of: (row: number[]) => number): number =>
    pieces.reduce((sum, row) => sum + of(row), 0) / pieces.length
  console.log(`harmony: ${pieces.length} pieces`)
  HARMONY.forEach((weight, w) => {
    const gain = mean((row) => row[w]! - row[0]!)
    const error = Math.sqrt(mean((row) => (row[w]! - row[0]! - gain) ** 2) / pieces.length)
    const f = mean((row) => row[w]!).toFixed(3)
    console.log(`  ${weight}: F ${f}, ${gain.toFixed(3)} ± ${error.toFixed(3)} more`)
  })
}

function scoresOf({ options }: Choice, weights: ArrayLike<number>): number[] {
  return options.map(({ inputs }) => inputs.reduce((sum, value, i) => sum + value * weights[i]!, 0))
}

function chosen(choice: Choice, weights: ArrayLike<number>): number {
  const scores = scoresOf(choice, weights)
  return scores.indexOf(Math.max(...scores))
}

/** Weights that make the right options the likeliest, by gradient descent on standardised inputs. */
function fitted(choices: readonly Choice[]): Float64Array {
  const rows = choices.flatMap(({ options }) => options.map(({ inputs }) => inputs))
  const scale = rows[0]!.map((_, i) => {
    const mean = rows.reduce((sum, row) => sum + row[i]!, 0) / rows.length
    return Math.sqrt(rows.reduce((sum, row) => sum + (row[i]! - mean) ** 2, 0) / rows.length) || 1
  })
  const parameters = new Float64Array(scale.length)
  const descent = new Adam(parameters, { rate: 0.1, squares: 0.99 })
  const weightsOf = () => parameters.map((value, i) => value / scale[i]!)
  for (let round = 0; round < ROUNDS; round++) {
    const weights = weightsOf()
    const gradient = parameters.map((value) => (RIDGE * value) / choices.length)
    for (const choice of choices) {
      const wanted = softmax(choice.options.map(({ right }) => 10 * SHARPNESS * right))
      softmax(scoresOf(choice, weights)).forEach((chance, option) => {
        choice.options[option]!.inputs.forEach((value, i) => {
          gradient[i] =
            gradient[i]! + ((chance - wanted[option]!) * value) / scale[i]! / choices.length
        })
      })
    }
    descent.step(gradient)
  }
  return weightsOf()
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2))
