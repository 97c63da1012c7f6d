import { findArtist } from '../artist/find-artist.ts'
import { findSong } from '../song/find-song.ts'
import { findTrack } from '../track/find-track.ts'
import { matchingTracks } from '../track/search-tracks.ts'
import type { Vectors } from '../track/vectors.ts'
import { ParameterError } from '../values/errors.ts'
import { isId, parseForeignId } from '../values/ids.ts'
import { itemsOf, likingOf, tracksOfItems, tracksOfSongs } from './liking.ts'
import type { Mood } from './moods.ts'
import type { MixRoom } from './room.ts'
import type { Seed } from './wish.ts'

/** A track that a mix is to be near to, or away from. */
export interface SeedSound {
  num: number
  vector: Int8Array
  weight: number
}

/** What the seeds of a mix stand for. */
export interface Seeds {
  sounds: readonly SeedSound[]
  moods: readonly { mood: Mood; weight: number }[]
  /** The tracks that are seeds themselves, not as a part of something. */
  tracks: readonly number[]
}

/** Tracks of one seed that are looked at: the best liked of a catalog, the first of an artist. */
const MOST_OF_SEED = 200
/** Tracks that stand for all seeds. */
const MOST_SOUNDS = 12

/**
 * The tracks and moods that seeds stand for.
 *
 * @param gone - takes the seeds that stand for nothing any more, in place of an error
 * @throws {ParameterError} `unknown_identifier` when there is no such thing; `not_ready` when no
 * track of it is analysed
 */
export function seedsOf(room: MixRoom, given: readonly Seed[], gone?: Seed[]): Seeds {
  const vectors = room.track.space.vectors()
  const sounds: SeedSound[] = []
  const moods: { mood: Mood; weight: number }[] = []
  const tracks: number[] = []
  for (const seed of given) {
    if (seed.mood !== undefined) {
      moods.push({ mood: seed.mood, weight: seed.weight })
      continue
    }
    let found: [num: number, liking: number][]
    try {
      found = analysedOf(room, seed)
    } catch (error) {
      if (!gone || !(error instanceof ParameterError)) throw error
      gone.push(seed)
      continue
    }
    if (seed.file !== undefined || kindOf(seed.id) === 'track') tracks.push(found[0]![0])
    const total = found.reduce((sum, [, liking]) => sum + liking, 0)
    for (const [num, liking] of found) {
      sounds.push({ num, vector: vectors.of(num)!, weight: (seed.weight * liking) / total })
    }
  }
  return { sounds: spread(sounds, vectors), moods, tracks }
}

/** The analysed tracks of a seed, with how much each counts; at least one. */
function analysedOf(room: MixRoom, seed: Seed): [num: number, liking: number][] {
  const vectors = room.track.space.vectors()
  const soundingTracks = [...tracksOf(room, seed)].filter(([num]) => vectors.has(num))
  if (soundingTracks.length > 0) return soundingTracks
  const message = `No track of the seed ${JSON.stringify(seed)} is analysed; wait for its analysis, or leave it out.`
  throw new ParameterError('not_ready', message)
}

/** The tracks of a seed, by number, with how much each counts. */
function tracksOf(room: MixRoom, { id, file, artist, album }: Seed): Map<number, number> {
  const { track } = room
  const alike = (nums: Iterable<number>) =>
    new Map([...nums].slice(0, MOST_OF_SEED).map((num) => [num, 1]))
  if (id === undefined && file === undefined) {
    const found = matchingTracks(track, { artist, release: album })
    if (found.length > 0) return alike(found)
    const wanted = JSON.stringify({ artist, album })
    const message = `No track of the library matches the seed ${wanted}; check the spelling.`
    throw new ParameterError('unknown_identifier', message)
  }
  const kind = kindOf(id)
  if (id !== undefined && kind === 'catalog') return likedOf(room, id)
  if (id !== undefined && kind === 'artist') {
    const known = findArtist({ store: room.artist.store, catalogs: room.song.catalogs }, id)
    if (known) return alike(ofSongs(room, room.song.store.ofArtist(known.num)))
  }
  if (id !== undefined && kind === 'song') {
    const num = findSong(room.song, id)
    if (num !== undefined) return alike(ofSongs(room, [num]))
  }
  return alike([track.library.numOf(findTrack(track.store, { id, file }).id) as number])
}

function kindOf(id: string | undefined): string | undefined {
  if (id === undefined) return undefined
  const kinds = ['catalog', 'artist', 'song', 'track'] as const
  return kinds.find((kind) => isId(kind, id)) ?? parseForeignId(id)?.type
}

function ofSongs(room: MixRoom, songs: readonly number[]): number[] {
  return [...tracksOfSongs(room, new Set(songs)).values()].flat()
}

/** The tracks of the best liked items of a catalog; of all its items, if none is liked. */
function likedOf(room: MixRoom, id: string): Map<number, number> {
  const now = room.now()
  const rated = [...itemsOf(room, id)]
    .map((item) => ({ item, liking: likingOf(item, now) }))
    .filter(({ liking }) => liking > Number.NEGATIVE_INFINITY)
    .sort((a, b) => b.liking - a.liking)
  const liked = rated.filter(({ liking }) => liking > 0)
  const best = (liked.length > 0 ? liked : rated).slice(0, MOST_OF_SEED)
  const tracks = tracksOfItems(
    room,
    best.map(({ item }) => item),
  )
  const counts = new Map<number, number>()
  for (const { item, liking } of best) {
    for (const num of tracks.get(item) ?? []) counts.set(num, Math.max(liking, 1))
  }
  return counts
}

/**
 * A few tracks that stand for all: the one that counts most, then always the one that is farthest
 * from those (Gonzalez, "Clustering to minimize the maximum intercluster distance", 1985). Each
 * counts for those that are nearest to it.
 */
function spread(sounds: readonly SeedSound[], vectors: Vectors): SeedSound[] {
  if (sounds.length <= MOST_SOUNDS) return [...sounds]
  const apartOf = (one: SeedSound, other: SeedSound) =>
    vectors.squaredDistance(one.num, other.vector)
  const first = sounds.reduce((best, one) => (one.weight > best.weight ? one : best))
  const chosen = [{ ...first, weight: 0 }]
  const nearest = sounds.map((one) => ({ of: 0, apart: apartOf(one, first) }))
  while (chosen.length < MOST_SOUNDS) {
    const far = nearest.reduce((best, { apart }, i) => (apart > nearest[best]!.apart ? i : best), 0)
    const next = sounds[far]!
    for (const [i, one] of sounds.entries()) {
      const apart = apartOf(one, next)
      if (apart < nearest[i]!.apart) nearest[i] = { of: chosen.length, apart }
    }
    chosen.push({ ...next, weight: 0 })
  }
  for (const [i, { of }] of nearest.entries()) chosen[of]!.weight += sounds[i]!.weight
  return chosen.filter(({ weight }) => weight > 0)
}
