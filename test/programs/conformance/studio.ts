import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Written } from './compare.ts'
import { run } from './ffmpeg.ts'
import { type Sound, samplesOf, wavOf } from './sounds.ts'

/** A file of the set, and how it is made. */
export interface Recipe {
  name: string
  /** What was written into its tags. */
  written?: Written
  make: (studio: Studio, path: string) => Promise<void>
}

/** What recipes work with: sounds as WAV, and the programs of the host. */
export class Studio {
  readonly #folder: string
  readonly #seed: number

  /** @param folder for what is not part of the set */
  constructor(folder: string, seed: number) {
    this.#folder = folder
    this.#seed = seed
  }

  /** The same sound in every run with one seed. */
  sound(sound: Omit<Sound, 'seed'>): Sound {
    return { ...sound, seed: this.#seed }
  }

  /** Path of a WAV file of the sound. */
  wav(sound: Omit<Sound, 'seed'>): string {
    const name = Object.entries(sound).map(([key, value]) => `${key}-${value}`)
    const path = join(this.#folder, `${name.sort().join('_') || 'default'}.wav`)
    if (!existsSync(path)) writeFileSync(path, wavOf(samplesOf(this.sound(sound))))
    return path
  }

  /**
   * Runs a program of the host.
   *
   * @returns what it wrote to its standard output
   * @throws {Error} with its words, when it fails
   */
  async tool(program: string, ...args: readonly string[]): Promise<Buffer> {
    const { code, stdout, stderr } = await run(program, args)
    if (code === 0) return stdout
    throw new Error(`${program} ${args.join(' ')} failed: ${stderr.trim().slice(-500)}`)
  }

  /** Runs ffmpeg over one file, for output that is the same in every run. */
  async ffmpeg(input: string, path: string, ...args: readonly string[]): Promise<void> {
    const quiet = ['-v', 'error', '-nostdin', '-y', '-i', input, '-map_metadata', '-1']
    await this.tool(
      'ffmpeg',
      ...quiet,
      '-fflags',
      '+bitexact',
      '-flags',
      '+bitexact',
      ...args,
      path,
    )
  }
}
