import { medianOf } from './statistics.ts'

/** Sounds 20 ms apart are heard as two; evaluations of beat trackers (MIREX) accept 35 ms. */
const EVEN_GRID = Object.freeze({
  /** Beats in which a phase is measured: four bars. */
  window: 16,
  /** Seconds by which the median beat of a window may lie beside the grid. */
  aside: 0.02,
  /** Seconds by which half of its beats may. */
  found: 0.035,
  /** Windows in a row, or share of all, beside the grid that refute it. */
  run: 2,
  share: 0.2,
  /** Share of a beat beyond which a beat does not count. */
  reach: 0.25,
  /** Seconds below which a miss weighs no more: half a frame. */
  exact: 0.005,
  leastWeight: 0.05,
  /** Enough for least absolute deviations to converge. */
  rounds: 8,
  /** Standard errors within which the simplest tempo is taken for the true one. */
  errors: 3,
  /** BPM that this may span: else any tempo would be near a whole one. */
  sure: 0.1,
  /** Seconds by which a tempo in hundredths may move the ends of a grid. */
  rounding: 0.01,
  /** BPM by which binary numbers miss a tempo in hundredths. */
  binary: 1e-6,
  /** Standard deviations in a median absolute deviation. */
  deviation: 1.4826,
})

/** The fewest beats of a grid: with fewer every tempo looks steady. */
export const FEWEST_EVEN = EVEN_GRID.window

export interface EvenGrid {
  /** Where one of its beats is, seconds. */
  origin: number
  period: number
}

/** Times are in seconds, ascending. */
export interface WeighedBeats {
  times: readonly number[]
  weights: readonly number[]
}

/** Seconds after the nearest beat. */
export function missOf(time: number, grid: EvenGrid): number {
  return time - gridTime(numberOf(time, grid), grid)
}

export function numberOf(time: number, { origin, period }: EvenGrid): number {
  return Math.round((time - origin) / period)
}

/** A tempo in hundredths is exact, which its period in binary numbers is not. */
export function tempoOf(period: number): number {
  const hundredths = Math.round(6000 / period) / 100
  return Math.abs(60 / period - hundredths) < EVEN_GRID.binary ? hundredths : 60 / period
}

export function gridTime(number: number, { origin, period }: EvenGrid): number {
  return origin + number * period
}

/**
 * By least absolute deviations; `undefined` where no grid explains the beats. Some beats may be
 * missing, doubled or beside it.
 */
export function evenGridOf(beats: WeighedBeats): EvenGrid | undefined {
  if (beats.times.length < EVEN_GRID.window) return undefined
  const grid = fittedGrid(beats)
  return grid && isExplainedBy(beats.times, grid) ? grid : undefined
}

function fittedGrid({ times, weights }: WeighedBeats): EvenGrid | undefined {
  let { from, to, grid } = mostEvenWindow(times)
  for (;;) {
    const reach = (to - from) >> 1
    ;[from, to] = [Math.max(0, from - reach), Math.min(times.length, to + reach)]
    grid = refitGrid(times.slice(from, to), weights.slice(from, to), grid)
    if (!(grid.period > 0)) return undefined
    if (from === 0 && to === times.length) return grid
  }
}

function mostEvenWindow(times: readonly number[]): { from: number; to: number; grid: EvenGrid } {
  const window: number = EVEN_GRID.window
  let best = { from: 0, to: window, grid: { origin: 0, period: 0 } }
  let leastMiss = Infinity
  for (let from = 0; from + window <= times.length; from += window >> 1) {
    const windowTimes = times.slice(from, from + window)
    const grid = lineThrough(
      windowTimes.map((_, i) => i),
      windowTimes,
      windowTimes.map(() => 1),
    )
    const miss = windowTimes.reduce((sum, time, i) => sum + (time - gridTime(i, grid)) ** 2, 0)
    if (miss >= leastMiss * grid.period ** 2) continue
    leastMiss = miss / grid.period ** 2
    best = { from, to: from + window, grid }
  }
  return best
}

function refitGrid(
  times: readonly number[],
  weights: readonly number[],
  firstGrid: EvenGrid,
): EvenGrid {
  let grid = firstGrid
  for (let round = 0; round < EVEN_GRID.rounds; round++) {
    const numbers = times.map((time) => numberOf(time, grid))
    const countedWeights = times.map((time, i) => {
      const miss = Math.abs(time - gridTime(numbers[i]!, grid))
      if (miss > EVEN_GRID.reach * grid.period) return 0
      return Math.max(EVEN_GRID.leastWeight, weights[i]!) / Math.max(EVEN_GRID.exact, miss)
    })
    grid = lineThrough(numbers, times, countedWeights)
  }
  return grid
}

function lineThrough(
  numbers: readonly number[],
  times: readonly number[],
  weights: readonly number[],
): EvenGrid {
  let [weight, number, time] = [0, 0, 0]
  weights.forEach((pointWeight, i) => {
    weight += pointWeight
    number += pointWeight * numbers[i]!
    time += pointWeight * times[i]!
  })
  number /= weight
  time /= weight
  let [product, square] = [0, 0]
  weights.forEach((pointWeight, i) => {
    const offset = numbers[i]! - number
    product += pointWeight * offset * (times[i]! - time)
    square += pointWeight * offset * offset
  })
  const period = product / square
  return { origin: time - number * period, period }
}

export function isOnGrid(time: number, grid: EvenGrid): boolean {
  return Math.abs(missOf(time, grid)) <= EVEN_GRID.found
}

function phasesOf(times: readonly number[], grid: EvenGrid): { phase: number; isNear: boolean }[] {
  const count = Math.floor(times.length / EVEN_GRID.window)
  return Array.from({ length: count }, (_, i) => {
    // The last window takes the rest.
    const end = i + 1 === count ? times.length : (i + 1) * EVEN_GRID.window
    const misses = times.slice(i * EVEN_GRID.window, end).map((time) => missOf(time, grid))
    const phase = medianOf(misses)
    const spread = medianOf(misses.map(Math.abs))
    return { phase, isNear: Math.abs(phase) <= EVEN_GRID.aside && spread <= EVEN_GRID.found }
  })
}

/** Whether a grid explains beats, but for a few that were misplaced. */
export function isExplainedBy(times: readonly number[], grid: EvenGrid): boolean {
  const phases = phasesOf(times, grid)
  const aside = phases.filter(({ isNear }) => !isNear).length
  const hasRun = phases.some((_, i) =>
    Array.from({ length: EVEN_GRID.run }, (_, j) => phases[i + j]).every(
      (windowPhase) => windowPhase?.isNear === false,
    ),
  )
  const isAtEnd = phases.length > 1 && phases.length < EVEN_GRID.run + 1
  return aside <= EVEN_GRID.share * phases.length && !hasRun && !(isAtEnd && aside > 0)
}

/** Seconds, by the second and third of Legendre's polynomials: tempo that drifts, or turns back. */
export function bendOf({ times }: WeighedBeats, grid: EvenGrid): number {
  const parts = [0, 0]
  times.forEach((time, i) => {
    const x = (2 * i) / (times.length - 1) - 1
    const miss = Math.max(-EVEN_GRID.found, Math.min(EVEN_GRID.found, missOf(time, grid)))
    parts[0]! += miss * (1.5 * x ** 2 - 0.5) * 5
    parts[1]! += miss * (2.5 * x ** 3 - 1.5 * x) * 7
  })
  return Math.hypot(...parts) / times.length
}

/**
 * Whole tempi are usual, and formats write hundredths. Phases of windows give the error, because
 * neighbouring beats miss alike.
 */
export function withSimplestTempo({ times, weights }: WeighedBeats, grid: EvenGrid): EvenGrid {
  const phases = phasesOf(times, grid).flatMap(({ phase, isNear }) => (isNear ? [phase] : []))
  const beatMiss = medianOf(times.map((time) => Math.abs(missOf(time, grid))))
  const phaseMiss = medianOf(phases.map(Math.abs))
  const deviation =
    EVEN_GRID.deviation * Math.hypot(phaseMiss, beatMiss / Math.sqrt(EVEN_GRID.window))
  const beats = (times.at(-1)! - times[0]!) / grid.period
  // Of a slope through points at even distances, as a share of the period.
  const error = (deviation * Math.sqrt(12 / Math.max(1, phases.length))) / (beats * grid.period)
  const bpm = 60 / grid.period
  const allowed = EVEN_GRID.errors * error * bpm
  if (allowed > EVEN_GRID.sure) return grid
  const [wholeTempo, hundredths] = [Math.round(bpm), Math.round(100 * bpm) / 100]
  const rounding = (2 * EVEN_GRID.rounding * bpm) / (beats * grid.period)
  if (Math.abs(wholeTempo - bpm) <= allowed)
    return gridInPhase({ times, weights }, 60 / wholeTempo, grid)
  if (Math.abs(hundredths - bpm) > Math.max(allowed, rounding)) return grid
  return gridInPhase({ times, weights }, 60 / hundredths, grid)
}

export function gridInPhase(
  { times, weights }: WeighedBeats,
  period: number,
  nearGrid: EvenGrid,
): EvenGrid {
  const middle = gridTime(numberOf((times[0]! + times.at(-1)!) / 2, nearGrid), nearGrid)
  const turned = { origin: middle, period }
  const misses = times
    .map((time, i) => ({
      miss: missOf(time, turned),
      weight: Math.max(EVEN_GRID.leastWeight, weights[i]!),
    }))
    .sort((a, b) => a.miss - b.miss)
  const half = misses.reduce((sum, { weight }) => sum + weight, 0) / 2
  let [passed, place] = [misses[0]!.weight, 0]
  while (passed < half) passed += misses[++place]!.weight
  return { origin: middle + misses[place]!.miss, period }
}
