import { type Container, FORMATS } from './formats.ts'

/** A piece of decoded sound. */
export interface PcmBlock {
  /**
   * The samples of each channel: arrays of one length. Full scale is −1…1; float files and lossy codecs
   * may exceed it. The next block may reuse the arrays.
   */
  channels: Float32Array[]
  /** Hertz. */
  sampleRate: number
}

/** Frames in a block: samples of each channel. */
export function framesIn({ channels }: PcmBlock): number {
  return channels[0]?.length ?? 0
}

/** What the header of a file states, and the sound itself. */
export interface PcmStream {
  /** 'unknown' where only ffmpeg knows. */
  container: Container | 'unknown'
  codec: string
  /** Which decoder runs: 'pcm', 'mpg123', … */
  decoder: string
  /** Hertz. */
  sampleRate?: number
  channels?: number
  frames?: number
  /** The length where `frames` is not known. */
  seconds?: number
  /** Blocks of any length; returns whether the file ends earlier than its header states. */
  blocks: AsyncGenerator<PcmBlock, boolean, void>
  /** Frees what the reader holds, even when `blocks` was never started; may be called again. */
  close?(): void
}

/** The file needs a decoder that audile does not have; ffmpeg may have it. */
export class NoDecoder extends Error {
  /**
   * @param help what else helps than the option ffmpegPath, as a sentence without its full stop
   */
  constructor(
    readonly container: Container,
    readonly codec: string,
    readonly help?: string,
  ) {
    super(`${codec} in ${FORMATS[container].title}`)
  }
}

/** The file must not be given to another decoder either. */
export class Undecodable extends Error {}
