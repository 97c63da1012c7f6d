import { z } from 'zod'
import { type KeyRelation, keyRelation } from '../analysis/key-relation.ts'
import { estimatedDistance } from '../analysis/sound-vector.ts'
import { method } from '../kernel/method.ts'
import { firstByKey } from '../kernel/smallest.ts'
import { requireAnalysis } from '../track/analysis.ts'
import { findTrack, trackReference } from '../track/find-track.ts'
import { conditions } from '../track/search-parameters.ts'
import { describe, summary, type TrackProfile } from '../track/track-answer.ts'
import { ParameterError } from '../values/errors.ts'
import { allowedTracks } from './pool.ts'
import type { MixRoom } from './room.ts'
import { shortestPath } from './shortest-path.ts'
import { songNames } from './song-names.ts'
import { estimateFrom, heard, measure } from './standing.ts'
import { musicKeyOf, tempoRatioOf } from './track-facts.ts'

/** Tracks among which a path is sought. */
const CANDIDATES = 400
/** Tracks that are compared as neighbourhoods go: those with the nearest vectors. */
const REFINED = 4_000
/** What tells steps between neighbours apart, in the unit of their distance. */
const SOFTNESS = 5

const end = z.strictObject(trackReference)

/** A track of a path. */
export interface PathStep {
  track: TrackProfile
  reasons: {
    /** The distance of its sound from that of the track before; `null` for the first. */
    fromLast: number | null
    /** The same as a share of the distance between both ends. */
    share: number | null
    /** Its key, seen from that of the track before. */
    keyRelation: KeyRelation
    /** Its tempo, divided by that of the track before; `null` where one is not known. */
    tempoRatio: number | null
  }
}

/**
 * `mix/path` (ours): the way from one track to another over tracks in between, whose largest step
 * is as small as the library allows.
 *
 * @throws {ParameterError} `unknown_identifier`; `not_ready` when an end has no analysis;
 * `invalid_parameter` when both ends are the same track
 */
export const path = method({
  name: 'mix/path',
  parameters: z.strictObject({
    /** The first track. */
    from: end,
    /** The last track. */
    to: end,
    /**
     * Tracks with both ends, 2…50; fewer where the library has not so many, or where more need a
     * step larger than the whole distance. Default 8.
     */
    length: z.int().min(2).max(50).default(8),
    /** Conditions that the tracks in between meet, as in `track/search`. */
    where: conditions.default({}),
    ...summary,
  }),
  run(room: MixRoom, { from, to, length, where, bucket }): PathStep[] {
    const { library, store } = room.track
    library.update()
    const first = numOf(room, from)
    const last = numOf(room, to)
    if (first === last) {
      const message = `from and to are both ${library.idOf(first)}; give two tracks.`
      throw new ParameterError('invalid_parameter', message)
    }
    const between = candidates(room, first, last, allowedTracks(room, { where, avoid: [] }))
    const nums = [first, ...between, last]
    const descriptors = library.descriptorsOf(nums)
    const sounds = nums.map((num) => {
      return heard(room.track, { num, descriptor: descriptors.get(num) as Float32Array })
    })
    const apart = (a: number, b: number) => measure(sounds[a]!, sounds[b]!)
    const whole = apart(0, nums.length - 1).distance
    const { columns } = library.read()
    const places = shortestPath(nums.length, length, (a, b) => stepOf(apart(a, b).apart))
    return places.map((place, i) => {
      const num = nums[place]!
      const before = i === 0 ? undefined : nums[places[i - 1]!]
      const fromLast = i === 0 ? null : apart(places[i - 1]!, place).distance
      const row = store.byId(library.idOf(num) as string)
      if (!row) throw new Error(`The library's track ${num} is gone.`)
      return {
        track: describe(store, row, bucket),
        reasons: {
          fromLast: fromLast === null ? null : Number(fromLast.toFixed(3)),
          share: fromLast === null ? null : Number((fromLast / whole).toFixed(3)),
          keyRelation: keyRelation(musicKeyOf(columns, before), musicKeyOf(columns, num)),
          tempoRatio: tempoRatioOf(columns, before, num),
        },
      }
    })
  },
})

function numOf({ track }: MixRoom, given: z.output<typeof end>): number {
  const row = findTrack(track.store, given)
  const num = track.library.numOf(row.id)
  if (num !== undefined && track.space.vectors().has(num)) return num
  requireAnalysis(row)
  throw new ParameterError('not_ready', `${row.id} has no analysis yet; wait for it.`)
}

/** The length of a step, above 0: a path is the shorter, the more even its steps are. */
function stepOf(apart: number): number {
  return Math.log1p(Math.exp(apart / SOFTNESS))
}

/** The tracks with the least way over them, one of each song, none of the songs of both ends. */
function candidates(room: MixRoom, first: number, last: number, allowed: Int32Array): number[] {
  const vectors = room.track.space.vectors()
  const wayOver = (apartOf: readonly ((num: number) => number)[]) => (num: number) => {
    const [from, to] = apartOf.map((apart) => apart(num)) as [number, number]
    return Math.max(from, to) + from + to
  }
  const ends = [first, last].map((num) => ({ num, vector: vectors.of(num)! }))
  const raw = ends.map(({ vector }) => (num: number) => {
    return estimatedDistance(vectors.squaredDistance(num, vector))
  })
  const nearest = (nums: Int32Array, key: (num: number) => number, most: number) =>
    Int32Array.from(firstByKey(nums, Float64Array.from(nums, key), 0, most))
  const near = nearest(allowed, wayOver(raw), REFINED)
  const scaled = ends.map((end) => estimateFrom(room.track, end))
  const namesOf = (num: number) => {
    const row = room.track.store.byId(room.track.library.idOf(num) ?? '')
    return row ? songNames(row) : []
  }
  const songs = new Set([first, last].flatMap(namesOf))
  const found: number[] = []
  for (const num of nearest(near, wayOver(scaled), 4 * CANDIDATES)) {
    const own = namesOf(num)
    if (own.some((name) => songs.has(name))) continue
    for (const name of own) songs.add(name)
    if (found.push(num) === CANDIDATES) break
  }
  return found
}
