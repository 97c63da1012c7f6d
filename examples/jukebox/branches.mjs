// Finds the beats of a piece that sound alike, so that one may follow where the other was due.

/** A beat is compared in this many parts, so that what sounds at its start is not lost in its end. */
const PARTS = 4
/** How much each difference counts, and the least that is taken for its usual size in a piece. */
const ASPECTS = {
  timbre: { weight: 4, least: 15 },
  pitches: { weight: 3, least: 0.3 },
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
/** A jump spans at least this many bars, and a beat has no more than so many twins. */
const BARS_APART = 2
const TWINS = 4
/** The last branch leads back by this share of the piece, where there is such a one. */
const LEAP = 1 / 4

/**
 * @typedef {{ start: number, end: number, bar: number, place: number, section: number,
 *   loudness: number }} Beat seconds; bars and sections from 0, −1 before the first bar; dB
 * @typedef {{ beat: number, twin: number, distance: number }} Branch where `beat` is due, `twin`
 *   may be played and the piece go on from there; 1 is how two beats usually differ
 */

/**
 * @param {import('audile').AnalysisDocument} analysis
 * @returns {{ beats: Beat[], branches: Branch[], last: Branch, threshold: number }} `last` is
 *   always taken, so that the piece never ends
 */
export function branchesOf(analysis) {
  const beats = beatsOf(analysis)
  if (beats.length < 2) throw new Error('This piece has no beats to jump between.')
  const pairs = comparablePairs(beats, analysis.track.time_signature)
  const distances = distancesOf(pairs, soundsOf(beats, analysis.segments))
  const candidates = pairs.map(([beat, twin], i) => ({ beat, twin, distance: distances[i] }))
  const both = candidates.flatMap((c) => [c, { ...c, beat: c.twin, twin: c.beat }])
  const last = lastBranch(candidates, beats.length)
  const threshold = thresholdFor(both, beats.length)
  const kept = both
    .filter(({ distance }) => distance <= threshold)
    // What jumped past the last branch would run into the end.
    .filter(({ beat, twin }) => beat <= last.beat && twin < last.beat)
    .sort((a, b) => a.beat - b.beat || a.distance - b.distance)
  const counts = new Map()
  const branches = kept.filter(({ beat }) => {
    counts.set(beat, (counts.get(beat) ?? 0) + 1)
    return counts.get(beat) <= TWINS
  })
  return { beats, branches, last, threshold }
}

/** The beats with their place in the bar. */
function beatsOf({ beats, bars, sections, segments }) {
  const barAt = finder(bars)
  const sectionAt = finder(sections)
  let bar = -1
  let place = -1
  return beats.map(({ start, duration }) => {
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
    return { start, end, bar, place, section: sectionAt(middle), loudness }
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
  const pairs = []
  for (let j = 1; j < beats.length; j++) {
    for (let i = 0; i <= j - apart; i++) {
      if (beats[i].place >= 0 && beats[i].place === beats[j].place) pairs.push([j, i])
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

/** The largest difference of a jump, so that enough beats have twins and none has a bad one. */
function thresholdFor(candidates, beats) {
  const nearest = new Float64Array(beats).fill(Infinity)
  for (const { beat, distance } of candidates) nearest[beat] = Math.min(nearest[beat], distance)
  const enough = nearest.sort()[Math.floor(beats * SHARE)]
  return Math.min(MOST, Math.max(LEAST, enough))
}

/** The way back before the end: it should lead far back, sound well and come late. */
function lastBranch(candidates, beats) {
  const far = candidates.filter(({ beat, twin }) => beat - twin >= beats * LEAP)
  const cost = ({ beat, distance }) => distance + (1 - beat / beats)
  const nowhere = { beat: beats, twin: 0, distance: 0 }
  return (far.length > 0 ? far : candidates).reduce(
    (best, next) => (best === nowhere || cost(next) < cost(best) ? next : best),
    nowhere,
  )
}

function median(values) {
  return Float64Array.from(values).sort()[values.length >> 1] ?? 0
}
