import type { CalibrationTable } from '../../../src/analysis/statistics.ts'

/**
 * What certainties are worth: the share right on made music of 15 families that the network had not
 * heard, by test/programs/trainers/rhythm-network.ts.
 */
export const RHYTHM_CONFIDENCE: Readonly<
  Record<'tempo' | 'beat' | 'bar' | 'metre', CalibrationTable>
> = Object.freeze({
  tempo: [
    [-4, 0.05],
    [1.09, 0.487],
    [2.201, 0.852],
    [3.99, 0.852],
    [4.831, 0.852],
    [5.248, 0.884],
    [5.686, 0.957],
    [6.234, 0.972],
    [6.988, 0.99],
  ],
  beat: [
    [-4, 0.05],
    [0.803, 0.72],
    [1.463, 0.845],
    [1.858, 0.897],
    [2.152, 0.928],
    [2.369, 0.928],
    [2.597, 0.928],
    [2.895, 0.956],
    [3.508, 0.99],
    [8, 0.99],
  ],
  bar: [
    [-20, 0.1],
    [-2.653, 0.439],
    [2.564, 0.679],
    [8.036, 0.72],
    [13.619, 0.859],
    [20.895, 0.859],
    [31.99, 0.884],
    [47.626, 0.937],
    [74.74, 0.964],
    [80, 0.97],
  ],
  metre: [
    [-1, 0.2],
    [4.973, 0.46],
    [18.414, 0.725],
    [35.501, 0.881],
    [56.505, 0.99],
    [71.521, 0.99],
    [105.698, 0.99],
    [150.974, 0.99],
    [245.84, 0.99],
  ],
})
