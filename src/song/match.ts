import type { ArtistStore } from '../artist/store.ts'
import { type Candidate, Candidates, type Evidence, isOneSong } from '../naming/candidates.ts'
import { LIMITS } from '../naming/distance.ts'
import { Lookups } from '../naming/lookups.ts'
import { isRich, type Reading, readingsOf } from '../naming/name-readings.ts'
import { isrcKey } from './record.ts'
import type { SongStore } from './store.ts'

export interface MatchContext {
  store: SongStore
  artists: ArtistStore
}

export interface SongQuery {
  songName?: string
  artistName?: string
  /** The number of the artist. */
  artist?: number
  release?: string
  /** Seconds. */
  duration?: number
  isrc?: string[]
  musicbrainzId?: string
}

export interface SongMatch {
  songId: string
  num: number
  /** The number of its artist. */
  artist: number | null
  by: 'id' | 'names'
}

export interface Resolution {
  match?: SongMatch
  /** Why not: the nearest song is too far, another one is nearly as near, or there is none. */
  refused?: 'far' | 'ambiguous' | 'unknown'
  /** The greatest distance at which the nearest song is taken; 1 where an id decides. */
  limit: number
  /** The songs compared up to the step that decided, or up to the last one. */
  candidates: Candidates
}

/**
 * Finds the song that names in tags, file names or lists mean, with the reasons for the result.
 *
 * 1. **Ids.** An ISRC or the MusicBrainz id of the recording decides, whatever the names are. If
 *    several songs have the id, the one with the best names and length is taken.
 * 2. **Readings** ({@link readingsOf}). The text is read as it is; as the name of a file, without
 *    number, extension and artist; as both names in one field; with the artist's name in sorting
 *    order; with both fields exchanged.
 * 3. **Keys** (`nameKey`, B-trees). Songs with exactly that title and artist; then with that title,
 *    with or without additions, by artists with that name or the main name in it, and by anyone.
 * 4. **Words** (FTS5). Songs that share two of the four rarest words of title and artist: first
 *    pairs that few songs can have, then others, of which only the first songs are compared.
 * 5. **Letters.** Songs with similar titles by the named artists; then by artists whose names share
 *    the rarest trigrams. The work of each step is bounded, whatever the query.
 *
 * The songs found so far have a distance ({@link Candidates}): the sum of the weighted penalties in
 * `distance.ts`, for the nearest reading. Another version (live, remix, acoustic,
 * karaoke, demo …) is another song, and never the answer; remasters, mono, radio edits, guests and the
 * like are not. A song is taken when its distance is within the limit of the step (each step has a wider
 * one) and no other song is nearly as near. Duplicates do not count as other songs: the closest in length
 * is taken, then an imported one, then the oldest.
 *
 * On 137,114 songs and 536 queries with damage (`npm run evaluate -- --only resolution`): recall 0.993,
 * precision 0.996.
 */
export function resolveSong(context: MatchContext, query: SongQuery): Resolution {
  const { songName = '', artistName } = query
  const evidence = {
    artist: query.artist,
    duration: query.duration,
    release: query.release,
  }
  // The first reading is enough for most names.
  const first = readingsOf(songName, artistName, 1)
  const known = byIds(context, query, new Candidates(first, evidence))
  if (known) return known
  const exact = inSteps(context, first, evidence, [EXACT])
  return exact.match ? exact : inSteps(context, readingsOf(songName, artistName), evidence, STEPS)
}

/** The song that names mean; `undefined` when none is certain enough. */
export function matchSong(context: MatchContext, query: SongQuery): SongMatch | undefined {
  return resolveSong(context, query).match
}

/** The most songs with one id that are compared. */
const OF_ONE_ID = 20

function byIds(
  { store }: MatchContext,
  { isrc = [], musicbrainzId }: SongQuery,
  candidates: Candidates,
): Resolution | undefined {
  const ids: [catalog: string, id: string][] = isrc.map((one) => ['isrc', isrcKey(one)])
  if (musicbrainzId !== undefined) ids.unshift(['musicbrainz', musicbrainzId.toLowerCase()])
  for (const [catalog, id] of ids) {
    candidates.add(store.names.byForeignId(catalog, id, OF_ONE_ID))
    const [best] = candidates.ranked()
    if (best) return { match: matchOf(best, 'id'), limit: 1, candidates }
  }
  return undefined
}

function matchOf({ song: { id, num, artist } }: Candidate, by: SongMatch['by']): SongMatch {
  return { songId: id, num, artist, by }
}

/** A step of the search, and the greatest distance of a song that is taken after it. */
interface Step {
  look: (to: Lookups, readings: readonly Reading[]) => void
  most: number
  /** The greatest distance of a song with the same title, if few songs have such a title. */
  mostOfRare?: number
}

const EXACT: Step = { look: (to, readings) => to.exact(readings), most: LIMITS.exact }
const LAST = { most: LIMITS.letters, mostOfRare: LIMITS.rare } as const
const STEPS: readonly Step[] = [
  // The first reading was tried before, and the next step repeats it.
  { ...EXACT, look: (to, readings) => to.exact(readings.slice(1)) },
  { look: (to, readings) => to.byKeys(readings), most: LIMITS.keys },
  { look: (to, readings) => to.byRareWords(readings), most: LIMITS.words },
  { look: (to, readings) => to.byWords(readings), most: LIMITS.words },
  { ...LAST, look: (to, readings) => to.ofArtists(readings) },
  { ...LAST, look: (to, readings) => to.ofCloseArtists(readings) },
  { ...LAST, look: (to, readings) => to.inOtherForms(readings) },
]

function inSteps(
  { store, artists }: MatchContext,
  readings: readonly Reading[],
  evidence: Evidence,
  steps: readonly Step[],
): Resolution {
  const candidates = new Candidates(readings, evidence)
  const lookups = new Lookups(store.names, artists.names, candidates, evidence.artist)
  let last: Resolution = { refused: 'unknown', limit: 0, candidates }
  for (const { look, most, mostOfRare = most } of steps) {
    look(lookups, readings)
    const [best, ...others] = candidates.ranked()
    if (!best) continue
    const isRare =
      mostOfRare !== most && best.title.sum === 0 && readings.some(({ title }) => isRich(title))
    const limit = isRare ? mostOfRare : most
    const near = best.distance.sum <= limit
    if (near && !hasRival(best, others)) return { match: matchOf(best, 'names'), limit, candidates }
    last = { refused: near ? 'ambiguous' : 'far', limit, candidates }
  }
  return last
}

function hasRival({ song: nearest, distance: { sum } }: Candidate, others: Candidate[]): boolean {
  if (sum <= LIMITS.exact) return false
  return others.some(
    ({ song, distance }) => distance.sum <= sum + LIMITS.margin && !isOneSong(nearest, song),
  )
}
