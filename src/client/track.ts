import type { AnalysisDocument } from '../analysis/document.ts'
import type { Cover } from '../audio/cover.ts'
import { atCaller } from '../host/caller.ts'
import type { Door, Params, Result } from '../host/door.ts'
import type { TrackFile } from '../input/file-store.ts'
import type { DuplicateEvidence } from '../track/duplicate-groups.ts'
import { DecodeError, ParameterError } from '../values/errors.ts'
import { type AudioFeatures, audioFeaturesOf } from './audio-features.ts'
import { callOfCues, type TrackCuesCall } from './track-cues.ts'

/** How a call is aborted. Work that has started goes on. */
export interface Waiting {
  /** An abort rejects the call with the signal's reason. */
  signal?: AbortSignal | undefined
}

/** How many similar tracks are found, and with which buckets. */
export type SimilarOptions = Pick<Params<'track/similar'>, 'results' | 'bucket'> & Waiting

/** A track as the methods answer it. */
export type TrackAnswer = Result<'track/profile'> & {
  /** In answers of `tracks.duplicates` with `evidence`: why it is a duplicate. */
  evidence?: DuplicateEvidence
  /** In answers of `tracks.similar`: 0…1, how similar the two tracks sound. */
  similarity?: number
}

/**
 * A handle on one track, from {@link Tracks}. Its methods return the current state.
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
  /** The answer of the call that returned this handle. It does not change. */
  readonly answer: Readonly<TrackAnswer>
  readonly #door: Door

  /** @internal */
  constructor(door: Door, answer: TrackAnswer) {
    this.#door = door
    this.id = answer.id
    this.answer = Object.freeze(answer)
  }

  /** The files that hold its bytes, from the answer of the call that returned this handle. */
  get files(): readonly TrackFile[] {
    return this.answer.files
  }

  /**
   * The current names, status, md5, and with the bucket `audio_summary` a summary of its analysis.
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
   * The fields of Spotify's `audio-features`, with `null` for what is not known.
   *
   * @throws {ParameterError} `unknown_identifier`; `not_ready` while the track is not analysed
   *
   * @example
   * ```ts
   * const { danceability, tempo, duration_ms } = await track.audioFeatures()
   * ```
   */
  async audioFeatures(): Promise<AudioFeatures> {
    const features = audioFeaturesOf(await this.profile({ bucket: ['audio_summary'] }))
    if (features) return features
    throw atCaller(
      new ParameterError('not_ready', `${this.id} has no analysis yet; wait for track.analyzed().`),
    )
  }

  /**
   * Corrects the analysis, and all later ones. `null` removes a correction. With `from` and `to`, a
   * tempo or a downbeat holds for that part of the track.
   *
   * @returns a handle whose `answer` has the summary, the `corrections`, and in `heard` what they replace
   * @throws {ParameterError} on a value that the track cannot have; `not_ready` without an analysis
   *
   * @example
   * ```ts
   * const { answer } = await track.correct({ tempo: 'double', downbeat: 0.52 })
   * console.log(`${answer.heard?.tempo} is ${answer.corrections?.tempo}`)
   * await track.correct({ tempo: null })
   * await track.correct({ from: 95.2, to: 128.4, downbeat: 95.2 })
   * ```
   */
  async correct(corrections: Omit<Params<'track/correct'>, 'id' | 'md5'>): Promise<Track> {
    return new Track(
      this.#door,
      await this.#door.call('track/correct', { ...corrections, id: this.id }),
    )
  }

  /**
   * The corrections of the track, and the tempo range that was given as a hint.
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
    const answer = await this.#door.call('track/wait', { id: this.id }, { signal })
    if (answer.status === 'error')
      throw atCaller(new DecodeError(answer.error ?? 'The analysis failed.'))
    return answer
  }

  /**
   * The full analysis document; the previous one, if the latest analysis failed.
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
   * Where the track can be entered, left and mixed, each with its bar and a confidence, or `null`;
   * and its phrases. `own` has the hot cues and loops that someone set: `cues.set`, `cues.remove` and
   * `cues.own` are methods of this one.
   *
   * @throws {ParameterError} `not_ready` while the track is pending
   * @throws {DecodeError} with the reason, if it could never be analysed
   *
   * @example
   * ```ts
   * const { musicStart, mixIn, mixOut, phrases } = await track.cues()
   * console.log(musicStart?.time, mixIn?.bar, mixOut?.confidence, phrases.length)
   * await track.cues.set({ time: 64.2, name: 'Drop', colour: '#ff7f00' })
   * ```
   */
  get cues(): TrackCuesCall {
    return callOfCues(this.#door, this.id)
  }

  /**
   * Where voices and applause are in the track, and which instruments play, with confidences 0…1. The
   * database must be opened with `soundModel`. Only the first call computes.
   *
   * @param query - `hear: 'known'`: what was heard so far, at once, and coarser
   * @throws {ParameterError} `not_ready` while the track is pending, or without a `soundModel`
   * @throws {DecodeError} with the reason, if it cannot be heard
   * @throws the signal's reason on abort; the hearing goes on
   *
   * @example
   * ```ts
   * const { voice, instruments } = await track.sounds()
   * for (const { start, duration } of voice) console.log(`someone sings at ${start} s for ${duration} s`)
   * console.log(instruments.map(({ name }) => name).join(', '))
   * ```
   */
  sounds({
    signal,
    ...query
  }: Pick<Params<'track/sounds'>, 'hear'> & Waiting = {}): Promise<Result<'track/sounds'>> {
    return this.#door.call('track/sounds', { ...query, id: this.id }, { signal })
  }

  /**
   * The peaks and root mean squares of the mean of all channels, as audiowaveform's JSON has them, in
   * camelCase. `toAudiowaveformDat` and `toAudiowaveformJson` of `audile/analysis` write them as files.
   *
   * @param query - `samplesPerPixel`: 256 or more (the default), in a band 512 or more; `band`: `low`
   *   below 200 Hz, `mid` to 2 kHz, `high` to 11 kHz
   * @returns `data`: the lowest and the highest sample of each pixel in turn, -128…127; `rms`: the root
   *   mean square of each, 0…255
   * @throws {ParameterError} `not_ready` while the track is pending, and for an imported one
   * @throws {DecodeError} with the reason, if it could never be analysed
   *
   * @example
   * ```ts
   * const { length, data } = await track.waveform({ samplesPerPixel: 1024 })
   * for (let x = 0; x < length; x++) console.log(data[2 * x], data[2 * x + 1])
   * ```
   */
  waveform(
    query: Pick<Params<'track/waveform'>, 'samplesPerPixel' | 'band'> = {},
  ): Promise<Result<'track/waveform'>> {
    return this.#door.call('track/waveform', { ...query, id: this.id })
  }

  /**
   * Writes tempo, key and ReplayGain (in Opus files the gains of EBU R 128) into the tags of the
   * track's files. By default it only tells what would change. With `dryRun: false` each file is replaced at once by
   * a copy in which all else is the same byte for byte. Mode, owner and group stay; so do, on Linux
   * with GNU `cp` and on macOS, extended attributes and access control lists.
   *
   * @param options - `fields`: what is written; default `bpm`, `key`, `trackGain` and `albumGain`, not
   *   `mood`. `keyNotation`: `name` (`Am`, the default), `camelot` (`8A`) or `open-key` (`1m`).
   *   `comment`: a comment to write. `breakHardLinks`: also writes a file with further names, which
   *   keep the old content
   * @returns per file the changes, whether they are `written`, and in `error` why they cannot be
   * @throws {ParameterError} `not_ready` while the track is pending, and for a track without a file
   * @throws the signal's reason on abort; a file that is not yet replaced stays as it is
   *
   * @example
   * ```ts
   * const { files } = await track.writeTags({ keyNotation: 'camelot' })
   * for (const { path, changes, error } of files) console.log(path, error ?? changes)
   * await track.writeTags({ keyNotation: 'camelot', dryRun: false })
   * ```
   */
  writeTags({
    signal,
    ...options
  }: Omit<Params<'track/write-tags'>, 'id' | 'md5' | 'file'> & Waiting = {}): Promise<
    Result<'track/write-tags'>
  > {
    return this.#door.call('track/write-tags', { ...options, id: this.id }, { signal })
  }

  /**
   * The tracks that sound most similar to this one, as {@link Tracks.similar} finds them.
   *
   * @throws {ParameterError} `unknown_identifier`; `not_ready` while the track is not analysed
   *
   * @example
   * ```ts
   * for (const { answer } of await track.similar({ results: 5 })) console.log(answer.similarity)
   * ```
   */
  async similar({ signal, ...query }: SimilarOptions = {}): Promise<Track[]> {
    const params = { ...query, id: this.id }
    const similarTracks = await this.#door.call('track/similar', params, { signal })
    return similarTracks.map((answer) => new Track(this.#door, answer))
  }

  /**
   * The front cover in the tags of the track's file, or an image such as `cover.jpg` beside it.
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
