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

/** Spectral landmarks: all that decides their codes. Frozen once a database holds some. */
export const LANDMARKS = {
  /** Hertz, mono. */
  sampleRate: 11_025,
  peaks: {
    size: 1_024,
    hop: 256,
    lowest: 25,
    highest: 320,
    frames: 6,
    bins: 8,
    surroundings: 32,
    least: 1e-4,
  },
  secondFrames: 43,
  perSecond: 30,
  song: { perSecond: 6, fanOut: 2 },
  excerpt: { perSecond: 20, fanOut: 30, border: 0.2 },
  zone: { nearest: 2, farthest: 48, span: 64 },
  steps: { frequency: 2, interval: 2, gap: 2 },
  bits: { frequency: 8, interval: 6, gap: 5 },
}

/** The version of what is stored of a recording: codes of another one are not comparable. */
export const FINGERPRINT_VERSION = '1'

/** Playing speeds that are tried when a recording is not known as it is. */
export const RATES: readonly number[] = [0.98, 1.02, 0.99, 1.01, 0.97, 1.03, 0.96, 1.04, 0.95, 1.05]

const rules = {
  passes: [250, 500],
  stop: 1,
  bin: 2,
  shortlist: 30,
  rates: [1],
  minimum: 10,
  floor: 10,
  growth: 1,
  share: 0.03,
  lead: 0.4,
}

/** How queries of each family are matched. Provisional. */
export const RULES: Readonly<Record<Family, Rules>> = {
  enmfp: { ...rules, bin: 64 },
  chroma: { ...rules, bin: 64 },
  echoprint40: rules,
  echoprint: rules,
  landmarks: rules,
}
