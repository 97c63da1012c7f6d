/**
 * The version of the analyser, and the constants of its stages, each with its source or reason.
 * Whatever changes a result changes the version, so that stored analyses can be told apart.
 * (The rhythm stages keep theirs in rhythm-constants.ts.)
 */
export const ANALYZER_VERSION: string = '1.4.0'

/** All features but loudness are taken at the published format's own rate. */
export const ANALYSIS_RATE = 22_050

/** ITU-R BS.1770-4 and EBU R 128. */
export const LOUDNESS = Object.freeze({
  /** Seconds between blocks; blocks of 400 ms overlap by 75 %. */
  step: 0.1,
  stepsPerBlock: 4,
  /** Blocks quieter than this never count, LUFS. */
  absoluteGate: -70,
  /** Nor do blocks this far below the mean of the others, LU. */
  relativeGate: -10,
  /** Offset that makes a full-scale 997 Hz sine in one channel read -3.01 LUFS. */
  offset: -0.691,
  /** The published documents' floor for every loudness, dB. */
  floor: -60,
})

/** Levels of Bark bands, 100 frames a second. */
export const LEVELS = Object.freeze({
  bands: 24,
  /** dB; levels below are digital silence. So low that no gain lifts music over it. */
  floor: -150,
})

/** Spectral peaks for pitch, as key estimation from HPCPs needs them (Gómez 2006). */
export const PEAKS = Object.freeze({
  /** A quarter of ANALYSIS_RATE: no pitch is read above 1.5 kHz. */
  rate: 5_512.5,
  /** 0.37 s: tells semitones apart from about 130 Hz up. */
  size: 2_048,
  /** 46 ms. Repeats of a loop differ in their pitches by half of what they do at 93 ms. */
  hop: 256,
  /** Hz. Above 1.5 kHz overtones outnumber fundamentals: 1.5 v 3.5 kHz gained 5 of 50 keys. */
  lowest: 55,
  highest: 1_500,
  /** A peak counts from this part of its frame's highest, -50 dB. */
  relativeFloor: 0.003,
  /** Most peaks kept of a frame; the strongest. */
  most: 32,
  /** Magnitude under which a frame is digital silence. */
  silence: 1e-5,
})

export const CHROMA = Object.freeze({
  /** A peak may be an overtone: it also counts for f/2 … f/harmonics, by decay a step. */
  harmonics: 5,
  decay: 0.6,
  /** Frames so far below the loudest of a track have no pitch, dB. */
  range: 70,
})

export const KEY = Object.freeze({
  /** Spread of the classes about their mean that counts as pitch: noise has 0.1, music 0.4 to 1. */
  contrast: 0.25,
  /** How much a section's key leans on the whole track's. */
  trackShare: 0.5,
  /** Margin of correlation over which the odds of being wrong fall by e. */
  sureMargin: 0.1,
})

type Profile = readonly number[]

/** Weight of each scale degree from the tonic up, as [minor, major]. */
export const KEY_PROFILES: readonly (readonly [minor: Profile, major: Profile])[] = Object.freeze([
  // Sha'ath, "Estimation of key in digital music recordings" (2011), the KeyFinder profiles.
  [
    [6.5, 2.7, 3.5, 5.4, 2.6, 3.5, 2.5, 5.2, 4, 2.7, 4.3, 3.2],
    [6.6, 2, 3.5, 2.3, 4.6, 4, 2.5, 5.2, 2.4, 3.7, 2.3, 3.4],
  ],
  // Albrecht & Shanahan, "The use of large corpora to train a new type of key-finding algorithm",
  // Music Perception 31 (2013).
  [
    [0.22, 0.006, 0.104, 0.123, 0.019, 0.103, 0.012, 0.214, 0.062, 0.022, 0.061, 0.052],
    [0.238, 0.006, 0.111, 0.006, 0.137, 0.094, 0.016, 0.214, 0.009, 0.08, 0.008, 0.081],
  ],
])

export const TIMBRE = Object.freeze({
  /** Bands further below a segment's loudest count as if they lay there, dB. */
  range: 60,
  /** A segment nowhere louder than this is silence, dB: 16-bit dither lies at about -107 a band. */
  inaudible: -110,
  /** What the published documents give for digital silence. */
  silence: Object.freeze([
    0, 171.13, 9.469, -28.48, 57.491, -50.067, 14.833, 5.359, -27.228, 0.973, -10.64, -7.228,
  ]),
  /** In the published documents c1 is loudness_max + 58; our mean lies 1.6 dB under the max. */
  loudnessOffset: 60,
})

export const SEGMENTS = Object.freeze({
  /** Novelty peaks so long after the onset, seconds: the median over 6,000 notes was 10.8 ms. */
  lateness: 0.0105,
  /** Onsets closer than this are one, seconds. */
  shortest: 0.08,
  /** A longer segment is cut where its spectrum changes most, if it is not silence, seconds. */
  longest: 2,
  /** No such cut nearer than this to an end, seconds. */
  margin: 0.25,
  /** Seconds before and after, between which a change is taken. */
  changeReach: 0.08,
  /** Such cuts are less sure than onsets; a change of so many dB a band gives 1 - 1/e of this. */
  changeConfidence: 0.3,
  sureChange: 6,
  /**
   * Onset strength that gives a confidence of 1 - 1/e. Of 6,500 onsets in clean recordings 91 % of
   * the weakest tenth were true and 99 % of the others; noisy ones have more false than these.
   */
  sureStrength: 1.5,
})

export const FADES = Object.freeze({
  /** Seconds over which a level is taken, and of the running median over levels. */
  step: 0.1,
  smoothing: 1,
  /** The music's level: this share of the steps is quieter. */
  levelShare: 0.6,
  /** A fade begins where the level was last within so many dB of it, … */
  near: 3,
  /** … falls below it by so many, … */
  depth: 15,
  /** … for so long at least, seconds, … */
  shortest: 2,
  /** … so steadily: dB a second, and share of variance explained by a line. */
  slope: 1,
  straightness: 0.75,
  /** Quieter than the music's level by this is silence before or after it, dB. */
  silence: 45,
})

export const RHYTHMSTRING = Object.freeze({
  rate: 11_025,
  hop: 32,
  bands: 8,
  /** A band's level rises by so many dB within 20 ms at an onset … */
  rise: 6,
  /** … from no lower than this, dB. */
  floor: -80,
  /** Seconds from one onset of a band to the next at least. */
  apart: 0.1,
})

export const STRUCTURE = Object.freeze({
  /** Most units of a track: 1,500 beats are 12 minutes; the squares of it are held, 9 MB each. */
  mostUnits: 1_500,
  /** With fewer beats, units are even steps of so many seconds. */
  fewestBeats: 8,
  step: 0.5,
  /** No boundary nearer than this to an end, seconds. */
  edge: 0.05,
  /** Levels further below the loudest moment count as if they lay there, dB. */
  range: 70,
  /** Seconds along a diagonal that two places must be alike for a repetition. */
  diagonal: 2,
  /** Share of a track's units that each may be linked to. */
  neighbours: 0.06,
  /** Deviation of the smoothing of the time-lag image, seconds. */
  smoothing: 2,
  /**
   * What a standard deviation of each curve counts. Searched as test/programs/trainers/section-constants.ts
   * does, on 15 labelled clips and 79 pieces made in code, the clips together counting as much, by the
   * mean of a setting and its neighbours, so that no lucky point wins; then rounded to where all is
   * well. F within 3 s and 0.5 s is 0.80, 0.69 on the clips; on 105 pieces made since 0.72, 0.58. Five
   * folds, each searched without its clips and pieces: 0.62, 0.54 and 0.70, 0.59.
   */
  weights: Object.freeze({
    timbre8: 0.15,
    timbre16: 0.25,
    level: 0.15,
    repetition: 0.6,
    harmony: 0.25,
    downbeat: 0.6,
  }),
})

/** Chosen with STRUCTURE's weights. */
export const SECTIONS = Object.freeze({
  /** What a boundary must earn. */
  cost: 3.2,
  /** The usual length in seconds (medians of published documents: 12, 17, 23), … */
  length: 13,
  /** … and what a squared octave off it costs. */
  lengthWeight: 2.3,
  /** What a multiple of four and of eight bars earn, within so many bars. */
  fourWeight: 1.1,
  eightWeight: 0.55,
  tolerance: 0.4,
  /** Seconds; the first and the last section may be shorter. */
  shortest: 5,
  shortestOuter: 2,
  longest: 120,
  /** Evidence at which a boundary is as likely right as wrong (359 boundaries, within 0.5 s). */
  doubt: 1.5,
})

/**
 * Energy and danceability: each part's mean and deviation over assorted music, and its weight
 * (spec: loudness counts most for energy). The curves give the published values' median and
 * quartiles: energy 0.49, 0.66, 0.81; danceability 0.51, 0.62, 0.73 (9,779 tracks).
 */
export const SUMMARY = Object.freeze({
  energy: Object.freeze({
    parts: Object.freeze({
      loudness: { mean: -11, deviation: 5, weight: 0.6 },
      rate: { mean: 4, deviation: 1.5, weight: 0.3 },
      brightness: { mean: 40, deviation: 60, weight: 0.3 },
      spread: { mean: 7.5, deviation: 3, weight: -0.2 },
    }),
    curve: { median: 0.66, slope: 1.4 },
  }),
  danceability: Object.freeze({
    parts: Object.freeze({
      contrast: { mean: 0.79, deviation: 0.09, weight: 0.4 },
      bass: { mean: 0.8, deviation: 0.1, weight: 0.3 },
      unevenness: { mean: 0.026, deviation: 0.015, weight: -0.4 },
      tempo: { mean: 0.78, deviation: 0.25, weight: 0.4 },
    }),
    curve: { median: 0.49, slope: 0.9 },
    tempoCentre: 115,
    /** Octaves. */
    tempoWidth: 0.45,
    fewestBeats: 4,
    /** Novelty peaks so long after the beat, seconds. */
    lateness: 0.01,
  }),
})

/** What sounds are compared by (descriptor.ts, sound-distance.ts). */
export const DESCRIPTOR = Object.freeze({
  /** Of stored descriptors: those of another one are not comparable, and are made anew. */
  version: '1',
  /** Segments quieter than this say nothing of a sound, dB; longer ones count as so many seconds. */
  leastLoudness: -50,
  longest: 2,
  /** Variance that is added to every timbre, and to every share of an interval (in hundredths). */
  timbreNoise: 5,
  intervalNoise: 0.05,
  /** Places in a beat at which onsets are counted, in so many bands. */
  places: 12,
  bands: 4,
  /** A second; keeps the logarithm of no onsets near that of few. */
  fewestOnsets: 0.05,
})

/**
 * What each part of a descriptor counts in a distance, and its deviation over pairs of assorted
 * music. Chosen on 187 tracks of 12 kinds and measured on 165 of seven others; all weights around
 * these do as well, within 2 points of the 5 nearest.
 */
export const SOUND_DISTANCE = Object.freeze({
  timbre: { weight: 1, deviation: 0.29 },
  change: { weight: 0.5, deviation: 0.29 },
  harmony: { weight: 0.5, deviation: 0.28 },
  pattern: { weight: 0.3, deviation: 0.79 },
  density: { weight: 0.3, deviation: 1.4 },
  tempo: { weight: 0.2, deviation: 0.15 },
  /** Octaves: what double tempo counts as, and the most that counts. */
  octave: 0.1,
  mostOctaves: 0.5,
})
