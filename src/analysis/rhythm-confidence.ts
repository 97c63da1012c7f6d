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
    [1.93, 0.74],
    [2.63, 0.84],
    [2.95, 0.84],
    [3.33, 0.95],
    [3.55, 0.99],
    [3.82, 0.99],
    [4.25, 0.99],
  ],
  beat: [
    [-0.58, 0.05],
    [-0.23, 0.77],
    [0.63, 0.82],
    [1.06, 0.9],
    [1.36, 0.96],
    [1.6, 0.97],
    [1.85, 0.97],
    [2.22, 0.97],
    [3.49, 0.97],
    [8, 0.98],
  ],
  bar: [
    [-20, 0.1],
    [-4.35, 0.34],
    [25.98, 0.57],
    [57.44, 0.73],
    [97.74, 0.77],
    [138.51, 0.77],
    [176, 0.82],
    [213.73, 0.88],
    [271.81, 0.98],
  ],
  metre: [
    [-1, 0.2],
    [19.57, 0.59],
    [59.62, 0.96],
    [99.31, 0.99],
    [134.16, 0.99],
    [188.69, 0.99],
    [240.24, 0.99],
    [326.44, 0.99],
    [480.2, 0.99],
  ],
})
