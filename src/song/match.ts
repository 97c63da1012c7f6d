import type { ArtistStore } from '../artist/store.ts'
import {
  type CandidateEvidence,
  Candidates,
  isOneSong,
  type MatchCandidate,
} from '../naming/candidates.ts'
import { MATCH_LIMITS } from '../naming/distance.ts'
import { Lookups } from '../naming/lookups.ts'
import { isRich, type NameReading, readingsOf } from '../naming/name-readings.ts'
import type { NamedSong } from '../naming/song-match-store.ts'
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
  /** Whether a song may be the answer. Default: each may. */
  isWanted?: ((song: NamedSong) => boolean) | undefined
}

export interface SongMatch {
  songId: string
  num: number
  /** The number of its artist. */
  artist: number | null
  by: 'id' | 'names'
}

export interface NameResolution {
  match?: SongMatch
  /** The nearest song is too far, another is nearly as near, or there is none. */
  refused?: 'far' | 'ambiguous' | 'unknown'
  /** Of the nearest song that is taken; 1 where an id decides. */
  limit: number
  /** Compared up to the step that decided, or up to the last one. */
  candidates: Candidates
}

/**
 * Finds the song that names in tags, file names or lists mean, with the reasons.
 *
 * 1. An ISRC or MusicBrainz id decides, whatever the names are.
 * 2. The text is read in several ways ({@link readingsOf}).
 * 3. Songs with the same keys of title and artist.
 * 4. Songs that share two of the four rarest words (FTS5).
 * 5. Songs with similar titles by the named artists, or by similar ones.
 *
 * A song is taken within the limit of the step if no other is nearly as near.
 * Another version (live, remix …) is another song; of duplicates the closest in length is taken.
 */
export function resolveSong(context: MatchContext, query: SongQuery): NameResolution {
  const { songName = '', artistName } = query
  const evidence = {
    artist: query.artist,
    duration: query.duration,
    release: query.release,
    isWanted: query.isWanted,
  }
  // The first reading is enough for most names.
  const firstReading = readingsOf(songName, artistName, 1)
  const resolvedById = resolveByIds(context, query, new Candidates(firstReading, evidence))
  if (resolvedById) return resolvedById
  const exactResolution = resolveInSteps(context, firstReading, evidence, [EXACT_STEP])
  return exactResolution.match
    ? exactResolution
    : resolveInSteps(context, readingsOf(songName, artistName), evidence, SEARCH_STEPS)
}

/** `undefined` when none is certain enough. */
export function matchSong(context: MatchContext, query: SongQuery): SongMatch | undefined {
  return resolveSong(context, query).match
}

const MAX_SONGS_OF_ID = 20

function resolveByIds(
  { store }: MatchContext,
  { isrc = [], musicbrainzId }: SongQuery,
  candidates: Candidates,
): NameResolution | undefined {
  const ids: [catalog: string, id: string][] = isrc.map((code) => ['isrc', isrcKey(code)])
  if (musicbrainzId !== undefined) ids.unshift(['musicbrainz', musicbrainzId.toLowerCase()])
  for (const [catalog, id] of ids) {
    candidates.addSongs(store.names.byForeignId(catalog, id, MAX_SONGS_OF_ID))
    const [best] = candidates.rankedSongs()
    if (best) return { match: matchOf(best, 'id'), limit: 1, candidates }
  }
  return undefined
}

function matchOf({ song: { id, num, artist } }: MatchCandidate, by: SongMatch['by']): SongMatch {
  return { songId: id, num, artist, by }
}

/** And the greatest distance of a song that is taken after it. */
interface SearchStep {
  look: (to: Lookups, readings: readonly NameReading[]) => void
  most: number
  /** For a song with the same title, if few songs have such a title. */
  mostOfRare?: number
}

const EXACT_STEP: SearchStep = {
  look: (lookups, readings) => lookups.addExact(readings),
  most: MATCH_LIMITS.exact,
}
const LAST_LIMITS = { most: MATCH_LIMITS.letters, mostOfRare: MATCH_LIMITS.rare } as const
const SEARCH_STEPS: readonly SearchStep[] = [
  // The first reading was tried before, and the next step repeats it.
  { ...EXACT_STEP, look: (to, readings) => to.addExact(readings.slice(1)) },
  { look: (to, readings) => to.addByKeys(readings), most: MATCH_LIMITS.keys },
  { look: (to, readings) => to.addByRareWords(readings), most: MATCH_LIMITS.words },
  { look: (to, readings) => to.addByWords(readings), most: MATCH_LIMITS.words },
  { ...LAST_LIMITS, look: (to, readings) => to.addOfArtists(readings) },
  { ...LAST_LIMITS, look: (to, readings) => to.addOfCloseArtists(readings) },
  { ...LAST_LIMITS, look: (to, readings) => to.addInOtherForms(readings) },
]

function resolveInSteps(
  { store, artists }: MatchContext,
  readings: readonly NameReading[],
  evidence: CandidateEvidence,
  steps: readonly SearchStep[],
): NameResolution {
  const candidates = new Candidates(readings, evidence)
  const lookups = new Lookups(store.names, artists.names, candidates, evidence.artist)
  let resolution: NameResolution = { refused: 'unknown', limit: 0, candidates }
  for (const { look, most, mostOfRare = most } of steps) {
    look(lookups, readings)
    const [best, ...others] = candidates.rankedSongs()
    if (!best) continue
    const isRare =
      mostOfRare !== most && best.title.sum === 0 && readings.some(({ title }) => isRich(title))
    const limit = isRare ? mostOfRare : most
    const isNear = best.distance.sum <= limit
    if (isNear && !hasRival(best, others))
      return { match: matchOf(best, 'names'), limit, candidates }
    resolution = { refused: isNear ? 'ambiguous' : 'far', limit, candidates }
  }
  return resolution
}

function hasRival(
  { song: nearest, distance: { sum } }: MatchCandidate,
  others: MatchCandidate[],
): boolean {
  if (sum <= MATCH_LIMITS.exact) return false
  return others.some(
    ({ song, distance }) => distance.sum <= sum + MATCH_LIMITS.margin && !isOneSong(nearest, song),
  )
}
