import { pause } from '../kernel/scheduler.ts'
import { performance } from '../kernel/timers.ts'
import { DecodeError, messageOf } from '../values/errors.ts'
import { openAu } from './au.ts'
import { type ByteSource, type FileSource, isUnreadable, openFile } from './bytes.ts'
import { openIsolatedMp4, withOneFormat, withSecondDecoder } from './decoder-process.ts'
import { openFlacStream } from './flac.ts'
import { type Container, identifyFormat, KNOWN_FORMATS } from './formats.ts'
import { openMp3 } from './mp3.ts'
import { openMp4Stream } from './mp4.ts'
import { openOggStream } from './ogg.ts'
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

const MAX_BLOCK_FRAMES = 65_536

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
 * Decodes a file in pieces, in bounded memory, by its content alone.
 *
 * @returns the report, as the generator's return value
 * @throws DecodeError when the file cannot be decoded or exceeds a limit; the signal's reason after
 * an abort
 */
export async function* decodeFile(
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
      return yield* checkBlocks(stream, limits, signal)
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

/** Opens audile's own decoder, or else the ffmpeg that the host names. */
async function openStream(source: FileSource, options: DecodeOptions): Promise<PcmStream> {
  const { ffmpegPath, signal } = options
  let sniffed: Container | undefined
  const openSecond = async (error: unknown): Promise<PcmStream> => {
    signal?.throwIfAborted()
    if (error instanceof Undecodable) throw new DecodeError(error.message, { cause: error })
    if (isUnreadable(error)) throw error
    if (ffmpegPath === undefined) throw withAdvice(error)
    return openFfmpeg(ffmpegPath, source.path, sniffed, error, signal)
  }
  let stream: PcmStream
  try {
    if (source.size === 0) throw new Undecodable('This file is empty (0 bytes).')
    const { container, audio, guessed } = await identifyFormat(source)
    if (!guessed) sniffed = container
    if (!container) throw unknownFormat(source.size - audio.size, audio.size)
    stream = await openContainer(container, audio, source, options)
  } catch (error) {
    return withOneFormat(await openSecond(error))
  }
  return withSecondDecoder(withOneFormat(stream), openSecond)
}

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

const CONTAINER_READERS: Readonly<Record<Container, (audio: ByteSource) => Promise<PcmStream>>> = {
  wav: openWav,
  au: openAu,
  aiff: openAiff,
  mp3: openMp3,
  ogg: openOggStream,
  flac: openFlacStream,
  aac: () => Promise.reject(new NoDecoder('aac', 'AAC')),
  mp4: openMp4Stream,
}

function openContainer(
  container: Container,
  audio: ByteSource,
  source: FileSource,
  { decoderProcess, signal }: DecodeOptions,
): Promise<PcmStream> {
  // After an ID3v2 tag only this thread knows where the MP4 file starts.
  return container === 'mp4' && decoderProcess !== undefined && audio.size === source.size
    ? openIsolatedMp4(source, decoderProcess, signal)
    : CONTAINER_READERS[container](audio)
}

async function* checkBlocks(
  stream: PcmStream,
  limits: DecodeLimits,
  signal: AbortSignal | undefined,
): AsyncGenerator<PcmBlock, DecodeReport, void> {
  checkRange(limits, stream)
  let first: { channels: number; sampleRate: number } | undefined
  let frames = 0
  const startTime = performance.now()
  let next = await stream.blocks.next()
  for (; !next.done; next = await stream.blocks.next()) {
    signal?.throwIfAborted()
    const { channels, sampleRate } = next.value
    const length = framesIn(next.value)
    if (length === 0) {
      checkElapsed(limits, startTime, first ? frames / first.sampleRate : 0)
      continue
    }
    first ??= { channels: channels.length, sampleRate }
    frames += length
    checkRange(limits, { channels: channels.length, sampleRate, frames })
    checkElapsed(limits, startTime, frames / sampleRate)
    for (let offset = 0; offset < length; offset += MAX_BLOCK_FRAMES) {
      yield length <= MAX_BLOCK_FRAMES
        ? next.value
        : {
            channels: channels.map((c) => c.subarray(offset, offset + MAX_BLOCK_FRAMES)),
            sampleRate,
          }
    }
    await pause(signal)
  }
  const { container, codec, decoder } = stream
  return { container, codec, decoder, ...first!, frames, truncated: next.value }
}

/** Decoders throw errors of any kind. */
function asDecodeError(error: unknown): DecodeError {
  if (error instanceof DecodeError) return error
  const message = messageOf(error)
  return new DecodeError(`The decoder failed on this file: ${message}`, { cause: error })
}
