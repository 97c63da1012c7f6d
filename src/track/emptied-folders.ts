import { dirname } from 'node:path'
import { z } from 'zod'
import type { FileStore } from '../input/file-store.ts'
import { pause } from '../kernel/scheduler.ts'
import { flag } from '../options/parameter-types.ts'
import { isBelow, prefixOf } from './folder-walk.ts'
import { isMissingFile } from './missing-files.ts'

/**
 * Whether missing files are removed from their tracks; `emptied` also removes those of emptied
 * folders.
 */
export const prune = z.union([flag, z.literal('emptied')]).default(false)

export type Prune = z.output<typeof prune>

/** A folder that held tracks and holds none: its disk may not be mounted. */
export interface EmptiedFolder {
  /** The outermost one. */
  folder: string
  /** How many known files it held. */
  files: number
}

const ROWS_PER_PAGE = 2_000

/** Each folder is looked at once. */
export class EmptiedFolders {
  readonly #lostByFolder = new Map<string, number>()

  constructor(
    private readonly files: FileStore,
    private readonly roots: readonly string[],
  ) {}

  /** Undefined when the file's own folder still holds some. */
  async outermostAround(path: string, signal: AbortSignal): Promise<EmptiedFolder | undefined> {
    const root = this.roots.find((folder) => isBelow(path, folder))
    let emptied: EmptiedFolder | undefined
    for (let folder = dirname(path); ; folder = dirname(folder)) {
      const files = await this.#countLost(folder, signal)
      if (files === 0) return emptied
      emptied = { folder, files }
      if (root === undefined || folder === root || !isBelow(folder, root)) return emptied
    }
  }

  /** 0 when it still holds a known file. */
  async #countLost(folder: string, signal: AbortSignal): Promise<number> {
    const knownCount = this.#lostByFolder.get(folder)
    if (knownCount !== undefined) return knownCount
    const files = await this.#countMissing(folder, signal)
    this.#lostByFolder.set(folder, files)
    return files
  }

  async #countMissing(folder: string, signal: AbortSignal): Promise<number> {
    const prefix = prefixOf(folder)
    let count = 0
    for (let after = prefix; ; ) {
      const rows = this.files.between({
        after,
        before: afterPrefix(prefix),
        results: ROWS_PER_PAGE,
      })
      for (const { path } of rows) {
        await pause(signal)
        if (!(await isMissingFile(path))) return 0
        count++
      }
      const last = rows.at(-1)
      if (!last || rows.length < ROWS_PER_PAGE) return count
      after = last.path
    }
  }
}

/** The first string after all strings that begin with a prefix. */
export function afterPrefix(prefix: string): string {
  const last = prefix.length - 1
  return prefix.slice(0, last) + String.fromCharCode(prefix.charCodeAt(last) + 1)
}
