import { keyRelation } from '../analysis/key-relation.ts'
import { firstByKey } from '../kernel/smallest.ts'
import type { LibraryValues } from '../track/album-groups.ts'
import { describe, type TrackProfile } from '../track/track-answer.ts'
import { Arc } from './arc.ts'
import { endOf, type MixEnd } from './ending.ts'
import {
  allowedTracks,
  type Pool,
  type PoolWish,
  poolOf,
  refinedPool,
  smallerPool,
  weightOf,
} from './pool.ts'
import { uniform } from './random.ts'
import type { Against, MixReasons } from './reasons.ts'
import type { MixRoom } from './room.ts'
import { type Rule, Rules } from './rules.ts'
import { type Seam, Seams, sumOf } from './seam.ts'
import type { Seeds } from './seeds.ts'
import {
  type Described,
  estimateFrom,
  type Hear,
  heard,
  type Measured,
  measure,
  measureFromSeeds,
  roughlyHeard,
} from './standing.ts'
import { seedsOfState } from './state-seeds.ts'
import { musicKeyOf, tempoRatioOf } from './track-facts.ts'
import type { MixState, Seed } from './wish.ts'

/** Candidates of a step whose descriptors are compared. */
const COMPARED = 48
/** The best of them, whose neighbourhoods are measured. */
const MEASURED = 12
/** The best of these, of which one is drawn. */
const DRAWN = 10
/** How much the seeds count beside the track before, without adventurousness. */
const PULL = 1.5

/** A track of a mix. */
export interface MixStep {
  track: TrackProfile
  reasons: MixReasons
}

type SoundsAgainst = Omit<Against, keyof Seam>

interface Candidate {
  num: number
  /** Its place in the pool. */
  place: number
  /** Its score by estimates; the least is the best. */
  estimate: number
}

interface Compared extends Candidate, Described {
  score: number
  against: Against
  toLast: Measured | undefined
  /** From the seeds; `undefined` where none of them sounds, or moods are among them. */
  toSeeds: Measured | undefined
}

/** A mix that is being continued: what follows a state. */
export class Mixing {
  readonly #room: MixRoom
  readonly #state: MixState
  readonly #seeds: Seeds
  readonly #seedTracks: readonly (Described & { weight: number })[]
  readonly #columns: LibraryValues['columns']
  readonly #hasSeeds: boolean
  readonly #allowed: Int32Array
  readonly #made: PoolWish
  readonly #arc: Arc
  readonly #seams: Seams
  readonly #rules: Rules
  readonly #pool: Pool
  #all: Pool | undefined
  /** What the state names and is not there any more. */
  readonly gone: readonly Seed[]

  constructor(room: MixRoom, state: MixState) {
    this.#room = room
    this.#columns = room.track.library.read().columns
    this.#state = state
    const { wish, seed } = state
    const { away, origins, gone, ...made } = seedsOfState(room, state)
    this.#seeds = made.seeds
    this.gone = gone
    this.#seedTracks = this.#seeds.sounds.flatMap(({ num, weight }) => {
      const descriptor = room.track.library.descriptorOf(num)
      return descriptor ? [{ num, descriptor, weight }] : []
    })
    this.#hasSeeds = weightOf(this.#seeds) > 0
    this.#allowed = allowedTracks(room, wish)
    this.#arc = new Arc(wish, room.track.library.read(), this.#allowed)
    this.#seams = new Seams(this.#columns)
    this.#made = { wish, seed, ...made, arc: this.#arc }
    const smaller = smallerPool(poolOf(room, this.#allowed, this.#made), this.#made)
    this.#pool = refinedPool(room, smaller, this.#made)
    this.#rules = new Rules(room, state, { away, origins })
  }

  /** Whether the mix is where a state is, which is alike in all but what was played. */
  isAt(played: readonly string[]): boolean {
    const own = this.#state.played
    return own.length === played.length && own.every((id, i) => id === played[i])
  }

  /** The next track, which is added to the state; or what ended the mix. */
  next(): MixStep | MixEnd {
    const { wish, played } = this.#state
    if (played.length >= (wish.length ?? Number.POSITIVE_INFINITY)) {
      return { bound: 'length', message: `The mix has all its ${wish.length} tracks.` }
    }
    return (
      this.#chosen(this.#pool) ?? this.#chosenOfAll() ?? endOf(wish, this.#allowed, this.#rules)
    )
  }

  #chosenOfAll(): MixStep | undefined {
    if (this.#pool.isAll) return undefined
    this.#all ??= refinedPool(this.#room, poolOf(this.#room, this.#allowed, this.#made), this.#made)
    return this.#chosen(this.#all)
  }

  #chosen(pool: Pool): MixStep | undefined {
    for (const isSoft of this.#rules.strictness) {
      const { candidates, passed } = this.#candidates(pool, isSoft)
      const best = this.#best(candidates, pool)
      if (best) return this.#taken(best, passed)
    }
    return undefined
  }

  /** The best tracks that keep the rules, by estimates, and the better ones that break one. */
  #candidates(pool: Pool, isSoft: boolean) {
    const { nums } = pool
    const { last, lastVector } = this.#rules
    const fromLast =
      last !== undefined && lastVector
        ? estimateFrom(this.#room.track, { num: last, vector: lastVector })
        : () => 0
    const seam = this.#seams.sumsBehind(last)
    const keys = new Float64Array(nums.length)
    const places = new Int32Array(nums.length)
    const order = new Float64Array(nums.length)
    let open = 0
    for (let place = 0; place < nums.length; place++) {
      const num = nums[place]!
      if (this.#rules.isPlayed(num)) continue
      const key = scoreOf(
        this.#soundsAgainst(pool, place, fromLast(num), pool.fromSeeds[place]!),
        seam(num),
      )
      keys[place] = key
      order[open] = key
      places[open++] = place
    }
    const candidates: Candidate[] = []
    const passed: { rule: Rule; score: number }[] = []
    // Few are looked at first: a rule is checked in the database.
    for (let most = 256; ; most *= 16) {
      candidates.length = 0
      passed.length = 0
      for (const place of firstByKey(places.subarray(0, open), order.subarray(0, open), 0, most)) {
        const num = nums[place]!
        const rule = this.#rules.brokenBy(num, isSoft)
        const score = keys[place]!
        if (rule) passed.push({ rule, score })
        else candidates.push({ num, place, estimate: score })
        if (candidates.length === COMPARED) break
      }
      if (candidates.length > 0 || most >= open) return { candidates, passed }
    }
  }

  /** What a track has against it besides the seam. */
  #soundsAgainst(pool: Pool, place: number, last: number, fromSeeds: number): SoundsAgainst {
    const { wish, seed, played } = this.#state
    const num = pool.nums[place]!
    const before = this.#rules.last
    // Without a track before and without seeds, a mix begins anywhere.
    const start = before !== undefined || this.#hasSeeds ? 0 : uniform(seed, 0, num)
    const pull = before === undefined ? 1 : PULL * (1 - wish.adventurousness)
    return {
      last: start + last,
      seeds: pull * fromSeeds,
      less: pool.against[place]!,
      arc: this.#arc.offset(num, played.length),
    }
  }

  /**
   * One of the best candidates by the distances of descriptors: drawn by a softmax whose temperature
   * is the variety. Among all candidates, many bad ones would outweigh the few good ones.
   */
  #best(candidates: readonly Candidate[], pool: Pool): Compared | undefined {
    const { wish, seed, played } = this.#state
    const step = played.length
    const { library } = this.#room.track
    const descriptors = library.descriptorsOf(candidates.map(({ num }) => num))
    const described = candidates.flatMap((candidate) => {
      const descriptor = descriptors.get(candidate.num)
      return descriptor ? [{ ...candidate, descriptor }] : []
    })
    const likely = this.#compared(described, pool, roughlyHeard).slice(0, MEASURED)
    const best = this.#compared(likely, pool, heard).slice(0, DRAWN)
    // Gumbel's noise: the least sum is a draw by the softmax.
    const drawn = best.map(
      ({ num, score }) => score + wish.variety * Math.log(-Math.log(uniform(seed, step + 1, num))),
    )
    return best[drawn.indexOf(Math.min(...drawn))]
  }

  /** Candidates by the distances of descriptors, the best first. */
  #compared(candidates: readonly (Candidate & Described)[], pool: Pool, hear: Hear): Compared[] {
    const { track } = this.#room
    const { last: num, lastDescriptor: descriptor } = this.#rules
    const before = num !== undefined && descriptor ? hear(track, { num, descriptor }) : undefined
    const seeds = this.#seedTracks.map((seed) => ({ ...seed, sound: hear(track, seed) }))
    const compared = candidates.map((candidate): Compared => {
      const sound = hear(track, candidate)
      const toLast = before && measure(before, sound)
      const toSeeds = this.#seeds.moods.length > 0 ? undefined : measureFromSeeds(seeds, sound)
      const { place } = candidate
      const apart = toSeeds?.apart ?? pool.fromSeeds[place]!
      const sounds = this.#soundsAgainst(pool, place, toLast?.apart ?? 0, apart)
      const seam = this.#seams.of(num, candidate.num)
      const score = scoreOf(sounds, sumOf(seam))
      return { ...candidate, score, against: { ...sounds, ...seam }, toLast, toSeeds }
    })
    return compared.sort((a, b) => a.score - b.score)
  }

  #taken(best: Compared, passed: readonly { rule: Rule; score: number }[]): MixStep {
    const { num, toLast, toSeeds, against } = best
    const { track } = this.#room
    const columns = this.#columns
    const before = this.#rules.last
    const passedOver: MixReasons['passedOver'] = {}
    for (const { rule, score } of passed) {
      if (score < best.estimate) passedOver[rule] = (passedOver[rule] ?? 0) + 1
    }
    const reasons: MixReasons = {
      fromLast: toLast ? rounded(toLast.distance) : null,
      fromSeeds: this.#hasSeeds ? rounded(toSeeds?.distance ?? against.seeds) : null,
      similarity: {
        toLast: toLast ? rounded(toLast.similarity) : null,
        toSeeds: toSeeds ? rounded(toSeeds.similarity) : null,
      },
      keyRelation: keyRelation(musicKeyOf(columns, before), musicKeyOf(columns, num)),
      tempoRatio: tempoRatioOf(columns, before, num),
      against: roundedAgainst(against),
      arc: this.#arc.reasons(num, this.#state.played.length),
      passedOver,
    }
    const id = track.library.idOf(num) as string
    this.#state.played.push(id)
    this.#rules.play(num)
    const row = track.store.byId(id)
    if (!row) throw new Error(`The library's track ${id} is gone.`)
    return { track: describe(track.store, row, this.#state.wish.bucket), reasons }
  }
}

/** The sum of what counts against a track. */
function scoreOf({ last, seeds, less, arc }: SoundsAgainst, seam: number): number {
  return last + seeds + less + arc + seam
}

function rounded(value: number): number {
  return Number(value.toFixed(3))
}

function roundedAgainst(against: Against): Against {
  const entries = Object.entries(against) as [keyof Against, number][]
  return Object.fromEntries(entries.map(([name, value]) => [name, rounded(value)])) as never
}
