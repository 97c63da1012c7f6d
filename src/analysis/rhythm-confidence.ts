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
    [0.22, 0.46],
    [0.7, 0.62],
    [1.21, 0.79],
    [1.62, 0.89],
    [2.02, 0.9],
    [2.41, 0.94],
    [2.76, 0.97],
    [3.25, 0.99],
  ],
  beat: [
    [-0.31, 0.05],
    [0.95, 0.76],
    [1.45, 0.83],
    [1.82, 0.89],
    [2.11, 0.94],
    [2.42, 0.97],
    [2.79, 0.98],
    [3.63, 0.99],
    [8, 0.99],
  ],
  bar: [
    [-60, 0.1],
    [-6.25, 0.42],
    [28.94, 0.59],
    [57.16, 0.71],
    [87.66, 0.73],
    [121.26, 0.76],
    [160.14, 0.79],
    [206.07, 0.81],
    [278.19, 0.88],
  ],
  metre: [
    [-1, 0.2],
    [21.87, 0.7],
    [71.54, 0.88],
    [112.92, 0.97],
    [154.71, 0.97],
    [205.14, 0.97],
    [270.07, 0.98],
    [357.69, 0.99],
    [518.78, 0.99],
  ],
})
