import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** A disk of a few megabytes in memory (tmpfs); only root can make one. */
export class SmallDisk {
  static readonly #mounted = new Set<SmallDisk>()
  readonly folder: string

  constructor(folder: string, bytes: number) {
    mkdirSync(folder, { recursive: true })
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    this.folder = folder
    SmallDisk.#mounted.add(this)
  }

  static removeAll(): void {
    for (const disk of SmallDisk.#mounted) disk.remove()
  }

  /** Whether there can be one here. */
  static readonly possible: boolean = SmallDisk.#try()

  static #try(): boolean {
    const folder = mkdtempSync(join(tmpdir(), 'audile-disk-'))
    try {
      new SmallDisk(folder, 1 << 20).remove()
      return true
    } catch {
      return false
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }

  /** Bytes that are taken. */
  get used(): number {
    const { blocks, bfree, bsize } = statfsSync(this.folder)
    return (blocks - bfree) * bsize
  }

  /** Makes it larger or smaller, but not smaller than what is on it. */
  resize(bytes: number): void {
    execFileSync('mount', ['-o', `remount,size=${bytes}`, this.folder])
  }

  remove(): void {
    SmallDisk.#mounted.delete(this)
    execFileSync('umount', ['-l', this.folder])
  }
}
