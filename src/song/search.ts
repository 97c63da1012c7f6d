import { requireArtist } from '../artist/find-artist.ts'
import { matchArtist } from '../artist/match.ts'
import { method } from '../kernel/method.ts'
import { firstByKey } from '../kernel/smallest.ts'
import { nameKey, wordsOfKey } from '../naming/names.ts'
import type { TypedText } from '../naming/search-box.ts'
import { FIELD_SETS } from '../naming/text-fields.ts'
import { known } from '../values/known.ts'
import { parseBuckets } from './buckets.ts'
import { allSongs, filterByNumbers, keepRows } from './filters.ts'
import { membersOf } from './find-song.ts'
import { matchSong } from './match.ts'
import { relevanceKeys, songSortKeys, termScores } from './ranking.ts'
import type { SongRoom } from './room.ts'
import { type SearchQuery, searchParameters } from './search-parameters.ts'
import { describeSong, type SongAnswer } from './song-answer.ts'

/** Of more artists, one pass over all songs replaces a read for each. */
const FEW_ARTISTS = 200
/** The oldest first. */
const MAX_WORD_MATCHES = 200_000

/**
 * `song/search`: songs that match the whole query, then the song {@link matchSong} finds, then
 * incomplete or misspelt words.
 */
export const searchSongs = method({
  name: 'song/search',
  verbs: ['GET'],
  parameters: searchParameters,
  run(context: SongRoom, query): SongAnswer[] {
    return context.store.atomically.reading(() => {
      const { store, artists, catalogs } = context
      const askedBuckets = parseBuckets(query.bucket)
      const artist =
        query.artistId === undefined
          ? undefined
          : requireArtist({ store: artists, catalogs }, query.artistId).num
      const terms = termScores(context, query)
      const ofArtist = store.columns.readColumns().columns.artist
      const members = query.limit === true ? membersOf(context, askedBuckets) : undefined
      const filterRows = (candidates: Int32Array): Int32Array => {
        let rows = candidates
        if (artist !== undefined) rows = keepRows(rows, (row) => ofArtist[row] === artist)
        if (terms) rows = keepRows(rows, terms.passes)
        rows = filterByNumbers(context, rows, query, context.now())
        return members ? keepRows(rows, (row) => members[row] === 1) : rows
      }
      const rows = filterRows(songsWithNames(context, query))
      const keys = query.sort
        ? songSortKeys(context, rows, query.sort)
        : relevanceKeys(context, rows, query, terms)
      const { start, results } = query
      const page = firstByKey(rows, keys, start, results)
      // A sort would mix the typed matches with the songs that have all words.
      if (page.length < results && (query.sort === undefined || rows.length === 0)) {
        const typedMatches = typedSongs(context, query, rows)
        const otherRows = filterRows(Int32Array.from(typedMatches.keys()))
        const order = query.sort
          ? songSortKeys(context, otherRows, query.sort)
          : Float64Array.from(otherRows, (row) => typedMatches.get(row) as number)
        const firstOther = Math.max(0, start - rows.length)
        page.push(...firstByKey(otherRows, order, firstOther, results - page.length))
      }
      return page.flatMap((num) => {
        const row = store.byNum(num)
        return row ? [describeSong(context, row, askedBuckets)] : []
      })
    })
  },
})

function songsWithNames(context: SongRoom, query: SearchQuery): Int32Array {
  const { title, artist, combined } = query
  if (title === undefined && artist === undefined && combined === undefined)
    return allSongs(context)
  const sets: number[][] = []
  if (title !== undefined) sets.push(songsWithTitle(context, title))
  if (combined !== undefined) sets.push(songsWithWords(context, combined, 'both'))
  if (artist !== undefined) sets.push(songsByArtist(context, artist))
  const nums = intersectNumbers(sets)
  return Int32Array.from(nums.length > 0 ? nums : similarSongs(context, query)).sort()
}

function songsWithWords(
  { store }: SongRoom,
  text: string,
  field: 'title' | 'artist' | 'both',
): number[] {
  const words = [...new Set(wordsOfKey(nameKey(text)))]
  // A name without letters or digits has no words: only the same name matches.
  return words.length === 0
    ? store.withTitle(nameKey(text))
    : store.withWords(words, field, MAX_WORD_MATCHES)
}

/** Songs with exactly the title are included, however common the words are. */
function songsWithTitle(context: SongRoom, title: string): number[] {
  const wordMatches = songsWithWords(context, title, 'title')
  if (wordMatches.length < MAX_WORD_MATCHES) return wordMatches
  return [...new Set([...wordMatches, ...context.store.withTitle(nameKey(title))])]
}

/** Those that credit the artist, and those of artists with the name or alias. */
function songsByArtist(context: SongRoom, artist: string): number[] {
  const { store, artists } = context
  const words = [...new Set(wordsOfKey(nameKey(artist)))]
  const namedArtists =
    words.length === 0 ? artists.findByName(artist).map(({ num }) => num) : artists.withWords(words)
  const creditedSongs = store.withWords(words, 'artist', MAX_WORD_MATCHES)
  if (namedArtists.length === 0) return creditedSongs
  if (namedArtists.length <= FEW_ARTISTS) {
    return [...new Set([...namedArtists.flatMap((num) => store.ofArtist(num)), ...creditedSongs])]
  }
  const mask = new Uint8Array(artists.columns.readColumns().length)
  for (const num of namedArtists) mask[num] = 1
  const { artist: artistOf } = store.columns.readColumns().columns
  const artistSongs = keepRows(allSongs(context), (row) => mask[artistOf[row] as number] === 1)
  return [...new Set([...artistSongs, ...creditedSongs])]
}

/** When no song has all the words. */
function similarSongs(context: SongRoom, { title, artist, combined }: SearchQuery): number[] {
  if (title !== undefined && combined !== undefined) return []
  const songName = title ?? combined
  if (songName !== undefined) {
    const match = matchSong(context, known({ songName, artistName: artist }))
    return match ? [match.num] : []
  }
  const match = matchArtist(context.artists, artist ?? '')
  return match ? context.store.ofArtist(match.num) : []
}

function intersectNumbers(sets: readonly number[][]): number[] {
  const [first = [], ...others] = [...sets].sort((a, b) => a.length - b.length)
  const otherSets = others.map((nums) => new Set(nums))
  return first.filter((num) => otherSets.every((nums) => nums.has(num)))
}

/** The last word may be incomplete, words misspelt, additions left out; lower keys match better. */
function typedSongs(
  { store }: Pick<SongRoom, 'store'>,
  { title, artist, combined }: SearchQuery,
  excluded: Int32Array,
): Map<number, number> {
  const typedTexts: TypedText[] = []
  // By artist alone, songs are found by the artist's names, which are more than those of credits.
  if (title === undefined && combined === undefined) return new Map()
  if (title !== undefined) typedTexts.push({ text: title, fields: FIELD_SETS.title })
  if (artist !== undefined) typedTexts.push({ text: artist, fields: FIELD_SETS.artist })
  if (combined !== undefined)
    typedTexts.push({ text: combined, fields: FIELD_SETS.title | FIELD_SETS.artist })
  const { rows, keys } = store.box.findTexts(typedTexts)
  const excludedRows = new Set(excluded)
  const { hotttnesss } = store.columns.readColumns().columns
  const keyOfRow = new Map<number, number>()
  for (const [i, row] of rows.entries()) {
    if (!excludedRows.has(row))
      keyOfRow.set(row, (keys[i] as number) + coldnessKey(hotttnesss[row]))
  }
  return keyOfRow
}

/** 0…0.5, the hottest lowest; 0.75 if it is unknown. */
export function coldnessKey(hotttnesss: number | undefined): number {
  return hotttnesss === undefined || Number.isNaN(hotttnesss) ? 0.75 : (1 - hotttnesss) / 2
}
