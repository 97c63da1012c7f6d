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
  /** Milliseconds without changes. */
  settle: number
}

export interface ChangedFiles {
  written: string[]
  gone: string[]
}

/** The new path of a renamed file settles first. */
const GONE_DELAY_MS = 1_000
const POLL_MS = 100

/** Changes are collected until they are asked for. */
export class FolderWatch {
  readonly #options: WatchingOptions
  readonly #watcher: FSWatcher
  readonly #written = new Set<string>()
  readonly #gone = new Set<string>()
  /** Until they are reported. */
  readonly #leaving = new Map<string, NodeJS.Timeout>()
  #failure: Error | undefined
  #wake = () => {}

  private constructor(options: WatchingOptions, watcher: FSWatcher) {
    this.#options = options
    this.#watcher = watcher
    const addWritten = (path: string) => {
      this.#cancelLeaving(path)
      this.#gone.delete(path)
      this.#written.add(path)
      this.#wake()
    }
    watcher
      .on('add', addWritten)
      .on('change', addWritten)
      .on('unlink', (path) => {
        this.#cancelLeaving(path)
        this.#written.delete(path)
        const timer = setTimeout(() => {
          this.#leaving.delete(path)
          this.#gone.add(path)
          this.#wake()
        }, options.settle + GONE_DELAY_MS)
        this.#leaving.set(path, timer)
      })
      .on('raw', (_event, name, details) => {
        // chokidar passes over what it cannot open; registering it says why.
        const { watchedPath = '' } = details as { watchedPath?: string }
        const path = join(watchedPath, name ?? '')
        void explainMisnaming(path).then((reason) => {
          if (reason !== undefined) addWritten(path)
        })
      })
      .on('error', (error) => {
        const failure = watchFailure(error as NodeJS.ErrnoException)
        if (!failure) return
        this.#failure = failure
        this.#wake()
      })
  }

  #cancelLeaving(path: string): void {
    clearTimeout(this.#leaving.get(path))
    this.#leaving.delete(path)
  }

  /** Changes from now on are collected. */
  static async openWatch(options: WatchingOptions, signal: AbortSignal): Promise<FolderWatch> {
    const { roots, filter, followSymlinks, settle } = options
    await requireFolders(roots)
    const { watch } = await import('chokidar')
    const rootOf = (path: string) => roots.find((root) => isBelow(path, root))
    const watcher = watch([...roots], {
      ignoreInitial: true,
      followSymlinks,
      ignorePermissionErrors: true,
      awaitWriteFinish: { stabilityThreshold: settle, pollInterval: Math.min(POLL_MS, settle) },
      ignored(path, stats) {
        const root = rootOf(path)
        if (root === undefined || !stats) return false
        if (stats.isDirectory()) return !filter.isFolderTaken(root, path)
        return stats.isFile() && filter.verdictOf(root, path) === 'other'
      },
    })
    const watching = new FolderWatch(options, watcher)
    const ready = new Promise<void>((resolve) => watcher.once('ready', resolve))
    try {
      await unlessAborted(ready, signal)
      if (watching.#failure) throw watching.#failure
      return watching
    } catch (error) {
      await watching.closeWatch()
      throw error
    }
  }

  /** Those since the last call. */
  async nextChanges(signal: AbortSignal): Promise<ChangedFiles> {
    for (;;) {
      signal.throwIfAborted()
      if (this.#failure) throw this.#failure
      const written = [...this.#written]
      this.#written.clear()
      const goneFiles = [...this.#gone]
      this.#gone.clear()
      const ownPaths = await this.#withOwnPaths(written)
      if (ownPaths.length + goneFiles.length > 0) return { written: ownPaths, gone: goneFiles }
      await this.#waitForChange(signal)
    }
  }

  isAudioByName(path: string): boolean {
    const { roots, filter } = this.#options
    return roots.some((root) => isBelow(path, root) && filter.verdictOf(root, path) === 'audio')
  }

  async closeWatch(): Promise<void> {
    this.#failure ??= new AudileError('closed', 'The watching has ended.')
    this.#wake()
    for (const path of [...this.#leaving.keys()]) this.#cancelLeaving(path)
    await this.#watcher.close()
  }

  async #waitForChange(signal: AbortSignal): Promise<void> {
    const woken = new Promise<void>((resolve) => {
      this.#wake = resolve
    })
    // An event may have come between the last look and now.
    if (this.#written.size + this.#gone.size > 0 || this.#failure) return
    await unlessAborted(woken, signal)
  }

  /** A link to a folder may lead to one that is watched by its own path. */
  async #withOwnPaths(paths: readonly string[]): Promise<string[]> {
    const { roots, filter, followSymlinks } = this.#options
    const ownPaths: string[] = []
    for (const path of paths) {
      const root = roots.find((folder) => isBelow(path, folder))
      if (root === undefined || filter.verdictOf(root, path) === 'other') continue
      if (!followSymlinks || !(await isBehindLink(path, root, roots))) ownPaths.push(path)
    }
    return ownPaths
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
    const reals = await Promise.all(roots.map((watchedRoot) => realpath(watchedRoot)))
    if (real === join(await realpath(root), relative(root, folder))) return false
    return reals.some((watchedRoot) => real === watchedRoot || isBelow(real, watchedRoot))
  } catch {
    // The path is gone; registering it reports the error.
    return false
  }
}

/** `undefined` for an error of one file. */
function watchFailure(error: NodeJS.ErrnoException): Error | undefined {
  const remedy = {
    ENOSPC: 'raise fs.inotify.max_user_watches',
    EMFILE: 'raise the number of files that a process may open, or fs.inotify.max_user_instances',
  }[error.code ?? '']
  if (remedy === undefined) return undefined
  return new DecodeError(`The system cannot watch so many files (${error.message}): ${remedy}.`, {
    cause: error,
  })
}
