import type { Rules } from './match.ts'

/**
 * The families of codes. Codes of one family are compared with each other and with no others. The
 * numbers stand in databases: never reuse one.
 */
export const FAMILIES = Object.freeze({
  /** System A as the old service made it, versions 3.13 and 3.15; times in ms. */
  enmfp: 1,
  /** System A, ours: version 3.15 on the wire with bit 30 of each key set; times in ms. */
  chroma: 2,
  /** Echoprint before its whitening, version 4.0; times in units of 23 ms. */
  echoprint40: 3,
  /** System B: Echoprint 4.11 and 4.12; times in units of 23 ms. */
  echoprint: 4,
  /** Spectral landmarks, ours: no version on the wire. */
  landmarks: 5,
} as const)

/** The name of a family of codes. */
export type Family = keyof typeof FAMILIES

/**
 * Echoprint 4.12 as spotify/echoprint-codegen published it (MIT), what others need to know of it.
 * The stages name their own constants; all are frozen by the codes that exist.
 */
export const ECHOPRINT = Object.freeze({
  /** The version that goes with a code string. */
  version: '4.12',
  /** Hertz, mono. */
  sampleRate: 11_025,
  bands: 8,
  /** Samples of one frame, in which onsets are counted: 2.9 ms. */
  frame: 32,
  /** Milliseconds of one unit of a code's time. */
  timeUnit: 23,
  /** A code string has five hexadecimal digits for a time: 6.7 hours. Sound after that has no codes. */
  lastTime: 0xfffff,
  /**
   * The codes that stand for no pair of gaps, one for each band. They end the codes of every band of
   * every recording, eight times each, and so tell nothing: leave them out of indexes and queries.
   */
  stopCodes: Object.freeze([
    732_748, 66_747, 907_455, 1_026_159, 707_586, 755_198, 412_470, 809_256,
  ]) as readonly number[],
})

/**
 * Spectral landmarks: all that decides their codes. Frozen once a database holds some. Chosen by
 * measurement on freely licensed music degraded by codecs, noise, rooms and speed.
 */
export const LANDMARKS = Object.freeze({
  /** Hertz, mono. */
  sampleRate: 11_025,
  /** See PeakRules; 186 ms long frames tell tones from noise and echoes best. 270 to 3,450 Hz. */
  peaks: Object.freeze({
    size: 2_048,
    hop: 512,
    lowest: 50,
    highest: 640,
    frames: 3,
    bins: 12,
    surroundings: 64,
    loudness: 0.12,
  }),
  /** Frames a second: the unit of the codes' times is 46 ms. */
  secondFrames: 11_025 / 512,
  /** The most salient peaks of a second that are kept. */
  perSecond: 30,
  /** How many of them a song's codes use, and with how many others each is paired: 10 codes/s. */
  song: Object.freeze({ perSecond: 6, fanOut: 2, border: 0 }),
  /** Pairs are so many frames and less than so many bins apart. */
  zone: Object.freeze({ nearest: 1, farthest: 24, span: 128 }),
  /** Bins of the first peak's frequency, bins between the two, frames between them. */
  steps: Object.freeze({ frequency: 4, interval: 2, gap: 1 }),
  /** A code is these three, the first the highest: 20 bits. */
  bits: Object.freeze({ frequency: 8, interval: 7, gap: 5 }),
})

/** How many of a query's landmarks become codes, and how far from a step's border both are tried. */
export interface Breadth {
  readonly perSecond: number
  readonly fanOut: number
  /** As a share of a step. */
  readonly border: number
}

/** The breadths at which landmarks are looked up: a query of good quality needs no more than the first. */
export const BREADTHS = Object.freeze({
  /** About 60 codes a second. */
  narrow: { perSecond: 9, fanOut: 8, border: 0 },
  /** About 470 codes a second. */
  broad: { perSecond: 20, fanOut: 30, border: 0.2 },
  /** At other playing speeds, where many are tried: about 140 codes a second. */
  shifted: { perSecond: 11, fanOut: 12, border: 0.2 },
}) satisfies Readonly<Record<string, Breadth>>

/** The version of what is stored of a recording: codes of another one are not comparable. */
export const FINGERPRINT_VERSION = '1'

/**
 * Playing speeds that are tried when a recording is not known as it is, the likeliest first: ±5 % in
 * steps of half a percent, to which the steps of landmarks are just blind.
 */
export const RATES: readonly number[] = Array.from({ length: 10 }, (_, i) => [
  1 + 0.005 * (i + 1),
  1 - 0.005 * (i + 1),
]).flat()

const rules = {
  passes: [250, 500],
  budget: 2_000_000,
  stop: 1,
  bin: 2,
  shortlist: 30,
  rates: [1],
  minimum: 10,
  floor: 12.3,
  growth: 0.5,
  share: 0.01,
  lead: 0.4,
}

/**
 * How queries of each family are matched. Echoprint's and landmarks' are calibrated on 2,178 queries
 * of music that an index of 88 recordings does not hold, many from the same composers and sample
 * libraries: at these floors landmarks name a wrong recording for none of them, Echoprint for 0.4 %.
 * Chance alone reaches scores of 3 in 10,000 songs; it is relatives that the floors keep out, and an
 * index holds the more of those the larger it is.
 */
export const RULES: Readonly<Record<Family, Rules>> = Object.freeze({
  enmfp: { ...rules, bin: 64 },
  // Of 605 queries whose own recording is not in an index of 110 songs, none is answered. Two
  // arrangements of one theme reach a score of 14, but only 0.7 % of the codes.
  chroma: { ...rules, bin: 64, floor: 8, share: 0.01 },
  echoprint40: { ...rules, stopCodes: ECHOPRINT.stopCodes },
  echoprint: { ...rules, stopCodes: ECHOPRINT.stopCodes },
  landmarks: {
    ...rules,
    passes: [1_000, 3_000],
    budget: 1_500_000,
    bin: 1,
    floor: 10,
    share: 0.0016,
  },
})

/**
 * Where there is sound, and landmarks do not know it, songs by other codes must score so many times
 * their rules'. Music of one tempo has many codes of Echoprint in common.
 */
export const BESIDE_LANDMARKS = 2.5

/**
 * A few landmarks of a query only save time: they answer where the answer is plain, by this floor
 * and this share of their codes.
 */
export const PLAIN = Object.freeze({ passes: [250, 500], floor: 11, share: 0.02 })

/** Where many playing speeds are tried, scores must be so many times their rules', and each be cheap. */
export const SHIFTED = Object.freeze({ strictness: 1.3, budget: 200_000 })

/**
 * Of a recording that is longer than this (in seconds), so long pieces are asked about; they lie at
 * these shares of what is left beside one.
 */
export const PIECES = Object.freeze({
  longest: 90,
  length: 60,
  at: Object.freeze([0.1, 0.5, 0.9]) as readonly number[],
})

/** System A, ours. The book of shapes is chroma-book.ts; with these it decides every code. */
export const CHROMA = Object.freeze({
  /** Shapes in the book, and the bits of a symbol. */
  size: 1024,
  symbolBits: 10,
  /** Set in every key of ours. */
  mark: 2 ** 30,
  /** Milliseconds. */
  timeStep: 32,
  /** dB; segments below are silence. */
  leastLoudness: -50,
})

/** How far queries of system A look around: see chromaProbes. Decides no stored code. */
export const CHROMA_PROBES = Object.freeze({
  /** Symbols of a segment at most. */
  symbols: 3,
  /** The others' shapes are at most so many times as far from the segment's as the nearest. */
  farther: 1.4,
  /** Keys of three segments at most. */
  keys: 8,
})
