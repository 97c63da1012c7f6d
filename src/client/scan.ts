import type { Door, Params, Result } from '../host/door.ts'
import { joinSignals } from '../kernel/abort.ts'
import { DecodeError, invalidParameter } from '../values/errors.ts'
import { type FilePath, plainPath } from '../values/file-path.ts'
import { Track, type Waiting } from './track.ts'
import { isOfOneFile } from './upload-folder.ts'

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
const AHEAD = 16
/** Files from which the time that is left is estimated: the last ones that are done … */
const RECENT = 50
/** … and the fewest of them. */
const FEWEST = 5
/** Tracks that one call prunes. */
const AT_ONCE = 500

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
  readonly #sum: ScanSum = noFiles()
  readonly #changes: AsyncGenerator<FileChange>
  #total: number | undefined
  #done = 0
  /** When each of the last files was done. */
  readonly #times: number[] = []

  /** @internal */
  constructor(door: Door, folders: FilePath | readonly FilePath[], options: ScanOptions) {
    this.sum = this.#sum
    this.#changes = this.#run(door, folders, options)
  }

  /** The number of found and missing files; `undefined` until the folders are listed. */
  get total(): number | undefined {
    return this.#total
  }

  /** The number of these files that are done. */
  get done(): number {
    return this.#done
  }

  /**
   * The seconds until all files are done, estimated from the last 50; `undefined` before five are
   * done.
   */
  get secondsLeft(): number | undefined {
    const [first = 0, last = 0] = [this.#times[0], this.#times.at(-1)]
    if (this.#total === undefined || this.#times.length < FEWEST) return undefined
    const left = ((last - first) / (this.#times.length - 1)) * (this.#total - this.#done)
    return Math.max(0, left - (performance.now() - last)) / 1000
  }

  /** The iterator of a `for await` loop. */
  [Symbol.asyncIterator](): AsyncGenerator<FileChange> {
    return this.#changes
  }

  async *#run(
    door: Door,
    folders: FilePath | readonly FilePath[],
    options: ScanOptions,
  ): AsyncGenerator<FileChange> {
    const { signal, prune, ...filter } = options
    const params = { ...filter, prune, folders: pathsOf(folders) }
    const { scan, total, missing } = await door.call('track/scan', params, { signal })
    this.#total = total
    try {
      const intake = new Intake(door, { missing: missing > 0, prune, signal })
      try {
        for (let more = true; more; ) {
          const part = await door.call('track/scan-next', { scan }, { signal })
          for (const { file, track } of part.unchanged) {
            yield this.#tell({ kind: 'unchanged', file, track: new Track(door, track) })
          }
          for (const { file, error } of part.failed) {
            yield this.#tell({ kind: 'failed', file, error: new DecodeError(error) })
          }
          for (const file of part.files) {
            if (intake.isFull) yield this.#tell(await intake.next())
            intake.add(file)
          }
          more = part.more
        }
        while (!intake.isEmpty) yield this.#tell(await intake.next())
        await intake.prune()
      } finally {
        await intake.leave()
      }
      const emptied = new Map<string, EmptiedFolder>()
      // Missing files come last, because one that moved is then no longer missing.
      for (let more = missing > 0; more; ) {
        const part = await door.call('track/scan-missing', { scan, prune }, { signal })
        for (const change of part.missing) yield this.#tell(missed(door, change))
        for (const folder of part.emptied) emptied.set(folder.folder, folder)
        more = part.more
      }
      this.#total = total + emptied.size
      for (const folder of emptied.values()) yield this.#tell(keptFiles(folder))
      this.#done = this.#total
    } finally {
      // A closed database has already dropped the scan.
      await door.call('track/scan-end', { scan }).catch(() => {})
    }
  }

  #tell(change: FileChange): FileChange {
    this.#done++
    this.#times.push(performance.now())
    if (this.#times.length > RECENT) this.#times.shift()
    this.#sum[change.kind]++
    return change
  }
}

/** The paths of folders as strings. */
export function pathsOf(folders: FilePath | readonly FilePath[]): string[] {
  const all = Array.isArray(folders) ? (folders as readonly FilePath[]) : [folders as FilePath]
  if (all.length === 0) throw invalidParameter('folders', 'an empty list; name at least one')
  return all.map(plainPath)
}

/** A missing file as a change. */
export function missed(door: Door, { file, track }: MissingFiles['missing'][number]): FileChange {
  return { kind: 'missing', file, track: new Track(door, track) }
}

type MissingFiles = Result<'track/missing'>
type EmptiedFolder = MissingFiles['emptied'][number]

/** A folder that holds none of its files, which were not removed, as a change. */
export function keptFiles({ folder, files }: EmptiedFolder): FailedFile {
  const error = new DecodeError(
    `${folder} holds none of its ${files} files, so none was removed: its disk may not be mounted. ` +
      "Mount it and scan again; if they are really gone, scan with prune: 'emptied'.",
  )
  return { kind: 'failed', file: folder, error }
}

function noFiles(): ScanSum {
  return { added: 0, changed: 0, moved: 0, unchanged: 0, missing: 0, failed: 0 }
}

interface IntakeOptions extends Waiting {
  /** Whether known files are missing; a new file may be one of them with other tags. */
  missing: boolean
  prune: Params<'track/scan'>['prune']
}

/** Registers files, several at once. Registered files are analysed even when the loop is left. */
export class Intake {
  readonly #door: Door
  readonly #options: Params<'track/register-file'>
  readonly #prunes: boolean
  /** Tracks that lost a file to another track. */
  readonly #replaced = new Set<string>()
  readonly #leave = new AbortController()
  readonly #until: ReturnType<typeof joinSignals>
  readonly #running = new Map<string, Promise<FileChange>>()

  constructor(door: Door, { missing, prune, signal }: IntakeOptions) {
    this.#door = door
    this.#options = { file: '', missing }
    this.#prunes = prune !== undefined && prune !== false
    this.#until = joinSignals(this.#leave.signal, signal)
  }

  get isFull(): boolean {
    return this.#running.size >= AHEAD
  }

  get isEmpty(): boolean {
    return this.#running.size === 0
  }

  add(file: string): void {
    const change = this.#take(file)
    // It is awaited later, if at all.
    change.catch(() => {})
    this.#running.set(file, change)
  }

  isTaking(file: string): boolean {
    return this.#running.has(file)
  }

  /** Resolves when {@link next} does. */
  async ready(): Promise<void> {
    await Promise.race(this.#running.values()).catch(() => {})
  }

  /** The next file that is done. */
  async next(): Promise<FileChange> {
    const change = await Promise.race(this.#running.values())
    this.#running.delete(change.file)
    return change
  }

  /**
   * Removes tracks that have no files left, if `prune` is set. Call it after all files are
   * registered, so that files that exchanged names are all found first.
   */
  async prune(): Promise<void> {
    const all = this.#prunes ? [...this.#replaced] : []
    this.#replaced.clear()
    for (let start = 0; start < all.length; start += AT_ONCE) {
      const tracks = all.slice(start, start + AT_ONCE)
      const params = { files: [], folders: [], tracks, prune: true }
      await this.#door.call('track/missing', params, { signal: this.#until.signal })
    }
  }

  /** Stops waiting for files. */
  async leave(): Promise<void> {
    this.#leave.abort()
    this.#until.release()
    await Promise.allSettled(this.#running.values())
  }

  async #take(file: string): Promise<FileChange> {
    const { signal } = this.#until
    try {
      const params = { ...this.#options, file }
      const {
        track: answer,
        replaced,
        ...rest
      } = await this.#door.call('track/register-file', params, { signal })
      const track = new Track(this.#door, answer)
      if (replaced !== undefined) this.#replaced.add(replaced)
      if (answer.status !== 'error') return { ...rest, file, track }
      return { kind: 'failed', file, track, error: new DecodeError(answer.error ?? 'It failed.') }
    } catch (error) {
      if (signal.aborted) throw signal.reason
      if (!isOfOneFile(error)) throw error
      return { kind: 'failed', file, error }
    }
  }
}
