import type { Door, Params, Result } from '../door.ts'
import { ParameterError } from '../errors.ts'
import type { Waiting } from './track.ts'

/** What the song methods answer of a song. */
export type SongAnswer = Result<'song/identify'>[number]

/** A song that a method found: what was asked for, as it was then. */
export class Song {
  readonly id: string
  readonly title: string
  declare readonly artistId?: string
  declare readonly artistName?: string
  declare readonly audioSummary?: NonNullable<SongAnswer['audioSummary']>
  declare readonly artistFamiliarity?: number
  declare readonly artistHotttnesss?: number
  declare readonly artistLocation?: NonNullable<SongAnswer['artistLocation']>
  declare readonly songHotttnesss?: number
  declare readonly songType?: string[]
  /** With an `id:` bucket: the song's ids, and its tracks, in those spaces. */
  declare readonly foreignIds?: NonNullable<SongAnswer['foreignIds']>
  declare readonly tracks?: NonNullable<SongAnswer['tracks']>
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
   */
  async profile(query: Pick<Params<'song/profile'>, 'bucket'> & Waiting = {}): Promise<Song> {
    const { signal, ...rest } = query
    const [answer] = await this.#door.call('song/profile', { ...rest, id: this.id }, { signal })
    if (answer) return new Song(this.#door, answer)
    const message = `The Identifier specified does not exist: ${this.id}`
    throw new ParameterError('unknown_identifier', message)
  }
}
