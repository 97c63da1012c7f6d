import { type Random, seeded, shuffled, whole } from '../../support/chance.ts'
import type { Codes } from './systems.ts'

/** A passage of a model stays together: so many codes, at least and at most. */
const PASSAGE = { least: 100, most: 400 }
/** A tempo is faster or slower than the model's by a factor, at most. */
const TEMPO = 1.25
/** Keys are as frequent as each other if the numbers of songs that have them differ by this factor. */
const ALIKE = 1.25
/** Echoprint's codes are hashes: what a rare code is replaced by may be any. */
const KEYS = 2 ** 20

/**
 * Echoprint codes of songs that do not exist, for large indexes.
 *
 * A made song is a real one with its passages in another order, at another tempo, and with each key
 * replaced, throughout the song, by one that is about as frequent: one that as many of the real songs
 * have, or, the more often the fewer have it, any. For of n songs that have a key, n − 1 share
 * it with the one at hand: a key that a single song has says that such keys are shared by none.
 */
export class MadeCodes {
  readonly #models: readonly Codes[]
  readonly #places: ReadonlyMap<number, Place>

  constructor(models: readonly Codes[]) {
    this.#models = models.filter(({ codes }) => codes.length > 0)
    if (this.#models.length === 0) throw new Error('There is no song to draw from.')
    this.#places = placesOf(this.#models)
  }

  /** The same number makes the same song. */
  song(number: number): Codes {
    const random = seeded(Math.imul(number + 1, 0x85ebca6b))
    const model = this.#models[whole(random, 0, this.#models.length)]!
    const tempo = TEMPO ** (2 * random() - 1)
    const codes = new Uint32Array(model.codes.length)
    const times = new Uint32Array(model.codes.length)
    const names = new Map<number, number>()
    const moves = new Map<Group, number>()
    const places = [...model.times.keys()].sort((a, b) => model.times[a]! - model.times[b]!)
    let at = 0
    let start = 0
    for (const passage of shuffled(passagesOf(places, random), random)) {
      const begin = model.times[passage[0]!]!
      for (const place of passage) {
        codes[at] = this.#nameOf(model.codes[place]!, names, moves, random)
        times[at++] = Math.round(start + tempo * (model.times[place]! - begin))
      }
      start += tempo * (model.times[passage.at(-1)!]! - begin + 1)
    }
    return { codes, times }
  }

  /** Keys of a group are exchanged one for one: each moves on by as many places of the group. */
  #nameOf(key: number, names: Map<number, number>, moves: Map<Group, number>, random: Random) {
    const known = names.get(key)
    if (known !== undefined) return known
    const { group, place } = this.#places.get(key)!
    const move = moves.get(group) ?? whole(random, 0, group.keys.length)
    moves.set(group, move)
    const alike = group.keys[(place + move) % group.keys.length]!
    const name = random() < group.rare ? whole(random, 0, KEYS) : alike
    names.set(key, name)
    return name
  }
}

/** Keys that about as many songs have. */
interface Group {
  /** In an order by chance: neighbours are not of one song. */
  keys: readonly number[]
  /** How often one of them stands for a key that no other song has. */
  rare: number
}

interface Place {
  group: Group
  place: number
}

function placesOf(models: readonly Codes[]): Map<number, Place> {
  const songs = new Map<number, number>()
  for (const { codes } of models) {
    for (const code of new Set(codes)) songs.set(code, (songs.get(code) ?? 0) + 1)
  }
  const ranked = [...songs].sort((a, b) => a[1] - b[1])
  const places = new Map<number, Place>()
  for (let from = 0; from < ranked.length; ) {
    const least = ranked[from]![1]
    let to = from
    while (to < ranked.length && ranked[to]![1] <= least * ALIKE) to++
    const keys = ranked.slice(from, to).map(([key]) => key)
    // Two songs both have it, of the count that either of them alone would lead to expect.
    const rare = 1 - Math.sqrt(1 - 1 / least)
    const group = { keys: shuffled(keys, seeded(from)), rare }
    for (const [place, key] of group.keys.entries()) places.set(key, { group, place })
    from = to
  }
  return places
}

function passagesOf(places: readonly number[], random: Random): number[][] {
  const passages: number[][] = []
  for (let from = 0; from < places.length; ) {
    const to = from + whole(random, PASSAGE.least, PASSAGE.most + 1)
    passages.push(places.slice(from, to))
    from = to
  }
  return passages
}
