import type { ArtistMatchStore } from './artist-match-store.ts'
import { type Credit, creditDistance, creditOf } from './credit.ts'
import { Distance, MATCH_LIMITS, type PenaltyName } from './distance.ts'
import { squashedKey } from './names.ts'
import { soundKeysInAnyOrder } from './sound-keys.ts'
import { isForeign } from './spellings.ts'

const MAX_ARTISTS_OF_NAME = 20
const MAX_BEGINNING = 10

/** By the whole credit or its main artist, the nearest first. */
export function artistsNamed(store: ArtistMatchStore, credit: Credit): Map<number, Distance> {
  const artists = new Map<number, Distance>()
  const addArtists = (nums: readonly number[], ...penalties: PenaltyName[]) => {
    const distance = penalties.reduce((sum, name) => sum.add(name), Distance.none)
    for (const num of nums) if (!artists.has(num)) artists.set(num, distance)
  }
  addArtists(store.byKey(credit.key, MAX_ARTISTS_OF_NAME))
  if (artists.size === 0)
    addArtists(store.bySquashedKey(credit.squashed, MAX_ARTISTS_OF_NAME), 'artist.spaces')
  // A tribute band is none of the artists that it names.
  if (credit.isTribute) return artists
  if (credit.isCut) addArtists(store.beginningWith(credit.key, MAX_BEGINNING), 'artist.cut')
  if (credit.main !== credit.key)
    addArtists(store.byKey(credit.main, MAX_ARTISTS_OF_NAME), 'artist.guests')
  const [mainPart = ''] = credit.parts
  if (mainPart !== credit.main) {
    const namesakes = store.byKey(mainPart, MAX_ARTISTS_OF_NAME)
    addArtists(
      namesakes.length > 0
        ? namesakes
        : store.bySquashedKey(squashedKey(mainPart), MAX_ARTISTS_OF_NAME),
      'artist.others',
    )
  }
  return artists
}

/** Limits the work for one name. */
const MAX_GRAM_ROWS = 3000
const MAX_COMPARED_ARTISTS = 30

export interface CloseArtist {
  num: number
  distance: Distance
}

/** Those that share the rarest trigrams, the nearest first. */
export function closeArtists(
  store: ArtistMatchStore,
  credit: Credit,
  distanceOf: (askedCredit: Credit, knownCredit: Credit) => Distance,
  maxDistance: number,
): CloseArtist[] {
  return closestArtists(
    store,
    credit,
    artistsSharingGrams(store, credit.key),
    distanceOf,
    maxDistance,
  )
}

function closestArtists(
  store: ArtistMatchStore,
  credit: Credit,
  nums: Iterable<number>,
  distanceOf: (askedCredit: Credit, knownCredit: Credit) => Distance,
  maxDistance: number,
): CloseArtist[] {
  const artists: CloseArtist[] = []
  for (const num of nums) {
    const distance = store
      .namesOf({ num })
      .map((name) => distanceOf(credit, creditOf(name)))
      .reduce((nearest, nameDistance) => nearest.nearer(nameDistance))
    if (distance.sum <= maxDistance) artists.push({ num, distance })
  }
  return artists.sort((a, b) => a.distance.sum - b.distance.sum || a.num - b.num)
}

const MAX_SOUNDING = 400

export function artistsInOtherScripts(store: ArtistMatchStore, credit: Credit): CloseArtist[] {
  const isLatin = Number(isForeign(credit.key))
  const nums = new Set<number>()
  for (const name of new Set([credit.key, credit.main, ...credit.parts.slice(0, 1)])) {
    for (const key of soundKeysInAnyOrder(name)) {
      for (const num of store.sounding(key, isLatin, MAX_SOUNDING)) nums.add(num)
    }
  }
  return closestArtists(store, credit, nums, creditDistance, MATCH_LIMITS.letters)
}

function artistsSharingGrams(store: ArtistMatchStore, key: string): number[] {
  store.grams.dropStale()
  const rarest = gramsOf(key)
    .map((gram) => ({ gram, count: store.grams.of(gram) }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => a.count - b.count)
  const countByArtist = new Map<number, number>()
  let postings = 0
  let maxCount = 0
  for (const { gram, count } of rarest) {
    postings += count
    if (postings > MAX_GRAM_ROWS && countByArtist.size > 0) break
    for (const num of store.withGram(gram)) {
      const gramCount = (countByArtist.get(num) ?? 0) + 1
      countByArtist.set(num, gramCount)
      if (gramCount > maxCount) maxCount = gramCount
    }
  }
  const minCount = maxCount > 2 ? Math.ceil(maxCount / 2) : 1
  return [...countByArtist]
    .filter(([, times]) => times >= minCount)
    .sort((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, MAX_COMPARED_ARTISTS)
    .map(([num]) => num)
}

function gramsOf(key: string): string[] {
  const signs = [...` ${key} `]
  const grams = new Set<string>()
  for (let i = 0; i + 3 <= signs.length; i++) grams.add(signs.slice(i, i + 3).join(''))
  return [...grams]
}
