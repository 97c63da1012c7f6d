// Finds the beats of a piece that sound alike, so that one may follow where the other was due.
// The idea is that of Paul Lamere's Infinite Jukebox (2012): https://musicmachinery.com/2012/11/12/
import { coloursOf } from './colours.mjs'

/** A beat is compared in this many parts, so that what sounds at its start is not lost in its end. */
const PARTS = 4
/**
 * How much each difference counts, and the least that is taken for its usual size in a piece: about
 * half of what is usual in music, so that pieces of one loop are not measured by their own sameness.
 */
const ASPECTS = {
  timbre: { weight: 4, least: 45 },
  pitches: { weight: 3, least: 0.6 },
  loudness: { weight: 1, least: 1.5 },
  onsets: { weight: 1, least: 0.3 },
  duration: { weight: 1, least: 0.02 },
}
/** The beats around two that are compared count too: a jump must fit what was, and lead on alike. */
const AROUND = [
  [-1, 1],
  [0, 2],
  [1, 1],
]
/** This share of the beats is to have twins … */
const SHARE = 1 / 3
/** … none of which differ more, nor need differ less; 1 is how two beats usually differ. */
const MOST = 0.6
const LEAST = 0.2
/** The largest difference of a candidate, and how many of them a beat has at most. */
export const LIMIT = 0.9
const TWINS = 4
/** A jump spans at least this many bars. */
const BARS_APART = 2
/** The last branch leads back by this share of the piece, where there is such a one. */
const LEAP = 1 / 4

/**
 * @typedef {{ start: number, end: number, bar: number, place: number, section: number,
 *   loudness: number, colour: number[] }} Beat seconds; bars and sections from 0, −1 before the
 *   first bar; dB; the colour as in colours.mjs
 * @typedef {{ beat: number, twin: number, distance: number }} Branch where `beat` is due, `twin`
 *   may be played and the piece go on from there; 1 is how two beats usually differ
 * @typedef {{ beats: Beat[], candidates: Branch[], last: Branch, threshold: number }} Piece of
 *   each pair in `candidates`, `beat` is the later one; `last` leads back from near the end, at the
 *   worst from the end to the start; `threshold` suits the piece
 * @typedef {{ threshold: number, jumps: 'both' | 'back' | 'on', last: boolean }} Tune the largest
 *   distance, the direction, and whether the last branch is always taken
 */

/**
 * @param {Pick<import('audile').AnalysisDocument, 'track' | 'beats' | 'bars' | 'sections' | 'segments'>} analysis
 * @returns {Piece}
 */
export function pieceOf(analysis) {
  const beats = beatsOf(analysis)
  if (beats.length < 2) throw new Error('This piece has no beats to jump between.')
  const pairs = comparablePairs(beats, analysis.track.time_signature)
  const distances = distancesOf(pairs, soundsOf(beats, analysis.segments))
  const all = pairs
    .map(([beat, twin], i) => ({ beat, twin, distance: distances[i] }))
    .sort((a, b) => a.distance - b.distance)
  const threshold = thresholdFor(all, beats.length)
  const near = all.filter(({ distance }) => distance <= LIMIT)
  return {
    beats,
    candidates: nearest(near, 2 * TWINS),
    last: lastBranch(all, beats.length),
    threshold,
  }
}

/**
 * The branches that are open under a tune.
 *
 * @param {Piece} piece
 * @param {Tune} tune
 * @returns {{ branches: Branch[], last?: Branch }} `last` is always taken: the piece never ends
 */
export function tuned({ candidates, last }, { threshold, jumps, last: always }) {
  const open = candidates
    .filter(({ distance }) => distance <= threshold)
    .flatMap((c) => [
      ...(jumps === 'on' ? [] : [c]),
      ...(jumps === 'back' ? [] : [{ ...c, beat: c.twin, twin: c.beat }]),
    ])
    // What jumped past the last branch would run into the end.
    .filter(({ beat, twin }) => !always || (beat <= last.beat && twin < last.beat))
  const counts = new Map()
  const branches = open.filter(({ beat }) => {
    counts.set(beat, (counts.get(beat) ?? 0) + 1)
    return counts.get(beat) <= TWINS
  })
  return { branches, ...(always && { last }) }
}

/** Why a tune leaves a piece without a branch. */
export function whyNone({ candidates, beats }, { threshold }) {
  if (candidates.length > 0) {
    const { distance } = candidates[0]
    if (distance <= threshold) return 'No jump leads in this direction.'
    return `The two beats that sound most alike differ by ${distance.toFixed(2)}: raise the threshold above that to jump there.`
  }
  const bars = new Set(beats.map(({ bar }) => bar)).size
  if (bars <= BARS_APART) return `A jump spans ${BARS_APART} bars, and this piece has ${bars}.`
  return 'No two beats at the same place of a bar sound alike in this piece.'
}

/** The beats with their place in the bar. */
function beatsOf({ beats, bars, sections, segments }) {
  const barAt = finder(bars)
  const sectionAt = finder(sections)
  const colours = coloursOf(beats, segments)
  let bar = -1
  let place = -1
  return beats.map(({ start, duration }, i) => {
    // A bar's start is a beat's; in the middle of that beat there is no doubt about the bar.
    const middle = start + duration / 2
    const now = barAt(middle)
    place = now === bar && now >= 0 ? place + 1 : now < 0 ? -1 : 0
    bar = now
    const end = start + duration
    const loudness = Math.max(
      ...segments
        .filter((s) => s.start < end && s.start + s.duration > start)
        .map((s) => s.loudness_max),
      -60,
    )
    return { start, end, bar, place, section: sectionAt(middle), loudness, colour: colours[i] }
  })
}

/** Which of the intervals, ordered by time, holds a moment; asked in the order of time. */
function finder(intervals) {
  let i = 0
  return (time) => {
    while (i < intervals.length && intervals[i].start + intervals[i].duration <= time) i++
    return i < intervals.length && intervals[i].start <= time ? i : -1
  }
}

/** Pairs of beats, the later one first, of the same place in bars that are far enough apart. */
function comparablePairs(beats, metre) {
  const apart = BARS_APART * Math.max(metre, 1)
  // Where no bars are known, all places are the same.
  const barless = beats.every(({ place }) => place < 0)
  const pairs = []
  for (let j = 1; j < beats.length; j++) {
    for (let i = 0; i <= j - apart; i++) {
      const same = beats[i].place >= 0 && beats[i].place === beats[j].place
      if (same || barless) pairs.push([j, i])
    }
  }
  return pairs
}

/** How each beat sounds: the segments under each part of it, weighed by how long they sound there. */
function soundsOf(beats, segments) {
  let first = 0
  return beats.map((beat) => {
    const length = (beat.end - beat.start) / PARTS
    const sound = {
      timbre: new Float64Array(12 * PARTS),
      pitches: new Float64Array(12 * PARTS),
      loudness: new Float64Array(PARTS).fill(-60),
      onsets: new Float64Array(PARTS),
      duration: new Float64Array([Math.log(beat.end - beat.start)]),
    }
    while (segments[first] && segments[first].start + segments[first].duration <= beat.start) {
      first++
    }
    for (let i = first; i < segments.length && segments[i].start < beat.end; i++) {
      const segment = segments[i]
      const end = segment.start + segment.duration
      for (let part = 0; part < PARTS; part++) {
        const from = beat.start + part * length
        const share = (Math.min(end, from + length) - Math.max(segment.start, from)) / length
        if (share <= 0) continue
        for (let k = 0; k < 12; k++) {
          sound.timbre[12 * part + k] += share * segment.timbre[k]
          sound.pitches[12 * part + k] += share * segment.pitches[k]
        }
        sound.loudness[part] += share * (segment.loudness_max + 60)
        if (segment.start >= from - length / 2 && segment.start < from + length / 2) {
          sound.onsets[part] += segment.confidence
        }
      }
    }
    return sound
  })
}

/** How much the beats of each pair differ, with those around them; 1 is usual in this piece. */
function distancesOf(pairs, sounds) {
  const total = new Float64Array(pairs.length)
  const weights = Object.values(ASPECTS).reduce((sum, { weight }) => sum + weight, 0)
  const around = AROUND.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [aspect, { weight, least }] of Object.entries(ASPECTS)) {
    const own = pairs.map(([j, i]) => distance(sounds[j][aspect], sounds[i][aspect]))
    const usual = Math.max(least, median(own))
    for (const [n, [j, i]] of pairs.entries()) {
      let sum = 0
      for (const [step, count] of AROUND) {
        const a = sounds[j + step] ?? sounds[j]
        const b = sounds[i + step] ?? sounds[i]
        sum += count * (step === 0 ? own[n] : distance(a[aspect], b[aspect]))
      }
      total[n] += (weight / weights) * (sum / around / usual)
    }
  }
  return total
}

/** The root of the mean of squared differences of the parts. */
function distance(a, b) {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += (a[i] - b[i]) ** 2
  return Math.sqrt(sum / Math.min(a.length, PARTS))
}

/** The first so many pairs of each beat; the pairs are ordered by their distance. */
function nearest(pairs, most) {
  const counts = new Map()
  const count = (beat) => {
    counts.set(beat, (counts.get(beat) ?? 0) + 1)
    return counts.get(beat) <= most
  }
  return pairs.filter(({ beat, twin }) => [count(beat), count(twin)].includes(true))
}

/** The largest difference of a jump, so that enough beats have twins and none has a bad one. */
function thresholdFor(pairs, beats) {
  const nearest = new Float64Array(beats).fill(Number.POSITIVE_INFINITY)
  for (const { beat, twin, distance } of pairs) {
    nearest[beat] = Math.min(nearest[beat], distance)
    nearest[twin] = Math.min(nearest[twin], distance)
  }
  const enough = nearest.sort()[Math.floor(beats * SHARE)]
  return Math.min(MOST, Math.max(LEAST, enough))
}

/** The way back before the end: it should lead far back, sound well and come late. */
function lastBranch(pairs, beats) {
  const far = pairs.filter(({ beat, twin }) => beat - twin >= beats * LEAP)
  const cost = ({ beat, distance }) => distance + (1 - beat / beats)
  const nowhere = { beat: beats, twin: 0, distance: 0 }
  return (far.length > 0 ? far : pairs).reduce(
    (best, next) => (best === nowhere || cost(next) < cost(best) ? next : best),
    nowhere,
  )
}

function median(values) {
  return Float64Array.from(values).sort()[values.length >> 1] ?? 0
}
