import { keyRelation } from '../../../src/analysis/key-relation.ts'
import { distance, type Heard } from './library.ts'

/** A list that followed a seed. */
export interface Listed {
  seed?: Heard
  tracks: readonly Heard[]
}

/** What is told of the lists of one kind. */
export interface Figures {
  /** Tracks that are in at least one list. */
  distinct: number
  /** The share of the lists that have the commonest track. */
  commonest: number
  /** The mean share of a list that another one has too. */
  shared: number
  /** The share of the tracks that are of the seed's group. */
  sameGroup: number
  /** The mean distance from one track to the next. */
  step: number
  /** The mean distance from the seed. */
  fromSeed: number
  /** The share of the steps whose tempo is within 8 %, of double or half too. */
  tempo: number
  /** The share of the steps between known keys that clash. */
  clashing: number
  /** The count of effects. */
  effects: number
}

/** The figures of some lists. */
export function figuresOf(lists: readonly Listed[]): Figures {
  const counts = new Map<Heard, number>()
  for (const { tracks } of lists)
    for (const track of tracks) counts.set(track, (counts.get(track) ?? 0) + 1)
  const steps = lists.flatMap(({ tracks }) =>
    tracks.slice(1).map((to, i) => ({ from: tracks[i]!, to })),
  )
  const seeded = lists.flatMap(({ seed, tracks }) =>
    seed ? tracks.map((track) => ({ seed, track })) : [],
  )
  const keyed = steps
    .map(({ from, to }) => keyRelation(keyOf(from), keyOf(to)))
    .filter((relation) => relation !== 'unknown')
  const timed = steps.filter(({ from, to }) => from.tempo > 0 && to.tempo > 0)
  return {
    distinct: counts.size,
    commonest: Math.max(...counts.values()) / lists.length,
    shared: sharedOf(lists),
    sameGroup: shareOf(seeded, ({ seed, track }) => seed.group === track.group),
    step: mean(steps.map(({ from, to }) => distance(from, to))),
    fromSeed: mean(seeded.map(({ seed, track }) => distance(seed, track))),
    tempo: shareOf(timed, ({ from, to }) => isInTempo(to.tempo / from.tempo)),
    clashing: shareOf(keyed, (relation) => relation === 'clash'),
    effects: lists.flatMap(({ tracks }) => tracks).filter(({ isEffect }) => isEffect).length,
  }
}

/** Whether two tempi are within 8 % of each other, or of double or half. */
export function isInTempo(ratio: number): boolean {
  return [0.5, 1, 2].some((factor) => Math.abs(ratio / factor - 1) <= 0.08)
}

function keyOf({ key, mode }: Heard) {
  return key < 0 ? undefined : { key, mode }
}

function sharedOf(lists: readonly Listed[]): number {
  const shares: number[] = []
  for (const [place, { tracks }] of lists.entries()) {
    const own = new Set(tracks)
    for (const other of lists.slice(0, place))
      shares.push(shareOf(other.tracks, (track) => own.has(track)))
  }
  return mean(shares)
}

function shareOf<T>(list: readonly T[], is: (one: T) => boolean): number {
  return list.filter(is).length / list.length
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length
}
