import { tempoOf } from './even-grid.ts'
import { beatsBetweenPauses, evenStretches } from './even-stretches.ts'

const TEMPO_ESTIMATE = {
  /** Beats on either side from which an interval's tempo is measured. */
  reach: 6,
  /** Deviation, as a share of the tempo, at which music weighs 0.6. */
  steadiness: 0.025,
  rounds: 3,
  /** Deviation, as a share of the tempo, up to which a beat keeps it. */
  tolerance: 0.04,
  /** Factor by which the music at a quartile's tempo must outweigh the median's. */
  prevailing: 2,
  /** Share by which the tempo of a grid may differ from the beats' own. */
  same: 0.01,
}

/**
 * BPM, 0 for fewer than three beats: of the grid on which most of them lie, else {@link
 * prevailingTempo}.
 */
export function tempoOfBeats(
  starts: readonly number[],
  weights: readonly number[] = starts.map(() => 1),
): number {
  const prevailing = prevailingTempo(starts)
  const grids = evenStretches(starts, weights)
    .sort((a, b) => b.to - b.from - (a.to - a.from))
    .map(({ grid }) => tempoOf(grid.period))
  return (
    grids.find((tempo) => Math.abs(tempo / prevailing - 1) <= TEMPO_ESTIMATE.same) ?? prevailing
  )
}

/**
 * An M-estimate over the slopes of lines through neighbouring beats, which are steadier than
 * intervals.
 */
function prevailingTempo(starts: ArrayLike<number>): number {
  if (starts.length < 3) return 0
  const { paces, surety } = localPaces(starts)
  const sorted = paces.slice().sort()
  const [slow, middle, fast] = [3, 2, 1].map((quarter) =>
    settleCentre(sorted[Math.floor((quarter * (sorted.length - 1)) / 4)]!, paces, surety),
  ) as [Centre, Centre, Centre]
  const denserQuartile = slow.mass > fast.mass ? slow : fast
  const { centre } =
    denserQuartile.mass > TEMPO_ESTIMATE.prevailing * middle.mass ? denserQuartile : middle
  return 60 / Math.exp(centre)
}

/** A logarithm of seconds a beat, and how much of the music is near it. */
interface Centre {
  centre: number
  mass: number
}

function settleCentre(start: number, paces: Float64Array, surety: Float64Array): Centre {
  let [centre, mass] = [start, 0]
  for (let round = 0; round < TEMPO_ESTIMATE.rounds; round++) {
    let sum = 0
    mass = 0
    paces.forEach((pace, i) => {
      const weight =
        surety[i]! * Math.exp(-0.5 * ((pace - centre) / TEMPO_ESTIMATE.steadiness) ** 2)
      sum += weight * pace
      mass += weight
    })
    centre = sum / mass
  }
  return { centre, mass }
}

/** The share of beats (three or more) whose tempo is within a few percent of `tempo`. */
export function tempoSteadiness(starts: ArrayLike<number>, tempo: number): number {
  const { paces } = localPaces(starts)
  const expected = Math.log(60 / tempo)
  let near = 0
  for (const pace of paces)
    near += Math.exp(-0.5 * ((pace - expected) / TEMPO_ESTIMATE.tolerance) ** 2)
  return near / paces.length
}

/** Of two or more beats, seconds a beat. */
export function paceAtEnd(starts: readonly number[]): number {
  return Math.exp(localPaces(starts.slice(-(TEMPO_ESTIMATE.reach + 2))).paces.at(-1)!)
}

/**
 * Logarithms of seconds a beat, and the reciprocals of their variances, which are large at the
 * ends.
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

function pacesOfPiece(starts: readonly number[]): { paces: Float64Array; surety: Float64Array } {
  const last = starts.length - 1
  const paces = new Float64Array(last)
  const surety = new Float64Array(last)
  for (let i = 0; i < last; i++) {
    const from = Math.max(0, i - TEMPO_ESTIMATE.reach)
    const count = Math.min(last, i + 1 + TEMPO_ESTIMATE.reach) - from + 1
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
