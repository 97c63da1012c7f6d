import { keyRelation } from '../analysis/key-relation.ts'
import { firstByKey } from '../kernel/smallest.ts'
import type { LibraryValues } from '../track/album-groups.ts'
import { describeTrack, type TrackProfile } from '../track/track-answer.ts'
import { Arc } from './arc.ts'
import { explainEnd, type MixEnd } from './ending.ts'
import {
  allowedTracks,
  type Pool,
  type PoolWish,
  poolOfAll,
  refinedPool,
  smallerPool,
  totalWeight,
} from './pool.ts'
import { uniformDraw } from './random.ts'
import type { Against, MixReasons } from './reasons.ts'
import type { MixRoom } from './room.ts'
import { MixRules, type Rule } from './rules.ts'
import { type Seam, SeamCosts, sumSeam } from './seam.ts'
import type { Seeds } from './seeds.ts'
import {
  type DescribedTrack,
  estimatedSound,
  estimateFrom,
  type MeasuredDistance,
  measureDistance,
  measuredSound,
  measureFromSeeds,
  type SoundReader,
} from './standing.ts'
import { resolveState } from './state-seeds.ts'
import { musicKeyOf, tempoRatioOf } from './track-facts.ts'
import type { MixState, Seed } from './wish.ts'

/** Candidates of a step whose descriptors are compared. */
const COMPARED_CANDIDATES = 48
/** The best of them, whose neighbourhoods are measured. */
const MEASURED_CANDIDATES = 12
const DRAWN_CANDIDATES = 10
/** How much the seeds count beside the track before, without adventurousness. */
const SEED_PULL = 1.5

/** A track of a mix. */
export interface MixStep {
  track: TrackProfile
  reasons: MixReasons
}

type SoundCosts = Omit<Against, keyof Seam>

interface MixCandidate {
  num: number
  place: number
  /** By estimates; the least is the best. */
  estimate: number
}

interface ComparedCandidate extends MixCandidate, DescribedTrack {
  score: number
  against: Against
  toLast: MeasuredDistance | undefined
  /** `undefined` where no seed sounds, or moods are among them. */
  toSeeds: MeasuredDistance | undefined
}

export class Mixing {
  readonly #room: MixRoom
  readonly #state: MixState
  readonly #seeds: Seeds
  readonly #seedTracks: readonly (DescribedTrack & { weight: number })[]
  readonly #columns: LibraryValues['columns']
  readonly #hasSeeds: boolean
  readonly #allowed: Int32Array
  readonly #poolWish: PoolWish
  readonly #arc: Arc
  readonly #seams: SeamCosts
  readonly #rules: MixRules
  readonly #pool: Pool
  #wholePool: Pool | undefined
  /** Seeds of the state that do not exist any more. */
  readonly gone: readonly Seed[]

  constructor(room: MixRoom, state: MixState) {
    this.#room = room
    this.#columns = room.track.library.read().columns
    this.#state = state
    const { wish, seed } = state
    const { away, origins, gone, ...poolWish } = resolveState(room, state)
    this.#seeds = poolWish.seeds
    this.gone = gone
    this.#seedTracks = this.#seeds.sounds.flatMap(({ num, weight }) => {
      const descriptor = room.track.library.descriptorOf(num)
      return descriptor ? [{ num, descriptor, weight }] : []
    })
    this.#hasSeeds = totalWeight(this.#seeds) > 0
    this.#allowed = allowedTracks(room, wish)
    this.#arc = new Arc(wish, room.track.library.read(), this.#allowed)
    this.#seams = new SeamCosts(this.#columns)
    this.#poolWish = { wish, seed, ...poolWish, arc: this.#arc }
    const smaller = smallerPool(poolOfAll(room, this.#allowed, this.#poolWish), this.#poolWish)
    this.#pool = refinedPool(room, smaller, this.#poolWish)
    this.#rules = new MixRules(room, state, { away, origins })
  }

  /** The states must be alike in all but what was played. */
  isAt(played: readonly string[]): boolean {
    const ownPlayed = this.#state.played
    return ownPlayed.length === played.length && ownPlayed.every((id, i) => id === played[i])
  }

  nextStep(): MixStep | MixEnd {
    const { wish, played } = this.#state
    if (played.length >= (wish.length ?? Number.POSITIVE_INFINITY)) {
      return { bound: 'length', message: `The mix has all its ${wish.length} tracks.` }
    }
    return (
      this.#chooseFrom(this.#pool) ??
      this.#chooseFromAll() ??
      explainEnd(wish, this.#allowed, this.#rules)
    )
  }

  #chooseFromAll(): MixStep | undefined {
    if (this.#pool.isAll) return undefined
    this.#wholePool ??= refinedPool(
      this.#room,
      poolOfAll(this.#room, this.#allowed, this.#poolWish),
      this.#poolWish,
    )
    return this.#chooseFrom(this.#wholePool)
  }

  #chooseFrom(pool: Pool): MixStep | undefined {
    for (const isSoft of this.#rules.strictness) {
      const { candidates, passed } = this.#listCandidates(pool, isSoft)
      const best = this.#drawBest(candidates, pool)
      if (best) return this.#takeStep(best, passed)
    }
    return undefined
  }

  #listCandidates(pool: Pool, isSoft: boolean) {
    const { nums } = pool
    const { last, lastVector } = this.#rules
    const fromLast =
      last !== undefined && lastVector
        ? estimateFrom(this.#room.track, { num: last, vector: lastVector })
        : () => 0
    const seam = this.#seams.costBehind(last)
    const estimates = new Float64Array(nums.length)
    const places = new Int32Array(nums.length)
    const order = new Float64Array(nums.length)
    let openCount = 0
    for (let place = 0; place < nums.length; place++) {
      const num = nums[place]!
      if (this.#rules.isPlayed(num)) continue
      const estimate = sumCosts(
        this.#soundCosts(pool, place, fromLast(num), pool.fromSeeds[place]!),
        seam(num),
      )
      estimates[place] = estimate
      order[openCount] = estimate
      places[openCount++] = place
    }
    const candidates: MixCandidate[] = []
    const passed: { rule: Rule; score: number }[] = []
    // Few are looked at first: a rule is checked in the database.
    for (let limit = 256; ; limit *= 16) {
      candidates.length = 0
      passed.length = 0
      for (const place of firstByKey(
        places.subarray(0, openCount),
        order.subarray(0, openCount),
        0,
        limit,
      )) {
        const num = nums[place]!
        const rule = this.#rules.brokenRule(num, isSoft)
        const score = estimates[place]!
        if (rule) passed.push({ rule, score })
        else candidates.push({ num, place, estimate: score })
        if (candidates.length === COMPARED_CANDIDATES) break
      }
      if (candidates.length > 0 || limit >= openCount) return { candidates, passed }
    }
  }

  #soundCosts(pool: Pool, place: number, last: number, fromSeeds: number): SoundCosts {
    const { wish, seed, played } = this.#state
    const num = pool.nums[place]!
    const lastNum = this.#rules.last
    // Without a track before and without seeds, a mix begins anywhere.
    const start = lastNum !== undefined || this.#hasSeeds ? 0 : uniformDraw(seed, 0, num)
    const pull = lastNum === undefined ? 1 : SEED_PULL * (1 - wish.adventurousness)
    return {
      last: start + last,
      seeds: pull * fromSeeds,
      less: pool.against[place]!,
      arc: this.#arc.costAt(num, played.length),
    }
  }

  /**
   * A softmax over the best alone: among all candidates, many bad ones would outweigh the few good
   * ones.
   */
  #drawBest(candidates: readonly MixCandidate[], pool: Pool): ComparedCandidate | undefined {
    const { wish, seed, played } = this.#state
    const step = played.length
    const { library } = this.#room.track
    const descriptors = library.descriptorsOf(candidates.map(({ num }) => num))
    const described = candidates.flatMap((candidate) => {
      const descriptor = descriptors.get(candidate.num)
      return descriptor ? [{ ...candidate, descriptor }] : []
    })
    const likely = this.#compareSounds(described, pool, estimatedSound).slice(
      0,
      MEASURED_CANDIDATES,
    )
    const best = this.#compareSounds(likely, pool, measuredSound).slice(0, DRAWN_CANDIDATES)
    // Gumbel's noise: the least sum is a draw by the softmax.
    const drawn = best.map(
      ({ num, score }) =>
        score + wish.variety * Math.log(-Math.log(uniformDraw(seed, step + 1, num))),
    )
    return best[drawn.indexOf(Math.min(...drawn))]
  }

  #compareSounds(
    candidates: readonly (MixCandidate & DescribedTrack)[],
    pool: Pool,
    hear: SoundReader,
  ): ComparedCandidate[] {
    const { track } = this.#room
    const { last: num, lastDescriptor: descriptor } = this.#rules
    const lastSound = num !== undefined && descriptor ? hear(track, { num, descriptor }) : undefined
    const seeds = this.#seedTracks.map((seed) => ({ ...seed, sound: hear(track, seed) }))
    const compared = candidates.map((candidate): ComparedCandidate => {
      const sound = hear(track, candidate)
      const toLast = lastSound && measureDistance(lastSound, sound)
      const toSeeds = this.#seeds.moods.length > 0 ? undefined : measureFromSeeds(seeds, sound)
      const { place } = candidate
      const apart = toSeeds?.apart ?? pool.fromSeeds[place]!
      const sounds = this.#soundCosts(pool, place, toLast?.apart ?? 0, apart)
      const seam = this.#seams.costsBetween(num, candidate.num)
      const score = sumCosts(sounds, sumSeam(seam))
      return { ...candidate, score, against: { ...sounds, ...seam }, toLast, toSeeds }
    })
    return compared.sort((a, b) => a.score - b.score)
  }

  #takeStep(best: ComparedCandidate, passed: readonly { rule: Rule; score: number }[]): MixStep {
    const { num, toLast, toSeeds, against } = best
    const { track } = this.#room
    const columns = this.#columns
    const last = this.#rules.last
    const passedOver: MixReasons['passedOver'] = {}
    for (const { rule, score } of passed) {
      if (score < best.estimate) passedOver[rule] = (passedOver[rule] ?? 0) + 1
    }
    const reasons: MixReasons = {
      fromLast: toLast ? roundDistance(toLast.distance) : null,
      fromSeeds: this.#hasSeeds ? roundDistance(toSeeds?.distance ?? against.seeds) : null,
      similarity: {
        toLast: toLast ? roundDistance(toLast.similarity) : null,
        toSeeds: toSeeds ? roundDistance(toSeeds.similarity) : null,
      },
      keyRelation: keyRelation(musicKeyOf(columns, last), musicKeyOf(columns, num)),
      tempoRatio: tempoRatioOf(columns, last, num),
      against: roundCosts(against),
      arc: this.#arc.reasonsAt(num, this.#state.played.length),
      passedOver,
    }
    const id = track.library.idOf(num) as string
    this.#state.played.push(id)
    this.#rules.countPlayed(num)
    const row = track.store.byId(id)
    if (!row) throw new Error(`The library's track ${id} is gone.`)
    return { track: describeTrack(track.store, row, this.#state.wish.bucket), reasons }
  }
}

function sumCosts({ last, seeds, less, arc }: SoundCosts, seam: number): number {
  return last + seeds + less + arc + seam
}

function roundDistance(value: number): number {
  return Number(value.toFixed(3))
}

function roundCosts(against: Against): Against {
  const entries = Object.entries(against) as [keyof Against, number][]
  return Object.fromEntries(entries.map(([name, value]) => [name, roundDistance(value)])) as never
}
