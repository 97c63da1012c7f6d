import { type CalibrationTable, calibrated } from '../statistics.ts'
import type { Measures, Reference } from './measures.ts'
import { REFERENCE } from './reference.ts'

/** A value of the summary: a weighted sum of measures, brought to 0…1. */
export interface Definition {
  /** Whole numbers, chosen by reason, not fitted; a negative one where a measure lowers the value. */
  readonly weights: { readonly [K in keyof Measures]?: number }
  /** The value of a sum. Its quantiles over the reference pieces get the published quantiles. */
  readonly scale: CalibrationTable
}

/** Deviations that a measure counts at most: what is rare counts little more than what is unusual. */
const FARTHEST = 3

/** The value that a definition gives to a document. */
export function scored(measures: Measures, { weights, scale }: Definition): number {
  return calibrated(weigh(measures, weights), scale)
}

/** The weighted sum of measures, each in deviations from its middle over the reference pieces. */
export function weigh(
  measures: Measures,
  weights: Definition['weights'],
  reference: Reference = REFERENCE,
): number {
  let sum = 0
  for (const [name, weight] of Object.entries(weights) as [keyof Measures, number][]) {
    const { middle, deviation } = reference[name]
    const standing = (measures[name] - middle) / deviation
    sum += weight * FARTHEST * Math.tanh(standing / FARTHEST)
  }
  return sum
}
