/** Where a beat grid gets another tempo. */
export interface GridMarker {
  /** The index of its beat. */
  beat: number
  /** Seconds. */
  time: number
  /** Beats per minute from here to the next marker. */
  bpm: number
  /** Beats to the next marker, or to the last beat. */
  beats: number
}

/** How a grid is fitted to beats. */
export interface GridFit {
  /** Seconds by which the grid may miss a beat. */
  tolerance?: number | undefined
  /** Decimals with which a format writes a tempo in BPM, and a time in seconds. */
  decimals?: { bpm: number; time: number } | undefined
  /** Beats at which a marker must be, by their indices, ascending. */
  marked?: readonly number[] | undefined
}

const GRID = {
  /** Seconds: differences below this are inaudible between two rhythms. */
  tolerance: 0.01,
  /** Seconds of the tolerance that are left to the rounding of numbers. */
  rounding: 1e-6,
  /** Beats before and after a marker whose line places it. */
  around: 8,
}

/**
 * The fewest markers of a grid that misses no beat by more than the tolerance. Between two markers
 * the tempo is constant, and each marker lies where the tempo before it leads, so the grid has no
 * gap. It is the swing filter of Elmeleegy et al. ("Online piece-wise linear approximation of
 * numerical streams with precision guarantees", VLDB 2009): from each marker the tempi that keep all
 * beats so far are a range, which gets narrower with each beat until it is empty. Rounding to the
 * decimals of a format is part of the fit. Needs at least two beats.
 *
 * @param beats - the times of beats, seconds, ascending
 */
export function gridMarkers(beats: readonly number[], fit: GridFit = {}): GridMarker[] {
  const { decimals, marked = [] } = fit
  // A rounded marker is off by half a unit of its last decimal.
  const lost = decimals ? 0.5 * 10 ** -decimals.time : 0
  const tolerance = (fit.tolerance ?? GRID.tolerance) - lost - GRID.rounding
  const last = beats.length - 1
  const markers: GridMarker[] = []
  const stops = [...marked.filter((beat) => beat > 0 && beat < last), last]
  let at = 0
  const first = Math.max(
    beats[0]! - tolerance,
    Math.min(beats[0]! + tolerance, smoothTime(beats, 0)),
  )
  let time = rounded(Math.max(0, first), decimals?.time)
  while (at < last) {
    const stop = stops.find((one) => one > at)!
    const { to, period, bpm } = runFrom(beats, at, time, stop, tolerance, decimals?.bpm)
    markers.push({ beat: at, time, bpm, beats: to - at })
    time = rounded(time + (to - at) * period, decimals?.time)
    at = to
  }
  return markers
}

/** Where the grid puts each beat. */
export function gridTimes(markers: readonly GridMarker[]): number[] {
  const times = markers.flatMap(({ time, bpm, beats }) =>
    Array.from({ length: beats }, (_, i) => time + (i * 60) / bpm),
  )
  const last = markers.at(-1)
  return last ? [...times, last.time + (last.beats * 60) / last.bpm] : []
}

/** A beat as the line of the beats around it has it: one early beat is no change of tempo. */
function smoothTime(beats: readonly number[], at: number): number {
  const from = Math.max(0, at - GRID.around)
  const times = beats.slice(from, at + GRID.around + 1)
  const middle = (times.length - 1) / 2
  const mean = times.reduce((sum, time) => sum + time, 0) / times.length
  let slope = 0
  let squares = 0
  times.forEach((time, i) => {
    slope += (i - middle) * (time - mean)
    squares += (i - middle) ** 2
  })
  return mean + ((at - from - middle) * slope) / squares
}

interface Run {
  /** The beat with which the next one begins. */
  to: number
  /** Seconds a beat. */
  period: number
  bpm: number
}

/** The longest run of beats that one tempo keeps. */
function runFrom(
  beats: readonly number[],
  at: number,
  time: number,
  stop: number,
  tolerance: number,
  decimals: number | undefined,
): Run {
  let [low, high] = [0, Infinity]
  let best: Run | undefined
  for (let to = at + 1; to <= stop; to++) {
    low = Math.max(low, (beats[to]! - tolerance - time) / (to - at))
    high = Math.min(high, (beats[to]! + tolerance - time) / (to - at))
    if (low > high) break
    const wanted = (smoothTime(beats, to) - time) / (to - at)
    for (const period of [Math.max(low, Math.min(high, wanted)), (low + high) / 2]) {
      const bpm = rounded(60 / period, decimals)
      if (60 / bpm < low || 60 / bpm > high) continue
      best = { to, period: 60 / bpm, bpm }
      break
    }
  }
  // For one beat, a tempo of any format is exact enough.
  const bpm = rounded(60 / Math.max(1e-3, beats[at + 1]! - time), decimals)
  return best ?? { to: at + 1, period: 60 / bpm, bpm }
}

function rounded(value: number, decimals: number | undefined): number {
  return decimals === undefined ? value : Number(value.toFixed(decimals))
}
