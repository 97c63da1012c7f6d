import type { AnalysisDocument } from '../analysis/document.ts'
import type { Door, Params, Result } from '../door.ts'
import { DecodeError } from '../errors.ts'

/** Stops a wait. The work that was begun goes on. */
export interface Waiting {
  signal?: AbortSignal | undefined
}

/** What a track method answers. */
export type TrackAnswer = Result<'track/profile'> & {
  /** In answers of `tracks.similar`: 0…1, how much alike two tracks sound in this library. */
  similarity?: number
}

/** A handle on one track: its id, and questions that are each asked anew. */
export class Track {
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

  /** What is known of the track now. */
  profile(query: Omit<Params<'track/profile'>, 'id' | 'md5'> = {}): Promise<TrackAnswer> {
    return this.#door.call('track/profile', { ...query, id: this.id })
  }

  /** Has the track analysed with the latest analyzer version, unless it is already. */
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
   */
  async analyzed({ signal }: Waiting = {}): Promise<TrackAnswer> {
    const answer = await this.#door.call('track/settled', { id: this.id }, { signal })
    if (answer.status === 'error') throw new DecodeError(answer.error ?? 'The analysis failed.')
    return answer
  }

  /**
   * The full analysis document, with the published names of its fields.
   *
   * @throws {ParameterError} `not_ready` while the track is pending
   * @throws {DecodeError} with the reason when it could not be analysed
   */
  analysis(): Promise<AnalysisDocument> {
    return this.#door.call('track/analysis', { id: this.id })
  }
}
