import { type MetreModel, metreTraits } from '../../../src/analysis/bars.ts'
import type { Accents } from '../../../src/analysis/beat-evidence.ts'
import { fitLogistic } from './logistic.ts'
import { moments } from './path-model.ts'

/** One piece of music for the choice of metre, over its true beats. */
export interface MetreExample {
  accents: Accents
  bpm: number
  /** Beats a bar as they are, and as they are to be called: a bar of six is two bars of three. */
  beatsPerBar: number
  metre: number
  /** Index of a beat that is the first of its bar. */
  downbeat: number
}

/** The metres that can be answered; 2 is six-eight. */
const METRES = [2, 3, 4, 5, 7]
/** Metres common enough for a model of each place. */
const PLACED = [2, 3, 4]
const FEWEST_BEATS = 8

type Rows = number[][]

export function fitMetreModel(
  examples: readonly MetreExample[],
  importance: readonly number[],
): MetreModel {
  const long = examples.flatMap((example, i) =>
    example.accents.values.length >= FEWEST_BEATS * example.accents.kinds.length
      ? [{ ...example, share: importance[i]! }]
      : [],
  )
  const places: Record<number, Rows> = {}
  for (const metre of PLACED) {
    const rows = long
      .filter(({ beatsPerBar }) => beatsPerBar === metre)
      .flatMap((example) => {
        const beats = beatsOf(example.accents)
        return beats.map((input, b) => ({
          input,
          answer: placeOf(b, example),
          share: example.share / beats.length,
        }))
      })
    places[metre] = fitLogistic(rows, metre, 1e-3)
  }
  const firstBeat = fitLogistic(
    long.flatMap((example) => {
      const beats = beatsOf(example.accents)
      const answers = beats.map((_, b) => (placeOf(b, example) === 0 ? 0 : 1))
      const firsts = answers.filter((answer) => answer === 0).length
      return beats.map((input, b) => {
        const alike = answers[b] === 0 ? firsts : beats.length - firsts
        return { input, answer: answers[b]!, share: (example.share * 0.5) / alike }
      })
    }),
    2,
    1e-3,
  )
  const accents = long[0]!.accents.kinds.join(' ')
  const named = long.map((piece) =>
    metreTraits(piece.accents, piece.bpm, { accents, places, firstBeat }),
  )
  const traits = named.map((row) => Object.values(row))
  const { mean, deviation } = moments(traits, traits[0]!.length)
  const weights = fitLogistic(
    long.map(({ metre, share }, i) => ({
      input: traits[i]!.map((value, t) => (value - mean[t]!) / deviation[t]!),
      answer: METRES.indexOf(metre),
      share,
    })),
    METRES.length,
    3e-3,
  )
  return {
    accents,
    places,
    firstBeat,
    traits: Object.keys(named[0]!).join(' '),
    mean,
    deviation,
    metres: METRES,
    weights,
  }
}

function beatsOf({ values, kinds }: Accents): number[][] {
  const width = kinds.length
  return Array.from({ length: values.length / width }, (_, b) => [
    ...values.subarray(b * width, (b + 1) * width),
  ])
}

function placeOf(beat: number, { downbeat, beatsPerBar }: MetreExample): number {
  return (((beat - downbeat) % beatsPerBar) + beatsPerBar) % beatsPerBar
}
