import { type Chroma, meanChroma } from './chroma.ts'
import { exactTime, type Interval } from './intervals.ts'
import { BAND_LEVELS, type Levels } from './levels.ts'
import { LOUDNESS } from './loudness-measures.ts'
import { LATENESS, type Novelty, refinedPeak } from './novelty.ts'
import { movingMean } from './statistics.ts'
import { timbreOf, writeSurface } from './timbre.ts'
import { TIMBRE_COLUMNS } from './timbre-basis.ts'

/** As in SuperFlux. */
const ONSET_PICKING = {
  highest: 0.03,
  meanBefore: 0.15,
  meanAfter: 0.07,
  /** Share of the surroundings' RMS by which a peak exceeds the local mean. */
  threshold: 0.4,
  reach: 5,
  /** Least novelty above the local mean: about one band rising by 3 dB. */
  floor: 0.15,
}

interface Onset {
  time: number
  /** Novelty at the peak divided by the RMS novelty of the surroundings, 0 and up. */
  strength: number
}

/** Thresholds are relative to the surroundings, so that soft music has onsets too. */
export function pickOnsets(novelty: Novelty): Onset[] {
  const { broad, fps, frames } = novelty
  const nearFrames = Math.round(ONSET_PICKING.highest * fps)
  const meanBefore = Math.round(ONSET_PICKING.meanBefore * fps)
  const meanAfter = Math.round(ONSET_PICKING.meanAfter * fps)
  const scale = movingMean(broad, Math.round(ONSET_PICKING.reach * fps), 2)
  const onsets: Onset[] = []
  let sum = 0
  let windowStart = 0
  let windowEnd = 0
  for (let frame = 0; frame < frames; frame++) {
    while (windowEnd < Math.min(frames, frame + meanAfter + 1)) sum += broad[windowEnd++]!
    while (windowStart < frame - meanBefore) sum -= broad[windowStart++]!
    const value = broad[frame]!
    const threshold =
      sum / (windowEnd - windowStart) +
      ONSET_PICKING.threshold * scale[frame]! +
      ONSET_PICKING.floor
    if (value < threshold) continue
    let highest = true
    for (
      let f = Math.max(0, frame - nearFrames);
      f <= Math.min(frames - 1, frame + nearFrames);
      f++
    )
      if (broad[f]! > value || (broad[f] === value && f < frame)) highest = false
    if (!highest) continue
    onsets.push({
      time: exactTime(Math.max(0, refinedPeak(broad, frame) / fps - LATENESS)),
      strength: value / (scale[frame]! + ONSET_PICKING.floor),
    })
  }
  return onsets
}

const SEGMENTS = {
  /** Onsets closer than this are one, seconds. */
  shortest: 0.08,
  /** Seconds; a longer segment is cut where its spectrum changes most. */
  longest: 2,
  /** No such cut nearer than this to an end, seconds. */
  margin: 0.25,
  changeReach: 0.08,
  /** Confidence of such cuts, of which a change of `sureChange` dB gives 1 - 1/e. */
  changeConfidence: 0.3,
  sureChange: 6,
  /** Onset strength that gives a confidence of 1 - 1/e. */
  sureStrength: 1.5,
}

/** A stretch of one sound; its confidence is that of its onset. Field names as published. */
export interface Segment extends Interval {
  /** dB at the onset. */
  loudness_start: number
  /** Seconds from the onset to the loudest moment. */
  loudness_max_time: number
  /** dB at the loudest moment. */
  loudness_max: number
  /** dB at the end; on the last segment only. */
  loudness_end?: number
  /** Strength of each pitch class from C; the strongest is 1. */
  pitches: number[]
  /** Twelve coefficients of the sound, independent of its pitches; the first is its level. */
  timbre: number[]
}

interface Cut {
  time: number
  confidence: number
}

/**
 * At onsets, at changes of the spectrum in long stretches, and at each beat after these, as
 * programs expect.
 */
export function findSegmentCuts(
  onsets: readonly Onset[],
  levels: Levels,
  beats: readonly Interval[],
  duration: number,
): Cut[] {
  const cuts: Cut[] = [{ time: 0, confidence: 1 }]
  for (const { time, strength } of onsets) {
    const confidence = 1 - Math.exp(-strength / SEGMENTS.sureStrength)
    const previous = cuts.at(-1)!
    if (time > duration - SEGMENTS.shortest) break
    if (time - previous.time >= SEGMENTS.shortest) cuts.push({ time, confidence })
    else if (cuts.length === 1) previous.confidence = confidence
  }
  const onsetCuts = cuts.flatMap((cut, i) => [
    cut,
    ...cutLongSegment(levels, cut.time, cuts[i + 1]?.time ?? duration),
  ])
  return [...onsetCuts, ...cutTail(onsetCuts.at(-1)!.time, beats, duration)]
}

/** Cuts at the ends of beats, or later where a segment would be too short. */
function cutTail(last: number, beats: readonly Interval[], duration: number): Cut[] {
  const cuts: Cut[] = []
  let segmentStart = last
  for (const beat of beats) {
    const end = beat.start + beat.duration
    if (end <= segmentStart) continue
    const time = Math.max(end, exactTime(segmentStart + SEGMENTS.shortest))
    if (time > duration - SEGMENTS.shortest) break
    cuts.push({ time, confidence: 0 })
    segmentStart = time
  }
  return cuts
}

/**
 * Cuts at the greatest change within reach, and looks no further ahead, so that repeats are cut
 * alike.
 */
function cutLongSegment(levels: Levels, start: number, end: number): Cut[] {
  const { longest, margin } = SEGMENTS
  const cuts: Cut[] = []
  let segmentStart = start
  while (end - segmentStart > longest) {
    const latestCut = Math.min(segmentStart + longest, end - margin)
    const { time, change } = greatestChange(levels, segmentStart + margin, latestCut)
    if (change >= 0) {
      const confidence = SEGMENTS.changeConfidence * (1 - Math.exp(-change / SEGMENTS.sureChange))
      cuts.push({ time, confidence })
    }
    segmentStart = change >= 0 ? time : latestCut
  }
  return cuts
}

/** The change is the mean over bands, dB; -1 in silence. */
function greatestChange(
  levels: Levels,
  start: number,
  end: number,
): { time: number; change: number } {
  const { fps, frames } = levels
  const reach = Math.round(SEGMENTS.changeReach * fps)
  const levelsBefore = new Float64Array(BAND_LEVELS.bands)
  const levelsAfter = new Float64Array(BAND_LEVELS.bands)
  let best = { time: end, change: -1 }
  let highest = -1
  for (let frame = Math.ceil(start * fps); frame <= Math.min(frames - 1, end * fps); frame++) {
    if (levels.loudness[frame]! <= LOUDNESS.floor) continue
    levels.readBands(Math.max(0, frame - reach), levelsBefore)
    levels.readBands(Math.min(frames - 1, frame + reach), levelsAfter)
    let change = 0
    for (let band = 0; band < BAND_LEVELS.bands; band++)
      change += Math.abs(levelsAfter[band]! - levelsBefore[band]!) / BAND_LEVELS.bands
    // Prefers the last of nearly equal changes, so that even sounds are cut seldom.
    const score = change + (frame / fps - start) / SEGMENTS.longest
    if (score <= highest) continue
    highest = score
    best = { time: exactTime(frame / fps), change }
  }
  return best
}

/** The segments tile [0, duration]. */
export function describeSegments(
  cuts: readonly Cut[],
  levels: Levels,
  chroma: Chroma,
  duration: number,
): Segment[] {
  const surface = new Float64Array(BAND_LEVELS.bands * TIMBRE_COLUMNS)
  const classes = new Float32Array(12)
  return cuts.map((cut, i) => {
    const start = cut.time
    const end = cuts[i + 1]?.time ?? exactTime(duration)
    const level = segmentEnvelope(levels, start, end)
    writeSurface(levels, start, end, surface)
    meanChroma(chroma, start, end, classes, 0)
    const segment: Segment = {
      start,
      duration: end - start,
      confidence: cut.confidence,
      // Nothing sounds before the track begins.
      loudness_start: i === 0 ? LOUDNESS.floor : level.start,
      loudness_max_time: level.maxTime,
      loudness_max: level.max,
      pitches: segmentPitches(classes),
      timbre: timbreOf(surface, level.mean),
    }
    if (i === cuts.length - 1) segment.loudness_end = level.end
    return segment
  })
}

interface Envelope {
  start: number
  end: number
  max: number
  maxTime: number
  /** Over the moments of the timbre surface, dB. */
  mean: number
}

function segmentEnvelope(levels: Levels, start: number, end: number): Envelope {
  const { fps, frames } = levels
  const levelAt = (seconds: number) => {
    const position = Math.min(frames - 1, Math.max(0, seconds * fps))
    const frame = Math.floor(position)
    const share = position - frame
    const levelBefore = levels.loudness[frame]!
    const levelAfter = levels.loudness[Math.min(frames - 1, frame + 1)]!
    return Math.max(LOUDNESS.floor, levelBefore + share * (levelAfter - levelBefore))
  }
  const startLevel = levelAt(start)
  let max = startLevel
  let maxTime = 0
  for (let frame = Math.ceil(start * fps); frame < end * fps && frame < frames; frame++) {
    const level = Math.max(LOUDNESS.floor, levels.loudness[frame]!)
    if (level > max) {
      max = level
      maxTime = Math.min(end - start, frame / fps - start)
    }
  }
  let power = 0
  for (let column = 0; column < TIMBRE_COLUMNS; column++) {
    const elapsed = ((column + 0.5) / TIMBRE_COLUMNS) ** 2
    power += 10 ** (levelAt(start + (end - start) * elapsed) / 10) / TIMBRE_COLUMNS
  }
  return { start: startLevel, end: levelAt(end), max, maxTime, mean: 10 * Math.log10(power) }
}

/** The strongest is exactly 1 and none is 0; all are 1 where there is no pitch. */
function segmentPitches(classes: Float32Array): number[] {
  let strongest = 0
  for (const value of classes) if (value > strongest) strongest = value
  return Array.from(classes, (value) => (strongest > 0 ? Math.max(0.001, value / strongest) : 1))
}
