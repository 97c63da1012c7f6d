import type { CalibrationTable } from './statistics.ts'

/**
 * What certainties are worth: the share right on made music of families that the network had not heard, by
 * test/programs/trainers/rhythm-network.ts.
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
    [1.02, 0.49],
    [32.39, 0.6],
    [55.59, 0.7],
    [80.63, 0.76],
    [109.11, 0.79],
    [146.76, 0.82],
    [196.32, 0.85],
    [270.89, 0.97],
  ],
  metre: [
    [-1, 0.2],
    [29.33, 0.74],
    [72.72, 0.81],
    [111.79, 0.89],
    [151.59, 0.92],
    [207.55, 0.92],
    [266.2, 0.95],
    [365.11, 0.99],
    [498.4, 0.99],
  ],
})
