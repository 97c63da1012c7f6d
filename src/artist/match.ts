import type { ArtistMatchStore } from '../naming/artist-match-store.ts'
import { artistDistance, type Credit, creditOf, isNobody, unsortedName } from '../naming/credit.ts'
import { Distance, MATCH_LIMITS } from '../naming/distance.ts'
import { artistKey } from '../naming/names.ts'
import { artistsNamed, type CloseArtist, closeArtists } from '../naming/similar-names.ts'
import type { ArtistStore } from './store.ts'

const MAX_NAMESAKES = 20
/** Shorter names are too similar to each other. */
const LEAST_LETTERS = 5
/** In shorter names each letter matters. */
const SHORT_NAME_LETTERS = 12

/**
 * `undefined` when no artist is certain enough.
 *
 * 1. The key of the name, also in sorting order, with guests, or cut as in old tags.
 * 2. The first of several artists, if it is known and two words long, or another one is known.
 * 3. A name with one to three misspellings, unless two are equally similar.
 */
export function matchArtist(
  { names }: Pick<ArtistStore, 'names'>,
  artistName: string,
): CloseArtist | undefined {
  const [sameName] = artistsByName(names, artistName)
  if (sameName) return sameName
  if (isNobody(artistName)) return undefined
  const credit = creditOf(artistName)
  return firstOfSeveral(names, credit) ?? closestArtist(names, credit)
}

function artistsByName(names: ArtistMatchStore, artistName: string): CloseArtist[] {
  const sameName = [...artistsNamed(names, creditOf(artistName))]
    .map(([num, distance]) => ({ num, distance }))
    .filter(({ distance }) => distance.sum <= MATCH_LIMITS.namedArtist)
  const naturalName = sameName.length === 0 ? unsortedName(artistName) : undefined
  if (naturalName === undefined) return sameName
  const distance = Distance.of('reading.sorted')
  return names.byKey(artistKey(naturalName), MAX_NAMESAKES).map((num) => ({ num, distance }))
}

function firstOfSeveral(names: ArtistMatchStore, credit: Credit): CloseArtist | undefined {
  const [first = '', ...others] = credit.parts
  const [num] = others.length > 0 ? names.byKey(first, 1) : []
  if (num === undefined) return undefined
  const isCertain = first.includes(' ') || others.some((other) => names.byKey(other, 1).length > 0)
  return isCertain ? { num, distance: Distance.of('artist.others') } : undefined
}

function closestArtist(names: ArtistMatchStore, credit: Credit): CloseArtist | undefined {
  if (credit.squashed.length < LEAST_LETTERS) return undefined
  const maxDistance = MATCH_LIMITS.artist + MATCH_LIMITS.margin
  const [best, second] = closeArtists(names, credit, slipDistance, maxDistance)
  if (!best || best.distance.sum > MATCH_LIMITS.artist) return undefined
  return second && second.distance.sum - best.distance.sum < MATCH_LIMITS.margin ? undefined : best
}

/** With penalties for a misspelling when only the name is known. */
function slipDistance(written: Credit, candidate: Credit): Distance {
  const distance = artistDistance(written, candidate)
  const [a, b] = [written.squashed, candidate.squashed]
  if (written.sorted === candidate.sorted || a.length >= SHORT_NAME_LETTERS) return distance
  const nameAlone = distance.add('artist.few')
  const isSwapped = a[0] === b[1] && a[1] === b[0]
  const atStart = a[0] === b[0] || isSwapped ? nameAlone : nameAlone.add('artist.start')
  const hasOtherLetter = a.length === b.length && sortedLetters(a) !== sortedLetters(b)
  return hasOtherLetter ? atStart.add('artist.letter') : atStart
}

function sortedLetters(text: string): string {
  return [...text].sort().join('')
}
