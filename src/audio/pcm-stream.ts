import { type Container, FORMATS } from './formats.ts'

/** A piece of decoded sound. */
export interface PcmBlock {
  /**
   * One array of samples for each channel, all equally long, at most 65,536 frames; full scale is
   * −1…1 (float files and lossy codecs may go beyond it). The arrays may be reused by the next block.
   */
  channels: Float32Array[]
  /** Hertz. */
  sampleRate: number
}

/** What the reader of a format knows before it decodes, and the sound itself. */
export interface PcmStream {
  /** 'unknown' where only ffmpeg knows. */
  container: Container | 'unknown'
  codec: string
  /** Which decoder runs: 'pcm', 'mpg123', … */
  decoder: string
  /** As the header says, where it does. */
  sampleRate?: number
  channels?: number
  frames?: number
  /** Where `frames` is not known but this is. */
  seconds?: number
  /** Blocks of any length; returns whether the file ended before its header said. */
  blocks: AsyncGenerator<PcmBlock, boolean, void>
  /** Frees what the reader holds, also when `blocks` was never started; may be called again. */
  close?(): void
}

/** Thrown by a reader whose file needs a decoder that audile does not have; ffmpeg may have it. */
export class NoDecoder extends Error {
  /**
   * @param help what helps besides the option ffmpegPath, as a sentence without its full stop
   */
  constructor(
    readonly container: Container,
    readonly codec: string,
    readonly help?: string,
  ) {
    super(`${codec} in ${FORMATS[container].title}`)
  }
}

/** Thrown by a reader for a file that no other decoder shall be asked for either. */
export class Undecodable extends Error {}
