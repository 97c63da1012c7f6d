/** Codes are compared within one family. The numbers stand in databases: never reuse one. */
export const FAMILIES = Object.freeze({
  /** System A as the old service made it, versions 3.13 and 3.15; times in ms. */
  enmfp: 1,
  /** System A, ours: version 3.15 on the wire with bit 30 of each key set; times in ms. */
  chroma: 2,
  /** Echoprint before its whitening, version 4.0; times in units of 23 ms. */
  echoprint40: 3,
  /** System B: Echoprint 4.11 and 4.12; times in units of 23 ms. */
  echoprint: 4,
  /** Triplets of spectral landmarks, ours: no version on the wire; times in frames of 46 ms. */
  triplets: 5,
} as const)

export type Family = keyof typeof FAMILIES

/**
 * Constants of Echoprint 4.12 (spotify/echoprint-codegen, MIT); none may change, as codes exist.
 */
export const ECHOPRINT_SYSTEM = Object.freeze({
  /** Hertz, mono. */
  sampleRate: 11_025,
  bands: 8,
  /** Samples of one frame, in which onsets are counted: 2.9 ms. */
  frame: 32,
  /** Milliseconds of one unit of a code's time. */
  timeUnit: 23,
  /** Five hexadecimal digits, 6.7 hours. */
  lastTime: 0xfffff,
  /** They end every band of every recording, and so tell nothing. */
  stopCodes: Object.freeze([
    732_748, 66_747, 907_455, 1_026_159, 707_586, 755_198, 412_470, 809_256,
  ]) as readonly number[],
})

/** They must not change once a database holds codes. */
export const LANDMARK_SYSTEM = Object.freeze({
  /** How peaks are found. Frequencies in bins of the transform, times in frames. */
  peaks: Object.freeze({
    /** 186 ms tell tones from noise and echoes best. */
    size: 2_048,
    hop: 512,
    /** Bins that can hold a peak, `highest` excluded: 270 to 3,450 Hz. */
    lowest: 50,
    highest: 640,
    /** A peak is the largest value in so many frames and bins to either side. */
    frames: 3,
    bins: 12,
    /** Bins to either side, in the same frames, whose mean a peak is measured against. */
    surroundings: 64,
    /** The weight of a peak's loudness over pink noise; its rise over its surroundings counts 1. */
    loudness: 0.12,
  }),
  /** Frames a second of sound at 11,025 Hz: the unit of the codes' times is 46 ms. */
  secondFrames: ECHOPRINT_SYSTEM.sampleRate / 512,
  perSecond: 30,
})

export const UNITS_PER_SECOND: Readonly<Record<Family, number>> = Object.freeze({
  enmfp: 1000,
  chroma: 1000,
  echoprint40: 1000 / ECHOPRINT_SYSTEM.timeUnit,
  echoprint: 1000 / ECHOPRINT_SYSTEM.timeUnit,
  triplets: LANDMARK_SYSTEM.secondFrames,
})

/** They must not change once a database holds codes. */
export const TRIPLET_SYSTEM = Object.freeze({
  /** About 11 codes a second. */
  song: Object.freeze({ perSecond: 6, targets: 3, pairs: 2, border: 0 }),
  /** Frames between two landmarks, the first and third at least `shortest`; octaves at most. */
  zone: Object.freeze({ nearest: 2, shortest: 12, farthest: 36, sparse: 108, octaves: 1 }),
  /** Octaves, a share of the time from the first to the third, octaves, doublings of that time. */
  steps: Object.freeze({ interval: 0.025, place: 0.1, pitch: 0.04, span: 0.1 }),
  /** The step of the lowest landmark, so that pitches below it have one too. */
  lowestPitch: 4,
  /** The bits of the parts of a code, the highest part first: 30 bits. */
  bits: Object.freeze({ second: 7, third: 7, place: 4, pitch: 7, span: 5 }),
})

/** The version of what is stored of a recording: codes of another one are not comparable. */
export const FINGERPRINT_VERSION = '2'

/** With the book of shapes these decide every code. */
export const CHROMA_SYSTEM = Object.freeze({
  size: 1024,
  symbolBits: 10,
  /** Set in every key of ours. */
  mark: 2 ** 30,
  /** Milliseconds. */
  timeStep: 32,
  /** dB; segments below are silence. */
  leastLoudness: -50,
})
