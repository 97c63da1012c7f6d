import { medianOf } from './statistics.ts'

/**
 * What is one grid. The limits follow from what is heard: sounds 20 ms apart are two, and evaluations of
 * beat trackers (MIREX) take a beat within 35 ms as found.
 */
const EVEN = Object.freeze({
  /** Beats in which a phase is measured: four bars. */
  window: 16,
  /** Seconds by which the beats of a window may lie beside the grid, by their median. */
  aside: 0.02,
  /** Seconds by which half of its beats may. */
  found: 0.035,
  /** So many windows in a row, or this share of all, beside the grid are not of it. */
  run: 2,
  share: 0.2,
  /** Share of a beat beyond which a beat tells nothing of the place of its grid. */
  reach: 0.25,
  /** Seconds below which a miss weighs no more: half a frame of the activations. */
  exact: 0.005,
  /** The least weight of a beat. */
  leastWeight: 0.05,
  /** Rounds of weighing, by which least absolute deviations converge. */
  rounds: 8,
  /** Standard errors within which the simplest tempo is taken for the true one, … */
  errors: 3,
  /** … where they are fewer BPM than this: else any tempo would be near a whole one. */
  sure: 0.1,
  /** Seconds by which a tempo in hundredths may move the ends of a grid. */
  rounding: 0.01,
  /** BPM by which binary numbers miss a tempo in hundredths. */
  binary: 1e-6,
  /** Standard deviations in a median absolute deviation. */
  deviation: 1.4826,
})

/** The fewest beats of a grid: with fewer every tempo looks steady. */
export const FEWEST_EVEN = EVEN.window

/** Beats on a grid of one tempo. */
export interface EvenGrid {
  /** Where one of its beats is, seconds. */
  origin: number
  /** Seconds a beat. */
  period: number
}

/** Beats to which a grid is fitted: their times, seconds, ascending, and how much each counts. */
export interface WeighedBeats {
  times: readonly number[]
  weights: readonly number[]
}

/** How far a time lies after the nearest beat of a grid, seconds. */
export function missOf(time: number, grid: EvenGrid): number {
  return time - gridTime(numberOf(time, grid), grid)
}

/** The number of the beat of a grid that is nearest to a time. */
export function numberOf(time: number, { origin, period }: EvenGrid): number {
  return Math.round((time - origin) / period)
}

/** The tempo of a period, BPM; one in hundredths is exact, which its period in binary numbers is not. */
export function tempoOf(period: number): number {
  const hundredths = Math.round(6000 / period) / 100
  return Math.abs(60 / period - hundredths) < EVEN.binary ? hundredths : 60 / period
}

/** Where a grid has the beat of a number, seconds. */
export function gridTime(number: number, { origin, period }: EvenGrid): number {
  return origin + number * period
}

/**
 * The grid of one tempo that explains beats, by least absolute deviations; `undefined` where none does.
 * Beats may be missing, doubled or beside it for a while, as long as those around return to it.
 */
export function evenGridOf(beats: WeighedBeats): EvenGrid | undefined {
  if (beats.times.length < EVEN.window) return undefined
  const grid = fittedGrid(beats)
  return grid && isExplainedBy(beats.times, grid) ? grid : undefined
}

/** The grid grows from the most even beats on: each time to twice as many, which it can number. */
function fittedGrid({ times, weights }: WeighedBeats): EvenGrid | undefined {
  let { from, to, grid } = mostEvenOf(times)
  for (;;) {
    const reach = (to - from) >> 1
    ;[from, to] = [Math.max(0, from - reach), Math.min(times.length, to + reach)]
    grid = refitted(times.slice(from, to), weights.slice(from, to), grid)
    if (!(grid.period > 0)) return undefined
    if (from === 0 && to === times.length) return grid
  }
}

/** The window whose beats lie nearest to a line. */
function mostEvenOf(times: readonly number[]): { from: number; to: number; grid: EvenGrid } {
  const window: number = EVEN.window
  let best = { from: 0, to: window, grid: { origin: 0, period: 0 } }
  let least = Infinity
  for (let from = 0; from + window <= times.length; from += window >> 1) {
    const line = times.slice(from, from + window)
    const grid = lineThrough(
      line.map((_, i) => i),
      line,
      line.map(() => 1),
    )
    const miss = line.reduce((sum, time, i) => sum + (time - gridTime(i, grid)) ** 2, 0)
    if (miss >= least * grid.period ** 2) continue
    least = miss / grid.period ** 2
    best = { from, to: from + window, grid }
  }
  return best
}

function refitted(times: readonly number[], weights: readonly number[], first: EvenGrid): EvenGrid {
  let grid = first
  for (let round = 0; round < EVEN.rounds; round++) {
    const numbers = times.map((time) => numberOf(time, grid))
    const counted = times.map((time, i) => {
      const miss = Math.abs(time - gridTime(numbers[i]!, grid))
      if (miss > EVEN.reach * grid.period) return 0
      return Math.max(EVEN.leastWeight, weights[i]!) / Math.max(EVEN.exact, miss)
    })
    grid = lineThrough(numbers, times, counted)
  }
  return grid
}

/** The line of least squares, about the middle of its points. */
function lineThrough(
  numbers: readonly number[],
  times: readonly number[],
  weights: readonly number[],
): EvenGrid {
  let [weight, number, time] = [0, 0, 0]
  weights.forEach((one, i) => {
    weight += one
    number += one * numbers[i]!
    time += one * times[i]!
  })
  number /= weight
  time /= weight
  let [product, square] = [0, 0]
  weights.forEach((one, i) => {
    const off = numbers[i]! - number
    product += one * off * (times[i]! - time)
    square += one * off * off
  })
  const period = product / square
  return { origin: time - number * period, period }
}

/** Whether a beat is found where a grid has one. */
export function isOn(time: number, grid: EvenGrid): boolean {
  return Math.abs(missOf(time, grid)) <= EVEN.found
}

/** For each window of beats, how far they lie after the grid: the median, and whether half are found. */
function phasesOf(times: readonly number[], grid: EvenGrid): { phase: number; isNear: boolean }[] {
  const count = Math.floor(times.length / EVEN.window)
  return Array.from({ length: count }, (_, i) => {
    // The last window takes the rest.
    const end = i + 1 === count ? times.length : (i + 1) * EVEN.window
    const misses = times.slice(i * EVEN.window, end).map((time) => missOf(time, grid))
    const phase = medianOf(misses)
    const spread = medianOf(misses.map(Math.abs))
    return { phase, isNear: Math.abs(phase) <= EVEN.aside && spread <= EVEN.found }
  })
}

/** Whether a grid explains beats, but for a few that were misplaced. */
export function isExplainedBy(times: readonly number[], grid: EvenGrid): boolean {
  const phases = phasesOf(times, grid)
  const aside = phases.filter(({ isNear }) => !isNear).length
  const hasRun = phases.some((_, i) =>
    Array.from({ length: EVEN.run }, (_, j) => phases[i + j]).every((one) => one?.isNear === false),
  )
  const isAtEnd = phases.length > 1 && phases.length < EVEN.run + 1
  return aside <= EVEN.share * phases.length && !hasRun && !(isAtEnd && aside > 0)
}

/**
 * How far beats bend away from their grid, seconds: the parts of a tempo that changes steadily, and of
 * one that turns back, by the second and third of Legendre's polynomials.
 */
export function bendOf({ times }: WeighedBeats, grid: EvenGrid): number {
  const parts = [0, 0]
  times.forEach((time, i) => {
    const x = (2 * i) / (times.length - 1) - 1
    const miss = Math.max(-EVEN.found, Math.min(EVEN.found, missOf(time, grid)))
    parts[0]! += miss * (1.5 * x ** 2 - 0.5) * 5
    parts[1]! += miss * (2.5 * x ** 3 - 1.5 * x) * 7
  })
  return Math.hypot(...parts) / times.length
}

/**
 * The grid with the simplest tempo that its beats allow: a whole one, as most music is made at, else one
 * in hundredths of a BPM, as formats write it. The error of the tempo is that of a line through the phases
 * of windows, because neighbouring beats miss alike.
 */
export function withSimplestTempo({ times, weights }: WeighedBeats, grid: EvenGrid): EvenGrid {
  const phases = phasesOf(times, grid).flatMap(({ phase, isNear }) => (isNear ? [phase] : []))
  const ofBeats = medianOf(times.map((time) => Math.abs(missOf(time, grid))))
  const ofPhases = medianOf(phases.map(Math.abs))
  const deviation = EVEN.deviation * Math.hypot(ofPhases, ofBeats / Math.sqrt(EVEN.window))
  const beats = (times.at(-1)! - times[0]!) / grid.period
  // Of a slope through points at even distances, as a share of the period.
  const error = (deviation * Math.sqrt(12 / Math.max(1, phases.length))) / (beats * grid.period)
  const bpm = 60 / grid.period
  const allowed = EVEN.errors * error * bpm
  if (allowed > EVEN.sure) return grid
  const [whole, hundredths] = [Math.round(bpm), Math.round(100 * bpm) / 100]
  const rounding = (2 * EVEN.rounding * bpm) / (beats * grid.period)
  if (Math.abs(whole - bpm) <= allowed) return inPhase({ times, weights }, 60 / whole, grid)
  if (Math.abs(hundredths - bpm) > Math.max(allowed, rounding)) return grid
  return inPhase({ times, weights }, 60 / hundredths, grid)
}

/** A grid of a period in the phase of the beats, near another grid. */
export function inPhase(
  { times, weights }: WeighedBeats,
  period: number,
  near: EvenGrid,
): EvenGrid {
  const middle = gridTime(numberOf((times[0]! + times.at(-1)!) / 2, near), near)
  const turned = { origin: middle, period }
  const misses = times
    .map((time, i) => ({
      miss: missOf(time, turned),
      weight: Math.max(EVEN.leastWeight, weights[i]!),
    }))
    .sort((a, b) => a.miss - b.miss)
  const half = misses.reduce((sum, { weight }) => sum + weight, 0) / 2
  let [passed, place] = [misses[0]!.weight, 0]
  while (passed < half) passed += misses[++place]!.weight
  return { origin: middle + misses[place]!.miss, period }
}
