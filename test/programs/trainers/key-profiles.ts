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
 *   npx tsx test/programs/trainers/key-profiles.ts --grooves DIR --soundfonts DIR --songs DIR
 *     [--judges DIR,DIR…] [--keep DIR]
 *
 * The profiles are chosen on music composed in code, on MMA's grooves (`lib/stdlib`) and on half of
 * the songs. The other half and the folders of judges, which are songs in the same form
 * (`labelledSongs`), have no part in that; the softness is fitted on them, and each of them is told
 * how well the softness of the others does. All is played by fluidsynth.
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
  // Aarden 2003, as in `key.ts`: German folk songs.
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
  // Albrecht & Shanahan, "The use of large corpora to train a new type of key-finding algorithm",
  // Music Perception 31 (2013).
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
const COMPOSED = 300
const GROOVES = 180
const SONGS = 340
/** Pairs that are printed. */
const PAIRS = 12

/** A piece, and the scores of its keys by each of `PROFILES`. */
interface Heard extends Omit<KeyPiece, 'peaks'> {
  judge: boolean
  scores: Float64Array[]
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
  const soundfonts = needed('--soundfonts')
  const songs = shuffled(songsIn(needed('--songs')), seeded(7)).slice(0, SONGS)
  const half = songs.length >> 1
  const learnt = [
    ...composedSongs(COMPOSED),
    ...grooveSongs(needed('--grooves'), GROOVES),
    ...songs.slice(0, half),
  ]
  const folders = option('--judges')?.split(',') ?? []
  const unseen = [
    ...songs.slice(half).map((song) => ({ ...song, family: `${song.family} unseen` })),
    ...folders.flatMap(songsIn),
  ]
  const hear = (planned: PlannedKeyPiece, judge: boolean): Heard[] => {
    const piece = kept(planned, soundfonts, option('--keep'))
    return piece === undefined ? [] : [heard(piece, planned.family, judge)]
  }
  const pieces = [
    ...learnt.flatMap((planned) => hear(planned, false)),
    ...unseen.flatMap((planned) => hear(planned, true)),
  ]
  printForms(pieces)
  printConfidences(pieces.filter(({ judge }) => judge))
}

function songsIn(folder: string): PlannedKeyPiece[] {
  return labelledSongs(folder, basename(folder))
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

function heard({ key, mode, peaks }: KeyPiece, family: string, judge: boolean): Heard {
  const chroma = chromaOf(peaks)
  const scores = Object.values(PROFILES).map((profile) => keyScores(chroma, [profile]))
  return { key, mode, family, judge, scores }
}

/** Prints what share of keys each form finds: the mean over families, and its standard error. */
function printForms(pieces: readonly Heard[]): void {
  const names = Object.keys(PROFILES)
  const alone = names.map((_, i) => [i])
  const pairs = names.flatMap((_, i) => names.slice(i + 1).map((_, j) => [i, i + 1 + j]))
  const results = (forms: readonly number[][]) =>
    forms
      .map((form) => ({ form, found: meanOver(pieces.filter(isLearnt), rightness(form)) }))
      .sort((a, b) => b.found.mean - a.found.mean)
  for (const { form, found } of [...results(alone), ...results(pairs).slice(0, PAIRS)]) {
    const judged = meanOver(
      pieces.filter(({ judge }) => judge),
      rightness(form),
    )
    const mirex = meanOver(
      pieces.filter(({ judge }) => judge),
      mirexOf(form),
    )
    const columns = [...new Set(pieces.map(({ family }) => family))].map((family) => {
      const some = pieces.filter((piece) => piece.family === family)
      return `${family} ${meanOver(some, rightness(form)).mean.toFixed(3)}`
    })
    const title = form.map((i) => names[i]).join(' + ')
    console.log(
      `${title.padEnd(24)} learnt ${text(found)}, judges ${text(judged)} (MIREX ${text(mirex)}); ` +
        columns.join(', '),
    )
  }
}

function isLearnt({ judge }: Heard): boolean {
  return !judge
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
  const families = [...new Set(pieces.map(({ family }) => family))]
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

function rightness(form: readonly number[]): (piece: Heard) => number {
  return (piece) => (foundKey(piece, form).best === 2 * piece.key + piece.mode ? 1 : 0)
}

/** 1 right, 0.5 a fifth above, 0.3 relative, 0.2 parallel (as mir_eval.key weighs them). */
function mirexOf(form: readonly number[]): (piece: Heard) => number {
  return (piece) => {
    const { best } = foundKey(piece, form)
    const up = ((best >> 1) - piece.key + 12) % 12
    if ((best & 1) === piece.mode) return up === 0 ? 1 : up === 7 ? 0.5 : 0
    return up === 0 ? 0.2 : up === (piece.mode === 1 ? 9 : 3) ? 0.3 : 0
  }
}

function foundKey({ scores }: Heard, form: readonly number[]): { best: number; all: Float64Array } {
  const all = new Float64Array(24)
  for (const i of form) for (let k = 0; k < 24; k++) all[k] = all[k]! + scores[i]![k]! / form.length
  return { best: all.indexOf(Math.max(...all)), all }
}

/** Fits the softness of what is shipped, and prints how sure the confidences of unseen families are. */
function printConfidences(pieces: readonly Heard[]): void {
  const names = Object.keys(PROFILES)
  const form = [names.indexOf('shaath'), names.indexOf('aarden')]
  console.log(`softness of all judges: ${fitted(pieces, form).toFixed(3)}`)
  const cases = [...new Set(pieces.map(({ family }) => family))].flatMap((family) => {
    const softness = fitted(
      pieces.filter((piece) => piece.family !== family),
      form,
    )
    console.log(`  without ${family}: ${softness.toFixed(3)}`)
    const own = pieces.filter((piece) => piece.family === family)
    return own.map((piece) => {
      const { best, all } = foundKey(piece, form)
      const sure = keyConfidences(all, best, softness)
      return { piece, best, sure, share: 1 / own.length }
    })
  })
  printReliability(
    'key',
    cases.map(({ piece, best, sure, share }) => ({
      confidence: sure.keyConfidence,
      right: Number(best >> 1 === piece.key),
      share,
    })),
  )
  printReliability(
    'mode',
    cases.map(({ piece, best, sure, share }) => ({
      confidence: sure.modeConfidence,
      right: Number((best & 1) === piece.mode),
      share,
    })),
  )
}

/** The softness by which the right keys are the most likely, to a hundredth of itself. */
function fitted(pieces: readonly Heard[], form: readonly number[]): number {
  const loss = (softness: number): number =>
    meanOver(pieces, (piece) => {
      const { all } = foundKey(piece, form)
      const most = Math.max(...all)
      const total = all.reduce((sum, score) => sum + Math.exp((score - most) / softness), 0)
      return Math.log(total) - (all[2 * piece.key + piece.mode]! - most) / softness
    }).mean
  let best = 0.02
  for (let softness = best; softness < 0.5; softness *= 1.01)
    if (loss(softness) < loss(best)) best = softness
  return best
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main(process.argv.slice(2))
