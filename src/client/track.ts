import type { AnalysisDocument } from '../analysis/document.ts'
import type { Cover } from '../audio/cover.ts'
import { atCaller } from '../caller.ts'
import type { Door, Params, Result } from '../door.ts'
import { DecodeError } from '../errors.ts'
import type { TrackFile } from '../input/file-store.ts'
import type { DuplicateEvidence } from '../track/duplicate-groups.ts'

/** How a call is aborted. Work that has begun goes on. */
export interface Waiting {
  /** An abort rejects the call with the signal's reason. */
  signal?: AbortSignal | undefined
}

/** How many similar tracks are found, and what is answered of them. */
export type SimilarOptions = Pick<Params<'track/similar'>, 'results' | 'bucket'> & Waiting

/** A track as the methods answer it. */
export type TrackAnswer = Result<'track/profile'> & {
  /** In answers of `tracks.duplicates` that are asked for it: what says that it is a duplicate. */
  evidence?: DuplicateEvidence
  /** In answers of `tracks.similar`: 0…1, how similar the two tracks sound. */
  similarity?: number
}

/**
 * A handle on one track, from {@link Tracks}. Its methods answer what the track is now.
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
  /** The answer of the call that gave this handle. It does not change. */
  readonly answer: Readonly<TrackAnswer>
  readonly #door: Door

  /** @internal */
  constructor(door: Door, answer: TrackAnswer) {
    this.#door = door
    this.id = answer.id
    this.answer = Object.freeze(answer)
  }

  /** The files with its bytes, as the call answered that gave this handle. */
  get files(): readonly TrackFile[] {
    return this.answer.files
  }

  /**
   * The track now: names, status, md5, and with the bucket `audio_summary` a summary of its analysis.
   *
   * @throws {ParameterError} `unknown_identifier` when it was removed
   *
   * @example
   * ```ts
   * const { title, status, audioSummary } = await track.profile({ bucket: ['audio_summary'] })
   * ```
   */
  profile(query: Omit<Params<'track/profile'>, 'id' | 'md5' | 'file'> = {}): Promise<TrackAnswer> {
    return this.#door.call('track/profile', { ...query, id: this.id })
  }

  /**
   * Analyses the track with the latest analyzer version, unless it has that analysis already.
   *
   * @throws {ParameterError} `unknown_identifier` when it was removed; on `bucket` without `wait`
   *
   * @example
   * ```ts
   * const { answer } = await track.analyze({ wait: true, bucket: ['audio_summary'] })
   * ```
   */
  async analyze(
    options: Omit<Params<'track/analyze'>, 'id' | 'md5' | 'file'> & Waiting = {},
  ): Promise<Track> {
    const { signal, ...query } = options
    const answer = await this.#door.call('track/analyze', { ...query, id: this.id }, { signal })
    return new Track(this.#door, answer)
  }

  /**
   * Puts right what the analysis got wrong, for now and for all later analyses: document, summary and
   * searches follow. `null` takes a correction back. `double` and `half` are of the tempo that the
   * analysis heard, so that the same correction twice is the same.
   *
   * @returns a handle whose `answer` has the new summary, the `corrections`, and what was `heard` in
   * their place
   * @throws {ParameterError} on a value that the track cannot have; `not_ready` when the tempo is to be
   * doubled or halved and there is no analysis yet
   *
   * @example
   * ```ts
   * const { answer } = await track.correct({ tempo: 'double', downbeat: 0.52 })
   * console.log(`${answer.heard?.tempo} is ${answer.corrections?.tempo}`)
   * await track.correct({ tempo: null })
   * ```
   */
  async correct(corrections: Omit<Params<'track/correct'>, 'id' | 'md5'>): Promise<Track> {
    return new Track(
      this.#door,
      await this.#door.call('track/correct', { ...corrections, id: this.id }),
    )
  }

  /**
   * What was put right, and the range of tempi that was given as a hint. A tempo that was doubled or
   * halved is a number.
   *
   * @example
   * ```ts
   * const { tempo, downbeat } = await track.corrections()
   * ```
   */
  corrections(): Promise<Result<'track/corrections'>> {
    return this.#door.call('track/corrections', { id: this.id })
  }

  /**
   * Waits for the running analysis.
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
    if (answer.status === 'error')
      throw atCaller(new DecodeError(answer.error ?? 'The analysis failed.'))
    return answer
  }

  /**
   * The full analysis document, with the published names of its fields. If the latest analysis failed,
   * it is the document of the one before, and `error` of {@link profile} gives the reason.
   *
   * @throws {ParameterError} `not_ready` while the track is pending
   * @throws {DecodeError} with the reason, if it could never be analysed
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

  /**
   * The tracks that sound most similar to this one, as {@link Tracks.similar} finds them.
   *
   * @throws {ParameterError} `unknown_identifier` when the track was removed; `not_ready` while it is not
   * analysed
   *
   * @example
   * ```ts
   * for (const { answer } of await track.similar({ results: 5 })) console.log(answer.similarity)
   * ```
   */
  async similar({ signal, ...query }: SimilarOptions = {}): Promise<Track[]> {
    const params = { ...query, id: this.id }
    const found = await this.#door.call('track/similar', params, { signal })
    return found.map((answer) => new Track(this.#door, answer))
  }

  /**
   * The picture of the track, read from its file now: the front cover in its tags, or an image such as
   * `cover.jpg` beside it. Undefined where there is none, or the file is gone.
   *
   * @throws {ParameterError} `unknown_identifier` when the track was removed
   *
   * @example
   * ```ts
   * const cover = await track.cover()
   * if (cover) console.log(URL.createObjectURL(new Blob([cover.bytes], { type: cover.type })))
   * ```
   */
  async cover({ signal }: Waiting = {}): Promise<Cover | undefined> {
    return (await this.#door.call('track/cover', { id: this.id }, { signal })).cover
  }
}
