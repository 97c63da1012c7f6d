import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { pick, whole } from '../../support/chance.ts'
import type { Random } from '../../support/music.ts'
import { SAMPLE_RATE } from './rhythm-band.ts'

const RECORDING = /\.(wav|flac|ogg|opus|mp3|aiff?|g722)$/i
/** Seconds of a spoken line that are kept. */
const LINE = 8
/** Languages of espeak-ng that may be heard. */
const LANGUAGES = ['en-us', 'en-gb', 'de', 'fr', 'es', 'it', 'pl', 'ru', 'sv', 'tr', 'pt', 'cs']

/** The recordings in some folders, by path. */
export function recordingsIn(folders: readonly string[]): string[] {
  return folders
    .flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile() && RECORDING.test(entry.name))
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort()
}

/** The first seconds of a file, mono, by ffmpeg; undefined where it holds no sound it can decode. */
export function samplesOf(file: string, seconds: number): Float32Array | undefined {
  return floatsOf('ffmpeg', ['-v', 'error', '-i', file, ...RAW(seconds)])
}

const RAW = (seconds: number) =>
  ['-ac', '1', '-ar', `${SAMPLE_RATE}`, '-t', `${seconds}`, '-f', 'f32le', '-'] as const

function floatsOf(
  program: string,
  options: readonly string[],
  input?: Buffer,
): Float32Array | undefined {
  const { status, stdout } = spawnSync(program, options, { maxBuffer: 2 ** 26, input })
  if (status !== 0 || stdout.length < 4) return
  return new Float32Array(new Uint8Array(stdout).buffer, 0, stdout.length >> 2)
}

/** Who talks over music: recorded lines, or those of espeak-ng, which counts in many languages. */
export class Speakers {
  readonly #files: readonly string[]
  readonly #lines = new Map<string, Float32Array | undefined>()

  constructor(folders: readonly string[]) {
    this.#files = recordingsIn(folders)
  }

  /** Undefined where there is nobody. */
  line(random: Random): Float32Array | undefined {
    if (this.#files.length === 0) return counted(random)
    const file = pick(random, this.#files)
    if (!this.#lines.has(file)) this.#lines.set(file, samplesOf(file, LINE))
    return this.#lines.get(file)
  }
}

function counted(random: Random): Float32Array | undefined {
  const numbers = Array.from({ length: whole(random, 4, 12) }, () => whole(random, 0, 1000))
  const voice = `${pick(random, LANGUAGES)}+${pick(random, ['m1', 'm3', 'm7', 'f1', 'f2', 'f4'])}`
  const manner = ['-v', voice, '-s', `${whole(random, 120, 220)}`, '-p', `${whole(random, 20, 80)}`]
  const { status, stdout } = spawnSync('espeak-ng', [...manner, '--stdout', numbers.join(' ')], {
    maxBuffer: 2 ** 26,
  })
  return status === 0
    ? floatsOf('ffmpeg', ['-v', 'error', '-i', '-', ...RAW(LINE)], stdout)
    : undefined
}
