import type { ArtistMatchStore } from '../naming/artist-match-store.ts'
import { type Credit, creditOf, isNobody, nameLikeness, unsorted } from '../naming/credit.ts'
import { artistKey } from '../naming/names.ts'
import { artistsNamed, type CloseArtist, closeArtists } from '../naming/similar-names.ts'
import type { ArtistStore } from './store.ts'

/** The store that {@link matchArtist} reads. */
interface ArtistMatchContext {
  store: ArtistStore
}

/** What is known of the wanted artist. */
interface ArtistQuery {
  artistName: string
  musicbrainzId?: string
}

/** The artist that a name means. */
interface ArtistMatch {
  artistId: string
  num: number
  /** How certain it is, 0…1. */
  score: number
  /** What decided: an id, the key of the name, or a similar name. */
  by: 'id' | 'key' | 'words'
}

/** The least certainty of a name that is found by its key. */
const NAMED = 0.97
/** The most artists of one name that are read. */
const NAMESAKES = 20
/** The certainty of the first of several artists. */
const FIRST_OF_SEVERAL = 0.85
/** The least likeness of a misspelt name. No other name may be within `MARGIN` of it. */
const CLOSE = 0.83
const MARGIN = 0.04
/** Shorter names are too similar to each other. */
const LEAST_LETTERS = 5
/**
 * Different short names often differ by one letter: by another letter more often than by an
 * additional one, and most often by the first letter.
 */
const FEW_LETTERS = 12
const OF_FEW = 0.02
const OTHER_LETTER = 0.03
const OTHER_START = 0.06

/**
 * The artist that a name means; `undefined` when no artist is certain enough.
 *
 * 1. A MusicBrainz id decides, whatever the name. An artist with another one is never the answer.
 * 2. The key of the name, with or without spaces and article; in sorting order (`Domino, Fats`);
 * with guests (`feat.`); or cut as in old tags.
 * 3. The first of several artists (`A, B & C`), if it is known and has a name of two words, or
 * another one of them is known.
 * 4. A name with one misspelling, or two or three if it is long; no artist if two are equally
 * similar.
 */
export function matchArtist(
  { store }: ArtistMatchContext,
  { artistName, musicbrainzId }: ArtistQuery,
): ArtistMatch | undefined {
  const mbid = musicbrainzId?.toLowerCase()
  const known = mbid === undefined ? undefined : store.names.byForeignId('musicbrainz', mbid)
  if (known !== undefined) return answer(store, { num: known, likeness: 1 }, 'id')
  const isMeant = ({ num }: CloseArtist) =>
    mbid === undefined || !store.names.isAnother({ num, catalog: 'musicbrainz', foreignId: mbid })
  const named = byName(store.names, artistName).find(isMeant)
  if (named) return answer(store, named, 'key')
  if (isNobody(artistName)) return undefined
  const credit = creditOf(artistName)
  const first = firstOfSeveral(store.names, credit)
  if (first && isMeant(first)) return answer(store, first, 'key')
  const close = closest(store.names, credit, isMeant)
  return close && answer(store, close, 'words')
}

function answer(
  store: ArtistStore,
  { num, likeness }: CloseArtist,
  by: ArtistMatch['by'],
): ArtistMatch | undefined {
  const artist = store.byNum(num)
  return artist && { artistId: artist.id, num, score: likeness, by }
}

/** The artists with a name, the most certain first. */
function byName(names: ArtistMatchStore, artistName: string): CloseArtist[] {
  const named = [...artistsNamed(names, creditOf(artistName))]
    .map(([num, likeness]) => ({ num, likeness }))
    .filter(({ likeness }) => likeness >= NAMED)
  const straight = named.length === 0 ? unsorted(artistName) : undefined
  if (straight === undefined) return named
  return names.byKey(artistKey(straight), NAMESAKES).map((num) => ({ num, likeness: NAMED }))
}

function firstOfSeveral(names: ArtistMatchStore, credit: Credit): CloseArtist | undefined {
  const [first = '', ...others] = credit.parts
  const [num] = others.length > 0 ? names.byKey(first, 1) : []
  if (num === undefined) return undefined
  const sure = first.includes(' ') || others.some((other) => names.byKey(other, 1).length > 0)
  return sure ? { num, likeness: FIRST_OF_SEVERAL } : undefined
}

function closest(
  names: ArtistMatchStore,
  credit: Credit,
  isMeant: (artist: CloseArtist) => boolean,
): CloseArtist | undefined {
  if (credit.squashed.length < LEAST_LETTERS) return undefined
  const [best, second] = closeArtists(names, credit, slipLikeness, CLOSE - MARGIN).filter(isMeant)
  if (!best || best.likeness < CLOSE) return undefined
  return second && best.likeness - second.likeness < MARGIN ? undefined : best
}

/**
 * {@link nameLikeness}, reduced by what speaks against a misspelling when only the name is known.
 */
function slipLikeness(asked: Credit, known: Credit): number {
  const alike = nameLikeness(asked, known)
  const [a, b] = [asked.squashed, known.squashed]
  if (alike === 0 || asked.sorted === known.sorted || a.length >= FEW_LETTERS) return alike
  const swapped = a[0] === b[1] && a[1] === b[0]
  const start = a[0] === b[0] || swapped ? 0 : OTHER_START
  const letter = a.length === b.length && lettersOf(a) !== lettersOf(b) ? OTHER_LETTER : 0
  return alike - OF_FEW - start - letter
}

/** The letters of a text in alphabetical order. */
function lettersOf(text: string): string {
  return [...text].sort().join('')
}
