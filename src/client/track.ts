import type { AnalysisDocument } from '../analysis/document.ts'
import type { Door, Params, Result } from '../door.ts'
import { DecodeError } from '../errors.ts'

/** Stops a wait. The work that was begun goes on. */
export interface Waiting {
  /** Its abort rejects the call, with the signal's own reason. */
  signal?: AbortSignal | undefined
}

/** What a track method answers. */
export type TrackAnswer = Result<'track/profile'> & {
  /** In answers of `tracks.similar`: 0…1, how much alike two tracks sound in this library. */
  similarity?: number
}

/**
 * A handle on one track: its id, and questions that are each asked anew. {@link Tracks} gives it.
 *
 * @example
 * ```ts
 * const track = await music.tracks.upload({ file: 'song.mp3' })
 * await track.analyzed()
 * const { beats, segments } = await track.analysis()
 * ```
 */
export class Track {
  /** `TR…`; it never changes. */
  readonly id: string
  /** What the call answered that gave this handle; it does not change. */
  readonly answer: Readonly<TrackAnswer>
  readonly #door: Door

  /** @internal */
  constructor(door: Door, answer: TrackAnswer) {
    this.#door = door
    this.id = answer.id
    this.answer = Object.freeze(answer)
  }

  /**
   * What is known of the track now: names, state, md5, and with the bucket `audio_summary` what its
   * analysis says in short.
   *
   * @throws {ParameterError} `unknown_identifier` when it was removed
   *
   * @example
   * ```ts
   * const { title, status, audioSummary } = await track.profile({ bucket: ['audio_summary'] })
   * ```
   */
  profile(query: Omit<Params<'track/profile'>, 'id' | 'md5'> = {}): Promise<TrackAnswer> {
    return this.#door.call('track/profile', { ...query, id: this.id })
  }

  /**
   * Has the track analysed with the latest analyzer version, unless it is already. With `wait` the
   * answer comes when that is done, and can hold buckets.
   *
   * @throws {ParameterError} `unknown_identifier` when it was removed; on `bucket` without `wait`
   *
   * @example
   * ```ts
   * const { answer } = await track.analyze({ wait: true, bucket: ['audio_summary'] })
   * ```
   */
  async analyze(
    options: Omit<Params<'track/analyze'>, 'id' | 'md5'> & Waiting = {},
  ): Promise<Track> {
    const { signal, ...query } = options
    const answer = await this.#door.call('track/analyze', { ...query, id: this.id }, { signal })
    return new Track(this.#door, answer)
  }

  /**
   * Waits for the analysis that is under way.
   *
   * @throws {DecodeError} with the reason when the track ends in `error`
   * @throws the signal's reason on abort; the analysis goes on
   *
   * @example
   * ```ts
   * await track.analyzed({ signal: AbortSignal.timeout(60_000) })
   * ```
   */
  async analyzed({ signal }: Waiting = {}): Promise<TrackAnswer> {
    const answer = await this.#door.call('track/settled', { id: this.id }, { signal })
    if (answer.status === 'error') throw new DecodeError(answer.error ?? 'The analysis failed.')
    return answer
  }

  /**
   * The full analysis document, with the published names of its fields. Where a later analysis
   * failed, it is the one before, and `error` of {@link profile} says why.
   *
   * @throws {ParameterError} `not_ready` while the track is pending
   * @throws {DecodeError} with the reason when it could never be analysed
   *
   * @example
   * ```ts
   * const { beats } = await track.analysis()
   * for (const { start, confidence } of beats) console.log(start, confidence)
   * ```
   */
  analysis(): Promise<AnalysisDocument> {
    return this.#door.call('track/analysis', { id: this.id })
  }
}
