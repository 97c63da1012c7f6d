import { constants } from 'node:fs'
import { access, copyFile, link, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Spool } from '../input/upload-cache.ts'

/** The folder in which audile keeps audio that came in as bytes, a file each, named by its md5. */
export class KeptAudio {
  readonly #spool: Spool

  constructor(spool: Spool) {
    this.#spool = spool
  }

  async has(md5: string): Promise<boolean> {
    return access(this.#spool.pathOf(md5)).then(
      () => true,
      () => false,
    )
  }

  /**
   * Copies the bytes to another folder, which it makes. Whatever bears that name there has the very
   * same bytes, and is left; nothing writes to such a file, so a second name for it is as good as a
   * copy, where the file system has such names.
   *
   * @returns false when there are no such bytes: their track was removed meanwhile, or they are lost
   */
  async copy(md5: string, folder: string): Promise<boolean> {
    // For its owner only, as the folder that it is a copy of.
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const [from, to] = [this.#spool.pathOf(md5), join(folder, md5)]
    try {
      await link(from, to)
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException
      if (code === 'ENOENT') return false
      if (code !== 'EEXIST') return this.#copyBytes(from, to)
    }
    return true
  }

  async #copyBytes(from: string, to: string): Promise<boolean> {
    try {
      await copyFile(from, to, constants.COPYFILE_FICLONE)
      return true
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false
      throw error
    }
  }
}
