import type { ArtistMatchStore } from '../naming/artist-match-store.ts'
import { artistDistance, type Credit, creditOf, isNobody, unsorted } from '../naming/credit.ts'
import { Distance, LIMITS } from '../naming/distance.ts'
import { artistKey } from '../naming/names.ts'
import { artistsNamed, type CloseArtist, closeArtists } from '../naming/similar-names.ts'
import type { ArtistStore } from './store.ts'

const NAMESAKES = 20
/** Shorter names are too similar to each other. */
const LEAST_LETTERS = 5
/** In names with fewer letters, each letter matters. */
const FEW_LETTERS = 12

/**
 * The artist that a name means; `undefined` when no artist is certain enough.
 *
 * 1. The key of the name, with or without spaces and article; in sorting order (`Domino, Fats`);
 * with guests (`feat.`); or cut as in old tags.
 * 2. The first of several artists (`A, B & C`), if it is known and has a name of two words, or
 * another one of them is known.
 * 3. A name with one misspelling, or two or three if it is long; no artist if two are equally
 * similar.
 */
export function matchArtist(
  { names }: Pick<ArtistStore, 'names'>,
  artistName: string,
): CloseArtist | undefined {
  const [named] = byName(names, artistName)
  if (named) return named
  if (isNobody(artistName)) return undefined
  const credit = creditOf(artistName)
  return firstOfSeveral(names, credit) ?? closest(names, credit)
}

function byName(names: ArtistMatchStore, artistName: string): CloseArtist[] {
  const named = [...artistsNamed(names, creditOf(artistName))]
    .map(([num, distance]) => ({ num, distance }))
    .filter(({ distance }) => distance.sum <= LIMITS.namedArtist)
  const straight = named.length === 0 ? unsorted(artistName) : undefined
  if (straight === undefined) return named
  const distance = Distance.of('reading.sorted')
  return names.byKey(artistKey(straight), NAMESAKES).map((num) => ({ num, distance }))
}

function firstOfSeveral(names: ArtistMatchStore, credit: Credit): CloseArtist | undefined {
  const [first = '', ...others] = credit.parts
  const [num] = others.length > 0 ? names.byKey(first, 1) : []
  if (num === undefined) return undefined
  const sure = first.includes(' ') || others.some((other) => names.byKey(other, 1).length > 0)
  return sure ? { num, distance: Distance.of('artist.others') } : undefined
}

function closest(names: ArtistMatchStore, credit: Credit): CloseArtist | undefined {
  if (credit.squashed.length < LEAST_LETTERS) return undefined
  const most = LIMITS.artist + LIMITS.margin
  const [best, second] = closeArtists(names, credit, slipDistance, most)
  if (!best || best.distance.sum > LIMITS.artist) return undefined
  return second && second.distance.sum - best.distance.sum < LIMITS.margin ? undefined : best
}

/** {@link artistDistance}, plus penalties for a misspelling when only the name is known. */
function slipDistance(asked: Credit, known: Credit): Distance {
  const distance = artistDistance(asked, known)
  const [a, b] = [asked.squashed, known.squashed]
  if (asked.sorted === known.sorted || a.length >= FEW_LETTERS) return distance
  const alone = distance.add('artist.few')
  const exchanged = a[0] === b[1] && a[1] === b[0]
  const start = a[0] === b[0] || exchanged ? alone : alone.add('artist.start')
  const another = a.length === b.length && lettersOf(a) !== lettersOf(b)
  return another ? start.add('artist.letter') : start
}

function lettersOf(text: string): string {
  return [...text].sort().join('')
}
