import type { Door, Params, Result } from '../host/door.ts'
import { joinSignals } from '../kernel/abort.ts'
import { DecodeError, invalidParameter } from '../values/errors.ts'
import { type FilePath, plainPath } from '../values/file-path.ts'
import { Track, type Waiting } from './track.ts'
import { concernsOneFile } from './upload-folder.ts'

/** Which files are scanned, and what happens to missing ones. */
export interface ScanOptions extends Omit<Params<'track/scan'>, 'folders'>, Waiting {}

/**
 * The state of a file, compared with what was known about it.
 *
 * - `added`: the file is new, or present again, or its track had no analysis yet
 * - `changed`: other bytes; with the same sound the track stays, with new tags, else it is another
 * - `moved`: the file was at the path `from`, where it is gone
 * - `unchanged`: the same path, size and modification time; the file was not read
 * - `missing`: the file is gone; its track is kept, unless `prune` is set and it was the last file
 * - `failed`: the file cannot be read or analysed, or a folder whose files were not removed with
 *   `prune`, because it holds none any more; `error` says why
 */
export type FileKind = 'added' | 'changed' | 'moved' | 'unchanged' | 'missing' | 'failed'

/** A file that a scan found, or that is gone. */
export interface KnownFile {
  /** The state of the file, compared with what was known. */
  kind: Exclude<FileKind, 'failed'>
  /** The absolute path. */
  file: string
  /** The track of the file's bytes. Its analysis has ended. */
  track: Track
  /** Only for `moved`: the old path. */
  from?: string
  /** Only for `failed`. */
  error?: undefined
}

/** A file that cannot be read or analysed. */
export interface FailedFile {
  /** It cannot be read or analysed. */
  kind: 'failed'
  /** The absolute path of the file, or of a folder that cannot be read or holds none of its files. */
  file: string
  /** The track of its bytes, if there is one. */
  track?: Track
  /** Only for `moved`. */
  from?: undefined
  /** The reason. */
  error: Error
}

/** What a scan or watch reports on a file. A `failed` one has an `error`, all others a `track`. */
export type FileChange = KnownFile | FailedFile

/** The number of files of each kind. */
export type ScanSum = Record<FileKind, number>

/** Files that are registered at once. */
const MAX_REGISTERING_FILES = 16
/** Files from which the time that is left is estimated: the last ones that are done … */
const ESTIMATE_FILES = 50
/** … and the fewest of them. */
const MIN_ESTIMATE_FILES = 5
/** Tracks that one call prunes. */
const PRUNED_PER_CALL = 500

/**
 * A scan of folders, from {@link Tracks.scan}. It starts with the loop over it, and allows only one
 * loop. Leaving the loop ends it: reported files stay, and the next scan goes on.
 *
 * @example
 * ```ts
 * const scan = music.tracks.scan(['/music'])
 * for await (const { kind, file } of scan) console.log(`${scan.done}/${scan.total} ${kind} ${file}`)
 * console.log(scan.sum.added, scan.sum.missing)
 * ```
 */
export class Scan implements AsyncIterable<FileChange> {
  /** The number of files reported so far, by kind. */
  readonly sum: Readonly<ScanSum>
  readonly #sum: ScanSum = emptySum()
  readonly #changes: AsyncGenerator<FileChange>
  #total: number | undefined
  #done = 0
  /** When each of the last files was done. */
  readonly #times: number[] = []

  /** @internal */
  constructor(door: Door, folders: FilePath | readonly FilePath[], options: ScanOptions) {
    this.sum = this.#sum
    this.#changes = this.#scanFolders(door, folders, options)
  }

  /** The number of found and missing files; `undefined` until the folders are listed. */
  get total(): number | undefined {
    return this.#total
  }

  /** The number of these files that are done. */
  get done(): number {
    return this.#done
  }

  /** Estimated from the last 50 files; `undefined` before five are done. */
  get secondsLeft(): number | undefined {
    const [first = 0, last = 0] = [this.#times[0], this.#times.at(-1)]
    if (this.#total === undefined || this.#times.length < MIN_ESTIMATE_FILES) return undefined
    const millisecondsLeft =
      ((last - first) / (this.#times.length - 1)) * (this.#total - this.#done)
    return Math.max(0, millisecondsLeft - (performance.now() - last)) / 1000
  }

  /** The iterator of a `for await` loop. */
  [Symbol.asyncIterator](): AsyncGenerator<FileChange> {
    return this.#changes
  }

  async *#scanFolders(
    door: Door,
    folders: FilePath | readonly FilePath[],
    options: ScanOptions,
  ): AsyncGenerator<FileChange> {
    const { signal, prune, ...filter } = options
    const params = { ...filter, prune, folders: folderPaths(folders) }
    const { scan, total, missing } = await door.call('track/scan', params, { signal })
    this.#total = total
    try {
      const intake = new Intake(door, { missing: missing > 0, prune, signal })
      try {
        for (let hasMoreFiles = true; hasMoreFiles; ) {
          const part = await door.call('track/scan-next', { scan }, { signal })
          for (const { file, track } of part.unchanged) {
            yield this.#countChange({ kind: 'unchanged', file, track: new Track(door, track) })
          }
          for (const { file, error } of part.failed) {
            yield this.#countChange({ kind: 'failed', file, error: new DecodeError(error) })
          }
          for (const file of part.files) {
            if (intake.isFull) yield this.#countChange(await intake.nextChange())
            intake.addFile(file)
          }
          hasMoreFiles = part.more
        }
        while (!intake.isEmpty) yield this.#countChange(await intake.nextChange())
        await intake.prune()
      } finally {
        await intake.leaveIntake()
      }
      const emptied = new Map<string, EmptiedAnswer>()
      // Missing files come last, because one that moved is then no longer missing.
      for (let hasMoreMissing = missing > 0; hasMoreMissing; ) {
        const part = await door.call('track/scan-missing', { scan, prune }, { signal })
        for (const change of part.missing) yield this.#countChange(missingChange(door, change))
        for (const folder of part.emptied) emptied.set(folder.folder, folder)
        hasMoreMissing = part.more
      }
      this.#total = total + emptied.size
      for (const folder of emptied.values()) yield this.#countChange(keptFolderChange(folder))
      this.#done = this.#total
    } finally {
      // A closed database has already dropped the scan.
      await door.call('track/scan-end', { scan }).catch(() => {})
    }
  }

  #countChange(change: FileChange): FileChange {
    this.#done++
    this.#times.push(performance.now())
    if (this.#times.length > ESTIMATE_FILES) this.#times.shift()
    this.#sum[change.kind]++
    return change
  }
}

export function folderPaths(folders: FilePath | readonly FilePath[]): string[] {
  const folderList = Array.isArray(folders)
    ? (folders as readonly FilePath[])
    : [folders as FilePath]
  if (folderList.length === 0) throw invalidParameter('folders', 'an empty list; name at least one')
  return folderList.map(plainPath)
}

export function missingChange(
  door: Door,
  { file, track }: MissingAnswer['missing'][number],
): FileChange {
  return { kind: 'missing', file, track: new Track(door, track) }
}

type MissingAnswer = Result<'track/missing'>
type EmptiedAnswer = MissingAnswer['emptied'][number]

/** A folder that holds none of its files, which were not removed, as a change. */
export function keptFolderChange({ folder, files }: EmptiedAnswer): FailedFile {
  const error = new DecodeError(
    `${folder} holds none of its ${files} files, so none was removed: its disk may not be mounted. ` +
      "Mount it and scan again; if they are really gone, scan with prune: 'emptied'.",
  )
  return { kind: 'failed', file: folder, error }
}

function emptySum(): ScanSum {
  return { added: 0, changed: 0, moved: 0, unchanged: 0, missing: 0, failed: 0 }
}

interface IntakeOptions extends Waiting {
  /** Whether known files are missing; a new file may be one of them with other tags. */
  missing: boolean
  prune: Params<'track/scan'>['prune']
}

/** Registered files are analysed even when the loop is left. */
export class Intake {
  readonly #door: Door
  readonly #options: Params<'track/register-file'>
  readonly #prunes: boolean
  /** Tracks that lost a file to another track. */
  readonly #replaced = new Set<string>()
  readonly #leaving = new AbortController()
  readonly #joined: ReturnType<typeof joinSignals>
  readonly #running = new Map<string, Promise<FileChange>>()

  constructor(door: Door, { missing, prune: pruneReplaced, signal }: IntakeOptions) {
    this.#door = door
    this.#options = { file: '', missing }
    this.#prunes = pruneReplaced !== undefined && pruneReplaced !== false
    this.#joined = joinSignals(this.#leaving.signal, signal)
  }

  get isFull(): boolean {
    return this.#running.size >= MAX_REGISTERING_FILES
  }

  get isEmpty(): boolean {
    return this.#running.size === 0
  }

  addFile(file: string): void {
    const change = this.#registerFile(file)
    // It is awaited later, if at all.
    change.catch(() => {})
    this.#running.set(file, change)
  }

  isTaking(file: string): boolean {
    return this.#running.has(file)
  }

  /** Resolves when {@link nextChange} does. */
  async nextReady(): Promise<void> {
    await Promise.race(this.#running.values()).catch(() => {})
  }

  async nextChange(): Promise<FileChange> {
    const change = await Promise.race(this.#running.values())
    this.#running.delete(change.file)
    return change
  }

  /** Call it after all files are registered: files may have exchanged names. */
  async prune(): Promise<void> {
    const replacedTracks = this.#prunes ? [...this.#replaced] : []
    this.#replaced.clear()
    for (let start = 0; start < replacedTracks.length; start += PRUNED_PER_CALL) {
      const tracks = replacedTracks.slice(start, start + PRUNED_PER_CALL)
      const params = { files: [], folders: [], tracks, prune: true }
      await this.#door.call('track/missing', params, { signal: this.#joined.signal })
    }
  }

  async leaveIntake(): Promise<void> {
    this.#leaving.abort()
    this.#joined.release()
    await Promise.allSettled(this.#running.values())
  }

  async #registerFile(file: string): Promise<FileChange> {
    const { signal } = this.#joined
    try {
      const params = { ...this.#options, file }
      const {
        track: answer,
        replaced,
        ...state
      } = await this.#door.call('track/register-file', params, { signal })
      const track = new Track(this.#door, answer)
      if (replaced !== undefined) this.#replaced.add(replaced)
      if (answer.status !== 'error') return { ...state, file, track }
      return { kind: 'failed', file, track, error: new DecodeError(answer.error ?? 'It failed.') }
    } catch (error) {
      if (signal.aborted) throw signal.reason
      if (!concernsOneFile(error)) throw error
      return { kind: 'failed', file, error }
    }
  }
}
