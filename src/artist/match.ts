import { type Credit, creditOf, isNobody, nameLikeness, unsorted } from './credit.ts'
import type { ArtistMatchStore } from './match-store.ts'
import { artistKey } from './names.ts'
import { artistsNamed, type CloseArtist, closeArtists } from './similar-names.ts'
import type { ArtistStore } from './store.ts'

/** What {@link matchArtist} stands on. */
export interface ArtistMatchContext {
  store: ArtistStore
}

/** What is known of an artist who is looked for. */
export interface ArtistQuery {
  artistName: string
  musicbrainzId?: string
}

/** The artist that a name means. */
export interface ArtistMatch {
  artistId: string
  num: number
  /** How sure it is, 0..1. */
  score: number
  /** What told it: an id, the name however it is spelt, or a name that is close to it. */
  by: 'id' | 'key' | 'words'
}

/** From so much on a name that is found by its key is taken. */
const NAMED = 0.97
/** So many artists of one name are looked at. */
const NAMESAKES = 20
/** The first of several, where they are artists of their own. */
const FIRST_OF_SEVERAL = 0.85
/** From so much likeness on a name is taken for a slip of the pen, if no other is nearly as close. */
const CLOSE = 0.83
const MARGIN = 0.04
/** Of fewer letters there are too many names. */
const LEAST_LETTERS = 5
/**
 * Names of few letters are often one letter apart, and are not the same: more often when it is
 * another letter than when it is one too many, and most often when it is the first.
 */
const FEW_LETTERS = 12
const OF_FEW = 0.02
const OTHER_LETTER = 0.03
const OTHER_START = 0.06

/**
 * The artist that a name means; `undefined` when none is meant with any confidence.
 *
 * 1. A MusicBrainz id decides, whatever the name. An artist who has another one is not meant.
 * 2. The name by its key, with or without its spaces and its article, as it is sorted (`Domino,
 *    Fats`), with guests (`feat.`) or cut off as in old tags.
 * 3. The first of several artists (`A, B & C`), if it is one who is known: by a name of two words,
 *    or with one of the others.
 * 4. A name one slip of the pen away, two or three if it is long; if a second one is as close, none.
 */
export function matchArtist(
  { store }: ArtistMatchContext,
  { artistName, musicbrainzId }: ArtistQuery,
): ArtistMatch | undefined {
  const mbid = musicbrainzId?.toLowerCase()
  const known = mbid === undefined ? undefined : store.names.byForeignId('musicbrainz', mbid)
  if (known !== undefined) return answer(store, { num: known, likeness: 1 }, 'id')
  const isMeant = ({ num }: CloseArtist) =>
    mbid === undefined || !store.names.isAnother(num, 'musicbrainz', mbid)
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

/** The artists of that name, the surest first. */
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

/** {@link nameLikeness}, less what speaks against a slip when nothing but the name is known. */
function slipLikeness(asked: Credit, known: Credit): number {
  const alike = nameLikeness(asked, known)
  const [a, b] = [asked.squashed, known.squashed]
  if (alike === 0 || asked.sorted === known.sorted || a.length >= FEW_LETTERS) return alike
  const swapped = a[0] === b[1] && a[1] === b[0]
  const start = a[0] === b[0] || swapped ? 0 : OTHER_START
  const letter = a.length === b.length && lettersOf(a) !== lettersOf(b) ? OTHER_LETTER : 0
  return alike - OF_FEW - start - letter
}

/** The letters of a text whatever their order. */
function lettersOf(text: string): string {
  return [...text].sort().join('')
}
