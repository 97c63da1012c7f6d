import { pause } from '../kernel/scheduler.ts'
import { performance } from '../kernel/timers.ts'
import { DecodeError, messageOf } from '../values/errors.ts'
import { openAu } from './au.ts'
import { type ByteSource, type FileSource, isUnreadable, openFile } from './bytes.ts'
import { openMp4Isolated, withOneFormat, withSecondDecoder } from './decoder-process.ts'
import { openFlac } from './flac.ts'
import { type Container, identify, KNOWN_FORMATS } from './formats.ts'
import { openMp3 } from './mp3.ts'
import { openMp4 } from './mp4.ts'
import { openOgg } from './ogg.ts'
import { openFfmpeg } from './pcm-process.ts'
import {
  checkElapsed,
  checkRange,
  DEFAULT_LIMITS,
  type DecodeLimits,
  framesIn,
  NoDecoder,
  type PcmBlock,
  type PcmStream,
  Undecodable,
} from './pcm-stream.ts'
import { openAiff, openWav } from './wav-aiff.ts'

export type { DecodeLimits, PcmBlock } from './pcm-stream.ts'

/** Most frames of a block. */
const MAX_FRAMES = 65_536

export interface DecodeReport {
  /** 'wav', 'mp3', 'mp4', …; 'unknown' where only ffmpeg knows it. */
  container: string
  /** 's16', 'mp3', 'aac', …; 'unknown' likewise. */
  codec: string
  /** Which decoder ran: 'pcm', 'mpg123', 'libvorbis', 'libopus', 'flac', '@audio/decode-mp4', 'ffmpeg'. */
  decoder: string
  /** Hertz. */
  sampleRate: number
  channels: number
  /** Samples per channel. */
  frames: number
  /** The file ends earlier than its header states. */
  truncated: boolean
}

export interface DecodeOptions {
  limits?: Partial<DecodeLimits>
  /** An ffmpeg program, for files that audile has no decoder for or fails on. */
  ffmpegPath?: string
  /** A script that passes its arguments to `runDecoderProcess`: MP4 is then decoded in its own process. */
  decoderProcess?: string
  signal?: AbortSignal
}

/**
 * Decodes a file to PCM in pieces, in bounded memory. Detects the format from the content alone.
 *
 * Blocks have at most 65,536 frames, in the channels and the sample rate of the file. Samples of float
 * files that are NaN or infinite become 0. Other work of the thread runs between blocks, after 8 ms of work.
 *
 * @returns the generator's return value is the report
 * @throws DecodeError when the file cannot be read, has a format that audile does not know, needs a
 * decoder that is missing, is damaged from its start on, holds no sound, or exceeds a limit; the
 * signal's reason after an abort
 */
export async function* decode(
  path: string,
  options: DecodeOptions = {},
): AsyncGenerator<PcmBlock, DecodeReport, void> {
  const { signal } = options
  signal?.throwIfAborted()
  const limits = { ...DEFAULT_LIMITS, ...options.limits }
  const source = await openFile(path)
  try {
    const stream = await openStream(source, options)
    try {
      return yield* checked(stream, limits, signal)
    } finally {
      await stream.blocks.return(false)
      stream.close?.()
    }
  } catch (error) {
    signal?.throwIfAborted()
    throw asDecodeError(error)
  } finally {
    await source.close()
  }
}

/** Opens audile's own decoder, or, if there is none or it fails, the ffmpeg that the host names. */
async function openStream(source: FileSource, options: DecodeOptions): Promise<PcmStream> {
  const { ffmpegPath, signal } = options
  let sniffed: Container | undefined
  const second = async (error: unknown): Promise<PcmStream> => {
    signal?.throwIfAborted()
    if (error instanceof Undecodable) throw new DecodeError(error.message, { cause: error })
    if (isUnreadable(error)) throw error
    if (ffmpegPath === undefined) throw withAdvice(error)
    return openFfmpeg(ffmpegPath, source.path, sniffed, error, signal)
  }
  let own: PcmStream
  try {
    if (source.size === 0) throw new Undecodable('This file is empty (0 bytes).')
    const { container, audio, guessed } = await identify(source)
    if (!guessed) sniffed = container
    if (!container) throw unknownFormat(source.size - audio.size, audio.size)
    own = await openContainer(container, audio, source, options)
  } catch (error) {
    return withOneFormat(await second(error))
  }
  return withSecondDecoder(withOneFormat(own), second)
}

/** The error with advice on what to do where a decoder is missing or fails. */
function withAdvice(error: unknown): DecodeError {
  if (!(error instanceof NoDecoder)) {
    const { message } = asDecodeError(error)
    return new DecodeError(`${message} With the option ffmpegPath, ffmpeg tries it too.`, {
      cause: error,
    })
  }
  const advice = error.help
    ? `${error.help} or set the option ffmpegPath`
    : 'Set the option ffmpegPath'
  return new DecodeError(
    `This file is ${error.message}, for which audile has no decoder of its own. ${advice}.`,
  )
}

function unknownFormat(tagBytes: number, soundBytes: number): DecodeError {
  return new DecodeError(
    soundBytes === 0
      ? `This file holds an ID3 tag of ${tagBytes} bytes and no sound.`
      : `This is no audio file that audile knows. Known by their content are ${KNOWN_FORMATS}.`,
  )
}

const OPEN: Readonly<Record<Container, (audio: ByteSource) => Promise<PcmStream>>> = {
  wav: openWav,
  au: openAu,
  aiff: openAiff,
  mp3: openMp3,
  ogg: openOgg,
  flac: openFlac,
  aac: () => Promise.reject(new NoDecoder('aac', 'AAC')),
  mp4: openMp4,
}

function openContainer(
  container: Container,
  audio: ByteSource,
  source: FileSource,
  { decoderProcess, signal }: DecodeOptions,
): Promise<PcmStream> {
  // After an ID3v2 tag (rare), only this thread knows where the MP4 file starts.
  return container === 'mp4' && decoderProcess !== undefined && audio.size === source.size
    ? openMp4Isolated(source, decoderProcess, signal)
    : OPEN[container](audio)
}

async function* checked(
  stream: PcmStream,
  limits: DecodeLimits,
  signal: AbortSignal | undefined,
): AsyncGenerator<PcmBlock, DecodeReport, void> {
  checkRange(limits, stream)
  let first: { channels: number; sampleRate: number } | undefined
  let frames = 0
  const since = performance.now()
  let next = await stream.blocks.next()
  for (; !next.done; next = await stream.blocks.next()) {
    signal?.throwIfAborted()
    const { channels, sampleRate } = next.value
    const length = framesIn(next.value)
    if (length === 0) {
      checkElapsed(limits, since, first ? frames / first.sampleRate : 0)
      continue
    }
    first ??= { channels: channels.length, sampleRate }
    frames += length
    checkRange(limits, { channels: channels.length, sampleRate, frames })
    checkElapsed(limits, since, frames / sampleRate)
    for (let from = 0; from < length; from += MAX_FRAMES) {
      yield length <= MAX_FRAMES
        ? next.value
        : { channels: channels.map((c) => c.subarray(from, from + MAX_FRAMES)), sampleRate }
    }
    await pause(signal)
  }
  const { container, codec, decoder } = stream
  return { container, codec, decoder, ...first!, frames, truncated: next.value }
}

/** Decoders throw errors of any kind; the caller always gets a DecodeError. */
function asDecodeError(error: unknown): DecodeError {
  if (error instanceof DecodeError) return error
  const message = messageOf(error)
  return new DecodeError(`The decoder failed on this file: ${message}`, { cause: error })
}
