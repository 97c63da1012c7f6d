import type { ArtistMatchStore } from './artist-match-store.ts'
import { type Credit, creditDistance, creditOf } from './credit.ts'
import { Distance, LIMITS, type PenaltyName } from './distance.ts'
import { squashed } from './names.ts'
import { soundKeysInAnyOrder } from './sound-keys.ts'
import { isForeign } from './spellings.ts'

const NAMESAKES = 20
/** The most artists whose names begin with a name that was cut. */
const BEGINNING = 10

/**
 * The artists with the name of a credit, or of the main artist in it: their numbers, and how far
 * each is, the nearest first.
 */
export function artistsNamed(store: ArtistMatchStore, credit: Credit): Map<number, Distance> {
  const found = new Map<number, Distance>()
  const add = (nums: readonly number[], ...penalties: PenaltyName[]) => {
    const distance = penalties.reduce((sum, name) => sum.add(name), Distance.none)
    for (const num of nums) if (!found.has(num)) found.set(num, distance)
  }
  add(store.byKey(credit.key, NAMESAKES))
  if (found.size === 0) add(store.bySquashedKey(credit.squashed, NAMESAKES), 'artist.spaces')
  // A tribute band is none of the artists that it names.
  if (credit.tribute) return found
  if (credit.cut) add(store.beginningWith(credit.key, BEGINNING), 'artist.cut')
  if (credit.main !== credit.key) add(store.byKey(credit.main, NAMESAKES), 'artist.guests')
  const [first = ''] = credit.parts
  if (first !== credit.main) {
    const named = store.byKey(first, NAMESAKES)
    add(named.length > 0 ? named : store.bySquashedKey(squashed(first), NAMESAKES), 'artist.others')
  }
  return found
}

/** The most artists to read by the trigrams of one name: this limits the work. */
const POSTINGS = 3000
/** The most artists that are compared letter by letter. */
const COMPARED = 30

export interface CloseArtist {
  num: number
  distance: Distance
}

/**
 * Artists with similar names, the nearest first: those that share the rarest trigrams of a credit.
 */
export function closeArtists(
  store: ArtistMatchStore,
  credit: Credit,
  between: (asked: Credit, known: Credit) => Distance,
  most: number,
): CloseArtist[] {
  return closest(store, credit, sharingGrams(store, credit.key), between, most)
}

function closest(
  store: ArtistMatchStore,
  credit: Credit,
  nums: Iterable<number>,
  between: (asked: Credit, known: Credit) => Distance,
  most: number,
): CloseArtist[] {
  const close: CloseArtist[] = []
  for (const num of nums) {
    const distance = store
      .namesOf({ num })
      .map((name) => between(credit, creditOf(name)))
      .reduce((nearest, other) => nearest.or(other))
    if (distance.sum <= most) close.push({ num, distance })
  }
  return close.sort((a, b) => a.distance.sum - b.distance.sum || a.num - b.num)
}

/** The most artists with one sound that are compared letter by letter. */
const SOUNDING = 400

/** Artists whose names sound alike in another script, the nearest first. */
export function artistsInOtherScripts(store: ArtistMatchStore, credit: Credit): CloseArtist[] {
  const latin = Number(isForeign(credit.key))
  const nums = new Set<number>()
  for (const name of new Set([credit.key, credit.main, ...credit.parts.slice(0, 1)])) {
    for (const key of soundKeysInAnyOrder(name)) {
      for (const num of store.sounding(key, latin, SOUNDING)) nums.add(num)
    }
  }
  return closest(store, credit, nums, creditDistance, LIMITS.letters)
}

function sharingGrams(store: ArtistMatchStore, key: string): number[] {
  store.grams.dropStale()
  const rarest = gramsOf(key)
    .map((gram) => ({ gram, count: store.grams.of(gram) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => a.count - b.count)
  const shared = new Map<number, number>()
  let postings = 0
  let most = 0
  for (const { gram, count } of rarest) {
    postings += count
    if (postings > POSTINGS && shared.size > 0) break
    for (const num of store.withGram(gram)) {
      const times = (shared.get(num) ?? 0) + 1
      shared.set(num, times)
      if (times > most) most = times
    }
  }
  const least = most > 2 ? Math.ceil(most / 2) : 1
  return [...shared]
    .filter(([, times]) => times >= least)
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, COMPARED)
    .map(([num]) => num)
}

/** The trigrams of a key with a space before and after it. */
function gramsOf(key: string): string[] {
  const signs = [...` ${key} `]
  const grams = new Set<string>()
  for (let i = 0; i + 3 <= signs.length; i++) grams.add(signs.slice(i, i + 3).join(''))
  return [...grams]
}
