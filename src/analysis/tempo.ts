import { tempoOf } from './even-grid.ts'
import { beatsBetweenPauses, evenStretches } from './even-stretches.ts'

const TEMPO = {
  /** Beats on either side of an interval from which its tempo is measured. */
  reach: 6,
  /** Deviation, as a share of the tempo, at which a stretch of music weighs 0.6. */
  steadiness: 0.025,
  /** Rounds of weighing; the third moves less than 0.01 %. */
  rounds: 3,
  /** Deviation, as a share of the tempo, up to which a beat keeps it: tempi 4 % apart are two. */
  tolerance: 0.04,
  /** A quartile's tempo replaces the median's if this many times as much music has it. */
  prevailing: 2,
  /** Share by which the tempo of a grid may differ from the beats' own, to be the same. */
  same: 0.01,
}

/**
 * The tempo of a list of beats in BPM, 0 for fewer than three: that of the grid on which most of them lie,
 * if there is one, else {@link prevailingTempo}.
 */
export function tempoOfBeats(
  starts: readonly number[],
  weights: readonly number[] = starts.map(() => 1),
): number {
  const prevailing = prevailingTempo(starts)
  const grids = evenStretches(starts, weights)
    .sort((a, b) => b.to - b.from - (a.to - a.from))
    .map(({ grid }) => tempoOf(grid.period))
  return grids.find((tempo) => Math.abs(tempo / prevailing - 1) <= TEMPO.same) ?? prevailing
}

/**
 * The tempo of a list of beats in BPM, 0 for fewer than three.
 *
 * The tempo at each beat is the slope of a line through the beats around it: a beat is known to a
 * few milliseconds, so one interval to 2 %, but the slope to 0.1 %. The overall tempo is the mean
 * of these, with less weight for values far from the mean (an M-estimate of location). It starts at
 * the median, or at a quartile near which there is far more music. No beat is left out as a whole,
 * so a shift of 5 ms or another encoding of the same music changes the tempo by less than 0.1 %.
 */
function prevailingTempo(starts: ArrayLike<number>): number {
  if (starts.length < 3) return 0
  const { paces, surety } = localPaces(starts)
  const sorted = paces.slice().sort()
  const [slow, middle, fast] = [3, 2, 1].map((quarter) =>
    settled(sorted[Math.floor((quarter * (sorted.length - 1)) / 4)]!, paces, surety),
  ) as [Centre, Centre, Centre]
  const other = slow.mass > fast.mass ? slow : fast
  const { centre } = other.mass > TEMPO.prevailing * middle.mass ? other : middle
  return 60 / Math.exp(centre)
}

/** A logarithm of seconds a beat, and how much of the music is near it. */
interface Centre {
  centre: number
  mass: number
}

/** The centre to which `start` moves. */
function settled(start: number, paces: Float64Array, surety: Float64Array): Centre {
  let [centre, mass] = [start, 0]
  for (let round = 0; round < TEMPO.rounds; round++) {
    let sum = 0
    mass = 0
    paces.forEach((pace, i) => {
      const weight = surety[i]! * Math.exp(-0.5 * ((pace - centre) / TEMPO.steadiness) ** 2)
      sum += weight * pace
      mass += weight
    })
    centre = sum / mass
  }
  return { centre, mass }
}

/** The share of beats (three or more) around which the tempo is within a few percent of `tempo`. */
export function steadiness(starts: ArrayLike<number>, tempo: number): number {
  const { paces } = localPaces(starts)
  const expected = Math.log(60 / tempo)
  let near = 0
  for (const pace of paces) near += Math.exp(-0.5 * ((pace - expected) / TEMPO.tolerance) ** 2)
  return near / paces.length
}

/** Seconds per beat at the end of a list of two or more beats. */
export function paceAtEnd(starts: readonly number[]): number {
  return Math.exp(localPaces(starts.slice(-(TEMPO.reach + 2))).paces.at(-1)!)
}

/**
 * For each interval the natural logarithm of the seconds a beat around it, and the reciprocal of its
 * variance, which is large at the ends, where the lines are short.
 */
function localPaces(starts: ArrayLike<number>): { paces: Float64Array; surety: Float64Array } {
  const times = Array.from(starts)
  const pieces = beatsBetweenPauses(times).map(({ from, to }) =>
    pacesOfPiece(times.slice(from, to)),
  )
  return {
    paces: Float64Array.from(pieces.flatMap(({ paces }) => [...paces])),
    surety: Float64Array.from(pieces.flatMap(({ surety }) => [...surety])),
  }
}

/** The same of beats without a pause. */
function pacesOfPiece(starts: readonly number[]): { paces: Float64Array; surety: Float64Array } {
  const last = starts.length - 1
  const paces = new Float64Array(last)
  const surety = new Float64Array(last)
  for (let i = 0; i < last; i++) {
    const from = Math.max(0, i - TEMPO.reach)
    const count = Math.min(last, i + 1 + TEMPO.reach) - from + 1
    const centre = (count - 1) / 2
    let product = 0
    for (let b = 0; b < count; b++) {
      product += (b - centre) * (starts[from + b]! - starts[from]!)
      surety[i] = surety[i]! + (b - centre) ** 2
    }
    paces[i] = Math.log(product / surety[i]!)
  }
  return { paces, surety }
}
