import { tempoOf } from './even-grid.ts'
import { type Polyline, polylineOf } from './polyline.ts'

export interface GridMarker {
  /** The index of its beat. */
  beat: number
  time: number
  /** Beats per minute from here to the next marker. */
  bpm: number
  /** Beats to the next marker, or to the last beat. */
  beats: number
}

export interface GridFit {
  /** Seconds by which the grid may miss a beat. */
  tolerance?: number | undefined
  /** Decimals with which a format writes a tempo in BPM, and a time in seconds. */
  decimals?: { bpm: number; time: number } | undefined
  /** Indices of beats at which a marker must be, ascending. */
  marked?: readonly number[] | undefined
  /** Indices at which a marker is rather than at others: the first beats of bars. */
  preferred?: ReadonlySet<number> | undefined
}

export const GRID_TOLERANCE = 0.01

/**
 * Few markers, whose grid misses no beat by more than the tolerance after rounding.
 *
 * @param beats - seconds, ascending, at least 10 ms apart
 * @returns none for fewer than two beats
 */
export function gridMarkers(beats: readonly number[], fit: GridFit = {}): GridMarker[] {
  const { tolerance = GRID_TOLERANCE, decimals, marked, preferred } = fit
  const points = polylineOf({
    x: beats.map((_, i) => i),
    y: beats,
    tolerance,
    marked,
    preferred,
    // No format has a beat before the beginning.
    roundValue: (time) => Number(Math.max(0, time).toFixed(decimals?.time ?? 9)),
    ...(decimals && {
      roundSlope: (period: number) => 60 / Number((60 / period).toFixed(decimals.bpm)),
      // Half a unit of the last decimal.
      rounding: 0.5 * 10 ** -decimals.time,
    }),
  } satisfies Polyline)
  return points.map(({ at, value, slope, to }) => ({
    beat: at,
    time: value,
    beats: to - at,
    bpm: decimals ? Number((60 / slope).toFixed(decimals.bpm)) : tempoOf(slope),
  }))
}

export function gridTimes(markers: readonly GridMarker[]): number[] {
  const times = markers.flatMap(({ time, bpm, beats }) =>
    Array.from({ length: beats }, (_, i) => time + (i * 60) / bpm),
  )
  const last = markers.at(-1)
  return last ? [...times, last.time + (last.beats * 60) / last.bpm] : []
}
