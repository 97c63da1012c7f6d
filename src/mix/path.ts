import { z } from 'zod'
import { type KeyRelation, keyRelation } from '../analysis/key-relation.ts'
import { estimatedDistance } from '../analysis/sound-vector.ts'
import { method } from '../kernel/method.ts'
import { firstByKey } from '../kernel/smallest.ts'
import { requireAnalysis } from '../track/analysis.ts'
import { findTrack, trackReference } from '../track/find-track.ts'
import { conditions } from '../track/search-parameters.ts'
import { describeTrack, summary, type TrackProfile } from '../track/track-answer.ts'
import { ParameterError } from '../values/errors.ts'
import { allowedTracks } from './pool.ts'
import type { MixRoom } from './room.ts'
import { shortestPath } from './shortest-path.ts'
import { songNames } from './song-names.ts'
import { estimateFrom, measureDistance, measuredSound } from './standing.ts'
import { musicKeyOf, tempoRatioOf } from './track-facts.ts'

const PATH_CANDIDATES = 400
/** Tracks that are compared by their neighbourhoods: those with the nearest vectors. */
const REFINED_TRACKS = 4_000
/** In the unit of distances: less of it avoids large steps more strictly. */
const SOFTNESS = 5

const pathEndSchema = z.strictObject(trackReference)

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
export const findPath = method({
  name: 'mix/path',
  parameters: z.strictObject({
    /** The first track. */
    from: pathEndSchema,
    /** The last track. */
    to: pathEndSchema,
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
    const first = analysedNum(room, from)
    const last = analysedNum(room, to)
    if (first === last) {
      const message = `from and to are both ${library.idOf(first)}; give two tracks.`
      throw new ParameterError('invalid_parameter', message)
    }
    const between = pathCandidates(room, first, last, allowedTracks(room, { where, avoid: [] }))
    const nums = [first, ...between, last]
    const descriptors = library.descriptorsOf(nums)
    const sounds = nums.map((num) => {
      return measuredSound(room.track, { num, descriptor: descriptors.get(num) as Float32Array })
    })
    const measurePair = (a: number, b: number) => measureDistance(sounds[a]!, sounds[b]!)
    const wholeDistance = measurePair(0, nums.length - 1).distance
    const { columns } = library.read()
    const places = shortestPath(nums.length, length, (a, b) => stepLength(measurePair(a, b).apart))
    return places.map((place, i) => {
      const num = nums[place]!
      const previousNum = i === 0 ? undefined : nums[places[i - 1]!]
      const fromLast = i === 0 ? null : measurePair(places[i - 1]!, place).distance
      const row = store.byId(library.idOf(num) as string)
      if (!row) throw new Error(`The library's track ${num} is gone.`)
      return {
        track: describeTrack(store, row, bucket),
        reasons: {
          fromLast: fromLast === null ? null : Number(fromLast.toFixed(3)),
          share: fromLast === null ? null : Number((fromLast / wholeDistance).toFixed(3)),
          keyRelation: keyRelation(musicKeyOf(columns, previousNum), musicKeyOf(columns, num)),
          tempoRatio: tempoRatioOf(columns, previousNum, num),
        },
      }
    })
  },
})

function analysedNum({ track }: MixRoom, reference: z.output<typeof pathEndSchema>): number {
  const row = findTrack(track.store, reference)
  const num = track.library.numOf(row.id)
  if (num !== undefined && track.space.vectors().has(num)) return num
  requireAnalysis(row)
  throw new ParameterError('not_ready', `${row.id} has no analysis yet; wait for it.`)
}

/** Above 0; the more even the steps are, the shorter is the path. */
function stepLength(apart: number): number {
  return Math.log1p(Math.exp(apart / SOFTNESS))
}

/** One track of each song, none of the songs of both ends. */
function pathCandidates(room: MixRoom, first: number, last: number, allowed: Int32Array): number[] {
  const vectors = room.track.space.vectors()
  const wayOver = (apartOf: readonly ((num: number) => number)[]) => (num: number) => {
    const [from, to] = apartOf.map((apart) => apart(num)) as [number, number]
    return Math.max(from, to) + from + to
  }
  const ends = [first, last].map((num) => ({ num, vector: vectors.vectorOf(num)! }))
  const estimates = ends.map(({ vector }) => (num: number) => {
    return estimatedDistance(vectors.squaredDistance(num, vector))
  })
  const selectNearest = (nums: Int32Array, key: (num: number) => number, limit: number) =>
    Int32Array.from(firstByKey(nums, Float64Array.from(nums, key), 0, limit))
  const nearestTracks = selectNearest(allowed, wayOver(estimates), REFINED_TRACKS)
  const scaledEstimates = ends.map((end) => estimateFrom(room.track, end))
  const namesOf = (num: number) => {
    const row = room.track.store.byId(room.track.library.idOf(num) ?? '')
    return row ? songNames(row) : []
  }
  const songs = new Set([first, last].flatMap(namesOf))
  const chosen: number[] = []
  for (const num of selectNearest(nearestTracks, wayOver(scaledEstimates), 4 * PATH_CANDIDATES)) {
    const ownNames = namesOf(num)
    if (ownNames.some((name) => songs.has(name))) continue
    for (const name of ownNames) songs.add(name)
    if (chosen.push(num) === PATH_CANDIDATES) break
  }
  return chosen
}
