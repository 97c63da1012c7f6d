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
    [0.2, 0.44],
    [0.71, 0.61],
    [1.24, 0.74],
    [1.71, 0.88],
    [2.11, 0.91],
    [2.48, 0.94],
    [2.86, 0.96],
    [3.3, 0.98],
  ],
  beat: [
    [-1.3, 0.05],
    [-0.43, 0.61],
    [0.93, 0.74],
    [1.42, 0.82],
    [1.8, 0.89],
    [2.1, 0.93],
    [2.41, 0.97],
    [2.79, 0.98],
    [3.63, 0.99],
    [8, 0.99],
  ],
  bar: [
    [-60, 0.1],
    [-6.3, 0.42],
    [29.4, 0.59],
    [57.4, 0.7],
    [87.44, 0.72],
    [120.81, 0.75],
    [159.7, 0.79],
    [205.88, 0.81],
    [278.04, 0.87],
  ],
  metre: [
    [-1, 0.2],
    [22.9, 0.69],
    [72.75, 0.88],
    [115.11, 0.97],
    [157.43, 0.97],
    [209.48, 0.97],
    [274.32, 0.98],
    [361.8, 0.99],
    [520.55, 0.99],
  ],
})
