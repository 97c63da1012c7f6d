import type { CalibrationTable } from '../statistics.ts'
import type { MeasureReference } from './measures.ts'

// By test/programs/trainers/summary-scales.ts, whose README has the figures.

/**
 * Each measure's median over the reference pieces, and half of the distance from its 16 to its 84
 * %.
 */
export const REFERENCE: MeasureReference = Object.freeze({
  loudness: { middle: -7.9, deviation: 3.8 },
  range: { middle: 5.58, deviation: 2.8 },
  brightness: { middle: 46.9, deviation: 72 },
  entropy: { middle: 2.04, deviation: 0.2 },
  tonality: { middle: -1.83, deviation: 0.73 },
  flatnessSpread: { middle: 27.2, deviation: 11 },
  rate: { middle: 4.85, deviation: 1.4 },
  accent: { middle: 3.6, deviation: 1.8 },
  attack: { middle: -3.27, deviation: 0.38 },
  mode: { middle: 0, deviation: 1 },
  tempoDistance: { middle: 0.26, deviation: 0.21 },
  unevenness: { middle: -4.67, deviation: 0.33 },
})

/**
 * The values of weighted sums: quantiles of the reference pieces get published ones; speechiness
 * from 0.33 on is a logistic fit.
 */
export const SCALES: Readonly<
  Record<'energy' | 'danceability' | 'valence' | 'acousticness' | 'speechiness', CalibrationTable>
> = Object.freeze({
  energy: [
    [-18, 0],
    [-8.6, 0.14],
    [-6.5, 0.28],
    [-3.1, 0.49],
    [-0.6, 0.66],
    [2.4, 0.81],
    [5.3, 0.93],
    [6.2, 0.97],
    [18, 1],
  ],
  danceability: [
    [-15, 0],
    [-5.7, 0.24],
    [-4.4, 0.34],
    [-1.6, 0.51],
    [0.4, 0.62],
    [2.1, 0.73],
    [4.4, 0.84],
    [5.5, 0.92],
    [15, 1],
  ],
  valence: [
    [-13, 0],
    [-5.3, 0.11],
    [-4, 0.21],
    [-1.8, 0.46],
    [-0.2, 0.66],
    [1.8, 0.82],
    [3.8, 0.96],
    [5.2, 0.97],
    [13, 1],
  ],
  acousticness: [
    [-12, 0],
    [-2.9, 0.0005],
    [-2.4, 0.002],
    [-0.9, 0.04],
    [0.7, 0.18],
    [2.2, 0.51],
    [4, 0.91],
    [5.5, 0.98],
    [12, 1],
  ],
  speechiness: [
    [-9, 0.02],
    [-2.4, 0.025],
    [-1.8, 0.028],
    [-0.5, 0.034],
    [0.4, 0.044],
    [1.4, 0.068],
    [3, 0.21],
    [6.5, 0.33],
    [6.7, 0.5],
    [6.9, 0.66],
    [7.4, 0.9],
    [7.8, 0.97],
    [9, 1],
  ],
})
