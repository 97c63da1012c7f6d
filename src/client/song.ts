import { atCaller } from '../host/caller.ts'
import type { Door, Params, Result } from '../host/door.ts'
import { unknownIdentifier } from '../values/errors.ts'
import type { Track, Waiting } from './track.ts'
import { type AllTracks, loadTracks } from './track-pages.ts'

/** A song as the song methods return it. */
export type SongAnswer = Result<'song/identify'>[number]

/** A track of a song in another id space. */
type TrackBlock = NonNullable<SongAnswer['tracks']>[number]

/** Finds your own tracks that are recordings of a song, in the order of their upload. */
export type FindOwnTracks = (options?: Pick<AllTracks, 'bucket'> & Waiting) => Promise<Track[]>

/** The answer that the handle was made from; it does not change. */
export interface Song extends Readonly<Omit<SongAnswer, 'tracks'>> {
  /**
   * `song.tracks()` finds your own tracks that are recordings of the song, in the order of their upload.
   *
   * With the bucket `tracks` or an `id:` bucket, this field holds the song's tracks in other id
   * spaces instead, as the specification names it. Your own are then found by
   * `music.tracks.list({ songId: song.id })`.
   *
   * @example
   * ```ts
   * const [heard] = await music.songs.identify({ file: 'heard.wav' })
   * for (const { files } of (await heard?.tracks()) ?? []) console.log(files[0]?.path)
   * ```
   */
  readonly tracks: FindOwnTracks & readonly TrackBlock[]
}

/**
 * A song that a method found. Its fields are those of the answer: `id`, `title`, and the known
 * fields that a bucket asked for.
 *
 * @example
 * ```ts
 * const [best] = await music.songs.search({ title: 'help', bucket: ['audio_summary'] })
 * console.log(best?.title, best?.artistName, best?.audioSummary?.tempo)
 * ```
 */
// biome-ignore lint/suspicious/noUnsafeDeclarationMerging: the constructor assigns the answer's fields
export class Song {
  static {
    const value: FindOwnTracks = async function (this: Song, options = {}) {
      const ids = () => this.#door.call('track/ids', { songId: this.id }, options)
      const tracks: Track[] = []
      for await (const track of loadTracks(this.#door, ids, options)) tracks.push(track)
      return tracks
    }
    // Not a method, because the `tracks` of an answer may replace it.
    Object.defineProperty(Song.prototype, 'tracks', { value, writable: true, configurable: true })
  }

  readonly #door: Door

  /** @internal */
  constructor(door: Door, answer: SongAnswer) {
    this.#door = door
    Object.assign(this, answer)
  }

  /**
   * The current state of the song.
   *
   * @throws {ParameterError} `unknown_identifier` when it was removed
   *
   * @example
   * ```ts
   * const { audioSummary } = await song.profile({ bucket: ['audio_summary'] })
   * ```
   */
  async profile(query: Pick<Params<'song/profile'>, 'bucket'> & Waiting = {}): Promise<Song> {
    const { signal, ...otherParams } = query
    const [answer] = await this.#door.call(
      'song/profile',
      { ...otherParams, id: this.id, reference: this.reference },
      { signal },
    )
    if (answer) return new Song(this.#door, answer)
    throw atCaller(unknownIdentifier(this.id))
  }
}
