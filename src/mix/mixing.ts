import { type KeyRelation, keyRelation } from '../analysis/key-relation.ts'
import { soundDistance } from '../analysis/sound-distance.ts'
import { estimatedDistance } from '../analysis/sound-vector.ts'
import { firstByKey } from '../kernel/smallest.ts'
import type { LibraryValues } from '../track/album-groups.ts'
import { describe, type TrackProfile } from '../track/track-answer.ts'
import { Arc, type ArcReason } from './arc.ts'
import { allowedTracks, type Pool, poolOf, smallerPool, weightOf } from './pool.ts'
import { uniform } from './random.ts'
import type { MixRoom } from './room.ts'
import { type Rule, Rules } from './rules.ts'
import { type Seeds, seedsOf } from './seeds.ts'
import { musicKeyOf, tempoRatioOf } from './track-facts.ts'
import type { MixState, Seed } from './wish.ts'

/** Candidates of a step whose descriptors are compared. */
const COMPARED = 48
/** The best of them, of which one is drawn. */
const DRAWN = 10

/** Why a track follows, in numbers. */
export interface MixReasons {
  /**
   * The distance of its sound from that of the track before that was not skipped; `null` for the
   * first. Two tracks of assorted music are 10 apart, neighbours 3 to 6.
   */
  fromLast: number | null
  /** Its distance from the seeds; `null` without seeds. */
  fromSeeds: number | null
  /** Its key, seen from that of the track before. */
  keyRelation: KeyRelation
  /** Its tempo, divided by that of the track before; `null` where one is not known. */
  tempoRatio: number | null
  /** Where it is on the arcs. */
  arc: ArcReason[]
  /** How many better tracks each rule passed over. */
  passedOver: Partial<Record<Rule, number>>
}

/** A track of a mix. */
export interface MixStep {
  track: TrackProfile
  reasons: MixReasons
}

/** What ended a mix. */
export interface MixEnd {
  /**
   * `length`: it has the wished length. `where`: every track that meets the conditions was played,
   * or none does; `avoid` and `library` likewise, where there are no conditions. `artist`, `album`,
   * `song`, `missing`: the rule that most of the remaining tracks break.
   */
  bound: Rule | 'length' | 'where' | 'avoid' | 'library'
  /** The same as a sentence. */
  message: string
}

interface Candidate {
  num: number
  /** Its place in the pool. */
  place: number
  /** Its score by estimated distances; the least is the best. */
  estimate: number
}

/** A mix that is being continued: what follows a state. */
export class Mixing {
  readonly #room: MixRoom
  readonly #state: MixState
  readonly #seeds: Seeds
  readonly #seedSounds: readonly { descriptor: Float32Array; weight: number }[]
  readonly #columns: LibraryValues['columns']
  readonly #hasSeeds: boolean
  readonly #all: Pool
  readonly #arc: Arc
  readonly #rules: Rules
  readonly #pool: Pool

  /** @throws {ParameterError} on a seed that cannot be found */
  constructor(room: MixRoom, state: MixState) {
    this.#room = room
    this.#columns = room.track.library.read().columns
    this.#state = state
    const { wish, seed } = state
    const less = seedsOf(room, [...wish.less, ...state.less])
    const skipped = seedsOf(room, skippedOf(room, state))
    const away = new Set([...less.sounds, ...skipped.sounds].map(({ num }) => num))
    // What was added later may be played: only the wish says where the mix starts from.
    const heard = seedsOf(room, wish.seeds).tracks
    this.#seeds = withoutTracks(seedsOf(room, seedsWith(state)), away)
    this.#seedSounds = this.#seeds.sounds.flatMap(({ num, weight }) => {
      const descriptor = room.track.library.descriptorOf(num)
      return descriptor ? [{ descriptor, weight }] : []
    })
    this.#hasSeeds = weightOf(this.#seeds) > 0
    const allowed = allowedTracks(room, wish)
    this.#arc = new Arc(wish, room.track.library.read(), allowed)
    const made = { wish, seed, seeds: this.#seeds, less, skipped, arc: this.#arc }
    this.#all = poolOf(room, allowed, made)
    this.#pool = smallerPool(this.#all, made)
    this.#rules = new Rules(room, state, { away, heard })
  }

  /** The next track, which is added to the state; or what ended the mix. */
  next(): MixStep | MixEnd {
    const { wish, played } = this.#state
    if (played.length >= (wish.length ?? Number.POSITIVE_INFINITY)) {
      return { bound: 'length', message: `The mix has all its ${wish.length} tracks.` }
    }
    const found =
      this.#chosen(this.#pool) ?? (this.#pool.isAll ? undefined : this.#chosen(this.#all))
    return found ?? this.#end()
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
    const step = this.#state.played.length
    const last = this.#rules.lastVector
    const vectors = this.#room.track.space.vectors()
    const keys = new Float64Array(nums.length)
    const places = new Int32Array(nums.length)
    const order = new Float64Array(nums.length)
    let open = 0
    for (let place = 0; place < nums.length; place++) {
      const num = nums[place]!
      if (this.#rules.isPlayed(num)) continue
      const apart = last ? estimatedDistance(vectors.squaredDistance(num, last)) : 0
      const key = this.#score(pool, place, step, apart, pool.fromSeeds[place]!)
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

  /** What a track has against it, in units of the distance between sounds; the least is the best. */
  #score(pool: Pool, place: number, step: number, fromLast: number, fromSeeds: number): number {
    const { wish, seed } = this.#state
    const num = pool.nums[place]!
    const hasLast = this.#rules.last !== undefined
    // Without a track before and without seeds, a mix begins anywhere.
    const start = hasLast || this.#hasSeeds ? 0 : uniform(seed, 0, num)
    const pull = hasLast ? 1 - wish.adventurousness : 1
    const near = start + fromLast + pull * fromSeeds
    return near + pool.against[place]! + this.#arc.offset(num, step)
  }

  /**
   * One of the best candidates by the distances of descriptors: drawn by a softmax whose temperature
   * is the variety. Among all candidates, many bad ones would outweigh the few good ones.
   */
  #best(candidates: readonly Candidate[], pool: Pool): Compared | undefined {
    const { wish, seed, played } = this.#state
    const step = played.length
    const before = this.#rules.lastDescriptor
    const { library } = this.#room.track
    const descriptors = library.descriptorsOf(candidates.map(({ num }) => num))
    const compared = candidates.flatMap((candidate): Compared[] => {
      const descriptor = descriptors.get(candidate.num)
      if (!descriptor) return []
      const fromLast = before ? soundDistance(before, 0, descriptor, 0) : 0
      const fromSeeds = this.#fromSeeds(descriptor) ?? pool.fromSeeds[candidate.place]!
      const score = this.#score(pool, candidate.place, step, fromLast, fromSeeds)
      return [{ ...candidate, score, fromLast, fromSeeds }]
    })
    const best = compared.sort((a, b) => a.score - b.score).slice(0, DRAWN)
    // Gumbel's noise: the least sum is a draw by the softmax.
    const drawn = best.map(
      ({ num, score }) => score + wish.variety * Math.log(-Math.log(uniform(seed, step + 1, num))),
    )
    return best[drawn.indexOf(Math.min(...drawn))]
  }

  /** The distance of a sound from the seeds; `undefined` where moods are among them. */
  #fromSeeds(descriptor: Float32Array): number | undefined {
    const sounds = this.#seedSounds
    if (this.#seeds.moods.length > 0 || sounds.length === 0) return undefined
    let sum = 0
    let total = 0
    for (const { descriptor: seed, weight } of sounds) {
      sum += weight * Math.exp(-soundDistance(seed, 0, descriptor, 0))
      total += weight
    }
    return -Math.log(sum / total)
  }

  #taken(best: Compared, passed: readonly { rule: Rule; score: number }[]): MixStep {
    const { num } = best
    const { track } = this.#room
    const columns = this.#columns
    const before = this.#rules.last
    const passedOver: MixReasons['passedOver'] = {}
    for (const { rule, score } of passed) {
      if (score < best.estimate) passedOver[rule] = (passedOver[rule] ?? 0) + 1
    }
    const reasons: MixReasons = {
      fromLast: before === undefined ? null : rounded(best.fromLast),
      fromSeeds: this.#hasSeeds ? rounded(best.fromSeeds) : null,
      keyRelation: keyRelation(musicKeyOf(columns, before), musicKeyOf(columns, num)),
      tempoRatio: tempoRatioOf(columns, before, num),
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

  #end(): MixEnd {
    const { where, avoid } = this.#state.wish
    const left = [...this.#all.nums].filter((num) => !this.#rules.isPlayed(num))
    const broken = new Map<Rule, number>()
    for (const num of left) {
      const rule = this.#rules.brokenBy(num, false)
      if (rule) broken.set(rule, (broken.get(rule) ?? 0) + 1)
    }
    const [most] = [...broken].sort(([, a], [, b]) => b - a)
    if (most) {
      const [rule, count] = most
      const message = `Of the ${left.length} tracks that are left, ${count} break the rule "${rule}".`
      return { bound: rule, message }
    }
    const bound = Object.keys(where).length > 0 ? 'where' : avoid.length > 0 ? 'avoid' : 'library'
    const count = this.#all.nums.length
    const message =
      count === 0
        ? 'The mix may play no track: none is analysed and meets its conditions.'
        : `All ${count} tracks that the mix may play were played.`
    return { bound, message }
  }
}

interface Compared extends Candidate {
  score: number
  fromLast: number
  fromSeeds: number
}

/** The seeds of a mix; all that were added count as much as those of the wish together. */
function seedsWith({ wish, more }: MixState): Seed[] {
  const total = (seeds: readonly Seed[]) => seeds.reduce((sum, { weight }) => sum + weight, 0)
  const factor = wish.seeds.length === 0 ? 1 : total(wish.seeds) / total(more)
  return [...wish.seeds, ...more.map((seed) => ({ ...seed, weight: seed.weight * factor }))]
}

/** The skipped tracks that are still in the library. */
function skippedOf({ track }: MixRoom, { skipped }: MixState): Seed[] {
  const vectors = track.space.vectors()
  const isKnown = (id: string) => vectors.has(track.library.numOf(id) ?? vectors.length)
  return skipped.filter(isKnown).map((id) => ({ id, weight: 1 }))
}

/** A track that is to be kept away from is no seed any more. */
function withoutTracks(seeds: Seeds, away: ReadonlySet<number>): Seeds {
  return { ...seeds, sounds: seeds.sounds.filter(({ num }) => !away.has(num)) }
}

function rounded(distance: number): number {
  return Number(distance.toFixed(3))
}
