import { requireArtist } from '../artist/find-artist.ts'
import { matchArtist } from '../artist/match.ts'
import { method } from '../kernel/method.ts'
import { firstByKey } from '../kernel/smallest.ts'
import { nameKey, wordsOf } from '../naming/names.ts'
import type { Typed } from '../naming/search-box.ts'
import { IN } from '../naming/text-fields.ts'
import { known } from '../values/known.ts'
import { askedOf } from './buckets.ts'
import { allSongs, filterByNumbers, keep } from './filters.ts'
import { membersOf } from './find-song.ts'
import { matchSong } from './match.ts'
import { relevanceKeys, sortKeys, termScores } from './ranking.ts'
import type { SongRoom } from './room.ts'
import { parameters, type SearchQuery } from './search-parameters.ts'
import { describe, type SongAnswer } from './song-answer.ts'

/** With more artists than this, one pass over all songs replaces a read for each artist. */
const FEW_ARTISTS = 200
/** The most songs with all the words that are read, the oldest first. */
const MOST_WITH_WORDS = 200_000

/**
 * `song/search`: finds the songs that match the whole query, in the order of `sort` or of
 * relevance. Songs whose names have all the words come first; if there are none, the song with
 * similar names that {@link matchSong} finds. Matches of incomplete or misspelt words follow.
 */
export const search = method({
  name: 'song/search',
  verbs: ['GET'],
  parameters,
  run(context: SongRoom, query): SongAnswer[] {
    return context.store.atomically.reading(() => {
      const { store, artists, catalogs } = context
      const asked = askedOf(query.bucket)
      const artist =
        query.artistId === undefined
          ? undefined
          : requireArtist({ store: artists, catalogs }, query.artistId).num
      const terms = termScores(context, query)
      const ofArtist = store.columns.readColumns().columns.artist
      const members = query.limit === true ? membersOf(context, asked) : undefined
      const filtered = (candidates: Int32Array): Int32Array => {
        let rows = candidates
        if (artist !== undefined) rows = keep(rows, (row) => ofArtist[row] === artist)
        if (terms) rows = keep(rows, terms.passes)
        rows = filterByNumbers(context, rows, query, context.now())
        return members ? keep(rows, (row) => members[row] === 1) : rows
      }
      const rows = filtered(withNames(context, query))
      const keys = query.sort
        ? sortKeys(context, rows, query.sort)
        : relevanceKeys(context, rows, query, terms)
      const { start, results } = query
      const page = firstByKey(rows, keys, start, results)
      // Songs with all words come first. A sort would mix the typed matches with them.
      if (page.length < results && (query.sort === undefined || rows.length === 0)) {
        const typed = typedSongs(context, query, rows)
        const others = filtered(Int32Array.from(typed.keys()))
        const order = query.sort
          ? sortKeys(context, others, query.sort)
          : Float64Array.from(others, (row) => typed.get(row) as number)
        const from = Math.max(0, start - rows.length)
        page.push(...firstByKey(others, order, from, results - page.length))
      }
      return page.flatMap((num) => {
        const row = store.byNum(num)
        return row ? [describe(context, row, asked)] : []
      })
    })
  },
})

function withNames(context: SongRoom, query: SearchQuery): Int32Array {
  const { title, artist, combined } = query
  if (title === undefined && artist === undefined && combined === undefined)
    return allSongs(context)
  const sets: number[][] = []
  if (title !== undefined) sets.push(titled(context, title))
  if (combined !== undefined) sets.push(worded(context, combined, 'both'))
  if (artist !== undefined) sets.push(by(context, artist))
  const nums = intersection(sets)
  return Int32Array.from(nums.length > 0 ? nums : meant(context, query)).sort()
}

function worded({ store }: SongRoom, text: string, where: 'title' | 'artist' | 'both'): number[] {
  const words = [...new Set(wordsOf(nameKey(text)))]
  // A name without letters or digits has no words: only the same name matches.
  return words.length === 0
    ? store.withTitle(nameKey(text))
    : store.withWords(words, where, MOST_WITH_WORDS)
}

/** Songs with exactly the title are included, however common the words are. */
function titled(context: SongRoom, title: string): number[] {
  const found = worded(context, title, 'title')
  if (found.length < MOST_WITH_WORDS) return found
  return [...new Set([...found, ...context.store.withTitle(nameKey(title))])]
}

/** The songs that credit the artist, and the songs of artists with the name or alias. */
function by(context: SongRoom, artist: string): number[] {
  const { store, artists } = context
  const words = [...new Set(wordsOf(nameKey(artist)))]
  const called =
    words.length === 0 ? artists.named(artist).map(({ num }) => num) : artists.withWords(words)
  const credited = store.withWords(words, 'artist', MOST_WITH_WORDS)
  if (called.length === 0) return credited
  if (called.length <= FEW_ARTISTS) {
    return [...new Set([...called.flatMap((num) => store.ofArtist(num)), ...credited])]
  }
  const mask = new Uint8Array(artists.columns.readColumns().length)
  for (const num of called) mask[num] = 1
  const { artist: artistOf } = store.columns.readColumns().columns
  const theirs = keep(allSongs(context), (row) => mask[artistOf[row] as number] === 1)
  return [...new Set([...theirs, ...credited])]
}

/**
 * The most similar song, or the songs of the most similar artist, when no song has all the words.
 */
function meant(context: SongRoom, { title, artist, combined }: SearchQuery): number[] {
  if (title !== undefined && combined !== undefined) return []
  const songName = title ?? combined
  if (songName !== undefined) {
    const found = matchSong(context, known({ songName, artistName: artist }))
    return found ? [found.num] : []
  }
  const found = matchArtist(context.artists, artist ?? '')
  return found ? context.store.ofArtist(found.num) : []
}

function intersection(sets: readonly number[][]): number[] {
  const [first = [], ...others] = [...sets].sort((a, b) => a.length - b.length)
  const held = others.map((nums) => new Set(nums))
  return first.filter((num) => held.every((nums) => nums.has(num)))
}

/**
 * The songs that match the typed names of a query: the last word may be incomplete, words misspelt,
 * additions left out. Each has a key: the lower, the better the match.
 *
 * @param without - songs that were found already
 */
function typedSongs(
  { store }: Pick<SongRoom, 'store'>,
  { title, artist, combined }: SearchQuery,
  without: Int32Array,
): Map<number, number> {
  const typed: Typed[] = []
  // By artist alone, songs are found by the artist's names, which are more than those of credits.
  if (title === undefined && combined === undefined) return new Map()
  if (title !== undefined) typed.push({ text: title, fields: IN.title })
  if (artist !== undefined) typed.push({ text: artist, fields: IN.artist })
  if (combined !== undefined) typed.push({ text: combined, fields: IN.title | IN.artist })
  const { rows, keys } = store.box.find(typed)
  const known = new Set(without)
  const { hotttnesss } = store.columns.readColumns().columns
  const of = new Map<number, number>()
  for (const [i, row] of rows.entries()) {
    if (!known.has(row)) of.set(row, (keys[i] as number) + coldness(hotttnesss[row]))
  }
  return of
}

/** The part of the key from hotttnesss: 0…0.5, the hottest lowest; 0.75 if it is unknown. */
export function coldness(hotttnesss: number | undefined): number {
  return hotttnesss === undefined || Number.isNaN(hotttnesss) ? 0.75 : (1 - hotttnesss) / 2
}
