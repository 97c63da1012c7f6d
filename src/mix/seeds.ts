import { findArtist } from '../artist/find-artist.ts'
import { findSong } from '../song/find-song.ts'
import { findTrack } from '../track/find-track.ts'
import { matchingTracks } from '../track/search-tracks.ts'
import type { TrackVectors } from '../track/vectors.ts'
import { ParameterError } from '../values/errors.ts'
import { isId, parseForeignId } from '../values/ids.ts'
import { allItems, likingOf, tracksOfItems, tracksOfSongs } from './liking.ts'
import type { Mood } from './moods.ts'
import type { MixRoom } from './room.ts'
import type { Seed } from './wish.ts'

export interface SeedSound {
  num: number
  vector: Int8Array
  weight: number
}

export interface Seeds {
  sounds: readonly SeedSound[]
  moods: readonly { mood: Mood; weight: number }[]
  /** The seeds that are tracks themselves. */
  tracks: readonly number[]
}

/** The best liked of a catalog, the first of an artist. */
const MAX_TRACKS_OF_SEED = 200
/** They stand for all seeds. */
const MAX_SEED_SOUNDS = 12

/**
 * @param goneSeeds - takes the seeds that do not exist any more, in place of an error
 * @throws {ParameterError} `unknown_identifier` when there is no such thing; `not_ready` when no
 * track of it is analysed
 */
export function resolveSeeds(room: MixRoom, seeds: readonly Seed[], goneSeeds?: Seed[]): Seeds {
  const vectors = room.track.space.vectors()
  const sounds: SeedSound[] = []
  const moods: { mood: Mood; weight: number }[] = []
  const tracks: number[] = []
  for (const seed of seeds) {
    if (seed.mood !== undefined) {
      moods.push({ mood: seed.mood, weight: seed.weight })
      continue
    }
    let seedTracks: [num: number, liking: number][]
    try {
      seedTracks = analysedTracksOf(room, seed)
    } catch (error) {
      if (!goneSeeds || !(error instanceof ParameterError)) throw error
      goneSeeds.push(seed)
      continue
    }
    if (seed.file !== undefined || kindOfId(seed.id) === 'track') tracks.push(seedTracks[0]![0])
    const total = seedTracks.reduce((sum, [, liking]) => sum + liking, 0)
    for (const [num, liking] of seedTracks) {
      sounds.push({ num, vector: vectors.vectorOf(num)!, weight: (seed.weight * liking) / total })
    }
  }
  return { sounds: spreadSeeds(sounds, vectors), moods, tracks }
}

/** By number and weight; at least one. */
function analysedTracksOf(room: MixRoom, seed: Seed): [num: number, liking: number][] {
  const vectors = room.track.space.vectors()
  const soundingTracks = [...tracksOfSeed(room, seed)].filter(([num]) => vectors.has(num))
  if (soundingTracks.length > 0) return soundingTracks
  const message = `No track of the seed ${JSON.stringify(seed)} is analysed; wait for its analysis, or leave it out.`
  throw new ParameterError('not_ready', message)
}

function tracksOfSeed(room: MixRoom, { id, file, artist, album }: Seed): Map<number, number> {
  const { track } = room
  const withEqualWeights = (nums: Iterable<number>) =>
    new Map([...nums].slice(0, MAX_TRACKS_OF_SEED).map((num) => [num, 1]))
  if (id === undefined && file === undefined) {
    const matchingNums = matchingTracks(track, { artist, release: album })
    if (matchingNums.length > 0) return withEqualWeights(matchingNums)
    const seedText = JSON.stringify({ artist, album })
    const message = `No track of the library matches the seed ${seedText}; check the spelling.`
    throw new ParameterError('unknown_identifier', message)
  }
  const kind = kindOfId(id)
  if (id !== undefined && kind === 'catalog') return likedTracks(room, id)
  if (id !== undefined && kind === 'artist') {
    const knownArtist = findArtist({ store: room.artist.store, catalogs: room.song.catalogs }, id)
    if (knownArtist)
      return withEqualWeights(numsOfSongs(room, room.song.store.ofArtist(knownArtist.num)))
  }
  if (id !== undefined && kind === 'song') {
    const num = findSong(room.song, id)
    if (num !== undefined) return withEqualWeights(numsOfSongs(room, [num]))
  }
  return withEqualWeights([track.library.numOf(findTrack(track.store, { id, file }).id) as number])
}

function kindOfId(id: string | undefined): string | undefined {
  if (id === undefined) return undefined
  const kinds = ['catalog', 'artist', 'song', 'track'] as const
  return kinds.find((kind) => isId(kind, id)) ?? parseForeignId(id)?.type
}

function numsOfSongs(room: MixRoom, songs: readonly number[]): number[] {
  return [...tracksOfSongs(room, new Set(songs)).values()].flat()
}

/** Of all items, if none is liked. */
function likedTracks(room: MixRoom, id: string): Map<number, number> {
  const now = room.now()
  const rated = [...allItems(room, id)]
    .map((item) => ({ item, liking: likingOf(item, now) }))
    .filter(({ liking }) => liking > Number.NEGATIVE_INFINITY)
    .sort((a, b) => b.liking - a.liking)
  const liked = rated.filter(({ liking }) => liking > 0)
  const best = (liked.length > 0 ? liked : rated).slice(0, MAX_TRACKS_OF_SEED)
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
 * Always the one that is farthest from those chosen (Gonzalez, "Clustering to minimize the maximum
 * intercluster distance", 1985).
 */
function spreadSeeds(sounds: readonly SeedSound[], vectors: TrackVectors): SeedSound[] {
  if (sounds.length <= MAX_SEED_SOUNDS) return [...sounds]
  const distanceBetween = (sound: SeedSound, otherSound: SeedSound) =>
    vectors.squaredDistance(sound.num, otherSound.vector)
  const first = sounds.reduce((best, sound) => (sound.weight > best.weight ? sound : best))
  const chosen = [{ ...first, weight: 0 }]
  const nearest = sounds.map((sound) => ({ of: 0, apart: distanceBetween(sound, first) }))
  while (chosen.length < MAX_SEED_SOUNDS) {
    const farthest = nearest.reduce(
      (best, { apart }, i) => (apart > nearest[best]!.apart ? i : best),
      0,
    )
    const next = sounds[farthest]!
    for (const [i, sound] of sounds.entries()) {
      const apart = distanceBetween(sound, next)
      if (apart < nearest[i]!.apart) nearest[i] = { of: chosen.length, apart }
    }
    chosen.push({ ...next, weight: 0 })
  }
  for (const [i, { of }] of nearest.entries()) chosen[of]!.weight += sounds[i]!.weight
  return chosen.filter(({ weight }) => weight > 0)
}
