import { performance } from '../kernel/timers.ts'
import { DecodeError } from '../values/errors.ts'
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

export function framesIn({ channels }: PcmBlock): number {
  return channels[0]?.length ?? 0
}

/** What the header of a file states, and the sound itself. */
export interface PcmStream {
  /** 'unknown' where only ffmpeg knows it. */
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
  /** `help` says what helps besides the option ffmpegPath, without its full stop. */
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

/** The limits within which a file is decoded. */
export interface DecodeLimits {
  /** Longest sound, seconds. Default 21,600 (6 h). */
  seconds: number
  /** Most channels. Default 32. */
  channels: number
  /** Longest time that decoding may take, with the work on the blocks, seconds. Default 3,600. */
  elapsed: number
}

export const DEFAULT_LIMITS: Readonly<DecodeLimits> = Object.freeze({
  seconds: 21_600,
  channels: 32,
  elapsed: 3600,
})

const MIN_SAMPLE_RATE = 1000
const MAX_SAMPLE_RATE = 768_000

/** @throws DecodeError with the value and the limit */
export function checkRange(
  limits: DecodeLimits,
  format: { sampleRate?: number; channels?: number; frames?: number; seconds?: number },
): void {
  const { sampleRate, channels, frames } = format
  if (channels !== undefined && !(channels >= 1 && channels <= limits.channels)) {
    throw new DecodeError(
      `This file has ${channels} channels; 1…${limits.channels} are possible (limits.channels).`,
    )
  }
  if (
    sampleRate !== undefined &&
    !(sampleRate >= MIN_SAMPLE_RATE && sampleRate <= MAX_SAMPLE_RATE)
  ) {
    throw new DecodeError(
      `This file's sample rate is ${sampleRate} Hz; ${MIN_SAMPLE_RATE}…${MAX_SAMPLE_RATE} Hz are possible.`,
    )
  }
  const seconds = frames !== undefined && sampleRate ? frames / sampleRate : (format.seconds ?? 0)
  if (seconds > limits.seconds) {
    throw new DecodeError(
      `This file is ${Math.round(seconds)} s long or longer, over the limit of ` +
        `${limits.seconds} s of limits.decodedSeconds.`,
    )
  }
}

/**
 * Few bytes can hold hours of sound in many channels.
 *
 * @throws DecodeError with the limit
 */
export function checkElapsed(limits: DecodeLimits, startTime: number, seconds: number): void {
  if (performance.now() - startTime <= limits.elapsed * 1000) return
  throw new DecodeError(
    `The first ${Math.round(seconds)} s of this file took longer than the ${limits.elapsed} s of ` +
      'limits.analysisSeconds.',
  )
}
