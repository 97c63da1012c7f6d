import type { Door, Params, Result } from '../host/door.ts'
import type { FilePath } from '../values/file-path.ts'
import { type AudioInput, offerInput, releaseInput, requireObject } from './audio-input.ts'
import { type DuplicateOptions, type Duplicates, findDuplicates } from './duplicates.ts'
import { type ImportOptions, type ImportResult, importAll } from './imports.ts'
import { type ExportOptions, readRecordings } from './recordings.ts'
import { type FileChange, Scan, type ScanOptions } from './scan.ts'
import { asTrackRecords } from './song-tracks.ts'
import type { SongRecord } from './songs.ts'
import { type SimilarOptions, Track, type Waiting } from './track.ts'
import { TrackLibrary } from './track-library.ts'
import { referenceOf, type TrackReference } from './track-reference.ts'
import { type FolderOptions, uploadFolder } from './upload-folder.ts'
import { type WatchOptions, watchAndScan } from './watch.ts'

/** A track with its analysis, as `tracks.export` gives it and `tracks.import` takes it. */
export type TrackRecord = Params<'track/import'>['records'][number]

/** An entry of an importer of DJ programs, of which `tracks.import` takes the track. */
export interface TrackOfEntry {
  /** What `catalog.update` takes. */
  item: object
  /** What `tracks.import` takes. */
  track: TrackRecord
}

/** The parameters that name a track. */
type FileTypeOption = 'id' | 'md5' | 'file'

/** Options of an upload. */
export type UploadOptions = Pick<Params<'track/upload'>, 'wait' | 'bucket' | 'tempoRange'> & Waiting

/**
 * The tracks of a database, at `music.tracks`: your own audio files and their analyses.
 *
 * @example
 * ```ts
 * const track = await music.tracks.upload({ file: 'song.mp3', wait: true })
 * const alike = await music.tracks.similar(track.id)
 * ```
 */
export class Tracks extends TrackLibrary {
  readonly #door: Door

  /** @internal */
  constructor(door: Door) {
    super(door)
    this.#door = door
  }

  /**
   * Adds audio to the library and analyses it. The same bytes uploaded twice are one track.
   *
   * @throws {DecodeError} if the file cannot be read, the address cannot be downloaded, or its first
   * bytes show no audio (with `ffmpegPath`, ffmpeg decides during the analysis). Damaged audio is a
   * track with the status `error`
   * @throws {ParameterError} `limit_exceeded` on more bytes than `limits.uploadBytes`
   * @throws the signal's reason on abort; what was uploaded is still analysed
   *
   * @example
   * ```ts
   * const track = await music.tracks.upload({ file: 'song.mp3' })
   * const said = await music.tracks.upload({ samples: [left, right], sampleRate: 44100, wait: true })
   * console.log(said.answer.status)
   * ```
   */
  async upload(input: AudioInput & UploadOptions): Promise<Track> {
    requireObject('upload', input)
    const { wait, bucket, tempoRange, signal, ...source } = input
    const params = { ...offerInput(this.#door, source), wait, bucket, tempoRange }
    try {
      return new Track(this.#door, await this.#door.call('track/upload', params, { signal }))
    } finally {
      // A call that failed early has not read the stream.
      releaseInput(this.#door, params)
    }
  }

  /**
   * Uploads all audio files of a folder and its subfolders. Each track is yielded when its analysis has
   * ended; after a failure its `answer.status` is `error`. Files that cannot be read are skipped, and
   * reported to `onProgress`.
   *
   * @throws the signal's reason on abort; what was uploaded is still analysed
   *
   * @example
   * ```ts
   * for await (const { answer } of music.tracks.uploadFolder('/music', {
   *   onProgress: ({ done, total, file }) => console.log(`${done}/${total} ${file}`),
   * })) {
   *   console.log(answer.title, answer.error ?? answer.status)
   * }
   * ```
   */
  uploadFolder(folder: FilePath, options: FolderOptions = {}): AsyncGenerator<Track> {
    return uploadFolder(this.#door, folder, options)
  }

  /**
   * Updates the library from folders and their subfolders: new files are analysed, moved or
   * retagged files keep their tracks, missing files are marked. Unchanged files are not read. After
   * a stop or a crash, run it again.
   *
   * @param folders - a folder, or several; one inside another is scanned once
   * @throws {DecodeError} when one of the folders cannot be read. A subfolder that cannot be read
   * is reported as `failed`; its files do not count as missing
   * @throws {ParameterError} with `prune: true`, when one of the folders had files and holds none: its
   * disk may not be mounted. Of a subfolder the files are kept then, and a `failed` change says so
   * @throws the signal's reason on abort; registered files are still analysed
   *
   * @example
   * ```ts
   * const scan = music.tracks.scan(['/music', '/more'], { exclude: ['Podcasts'] })
   * for await (const { kind, file, track, error } of scan) {
   *   console.log(`${scan.done} of ${scan.total}`, kind, file, error ?? track?.answer.title)
   * }
   * console.log(scan.sum)
   * ```
   */
  scan(folders: FilePath | readonly FilePath[], options: ScanOptions = {}): Scan {
    return new Scan(this.#door, folders, options)
  }

  /**
   * Scans folders, and then reports changes in them until the signal aborts or the loop is left. A
   * file is reported when it is fully written and analysed; a renamed file is `moved`.
   *
   * @throws as {@link scan} does; {@link DecodeError} when the system cannot watch so many files
   *
   * @example
   * ```ts
   * for await (const { kind, file, track } of music.tracks.watch('/music')) {
   *   if (kind !== 'unchanged') console.log(kind, file, track?.answer.title)
   * }
   * ```
   */
  watch(
    folders: FilePath | readonly FilePath[],
    options: WatchOptions = {},
  ): AsyncGenerator<FileChange> {
    return watchAndScan(this.#door, folders, options)
  }

  /**
   * Analyses a track with the latest analyzer version, unless that is done.
   *
   * @throws {ParameterError} `unknown_identifier`; on `bucket` without `wait`
   *
   * @example
   * ```ts
   * const md5 = 'd41d8cd98f00b204e9800998ecf8427e'
   * const track = await music.tracks.analyze({ md5 }, { wait: true })
   * ```
   */
  async analyze(
    track: TrackReference,
    options: Omit<Params<'track/analyze'>, FileTypeOption> & Waiting = {},
  ): Promise<Track> {
    const { signal, ...query } = options
    const params = { ...query, ...referenceOf(track) }
    return new Track(this.#door, await this.#door.call('track/analyze', params, { signal }))
  }

  /**
   * All that is known about a track.
   *
   * @throws {ParameterError} `unknown_identifier`
   *
   * @example
   * ```ts
   * const { title, audioSummary } = await music.tracks.profile(
   *   { file: '/music/song.mp3' },
   *   { bucket: ['audio_summary'] },
   * )
   * ```
   */
  async profile(
    track: TrackReference,
    query: Pick<Params<'track/profile'>, 'bucket'> = {},
  ): Promise<Result<'track/profile'>> {
    return this.#door.call('track/profile', { ...query, ...referenceOf(track) })
  }

  /**
   * The handle of a track.
   *
   * @throws {ParameterError} `unknown_identifier`
   *
   * @example
   * ```ts
   * const { answer } = await music.tracks.get({ file: '/music/song.mp3' })
   * const same = await music.tracks.get(answer.id)
   * ```
   */
  async get(track: TrackReference): Promise<Track> {
    return new Track(this.#door, await this.#door.call('track/profile', referenceOf(track)))
  }

  /**
   * The tracks that sound most similar to one, by timbre, rhythm and harmony, the most similar
   * first. `answer.similarity` (0…1) compares their distance with those of their neighbours. Other
   * files of its song are left out; of another song, only the nearest is kept.
   *
   * @throws {ParameterError} `unknown_identifier`; `not_ready` while the track is not analysed
   *
   * @example
   * ```ts
   * for (const { answer } of await music.tracks.similar(track, { results: 5 })) {
   *   console.log(answer.title, answer.similarity)
   * }
   * ```
   */
  async similar(track: TrackReference, options: SimilarOptions = {}): Promise<Track[]> {
    const { signal, ...query } = options
    const params = { ...query, ...referenceOf(track) }
    const similarTracks = await this.#door.call('track/similar', params, { signal })
    return similarTracks.map((answer) => new Track(this.#door, answer))
  }

  /**
   * Groups of files that hold the same recording, in other encodings or trimmed at their ends. Only the
   * sound decides, not the tags. Other performances, mixes and edits of a song are no duplicates.
   *
   * @example
   * ```ts
   * for (const { tracks } of await music.tracks.duplicates()) {
   *   console.log(tracks.map(({ answer }) => answer.title))
   * }
   * ```
   */
  duplicates(options: DuplicateOptions = {}): Promise<Duplicates[]> {
    return findDuplicates(this.#door, options)
  }

  /**
   * Imports tracks with their analyses, without audio. A track that is known by its id, md5, foreign
   * id or file is updated, but an analysis made here stays. Repeating an import changes nothing.
   * `rejected` lists bad records, unless `strict` is set.
   *
   * A record of a song, as `fromCsv` reads it, becomes a track without a file.
   *
   * For tests a few fields suffice: `{ title: 'Help!', audioSummary: { tempo: 95, key: 9, mode: 1 } }`.
   *
   * @param records - read on demand
   * @throws {ParameterError} with `strict`, naming the first bad record and what is wrong with it
   * @throws the signal's reason on abort; records imported until then stay
   *
   * @example
   * ```ts
   * import { Audile } from 'audile'
   *
   * const analysis = await track.analysis()
   * await using other = await Audile.open({ database: 'other.db' })
   * await other.tracks.import([{ analysis, title: 'Help!', artist: 'The Beatles', file: 'help.mp3' }])
   * ```
   */
  import(
    records:
      | Iterable<TrackRecord | TrackOfEntry | SongRecord>
      | AsyncIterable<TrackRecord | TrackOfEntry | SongRecord>,
    options: ImportOptions = {},
  ): Promise<ImportResult> {
    return importAll(this.#door, 'track/import', asTrackRecords(records), options)
  }

  /**
   * Every analysed track with its document, tags, files, ids, corrections and fingerprints, as
   * records that {@link Tracks.import} takes. Records are read on demand.
   *
   * @example
   * ```ts
   * import { Audile } from 'audile'
   *
   * await using other = await Audile.open({ database: 'other.db' })
   * await other.tracks.import(music.tracks.export())
   * ```
   */
  export(options: ExportOptions = {}): AsyncGenerator<TrackRecord> {
    return readRecordings(this.#door, 'track/export', options)
  }

  /**
   * Removes a track, its analysis, and audile's copy of its bytes, but never a file of yours.
   *
   * @throws {ParameterError} `unknown_identifier`
   *
   * @example
   * ```ts
   * await music.tracks.remove(track)
   * ```
   */
  async remove(track: TrackReference): Promise<{ id: string }> {
    return this.#door.call('track/remove', referenceOf(track))
  }
}
