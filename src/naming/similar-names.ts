import type { ArtistMatchStore } from './artist-match-store.ts'
import { type Credit, creditOf } from './credit.ts'
import { squashed } from './names.ts'

/** The most artists of one name that are read. */
const NAMESAKES = 20
/** The most artists whose names begin with a name that was cut. */
const BEGINNING = 10

/**
 * How certain an artist is whose name is a part of a credit, or begins with a credit that was cut.
 */
const SURE = { squashed: 0.99, cut: 0.97, main: 0.97, part: 0.95 } as const

/**
 * The artists with the name of a credit, or of the main artist in it: their numbers, and how
 * certain each is, the most certain first.
 */
export function artistsNamed(store: ArtistMatchStore, credit: Credit): Map<number, number> {
  const found = new Map<number, number>()
  const add = (nums: readonly number[], sure: number) => {
    for (const num of nums) if (!found.has(num)) found.set(num, sure)
  }
  add(store.byKey(credit.key, NAMESAKES), 1)
  if (found.size === 0) add(store.bySquashedKey(credit.squashed, NAMESAKES), SURE.squashed)
  // A tribute band is none of the artists that it names.
  if (credit.tribute) return found
  if (credit.cut) add(store.beginningWith(credit.key, BEGINNING), SURE.cut)
  if (credit.main !== credit.key) add(store.byKey(credit.main, NAMESAKES), SURE.main)
  const [first = ''] = credit.parts
  if (first !== credit.main) {
    const named = store.byKey(first, NAMESAKES)
    add(named.length > 0 ? named : store.bySquashedKey(squashed(first), NAMESAKES), SURE.part)
  }
  return found
}

/** The most artists that the trigrams of one name may bring: this bounds the work. */
const POSTINGS = 3000
/** The most artists that are compared letter by letter. */
const COMPARED = 30

/** An artist with a similar name. */
export interface CloseArtist {
  num: number
  likeness: number
}

/**
 * Artists with similar names, the most similar first: those that share the rarest trigrams of a
 * credit.
 *
 * @param likeness - how alike two credits are
 * @param least - the least likeness
 */
export function closeArtists(
  store: ArtistMatchStore,
  credit: Credit,
  likeness: (asked: Credit, known: Credit) => number,
  least: number,
): CloseArtist[] {
  const close: CloseArtist[] = []
  for (const num of sharingGrams(store, credit.key)) {
    const alike = store.namesOf({ num }).map((name) => likeness(credit, creditOf(name)))
    const best = Math.max(...alike)
    if (best >= least) close.push({ num, likeness: best })
  }
  return close.sort((a, b) => b.likeness - a.likeness || a.num - b.num)
}

function sharingGrams(store: ArtistMatchStore, key: string): number[] {
  store.grams.refresh()
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
