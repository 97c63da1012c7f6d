/**
 * What scores of the network mean: confidences are logistic functions of weighted scores. They were
 * set on made songs and recorded instrumentals; test/programs/evaluate/README.md says on which.
 */
export const CALIBRATION = {
  /** Of a patch: someone sings or raps. */
  voice: { singing: 1.5, speech: 0.5, shift: 14 },
  /** Of a patch: someone speaks, rather than sings to music. */
  speech: { over: 0.6, scale: 1, shift: 2 },
  /** Of a patch: an audience claps. */
  applause: { scale: 1.5, shift: 9.4 },
  /** Of the whole: someone sings; of logarithms of mean probabilities. */
  sung: { singing: 1.55, speech: 0.6, shift: 13.9 },
  /** Of the whole: nearly all is spoken. */
  spoken: { scale: 0.8, shift: -4.2 },
  /** Of the whole: there is an audience. */
  audience: { scale: 1.2, shift: 8.2 },
  /** Of the whole: an instrument plays; of the logarithm of the mean probability. */
  instrument: { scale: 1.2, shift: 3.6 },
} as const
