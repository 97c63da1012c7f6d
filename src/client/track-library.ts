import type { Door, Params, Result } from '../host/door.ts'
import { type MatchedTrack, matchedTracks, type SongDescription } from './song-match.ts'
import { Track, type Waiting } from './track.ts'
import { type AllTracks, loadTracks, queryParameters, type TrackQuery } from './track-pages.ts'

/** A page of the tracks. */
export interface TrackList {
  /** Where the page begins. */
  start: number
  /** Tracks in all. */
  total: number
  /** In the requested order. */
  tracks: Track[]
}

/**
 * The methods of {@link Tracks} that find and list.
 *
 * @example
 * ```ts
 * for await (const { answer } of music.tracks.all({ genre: 'jazz' })) console.log(answer.title)
 * ```
 */
export class TrackLibrary {
  readonly #door: Door

  /** @internal */
  constructor(door: Door) {
    this.#door = door
  }

  /**
   * A page of all tracks, or of those that match.
   *
   * @example
   * ```ts
   * const { total, tracks } = await music.tracks.list({ sort: 'tempo-desc', results: 100 })
   * const gone = await music.tracks.list({ missing: true })
   * ```
   */
  async list(query: Params<'track/list'> = {}): Promise<TrackList> {
    return this.#listOf(await this.#door.call('track/list', query))
  }

  /**
   * The tracks that match all of a query: typed words, ranges of tempo, energy and so on, keys,
   * year, genre, state, a track or key to mix with. With `text` and no `sort` the best match comes first.
   *
   * @example
   * ```ts
   * const { total, tracks } = await music.tracks.search({ text: 'hob', tempo: [120, 130] })
   * const next = await music.tracks.search({ mixesWith: track, sort: 'tempo-asc' })
   * const calm = await music.tracks.search({ key: ['8A', '9A'], tempo: '80-100' })
   * ```
   */
  async search(query: TrackQuery = {}): Promise<TrackList> {
    return this.#listOf(await this.#door.call('track/search', queryParameters(query)))
  }

  #listOf({ start, total, tracks }: Result<'track/list' | 'track/search'>): TrackList {
    return { start, total, tracks: tracks.map((answer) => new Track(this.#door, answer)) }
  }

  /**
   * All tracks that match a query of {@link search}, one by one. Tracks that are added after the
   * loop starts, or removed before their turn, are left out.
   *
   * @example
   * ```ts
   * for await (const { answer, files } of music.tracks.all({ sort: 'artist-asc' })) {
   *   console.log(answer.artist, answer.title, files[0]?.path)
   * }
   * ```
   */
  all(query: AllTracks = {}, { signal }: Waiting = {}): AsyncGenerator<Track> {
    const { bucket, ...selection } = query
    const listIds = () => this.#door.call('track/ids', queryParameters(selection), { signal })
    return loadTracks(this.#door, listIds, { bucket, signal })
  }

  /**
   * Finds which of your own files each of many songs is: by its file, by ids (of tracks and songs, ISRC,
   * MusicBrainz), or by names, as `songs.resolve` reads them. A song without a file has `track: null`,
   * and its evidence says why.
   *
   * @param records - records of `audile/import`, entries or items of a catalog; read as they are needed
   *
   * @example
   * ```ts
   * import { fromCsv } from 'audile/import'
   *
   * for await (const { given, track, evidence } of music.tracks.match(fromCsv('playlist.csv'))) {
   *   console.log(given.title, track?.files[0]?.path ?? `missing: ${evidence.refused}`)
   * }
   * ```
   */
  match<Given extends SongDescription>(
    records: Iterable<Given> | AsyncIterable<Given>,
    options: Waiting = {},
  ): AsyncGenerator<MatchedTrack<Given>, void> {
    return matchedTracks(this.#door, records, options)
  }

  /**
   * The albums of your tracks, by the tags of the files: by artist, year and title, unless `sort` says
   * otherwise. The discs of an album are one album; albums of one title by two artists are two.
   *
   * @example
   * ```ts
   * const { albums } = await music.tracks.albums({ artist: 'miles davis', sort: 'year-asc' })
   * for (const { id } of albums) {
   *   const { tracks } = await music.tracks.search({ album: id, sort: 'album-asc' })
   *   console.log(tracks.map(({ answer }) => answer.title))
   * }
   * ```
   */
  albums(query: Params<'track/albums'> = {}): Promise<Result<'track/albums'>> {
    return this.#door.call('track/albums', query)
  }

  /**
   * The artists of your tracks, by the tags of the files.
   *
   * @example
   * ```ts
   * const { artists } = await music.tracks.artists({ sort: 'tracks-desc', results: 10 })
   * ```
   */
  artists(query: Params<'track/artists'> = {}): Promise<Result<'track/artists'>> {
    return this.#door.call('track/artists', query)
  }
}
