import type { Door, Params, Result } from '../door.ts'
import { unknownIdentifier } from '../errors.ts'
import type { Waiting } from './track.ts'

/** What the song methods answer of a song. */
export type SongAnswer = Result<'song/identify'>[number]

/**
 * A song that a method found: what was asked for, as it was then. Of the fields beside `id` and
 * `title` those are there whose bucket was asked for and which are known.
 *
 * @example
 * ```ts
 * const [best] = await music.songs.search({ title: 'help', bucket: ['audio_summary'] })
 * console.log(best?.title, best?.artistName, best?.audioSummary?.tempo)
 * ```
 */
export class Song {
  /** `SO…`. */
  readonly id: string
  /** Its name; empty when neither tags nor an import gave one. */
  readonly title: string
  /** `AR…`, when its artist is known. */
  declare readonly artistId?: string
  /** The artist as the song credits them. */
  declare readonly artistName?: string
  /** With the bucket `audio_summary`: tempo, key, loudness and so on. */
  declare readonly audioSummary?: NonNullable<SongAnswer['audioSummary']>
  /** With the bucket `artist_familiarity`: 0…1. */
  declare readonly artistFamiliarity?: number
  /** With the bucket `artist_hotttnesss`: 0…1. */
  declare readonly artistHotttnesss?: number
  /** With the bucket `artist_location`: where the artist comes from. */
  declare readonly artistLocation?: NonNullable<SongAnswer['artistLocation']>
  /** With the bucket `song_hotttnesss`: 0…1. */
  declare readonly songHotttnesss?: number
  /** With the bucket `song_type`: `christmas`, `live`, `studio`, `acoustic`, `electric`. */
  declare readonly songType?: string[]
  /** With an `id:` bucket: the song's ids in those spaces. */
  declare readonly foreignIds?: NonNullable<SongAnswer['foreignIds']>
  /** With an `id:` bucket: the song's tracks in those spaces; with `tracks`, more of each. */
  declare readonly tracks?: NonNullable<SongAnswer['tracks']>
  /** With an `id:` bucket and `tracks`: the artist's ids in those spaces. */
  declare readonly artistForeignIds?: NonNullable<SongAnswer['artistForeignIds']>
  /** With the bucket `origins`: where each value that is known came from. */
  declare readonly origins?: NonNullable<SongAnswer['origins']>
  /** How well an identified song matches: distinct codes that agree. */
  declare readonly score?: number
  /** `OK (match type <n>)`, with an identified song. */
  declare readonly message?: string
  /** What its query was tagged with, when it was one of a list. */
  declare readonly tag?: unknown
  readonly #door: Door

  /** @internal */
  constructor(door: Door, answer: SongAnswer) {
    this.#door = door
    this.id = answer.id
    this.title = answer.title
    Object.assign(this, answer)
  }

  /**
   * What is known of the song now.
   *
   * @throws {ParameterError} `unknown_identifier` when it is there no more
   *
   * @example
   * ```ts
   * const { audioSummary } = await song.profile({ bucket: ['audio_summary'] })
   * ```
   */
  async profile(query: Pick<Params<'song/profile'>, 'bucket'> & Waiting = {}): Promise<Song> {
    const { signal, ...rest } = query
    const [answer] = await this.#door.call('song/profile', { ...rest, id: this.id }, { signal })
    if (answer) return new Song(this.#door, answer)
    throw unknownIdentifier(this.id)
  }
}
