import type { Door, Params, Result } from '../door.ts'
import { AudileError, DecodeError, ParameterError } from '../errors.ts'
import { type AudioInput, releaseOf, sourceOf } from './audio-input.ts'
import { Track, type Waiting } from './track.ts'

/** How an upload is answered. */
export interface UploadOptions extends Waiting {
  /** Answer when the analysis is done. */
  wait?: boolean | undefined
  /** With `wait`: include the audio summary. */
  bucket?: Params<'track/upload'>['bucket']
}

/** One step of {@link Tracks.uploadFolder}. */
export interface FolderProgress {
  /** The file that was just done. */
  file: string
  /** Files done, and all there are. */
  done: number
  total: number
  /** Its track, unless the file could not be taken in at all. */
  track?: Track
  error?: Error
}

/** How a folder is taken in. */
export interface FolderOptions extends Waiting {
  onProgress?: ((progress: FolderProgress) => void) | undefined
}

/** Files that hold the same recording. */
export interface Duplicates {
  tracks: Track[]
}

/** How duplicates are looked for. */
export interface DuplicateOptions extends Waiting {
  /** Told a few times a second: tracks looked at, and all there are. */
  onProgress?: ((progress: { done: number; total: number }) => void) | undefined
}

/** Files of a folder that are registered ahead of the one that is analysed. */
const AHEAD = 16

/** The tracks of a database. */
export class Tracks {
  readonly #door: Door

  /** @internal */
  constructor(door: Door) {
    this.#door = door
  }

  /**
   * Takes in audio and has it analysed. The same bytes uploaded twice are one track.
   *
   * @throws {DecodeError} when the file cannot be read or the address not be downloaded; audio that
   * cannot be decoded is a track whose status is `error`
   */
  async upload(input: AudioInput & UploadOptions): Promise<Track> {
    if (typeof input !== 'object' || input === null) {
      const message = `upload takes an object, e.g. { file: ${JSON.stringify(input)} }`
      throw new ParameterError('invalid_parameter', message)
    }
    const { wait, bucket, signal, ...source } = input
    const params = { ...sourceOf(this.#door, source), wait, bucket }
    try {
      return new Track(this.#door, await this.#door.call('track/upload', params, { signal }))
    } finally {
      // A call that failed before it read the stream leaves it to nobody.
      releaseOf(this.#door, params)
    }
  }

  /**
   * Takes in all audio files of a folder and below, and yields each track when its analysis has
   * ended, well or with `answer.status` `error`. A file that cannot be read is told to `onProgress`
   * and passed over.
   */
  async *uploadFolder(folder: string, options: FolderOptions = {}): AsyncGenerator<Track> {
    const { signal, onProgress } = options
    const files = await this.#scan(folder, signal)
    const leave = new AbortController()
    const both = signal ? AbortSignal.any([signal, leave.signal]) : leave.signal
    const ahead = new Map<string, Promise<Omit<FolderProgress, 'done' | 'total'>>>()
    let next = 0
    try {
      for (let done = 1; done <= files.length; done++) {
        while (next < files.length && ahead.size < AHEAD) {
          const file = files[next++] as string
          ahead.set(file, this.#takeIn(file, both))
        }
        const step = await Promise.race(ahead.values())
        ahead.delete(step.file)
        onProgress?.({ ...step, done, total: files.length })
        if (step.track) yield step.track
      }
    } finally {
      // A loop that is left early waits no longer; the files it registered are still analysed.
      leave.abort()
      await Promise.allSettled(ahead.values())
    }
  }

  /** Has a track analysed again, named by id or md5. */
  async analyze(
    reference: Pick<Params<'track/analyze'>, 'id' | 'md5'>,
    options: Omit<Params<'track/analyze'>, 'id' | 'md5'> & Waiting = {},
  ): Promise<Track> {
    const { signal, ...query } = options
    const params = { ...reference, ...query }
    return new Track(this.#door, await this.#door.call('track/analyze', params, { signal }))
  }

  /** What is known of a track, named by id or md5. */
  profile(
    reference: Pick<Params<'track/profile'>, 'id' | 'md5'>,
    query: Pick<Params<'track/profile'>, 'bucket'> = {},
  ): Promise<Result<'track/profile'>> {
    return this.#door.call('track/profile', { ...reference, ...query })
  }

  /**
   * The handle of a track.
   *
   * @throws {ParameterError} `unknown_identifier`
   */
  async get(id: string): Promise<Track> {
    return new Track(this.#door, await this.#door.call('track/profile', { id }))
  }

  /** A page of all tracks. */
  async list(
    query: Params<'track/list'> = {},
  ): Promise<{ start: number; total: number; tracks: Track[] }> {
    const { start, total, tracks } = await this.#door.call('track/list', query)
    return { start, total, tracks: tracks.map((answer) => new Track(this.#door, answer)) }
  }

  /**
   * The tracks of the library that sound most like one, by timbre, rhythm and harmony, most alike
   * first: 15, or `results` of 1…100. Each one's `answer.similarity` (0…1) says how far the two are
   * inside each other's neighbourhood. Copies of the track itself are left out, and of copies of
   * another one all but the nearest.
   *
   * @throws {ParameterError} `unknown_identifier`; `not_ready` while the track is not analysed
   */
  async similar(
    id: string,
    options: Omit<Params<'track/similar'>, 'id' | 'md5'> & Waiting = {},
  ): Promise<Track[]> {
    const { signal, ...query } = options
    const found = await this.#door.call('track/similar', { ...query, id }, { signal })
    return found.map((answer) => new Track(this.#door, answer))
  }

  /**
   * The files that hold the same recording, encoded otherwise or trimmed at their ends, in groups;
   * within a group, as they came into the library. Told by their sound: tags play no part, and other
   * performances, mixes and edits of a song are no duplicates. The same bytes are one track anyway.
   *
   * @throws the signal's reason when it aborts
   */
  async duplicates(options: DuplicateOptions = {}): Promise<Duplicates[]> {
    const { signal, onProgress } = options
    const groups: Duplicates[] = []
    let after: number | undefined
    do {
      const page = await this.#door.call('track/duplicates', { after }, { signal })
      for (const { tracks } of page.groups) {
        groups.push({ tracks: tracks.map((answer) => new Track(this.#door, answer)) })
      }
      onProgress?.({ done: page.done, total: page.total })
      after = page.after
    } while (after !== undefined)
    return groups
  }

  /** Forgets a track, its analysis, and audile's copy of its bytes; never a file of yours. */
  remove(id: string): Promise<{ id: string }> {
    return this.#door.call('track/remove', { id })
  }

  async #takeIn(
    file: string,
    signal: AbortSignal,
  ): Promise<Omit<FolderProgress, 'done' | 'total'>> {
    try {
      const { id } = await this.#door.call('track/upload', { file }, { signal })
      const answer = await this.#door.call('track/settled', { id }, { signal })
      return { file, track: new Track(this.#door, answer) }
    } catch (error) {
      if (signal.aborted) throw signal.reason
      if (!isOfOneFile(error)) throw error
      return { file, error }
    }
  }

  async #scan(folder: string, signal: AbortSignal | undefined): Promise<string[]> {
    const files: string[] = []
    let more = true
    while (more) {
      const after = files.at(-1)
      const page = await this.#door.call('track/scan', { folder, after }, { signal })
      files.push(...page.files)
      more = page.more
    }
    return files
  }
}

/** Whether an error tells of a file; others (closed, no such key, disk full) end the whole folder. */
function isOfOneFile(error: unknown): error is AudileError {
  if (error instanceof DecodeError) return true
  // Too large, or removed by someone meanwhile.
  return (
    error instanceof AudileError &&
    (error.code === 'limit_exceeded' || error.code === 'unknown_identifier')
  )
}
