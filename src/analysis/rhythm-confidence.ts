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
    [0.303, 0.411],
    [0.989, 0.631],
    [1.584, 0.738],
    [2.072, 0.901],
    [2.456, 0.961],
    [2.652, 0.98],
    [2.899, 0.988],
    [3.35, 0.99],
  ],
  beat: [
    [-0.963, 0.05],
    [-0.076, 0.698],
    [1.03, 0.737],
    [1.533, 0.814],
    [1.927, 0.849],
    [2.324, 0.903],
    [2.794, 0.953],
    [3.422, 0.957],
    [4.461, 0.981],
    [8, 0.981],
  ],
  bar: [
    [-20, 0.1],
    [-5.4, 0.362],
    [3.643, 0.443],
    [9.947, 0.55],
    [18.43, 0.659],
    [28.191, 0.684],
    [41.689, 0.744],
    [64.787, 0.819],
    [109.478, 0.982],
  ],
  metre: [
    [-1, 0.2],
    [20.096, 0.733],
    [53.413, 0.936],
    [95.615, 0.955],
    [131.33, 0.979],
    [181.889, 0.99],
    [254.855, 0.99],
    [332.121, 0.99],
    [451.897, 0.99],
  ],
})
