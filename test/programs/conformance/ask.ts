import { type DecodeReport, decodeFile, type PcmBlock } from '../../../src/audio/decode.ts'
import type { Audile } from '../../../src/index.ts'
import type { Answer } from './facts.ts'

/** The built package, asked as any application would. */
export class Library {
  readonly #music: Audile
  readonly #ffmpegPath: string | undefined

  private constructor(music: Audile, ffmpegPath: string | undefined) {
    this.#music = music
    this.#ffmpegPath = ffmpegPath
  }

  static async open(workers: number, ffmpegPath: string | undefined): Promise<Library> {
    const { Audile } = (await import('audile' as string)) as typeof import('../../../src/index.ts')
    const options = { database: ':memory:', workers, ...(ffmpegPath && { ffmpegPath }) }
    return new Library(await Audile.open(options), ffmpegPath)
  }

  /** What the file is by the public names. */
  async ask(path: string): Promise<Answer> {
    const answer: Answer = {}
    try {
      const track = await this.#music.tracks.upload({ file: path })
      const settled = await track.analyzed().catch((error: unknown) => {
        answer.refused = refusal(error)
      })
      const { title, artist, release } = settled ?? (await track.profile())
      Object.assign(answer, { title, artist, album: release })
      if (settled) {
        const document = await track.analysis()
        answer.duration = document.track.duration
        answer.loudness = document.track.loudness ?? Number.NaN
        const { detailed_status } = document.meta
        if (detailed_status !== 'OK') answer.warning = detailed_status
      }
    } catch (error) {
      answer.refused = refusal(error)
    }
    return answer
  }

  /** What the decoder gives for the file, in this thread. */
  decode(path: string): AsyncGenerator<PcmBlock, DecodeReport, void> {
    const ffmpegPath = this.#ffmpegPath
    return decodeFile(path, ffmpegPath === undefined ? {} : { ffmpegPath })
  }

  close(): Promise<void> {
    return this.#music.close()
  }
}

function refusal(error: unknown): NonNullable<Answer['refused']> {
  const { code, message } = error as { code?: unknown; message?: unknown }
  const typed = ['decode', 'limit_exceeded'].includes(String(code))
  return { code: typed ? String(code) : undefined, message: String(message) }
}
