/**
 * How right an analysis is, measured as mir_eval does (Raffel et al., ISMIR 2014): each measure 0…1,
 * times in seconds.
 */

/** Beats before this are not judged. */
const SETTLING = 5
/** How far a beat may be off and count. */
const NEAR = 0.07
/** By what share of an interval a beat and an interval may be off, where runs of beats are judged. */
const REGULAR = 0.175

/** Share of two lists of times that agree one to one within `reach`. */
export function timesF(truth: readonly number[], found: readonly number[], reach: number): number {
  let shared = 0
  for (let i = 0, j = 0; i < truth.length && j < found.length; ) {
    const away = found[j]! - truth[i]!
    if (Math.abs(away) <= reach) {
      shared++
      i++
      j++
    } else if (away < 0) j++
    else i++
  }
  return shared === 0 ? 0 : (2 * shared) / (truth.length + found.length)
}

const settled = (times: readonly number[]) => times.filter((time) => time >= SETTLING)

/** F-measure of beats or downbeats within 70 ms. */
export function beatF(truth: readonly number[], found: readonly number[]): number {
  return timesF(settled(truth), settled(found), NEAR)
}

/** Share of the beats that are right and follow one that is, at the level of the truth (CMLt). */
export function beatsAtLevel(truth: readonly number[], found: readonly number[]): number {
  return regularShare(settled(truth), settled(found))
}

/** The same at any level that a listener could take: off the beat, double or half (AMLt). */
export function beatsAtAnyLevel(truth: readonly number[], found: readonly number[]): number {
  const beats = settled(truth)
  const halves = beats.slice(1).map((beat, i) => (beat + beats[i]!) / 2)
  const levels = [
    beats,
    halves,
    [...beats, ...halves].sort((a, b) => a - b),
    beats.filter((_, i) => i % 2 === 0),
    beats.filter((_, i) => i % 2 === 1),
  ]
  return Math.max(...levels.map((level) => regularShare(level, settled(found))))
}

function regularShare(truth: readonly number[], found: readonly number[]): number {
  if (truth.length < 2 || found.length < 2) return 0
  const used = new Set<number>()
  for (const [i, time] of found.entries()) {
    const near = nearest(truth, time)
    // An interval before the beat is judged, or after it where there is none before.
    const back = i === 0 || near === 0 ? -1 : 1
    const due = (truth[near]! - (truth[near - back] ?? Number.NaN)) * back
    const taken = (time - (found[i - back] ?? Number.NaN)) * back
    const off = Math.abs(time - truth[near]!) / due
    if (off < REGULAR && Math.abs(1 - taken / due) < REGULAR) used.add(near)
  }
  return used.size / Math.max(truth.length, found.length)
}

function nearest(times: readonly number[], time: number): number {
  let best = 0
  for (const [i, at] of times.entries())
    if (Math.abs(at - time) < Math.abs(times[best]! - time)) best = i
  return best
}

/** 1 where a tempo is within 4 %. */
export function tempoHit(truth: number, found: number): number {
  return Math.abs(found / truth - 1) <= 0.04 ? 1 : 0
}

/** F-measure of the boundaries between sections within 3 s; the beginning is none. */
export function sectionF(truth: readonly number[], found: readonly number[]): number {
  const inner = (starts: readonly number[]) => starts.filter((start) => start > 0.5)
  return timesF(inner(truth), inner(found), 3)
}

/** MIREX's score of a key: 1, less for one a fifth above, the relative and the parallel. */
export function keyScore(
  truth: { key: number; mode: number },
  found: { key: number; mode: number },
): number {
  const above = (found.key - truth.key + 12) % 12
  if (found.mode === truth.mode) return above === 0 ? 1 : above === 7 ? 0.5 : 0
  if (above === (truth.mode === 1 ? 9 : 3)) return 0.3
  return above === 0 ? 0.2 : 0
}
