/**
 * The numbers of the rhythm stages, each with the reason for its value. Times are in seconds,
 * levels in dB, unless the name says otherwise.
 */

/** How the front end's magnitude spectra are spaced; shared with whoever makes them. */
export const SPECTRA = Object.freeze({
  sampleRate: 22_050,
  size: 1_024,
  hop: 220,
})

/** Frames per second of every novelty curve. */
export const FRAME_RATE = SPECTRA.sampleRate / SPECTRA.hop

export const NOVELTY = Object.freeze({
  /** Semitone bands, as SuperFlux has them; quarter tones changed beat F by less than 0.02. */
  bandsPerOctave: 12,
  lowest: 30,
  highest: 10_000,
  /** Frames back to the spectrum that a frame is compared with: an attack takes about 20 ms. */
  lag: 2,
  /** Bands on either side whose past counts too, so that vibrato is no onset (SuperFlux). */
  spread: 1,
  /** Upper edges in Hz of the low (kick, bass) and mid (snare body, chords) curves. */
  lowEdge: 180,
  midEdge: 2_000,
  /** The compression's knee lies so far below the loudest band of the surroundings. */
  kneeBelowPeak: 46,
  /** How far the surroundings reach on either side. */
  levelReach: 8,
  /** Peaks below this magnitude (about -74 dBFS) are not amplified further: that is dither. */
  quietest: 0.05,
  /** Coarse harmony: 25 values a second, from the range where bands are true semitones. */
  harmonyFrames: 4,
  harmonyFrom: 250,
  harmonyTo: 2_100,
})

/** Peak picking of note onsets (SuperFlux: 10, 50, 150, 0 and 30 ms). */
export const ONSETS = Object.freeze({
  maxBefore: 0.03,
  maxAfter: 0.03,
  meanBefore: 0.15,
  meanAfter: 0.07,
  apart: 0.03,
  /** A peak rises above the local mean by this share of the surroundings' RMS … */
  threshold: 0.4,
  /** … taken over so many seconds on either side … */
  reach: 5,
  /** … and by this much of novelty at least: about one band rising by 3 dB. */
  floor: 0.15,
})

/** From novelty to evidence of beats. */
export const EVIDENCE = Object.freeze({
  /** Gaussian over the curve, in frames. */
  smoothing: 1.5,
  meanReach: 0.4,
  deviationReach: 6,
  overallShare: 0.2,
  /** Probability of a beat at no salience, its rise per unit, and its ceiling. */
  least: 0.02,
  slope: 0.15,
  most: 0.95,
  /** The share of a beat in which evidence counts; as POINTER's. */
  beatZone: 1 / 16,
})

/** The beat pointer model (Krebs, Böck & Widmer 2015; their lambda is 100, their zone 1/16). */
export const POINTER = Object.freeze({
  beatZone: 1 / 16,
  stiffness: 100,
  slowest: 45,
  fastest: 220,
  /** Frames of arrivals kept before the older half is decided: 5.5 minutes. */
  window: 32_768,
})

/** Cutting beats into tatums. */
export const TATUMS = Object.freeze({
  divisions: [1, 2, 3, 4],
  /** Log prior a beat: two tatums a beat is the rule in recorded music. */
  prior: [-0.3, 0.2, -0.2, -0.2],
  /** Points a beat at which novelty is looked up: the least common multiple of the divisions. */
  grid: 12,
  /** Novelty peaks so many seconds after the note starts. */
  lateness: 0.01,
  tolerance: 0.025,
  levelReach: 4,
  /** A point counts at most this many times the typical novelty. */
  enough: 4,
  /** A division's point must have more than this times the typical novelty to pay. */
  expected: 1,
  /** Share of the novelty off the grid that a division pays for. */
  missed: 0.5,
  changeCost: 6,
  sureMargin: 8,
})

/** Tempo from beats. */
export const TEMPO = Object.freeze({
  /** Beats on either side of an interval that tell the tempo there. */
  reach: 6,
  /** Deviation, as a share of the tempo, at which a stretch of music weighs 0.6. */
  steadiness: 0.025,
  /** Rounds of weighing; the third moves less than 0.01 %. */
  rounds: 3,
  /** Deviation, as a share of the tempo, up to which a beat goes at it: tempi 4 % apart are two. */
  tolerance: 0.04,
})

/** The tempo of a section. */
export const SECTION_TEMPO = Object.freeze({
  /** Two bars of four: fewer do not tell a tempo from the unevenness of single beats, … */
  fewestBeats: 8,
  /** … and what the track says of them counts at most half. */
  ofFew: 0.5,
})

/** From a path of frames to beats. */
export const BEATS = Object.freeze({
  /** Before and after the music, what is so many dB quieter than its loudest moment is silence; … */
  range: 60,
  /** … and an attack may begin so many seconds before it is that loud. */
  attack: 0.1,
  /** A last beat that the end of the track cuts shorter than this share of a beat is none. */
  leastOfLast: 0.5,
  /** A beat may move so far to the strongest novelty. */
  snap: 0.02,
  /** How much surer than the rest a beat with an onset is, at most. */
  onsetShare: 0.3,
  /** RMS over mean of the novelty: as in noise, and as in music with clear onsets. */
  peakedness: { none: 1.08, clear: 1.2 },
  /** Novelty peaks so long after the note starts: 12 ms on notes whose starts are known. */
  lateness: 0.01,
})

/** Accents of beats. */
export const ACCENTS = Object.freeze({
  /** Beats on either side over which harmony is compared. */
  spans: [1, 2, 4],
  tolerance: 0.04,
  lateness: 0.01,
})

/** Bars over beats. */
export const METRE = Object.freeze({
  fewestBeats: 8,
  /** What is reported when there is nothing to tell by. */
  usual: 4,
  /** Metres whose fit is measured. */
  weighed: [2, 3, 4, 5, 6, 7],
  /** Beats after which accents, and accents of harmony, may come again. */
  lags: [1, 2, 3, 4, 5, 6, 7, 8],
  harmonyLags: [2, 3, 4, 5, 6, 7, 8],
  firstHarmonicKind: 6,
  middleTempo: 110,
  /** Bars on either side that vouch for a bar. */
  certaintyBars: 4,
  /** Bars over beats less sure than this are less sure in proportion. */
  doubtfulBeats: 0.4,
})

/** Which sequences of beats are weighed against each other. */
export const CANDIDATES = Object.freeze({
  /** Weights of the novelty curves, each first brought to mean 1. */
  weightings: [
    { low: 1, mid: 1, high: 1 },
    { low: 3, mid: 0.6, high: 0.4 },
    { low: 0, mid: 0, high: 1 },
  ],
  /** Runs of the pointer: index of the weighting, and the slowest tempo in BPM. */
  searches: [
    { weighting: 0, slowest: 45 },
    { weighting: 0, slowest: 105 },
    { weighting: 1, slowest: 45 },
    { weighting: 2, slowest: 45 },
  ],
  /** Cut each beat in so many parts and keep every so manyth point, beginning with `from`. */
  relations: [
    { cut: 1, keep: 1, from: 0 },
    { cut: 2, keep: 2, from: 1 },
    { cut: 2, keep: 1, from: 0 },
    { cut: 1, keep: 2, from: 0 },
    { cut: 1, keep: 2, from: 1 },
    { cut: 3, keep: 1, from: 0 },
    { cut: 1, keep: 3, from: 0 },
    { cut: 1, keep: 3, from: 1 },
    { cut: 1, keep: 3, from: 2 },
    { cut: 2, keep: 3, from: 0 },
    { cut: 2, keep: 3, from: 1 },
    { cut: 2, keep: 3, from: 2 },
    { cut: 3, keep: 2, from: 0 },
    { cut: 3, keep: 2, from: 1 },
  ],
  slowest: 44,
  fastest: 225,
})

/** What a candidate is described by. */
export const TRAITS = Object.freeze({
  middleTempo: 110,
  tolerance: 0.03,
  lags: [1, 2, 3, 4, 6, 8],
  /** How many of the traits, the first, are of the tempo alone. */
  ofTempo: 3,
  /** Octaves from the middle tempo at which the weight of tempo may change. */
  hinges: [-0.8, -0.5, -0.2, 0.1, 0.4, 0.7],
  /** Beats this many seconds apart are the same, and tempi this many octaves apart (4 %). */
  sameBeat: 0.07,
  sameTempo: 0.057,
  /** No trait counts for more than so many standard deviations. */
  clip: 4,
})
