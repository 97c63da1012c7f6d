import type { CalibrationTable } from './statistics.ts'

/**
 * What certainties are worth: the share right on made music of 78 families that the network had not
 * heard, by test/programs/trainers/rhythm-network.ts.
 */
export const RHYTHM_CONFIDENCE: Readonly<
  Record<'tempo' | 'beat' | 'bar' | 'metre', CalibrationTable>
> = Object.freeze({
  tempo: [
    [0, 0.05],
    [0.3, 0.41],
    [0.99, 0.63],
    [1.58, 0.74],
    [2.07, 0.9],
    [2.46, 0.96],
    [2.65, 0.98],
    [2.9, 0.99],
    [3.35, 0.99],
  ],
  beat: [
    [-0.96, 0.05],
    [-0.07, 0.7],
    [1.03, 0.74],
    [1.53, 0.81],
    [1.93, 0.85],
    [2.32, 0.9],
    [2.79, 0.95],
    [3.42, 0.96],
    [4.46, 0.98],
    [8, 0.98],
  ],
  bar: [
    [-20, 0.1],
    [-5.41, 0.36],
    [3.64, 0.44],
    [9.95, 0.55],
    [18.43, 0.66],
    [28.19, 0.68],
    [41.69, 0.74],
    [64.79, 0.82],
    [109.48, 0.98],
  ],
  metre: [
    [-1, 0.2],
    [20.1, 0.73],
    [53.41, 0.94],
    [95.61, 0.95],
    [131.33, 0.98],
    [181.89, 0.99],
    [254.86, 0.99],
    [332.12, 0.99],
    [451.9, 0.99],
  ],
})
