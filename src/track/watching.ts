import { realpath } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import type { FSWatcher } from 'chokidar'
import { unlessAborted } from '../kernel/abort.ts'
import { clearTimeout, setTimeout } from '../kernel/timers.ts'
import { AudileError, DecodeError } from '../values/errors.ts'
import { explainMisnaming } from '../values/file-names.ts'
import type { FolderFilter } from './folder-filter.ts'
import { isBelow, requireFolders } from './folder-walk.ts'

export interface WatchingOptions {
  roots: readonly string[]
  filter: FolderFilter
  followSymlinks: boolean
  /** Milliseconds without changes after which a file counts as written. */
  settle: number
}

export interface Changed {
  /** Files that were written, or are new. */
  written: string[]
  gone: string[]
}

/**
 * Milliseconds after the settle time until a deleted file is reported. The new path of a renamed
 * file settles first.
 */
const HOLD = 1_000
const LOOK = 100

/** Watches folders. Changes are collected until `next` returns them. */
export class Watching {
  readonly #options: WatchingOptions
  readonly #watcher: FSWatcher
  readonly #written = new Set<string>()
  readonly #gone = new Set<string>()
  /** The timers of deleted files, until they are reported. */
  readonly #leaving = new Map<string, NodeJS.Timeout>()
  #failure: Error | undefined
  #wake = () => {}

  private constructor(options: WatchingOptions, watcher: FSWatcher) {
    this.#options = options
    this.#watcher = watcher
    const written = (path: string) => {
      this.#stay(path)
      this.#gone.delete(path)
      this.#written.add(path)
      this.#wake()
    }
    watcher
      .on('add', written)
      .on('change', written)
      .on('unlink', (path) => {
        this.#stay(path)
        this.#written.delete(path)
        const timer = setTimeout(() => {
          this.#leaving.delete(path)
          this.#gone.add(path)
          this.#wake()
        }, options.settle + HOLD)
        this.#leaving.set(path, timer)
      })
      .on('raw', (_event, name, details) => {
        // chokidar passes over what it cannot open; registering it says why.
        const { watchedPath = '' } = details as { watchedPath?: string }
        const path = join(watchedPath, name ?? '')
        void explainMisnaming(path).then((reason) => {
          if (reason !== undefined) written(path)
        })
      })
      .on('error', (error) => {
        const failure = failureOf(error as NodeJS.ErrnoException)
        if (!failure) return
        this.#failure = failure
        this.#wake()
      })
  }

  #stay(path: string): void {
    clearTimeout(this.#leaving.get(path))
    this.#leaving.delete(path)
  }

  /** Starts to watch. Changes from now on are collected. */
  static async open(options: WatchingOptions, signal: AbortSignal): Promise<Watching> {
    const { roots, filter, followSymlinks, settle } = options
    await requireFolders(roots)
    const { watch } = await import('chokidar')
    const rootOf = (path: string) => roots.find((root) => isBelow(path, root))
    const watcher = watch([...roots], {
      ignoreInitial: true,
      followSymlinks,
      ignorePermissionErrors: true,
      awaitWriteFinish: { stabilityThreshold: settle, pollInterval: Math.min(LOOK, settle) },
      ignored(path, stats) {
        const root = rootOf(path)
        if (root === undefined || !stats) return false
        if (stats.isDirectory()) return !filter.enters(root, path)
        return stats.isFile() && filter.takes(root, path) === 'other'
      },
    })
    const watching = new Watching(options, watcher)
    const ready = new Promise<void>((resolve) => watcher.once('ready', resolve))
    try {
      await unlessAborted(ready, signal)
      if (watching.#failure) throw watching.#failure
      return watching
    } catch (error) {
      await watching.close()
      throw error
    }
  }

  /** Waits for changes, and returns those since the last call. */
  async next(signal: AbortSignal): Promise<Changed> {
    for (;;) {
      signal.throwIfAborted()
      if (this.#failure) throw this.#failure
      const written = [...this.#written]
      this.#written.clear()
      const gone = [...this.#gone]
      this.#gone.clear()
      const own = await this.#withOwnPaths(written)
      if (own.length + gone.length > 0) return { written: own, gone }
      await this.#change(signal)
    }
  }

  /** Whether the name of a file says that it is audio. */
  isAudioByName(path: string): boolean {
    const { roots, filter } = this.#options
    return roots.some((root) => isBelow(path, root) && filter.takes(root, path) === 'audio')
  }

  async close(): Promise<void> {
    this.#failure ??= new AudileError('closed', 'The watching has ended.')
    this.#wake()
    for (const path of [...this.#leaving.keys()]) this.#stay(path)
    await this.#watcher.close()
  }

  async #change(signal: AbortSignal): Promise<void> {
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve
    })
    // An event may have come between the last look and now.
    if (this.#written.size + this.#gone.size > 0 || this.#failure) return
    await unlessAborted(woken, signal)
  }

  /** Drops files below a link to a folder that is also watched by its own path. */
  async #withOwnPaths(paths: readonly string[]): Promise<string[]> {
    const { roots, filter, followSymlinks } = this.#options
    const own: string[] = []
    for (const path of paths) {
      const root = roots.find((one) => isBelow(path, one))
      if (root === undefined || filter.takes(root, path) === 'other') continue
      if (!followSymlinks || !(await isBehindLink(path, root, roots))) own.push(path)
    }
    return own
  }
}

async function isBehindLink(
  path: string,
  root: string,
  roots: readonly string[],
): Promise<boolean> {
  try {
    const folder = dirname(path)
    const real = await realpath(folder)
    const reals = await Promise.all(roots.map((one) => realpath(one)))
    if (real === join(await realpath(root), relative(root, folder))) return false
    return reals.some((one) => real === one || isBelow(real, one))
  } catch {
    // The path is gone; registering it reports the error.
    return false
  }
}

/** The error that ends the watching; `undefined` for an error of one file. */
function failureOf(error: NodeJS.ErrnoException): Error | undefined {
  const remedy = {
    ENOSPC: 'raise fs.inotify.max_user_watches',
    EMFILE: 'raise the number of files that a process may open, or fs.inotify.max_user_instances',
  }[error.code ?? '']
  if (remedy === undefined) return undefined
  return new DecodeError(`The system cannot watch so many files (${error.message}): ${remedy}.`, {
    cause: error,
  })
}
