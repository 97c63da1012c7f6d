import type { CalibrationTable } from '../statistics.ts'
import type { Reference } from './measures.ts'

// By test/programs/trainers/summary-scales.ts, whose README has the figures.

/**
 * What is usual: each measure's median over the reference pieces, and half of the distance from its
 * 16 to its 84 %. They are 154 freely licensed pieces of music of games, of 30 Debian packages, 60 s of each,
 * with the loudness of published records, in the order of their own.
 */
export const REFERENCE: Reference = Object.freeze({
  loudness: { middle: -7.9, deviation: 3.8 },
  range: { middle: 5.98, deviation: 2.8 },
  brightness: { middle: 37.5, deviation: 73 },
  entropy: { middle: 2.1, deviation: 0.22 },
  tonality: { middle: -2.01, deviation: 0.89 },
  flatnessSpread: { middle: 26.6, deviation: 13 },
  rate: { middle: 4.85, deviation: 1.3 },
  accent: { middle: 3.64, deviation: 2.3 },
  attack: { middle: -3.2, deviation: 0.41 },
  mode: { middle: 0, deviation: 1 },
  tempoDistance: { middle: 0.26, deviation: 0.21 },
  unevenness: { middle: -4.38, deviation: 0.72 },
})

/**
 * The values of sums: quantiles of the reference pieces get the published ones of 9,779 tracks. From 0.33 on
 * speechiness is the chance of speech where one recording in twenty is, by a logistic fit to 54 recordings
 * of 54 speakers and the pieces.
 */
export const SCALES: Readonly<
  Record<'energy' | 'danceability' | 'valence' | 'acousticness' | 'speechiness', CalibrationTable>
> = Object.freeze({
  energy: [
    [-18, 0],
    [-7.5, 0.14],
    [-5.3, 0.28],
    [-2.7, 0.49],
    [-1.2, 0.66],
    [2, 0.81],
    [5.4, 0.93],
    [6.1, 0.97],
    [18, 1],
  ],
  danceability: [
    [-15, 0],
    [-4.1, 0.24],
    [-3.4, 0.34],
    [-1.8, 0.51],
    [0, 0.62],
    [1.9, 0.73],
    [4.5, 0.84],
    [5.9, 0.92],
    [15, 1],
  ],
  valence: [
    [-13, 0],
    [-4.8, 0.11],
    [-4, 0.21],
    [-1.9, 0.46],
    [0, 0.66],
    [1.7, 0.82],
    [3.3, 0.96],
    [4.7, 0.97],
    [13, 1],
  ],
  acousticness: [
    [-12, 0],
    [-3.2, 0.0005],
    [-2.4, 0.002],
    [-0.6, 0.04],
    [0.5, 0.18],
    [1.9, 0.51],
    [3, 0.91],
    [4.3, 0.98],
    [12, 1],
  ],
  speechiness: [
    [-9, 0.02],
    [-2.1, 0.025],
    [-1.4, 0.028],
    [-0.4, 0.034],
    [0.5, 0.044],
    [1.4, 0.068],
    [2.7, 0.21],
    [4.7, 0.33],
    [5, 0.5],
    [5.3, 0.66],
    [5.9, 0.9],
    [6.3, 0.97],
    [9, 1],
  ],
})
