import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { deserialize, serialize } from 'node:v8'
import { chromaOf } from '../../../src/analysis/chroma.ts'
import { type KeyProfile, keyConfidences, keyScores } from '../../../src/analysis/key.ts'
import { seeded, shuffled } from '../../support/chance.ts'
import { printReliability } from './isotonic.ts'
import {
  composedSongs,
  grooveSongs,
  type KeyPiece,
  labelledSongs,
  makeKeyPiece,
  type PlannedKeyPiece,
} from './key-pieces.ts'

/**
 * Compares published profiles of keys, alone and in pairs, and fits the softness of confidences; it
 * prints what it finds, and writes nothing.
 *
 *   npx tsx test/programs/trainers/key-profiles.ts --grooves DIR --soundfonts DIR
 *     --songs DIR,DIR… [--keep DIR]
 *
 * The music is composed in code, made of MMA's grooves (`lib/stdlib`), and taken from folders of songs
 * whose keys are known (`labelledSongs`), each a family of its own; all is played by fluidsynth. What
 * is chosen or fitted is also chosen or fitted without each family in turn, and tried on that one.
 */

/** As published, [minor, major] from the tonic up. */
const PROFILES: Readonly<Record<string, KeyProfile>> = {
  // Krumhansl & Kessler 1982: what listeners said of tones after a cadence.
  krumhansl: [
    [6.33, 2.68, 3.52, 5.38, 2.6, 3.53, 2.54, 4.75, 3.98, 2.69, 3.34, 3.17],
    [6.35, 2.23, 3.48, 2.33, 4.38, 4.09, 2.52, 5.19, 2.39, 3.66, 2.29, 2.88],
  ],
  // Temperley, "What's key for key?", Music Perception 17 (1999).
  temperley: [
    [5, 2, 3.5, 4.5, 2, 4, 2, 4.5, 3.5, 2, 1.5, 4],
    [5, 2, 3.5, 2, 4.5, 4, 2, 4.5, 2, 3.5, 1.5, 4],
  ],
  // Temperley, "Music and Probability" (2007): the Kostka-Payne corpus.
  kostkaPayne: [
    [0.712, 0.084, 0.474, 0.618, 0.049, 0.46, 0.105, 0.747, 0.404, 0.067, 0.133, 0.33],
    [0.748, 0.06, 0.488, 0.082, 0.67, 0.46, 0.096, 0.715, 0.104, 0.366, 0.057, 0.4],
  ],
  // Aarden, "Dynamic melodic expectancy" (dissertation, Ohio State University, 2003): folk songs.
  aarden: [
    [18.26, 0.74, 14.05, 16.86, 0.7, 14.44, 0.7, 18.62, 4.57, 1.93, 7.38, 1.76],
    [17.77, 0.15, 14.93, 0.16, 19.8, 11.36, 0.29, 22.06, 0.15, 8.15, 0.23, 4.95],
  ],
  // Bellman, "About the determination of key of a musical excerpt" (2005), after Budge 1943.
  bellman: [
    [18.16, 0.69, 12.99, 13.34, 1.07, 11.15, 1.38, 21.07, 7.49, 1.53, 0.92, 10.21],
    [16.8, 0.86, 12.95, 1.41, 13.49, 11.93, 1.25, 20.28, 1.8, 8.04, 0.62, 10.57],
  ],
  // Gómez, "Tonal Description of Music Audio Signals" (2006).
  gomez: [
    [0.81, 0, 0.53, 0.54, 0, 0.27, 0.07, 1, 0.27, 0.07, 0.1, 0.36],
    [0.82, 0, 0.55, 0, 0.53, 0.3, 0.08, 1, 0, 0.38, 0, 0.47],
  ],
  // Noland & Sandler, "Signal processing parameters for tonality estimation" (2007): Bach.
  noland: [
    [0.0682, 0.0138, 0.0543, 0.0519, 0.0234, 0.0544, 0.0176, 0.067, 0.0349, 0.0297, 0.0401, 0.027],
    [0.0629, 0.0146, 0.061, 0.0121, 0.0623, 0.0414, 0.0248, 0.0631, 0.015, 0.0521, 0.0142, 0.0478],
  ],
  // Sha'ath 2011, as in `key.ts`.
  shaath: [
    [6.5, 2.7, 3.5, 5.4, 2.6, 3.5, 2.5, 5.2, 4, 2.7, 4.3, 3.2],
    [6.6, 2, 3.5, 2.3, 4.6, 4, 2.5, 5.2, 2.4, 3.7, 2.3, 3.4],
  ],
  // Albrecht & Shanahan 2013, as in `key.ts`.
  albrecht: [
    [0.22, 0.006, 0.104, 0.123, 0.019, 0.103, 0.012, 0.214, 0.062, 0.022, 0.061, 0.052],
    [0.238, 0.006, 0.111, 0.006, 0.137, 0.094, 0.016, 0.214, 0.009, 0.08, 0.008, 0.081],
  ],
  // Faraldo et al., "Key estimation in electronic dance music" (ECIR 2016): edma.
  faraldo: [
    [0.172, 0.053, 0.076, 0.1, 0.056, 0.085, 0.05, 0.135, 0.075, 0.05, 0.092, 0.055],
    [0.165, 0.047, 0.083, 0.067, 0.1, 0.093, 0.053, 0.132, 0.052, 0.074, 0.069, 0.064],
  ],
}
const FORMS = formsOf(Object.keys(PROFILES))
/** What `key.ts` has. */
const SHIPPED = FORMS.find(({ name }) => name === 'shaath + albrecht')!
const COMPOSED = 300
const GROOVES = 180
/** At most, of a folder. */
const SONGS = 340
/** Pairs that are printed. */
const PAIRS = 12

/** Profiles whose correlations are averaged, by their places in `PROFILES`. */
interface Form {
  name: string
  places: readonly number[]
}

/** A piece, and the scores of its keys by each of `PROFILES`. */
interface Heard extends Omit<KeyPiece, 'peaks'> {
  scores: Float64Array[]
}

function formsOf(names: readonly string[]): Form[] {
  return names.flatMap((name, i) => [
    { name, places: [i] },
    ...names.slice(0, i).map((other, j) => ({ name: `${other} + ${name}`, places: [j, i] })),
  ])
}

export function main(argv: readonly string[]): void {
  const option = (name: string): string | undefined => {
    const at = argv.indexOf(name)
    return at < 0 ? undefined : argv[at + 1]
  }
  const needed = (name: string): string => {
    const value = option(name)
    if (value === undefined) throw new Error(`${name}: missing; see the head of this file.`)
    return value
  }
  const planned = [
    ...composedSongs(COMPOSED),
    ...grooveSongs(needed('--grooves'), GROOVES),
    ...needed('--songs').split(',').flatMap(songsIn),
  ]
  const pieces = planned.flatMap((one) => {
    const piece = kept(one, needed('--soundfonts'), option('--keep'))
    return piece === undefined ? [] : [heard(piece)]
  })
  printForms(pieces)
  printConfidences(pieces)
}

function songsIn(folder: string): PlannedKeyPiece[] {
  return shuffled(labelledSongs(folder, basename(folder)), seeded(7)).slice(0, SONGS)
}

/** Makes a piece, or takes it from where it was kept; that folder must be emptied when pieces change. */
function kept(planned: PlannedKeyPiece, soundfonts: string, folder?: string): KeyPiece | undefined {
  if (folder === undefined) return makeKeyPiece(planned, soundfonts)
  mkdirSync(folder, { recursive: true })
  const file = join(folder, createHash('md5').update(planned.id).digest('hex'))
  if (existsSync(file)) return deserialize(readFileSync(file)) as KeyPiece | undefined
  const piece = makeKeyPiece(planned, soundfonts)
  writeFileSync(`${file}.part`, serialize(piece))
  renameSync(`${file}.part`, file)
  return piece
}

function heard({ key, mode, family, peaks }: KeyPiece): Heard {
  const chroma = chromaOf(peaks)
  const scores = Object.values(PROFILES).map((profile) => keyScores(chroma, [profile]))
  return { key, mode, family, scores }
}

/** Prints what share of keys each form finds, and which forms are chosen without a family. */
function printForms(pieces: readonly Heard[]): void {
  const results = FORMS.map((form) => ({ form, found: meanOver(pieces, rightness(form)) })).sort(
    (a, b) => b.found.mean - a.found.mean,
  )
  const alone = results.filter(({ form }) => form.places.length === 1)
  const pairs = results.filter(({ form }) => form.places.length === 2)
  for (const { form, found } of [...alone, ...pairs.slice(0, PAIRS)]) {
    const less = meanOver(pieces, (piece) => rightness(form)(piece) - rightness(SHIPPED)(piece))
    const columns = familiesOf(pieces).map((family) => {
      const some = pieces.filter((piece) => piece.family === family)
      return `${family} ${meanOver(some, rightness(form)).mean.toFixed(3)}`
    })
    console.log(
      `${form.name.padEnd(24)} ${text(found)} (${text(less)} of what is shipped), ` +
        `MIREX ${text(meanOver(pieces, mirexOf(form)))}; ${columns.join(', ')}`,
    )
  }
  for (const family of familiesOf(pieces)) {
    const form = chosen(pieces.filter((piece) => piece.family !== family))
    const there = pieces.filter((piece) => piece.family === family)
    console.log(`without ${family}: ${form.name}, there ${text(meanOver(there, rightness(form)))}`)
  }
}

/**
 * The first that is within a standard error of the best: a profile alone, what is shipped (other
 * profiles change the keys of documents), the best.
 */
function chosen(pieces: readonly Heard[]): Form {
  const best = (forms: readonly Form[]) =>
    forms
      .map((form) => ({ form, found: meanOver(pieces, rightness(form)) }))
      .reduce((a, b) => (b.found.mean > a.found.mean ? b : a))
  const all = best(FORMS)
  const alone = best(FORMS.filter(({ places }) => places.length === 1))
  const enough = ({ found }: { found: Mean }) => found.mean >= all.found.mean - all.found.error
  return [alone, best([SHIPPED])].find(enough)?.form ?? all.form
}

function familiesOf(pieces: readonly Heard[]): string[] {
  return [...new Set(pieces.map(({ family }) => family))]
}

interface Mean {
  mean: number
  error: number
}

function text({ mean, error }: Mean): string {
  return `${mean.toFixed(3)}±${error.toFixed(3)}`
}

/** The mean over families of the means over their pieces. */
function meanOver(pieces: readonly Heard[], value: (piece: Heard) => number): Mean {
  const families = familiesOf(pieces)
  let mean = 0
  let variance = 0
  for (const family of families) {
    const values = pieces.filter((piece) => piece.family === family).map(value)
    const own = values.reduce((sum, x) => sum + x, 0) / values.length
    mean += own / families.length
    for (const x of values) variance += ((x - own) / values.length / families.length) ** 2
  }
  return { mean, error: Math.sqrt(variance) }
}

function rightness(form: Form): (piece: Heard) => number {
  return (piece) => (foundKey(piece, form).best === 2 * piece.key + piece.mode ? 1 : 0)
}

/** 1 right, 0.5 a fifth above, 0.3 relative, 0.2 parallel (as mir_eval.key weighs them). */
function mirexOf(form: Form): (piece: Heard) => number {
  return (piece) => {
    const { best } = foundKey(piece, form)
    const up = ((best >> 1) - piece.key + 12) % 12
    if ((best & 1) === piece.mode) return up === 0 ? 1 : up === 7 ? 0.5 : 0
    return up === 0 ? 0.2 : up === (piece.mode === 1 ? 9 : 3) ? 0.3 : 0
  }
}

function foundKey({ scores }: Heard, { places }: Form): { best: number; all: Float64Array } {
  const all = new Float64Array(24)
  for (const i of places)
    for (let k = 0; k < 24; k++) all[k] = all[k]! + scores[i]![k]! / places.length
  return { best: all.indexOf(Math.max(...all)), all }
}

/** Prints the softness of what is shipped, and how sure its confidences of unseen families are. */
function printConfidences(pieces: readonly Heard[]): void {
  console.log(`softness: ${softnessOf(pieces).toFixed(4)}`)
  const found = familiesOf(pieces).flatMap((family) => {
    const softness = softnessOf(pieces.filter((piece) => piece.family !== family))
    console.log(`  without ${family}: ${softness.toFixed(4)}`)
    const own = pieces.filter((piece) => piece.family === family)
    return own.map((piece) => ({ ...verdict(piece, softness), share: 1 / own.length }))
  })
  for (const of of ['key', 'mode'] as const) {
    const cases = found.map((one) => ({ ...one[of], share: one.share }))
    printReliability(of, cases)
    const near = cases.filter(({ confidence }) => confidence >= 0.75 && confidence < 0.85)
    const share = near.reduce((sum, { share }) => sum + share, 0)
    const right = near.reduce((sum, { right, share }) => sum + right * share, 0) / share
    console.log(`    of confidence 0.75 to 0.85: ${right.toFixed(3)} right, ${near.length} pieces`)
  }
}

interface Sureness {
  confidence: number
  right: number
}

function verdict(piece: Heard, softness: number): { key: Sureness; mode: Sureness } {
  const { best, all } = foundKey(piece, SHIPPED)
  const { keyConfidence, modeConfidence } = keyConfidences(all, best, softness)
  return {
    key: { confidence: keyConfidence, right: best >> 1 === piece.key ? 1 : 0 },
    mode: { confidence: modeConfidence, right: (best & 1) === piece.mode ? 1 : 0 },
  }
}

/**
 * The softness at which confidences of keys and modes are, on the mean, what is right of them. (The
 * most likely one is softer: it yields to the few pieces that are far from their labels.)
 */
function softnessOf(pieces: readonly Heard[]): number {
  const excess = (softness: number): number =>
    meanOver(pieces, (piece) => {
      const { key, mode } = verdict(piece, softness)
      return key.confidence - key.right + mode.confidence - mode.right
    }).mean
  let [low, high] = [0.005, 0.5]
  while (high - low > 1e-4) {
    const middle = (low + high) / 2
    if (excess(middle) > 0) low = middle
    else high = middle
  }
  return low
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2))
