import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type CalibrationTable, calibratedShare } from '../../../src/analysis/statistics.ts'
import { IMPRESSION_WEIGHTS, weightedSum } from '../../../src/analysis/summary/impressions.ts'
import type { MeasureReference, Measures } from '../../../src/analysis/summary/measures.ts'
import { Adam } from './adam.ts'
import { type Heard, musicIn, speechIn } from './summary-material.ts'

/**
 * Makes src/analysis/summary/reference.ts: what is usual of each measure of music, and the scales of the
 * values that impressions.ts beside it defines, whose weights are chosen and not learnt.
 *
 *   npx tsx test/programs/trainers/summary-scales.ts --music DIR [--music DIR …] --speech DIR [--unheard DIR …]
 *     [--keep DIR] [--try]
 *
 * `--music` and `--unheard` are folders with a folder for each package, its recordings anywhere below;
 * `--speech` is one with the packages of `SPEAKERS` (summary-material.ts). ffmpeg decodes them.
 *
 * - The reference is the median of a measure over the pieces, and half of the distance from its 16 to
 *   its 84 %. Music of games is quieter than published records, so that the order of its loudness is kept
 *   and the values are those of the published distribution.
 * - A scale gives the quantiles of a definition's sum over the pieces the published quantiles.
 * - That of speechiness does so for music; above it stands the chance of speech, by a logistic fit in
 *   which music and speech count alike, and each speaker and each package; in use, one recording in a
 *   hundred is taken to be speech.
 *
 * It prints how all of it does on packages and speakers that it was not fitted to, and on the music of
 * `--unheard`: the distance of Kolmogorov and Smirnov from the published distribution, with loudness by order
 * and as it is, and how speech is told from music, both in five folds. `--keep DIR` saves the measures for the
 * next time; `--try` writes nothing.
 */

const RANKED = ['energy', 'danceability', 'valence', 'acousticness'] as const
type Ranked = (typeof RANKED)[number]

/** The shares at which the quantiles of {@link PUBLISHED} are. */
const SHARES = [0.01, 0.05, 0.25, 0.5, 0.75, 0.95, 0.99]
/** Of 9,779 tracks of pop music of six decades, as their publisher gave the values. */
const PUBLISHED: Record<Ranked, readonly number[]> = {
  energy: [0.14, 0.28, 0.49, 0.66, 0.81, 0.93, 0.97],
  danceability: [0.24, 0.34, 0.51, 0.62, 0.73, 0.84, 0.92],
  valence: [0.11, 0.21, 0.46, 0.66, 0.82, 0.96, 0.97],
  acousticness: [0.0005, 0.002, 0.04, 0.18, 0.51, 0.91, 0.98],
}
/** dB, with the ends that a tenth of a per cent may reach. */
const LOUDNESS = [-24, -18.3, -14.7, -10.6, -7.9, -5.7, -3.7, -2.7, -2]
/** Up to 95 %: what is above may be speech. The first is the least. */
const SPOKEN_OF_MUSIC = [0.02, 0.025, 0.028, 0.034, 0.044, 0.068, 0.21]
/** The chances of speech that the scale names: the ends of the published bands, and between them. */
const CHANCES = [0.33, 0.5, 0.66, 0.9, 0.97]
const BANDS = { music: 0.33, speech: 0.66 }

/**
 * The share of recordings in a library that are taken to be speech. The fit has as much speech as music;
 * a song that is called speech is a worse mistake than speech that is called music.
 */
const SPOKEN_SHARE = 0.01

/** Deviations at which a sum ends: more than any measure gives. */
const END = 3
const FOLDS = 5
/** The logistic fit: steps, their size, and what keeps the slope finite where nothing overlaps. */
const STEPS = 5000
const RATE = 0.01
const RIDGE = 1e-3

interface Fitted {
  reference: MeasureReference
  scales: Record<Ranked | 'speechiness', CalibrationTable>
}

interface Material {
  music: Heard[]
  speech: Heard[]
  unheard: Heard[]
}

export function main(argv: readonly string[]): void {
  const { values } = parseArgs({
    args: [...argv],
    options: {
      music: { type: 'string', multiple: true, default: [] },
      speech: { type: 'string', multiple: true, default: [] },
      unheard: { type: 'string', multiple: true, default: [] },
      keep: { type: 'string' },
      try: { type: 'boolean', default: false },
    },
  })
  const material = materialOf(values)
  const { music, speech, unheard } = material
  console.log(`music: ${told(music)}; speech: ${told(speech)}; unheard: ${told(unheard)}`)
  const held = foldsOf(material)
  printDistances(`${music.length} pieces by the scales of other packages`, held.music)
  printSpeech('held back', held.speech, held.music)
  const fitted = learn(music, speech)
  if (unheard.length > 0) {
    const judged = [{ fitted, heard: unheard }]
    printDistances(`${unheard.length} pieces of --unheard`, judged)
    printSpeech('held back, and music of --unheard', held.speech, judged)
  }
  if (values.try) return
  const path = fileURLToPath(new URL('../../../src/analysis/summary/reference.ts', import.meta.url))
  writeFileSync(path, source(fitted, speech))
  execFileSync('npx', ['biome', 'check', '--write', path])
}

interface Options {
  music: string[]
  speech: string[]
  unheard: string[]
  keep?: string | undefined
}

function materialOf({ music, speech, unheard, keep }: Options): Material {
  const kept = (name: keyof Material, heard: () => Iterable<Heard>): Heard[] => {
    if (keep === undefined) return [...heard()]
    const file = join(keep, `${name}.json`)
    if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8')) as Heard[]
    const all = [...heard()]
    writeFileSync(file, JSON.stringify(all))
    return all
  }
  return {
    music: kept('music', () => musicIn(music)),
    speech: kept('speech', () => speechIn(speech)),
    unheard: kept('unheard', () => musicIn(unheard)),
  }
}

/** Fits the reference and all scales. */
export function learn(music: readonly Heard[], speech: readonly Heard[]): Fitted {
  const pieces = masteredOf(music)
  const reference = referenceOf(pieces.map(({ measures }) => measures))
  const scale = (name: Ranked) => {
    const weights = IMPRESSION_WEIGHTS[name]
    const end = Object.entries(weights).reduce(
      // A mode is one deviation away.
      (sum, [measure, weight]) => sum + Math.abs(weight) * (measure === 'mode' ? 1 : END),
      0,
    )
    const sums = pieces.map(({ measures }) => weightedSum(measures, weights, reference))
    const points = SHARES.map((share, i) => [quantile(sums, share), PUBLISHED[name][i]!] as const)
    return rising([[-end, 0], ...points, [end, 1]])
  }
  const scales = {
    energy: scale('energy'),
    danceability: scale('danceability'),
    valence: scale('valence'),
    acousticness: scale('acousticness'),
    speechiness: spokenScale(pieces, speech, reference),
  }
  return { reference, scales }
}

/** Pieces with the loudness of published records, in the order of their own. */
function masteredOf(pieces: readonly Heard[]): Heard[] {
  const shares = [0, ...SHARES, 1]
  const order = pieces.map((_, i) => i)
  order.sort((a, b) => pieces[a]!.measures.loudness - pieces[b]!.measures.loudness)
  const places = new Map(order.map((piece, place) => [piece, (place + 0.5) / pieces.length]))
  const table = shares.map((share, i) => [share, LOUDNESS[i]!] as const)
  return pieces.map(({ group, measures }, i) => ({
    group,
    measures: { ...measures, loudness: calibratedShare(places.get(i)!, table) },
  }))
}

function referenceOf(pieces: readonly Measures[]): MeasureReference {
  const reference: Partial<Record<keyof Measures, { middle: number; deviation: number }>> = {}
  for (const name of Object.keys(pieces[0]!) as (keyof Measures)[]) {
    const values = pieces.map((piece) => piece[name])
    const deviation = (quantile(values, 0.84) - quantile(values, 0.16)) / 2
    reference[name] =
      name === 'mode'
        ? { middle: 0, deviation: 1 }
        : { middle: digits(quantile(values, 0.5), 3), deviation: digits(deviation, 2) }
  }
  return reference as MeasureReference
}

/** Quantiles of music, then the chance of speech. */
function spokenScale(
  music: readonly Heard[],
  speech: readonly Heard[],
  reference: MeasureReference,
): CalibrationTable {
  const weights = IMPRESSION_WEIGHTS.speechiness
  const sumsOf = (heard: readonly Heard[]) =>
    heard.map(({ measures }) => weightedSum(measures, weights, reference))
  const sums = sumsOf(music)
  const quantiles = SHARES.slice(0, SPOKEN_OF_MUSIC.length - 1).map(
    (share, i) => [quantile(sums, share), SPOKEN_OF_MUSIC[i + 1]!] as const,
  )
  const { slope, offset } = logistic([
    { sums, shares: sharesOf(music), isSpeech: false },
    { sums: sumsOf(speech), shares: sharesOf(speech), isSpeech: true },
  ])
  const end = END * Object.keys(weights).length
  const prior = oddsOf(SPOKEN_SHARE)
  const chances = CHANCES.map(
    (chance) => [(oddsOf(chance) - prior - offset) / slope, chance] as const,
  )
  return rising([[-end, SPOKEN_OF_MUSIC[0]!], ...quantiles, ...chances, [end, 1]])
}

/** The logarithm of the odds. */
function oddsOf(chance: number): number {
  return Math.log(chance / (1 - chance))
}

/** What each counts, when groups count alike and all together 1. */
function sharesOf(heard: readonly Heard[]): number[] {
  const counts = new Map<string, number>()
  for (const { group } of heard) counts.set(group, (counts.get(group) ?? 0) + 1)
  return heard.map(({ group }) => 1 / counts.get(group)! / counts.size)
}

interface Side {
  sums: readonly number[]
  shares: readonly number[]
  isSpeech: boolean
}

/** The chance of speech by a sum. */
function logistic(sides: readonly Side[]): { slope: number; offset: number } {
  const means = sides.map(({ sums, shares }) => sums.reduce((all, x, i) => all + x * shares[i]!, 0))
  // Half-way between music and speech, which the offset has not to find.
  const middle = means.reduce((all, mean) => all + mean / means.length, 0)
  const fitted = Float64Array.of(1, 0)
  const adam = new Adam(fitted, { rate: RATE, squares: 0.999 })
  for (let step = 0; step < STEPS; step++) {
    const gradient = Float64Array.of(RIDGE * fitted[0]!, 0)
    for (const { sums, shares, isSpeech } of sides)
      sums.forEach((x, i) => {
        const chance = 1 / (1 + Math.exp(-fitted[0]! * (x - middle) - fitted[1]!))
        const miss = shares[i]! * (chance - Number(isSpeech))
        gradient[0] = gradient[0]! + miss * (x - middle)
        gradient[1] = gradient[1]! + miss
      })
    adam.step(gradient)
  }
  const [slope, offset] = fitted as unknown as [number, number]
  return { slope, offset: offset - slope * middle }
}

/** A scale with one decimal. @throws {Error} where it does not rise, so that more material is needed */
function rising(points: readonly (readonly [number, number])[]): CalibrationTable {
  const scale = points.map(([sum, value]) => [Number(sum.toFixed(1)), value] as const)
  scale.slice(1).forEach(([sum, value], i) => {
    const before = scale[i]!
    if (sum > before[0] && value > before[1]) return
    throw new Error(`${JSON.stringify(scale)} does not rise from ${before}.`)
  })
  return scale
}

/** What was fitted to some, and others that it is judged by. */
interface Judged {
  fitted: Fitted
  heard: Heard[]
}

/** Every fifth package and every fifth speaker is held back in turn. */
function foldsOf({ music, speech }: Material): { music: Judged[]; speech: Judged[] } {
  const [ofMusic, ofSpeech] = [music, speech].map((all) => {
    const groups = [...new Set(all.map(({ group }) => group))].sort()
    return (one: Heard) => groups.indexOf(one.group) % FOLDS
  })
  const folds = Array.from({ length: FOLDS }, (_, fold) => {
    const [musicHeld, speechHeld] = [
      music.filter((one) => ofMusic!(one) === fold),
      speech.filter((one) => ofSpeech!(one) === fold),
    ]
    const fitted = learn(
      music.filter((one) => !musicHeld.includes(one)),
      speech.filter((one) => !speechHeld.includes(one)),
    )
    return { music: { fitted, heard: musicHeld }, speech: { fitted, heard: speechHeld } }
  })
  return { music: folds.map((fold) => fold.music), speech: folds.map((fold) => fold.speech) }
}

function scoreOf(name: keyof Fitted['scales'], { measures }: Heard, { reference, scales }: Fitted) {
  return calibratedShare(weightedSum(measures, IMPRESSION_WEIGHTS[name], reference), scales[name])
}

function printDistances(title: string, judged: readonly Judged[]): void {
  console.log(`\n${title}: distance from the published distribution, median`)
  for (const name of RANKED) {
    const [byOrder, asIs] = [masteredOf, (heard: Heard[]) => heard].map((of) => {
      const values = judged.flatMap(({ fitted, heard }) =>
        of(heard).map((one) => scoreOf(name, one, fitted)),
      )
      return `${distance(values, name).toFixed(3)}, ${quantile(values, 0.5).toFixed(2)}`
    })
    const median = PUBLISHED[name][3]
    console.log(`${name}: loudness by order ${byOrder}; as it is ${asIs}; published ${median}`)
  }
}

/** Of Kolmogorov and Smirnov, from the published quantiles, which are joined by lines. */
function distance(values: readonly number[], name: Ranked): number {
  const table = [0, ...PUBLISHED[name], 1].map(
    (value, i) => [value, [0, ...SHARES, 1][i]!] as const,
  )
  const sorted = [...values].sort((a, b) => a - b)
  const n = sorted.length
  return Math.max(
    ...sorted.map((value, i) => {
      const share = calibratedShare(value, table)
      return Math.max(Math.abs((i + 1) / n - share), Math.abs(i / n - share))
    }),
  )
}

function printSpeech(title: string, speech: readonly Judged[], music: readonly Judged[]): void {
  const valuesOf = (all: readonly Judged[]) =>
    all.flatMap(({ fitted, heard }) => heard.map((one) => scoreOf('speechiness', one, fitted)))
  const [spoken, played] = [valuesOf(speech), valuesOf(music)]
  let area = 0
  for (const x of spoken) for (const y of played) area += Number(x > y) + Number(x === y) / 2
  const above = (values: readonly number[], bound: number) =>
    `${values.filter((value) => value > bound).length} of ${values.length}`
  console.log(
    `\nspeech, ${title}: area under the curve ${(area / spoken.length / played.length).toFixed(3)}; above ${BANDS.speech} ` +
      `speech ${above(spoken, BANDS.speech)}, music ${above(played, BANDS.speech)}; above ${BANDS.music} ` +
      `speech ${above(spoken, BANDS.music)}, music ${above(played, BANDS.music)}`,
  )
}

/** Linear between the two values that are nearest. */
function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  const at = share * (sorted.length - 1)
  const low = Math.floor(at)
  const high = Math.min(low + 1, sorted.length - 1)
  return sorted[low]! + (at - low) * (sorted[high]! - sorted[low]!)
}

function digits(value: number, count: number): number {
  return Number(value.toPrecision(count))
}

function told(heard: readonly Heard[]): string {
  return `${heard.length} of ${new Set(heard.map(({ group }) => group)).size}`
}

function source({ reference, scales }: Fitted, speech: Heard[]): string {
  const speakers = new Set(speech.map(({ group }) => group)).size
  return `import type { CalibrationTable } from '../statistics.ts'
import type { MeasureReference } from './measures.ts'

// By test/programs/trainers/summary-scales.ts, whose README has the figures.

/**
 * Each measure's median over the reference pieces, and half of the distance from its 16 to its 84 %.
 */
export const REFERENCE: MeasureReference = Object.freeze(${JSON.stringify(reference)})

/**
 * The values of sums: quantiles of the reference pieces get the published ones of 9,779 tracks. From 0.33 on
 * speechiness is the chance of speech where one recording in a hundred is, by a logistic fit to ${speech.length} recordings
 * of ${speakers} speakers and the pieces.
 */
export const SCALES: Readonly<
  Record<'energy' | 'danceability' | 'valence' | 'acousticness' | 'speechiness', CalibrationTable>
> = Object.freeze(${JSON.stringify(scales)})
`
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2))
