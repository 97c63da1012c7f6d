import { DecodeError } from '../errors.ts'
import { ProcessFailure, startPcmProcess } from './pcm-process.ts'
import type { NoDecoder, PcmStream } from './pcm-stream.ts'

/**
 * Decodes by a program that the host names. It writes AU, whose header tells rate and channels, so
 * no second program has to look first. It may open the file and nothing else (no playlists, no URLs).
 */
export async function openFfmpeg(
  ffmpegPath: string,
  path: string,
  { container, codec }: NoDecoder,
  signal?: AbortSignal,
): Promise<PcmStream> {
  const input = [
    '-v',
    'error',
    '-nostdin',
    '-protocol_whitelist',
    'file,pipe',
    '-i',
    `file:${path}`,
  ]
  const output = ['-map', '0:a:0', '-vn', '-sn', '-dn', '-c:a', 'pcm_f32be', '-f', 'au', 'pipe:1']
  const failed = (error: unknown): unknown =>
    error instanceof ProcessFailure
      ? new DecodeError(`${ffmpegPath} (option ffmpegPath) failed: ${error.message}`, {
          cause: error,
        })
      : error
  try {
    const process_ = await startPcmProcess(ffmpegPath, [...input, ...output], process.env, signal)
    const { channels, sampleRate, blocks, close } = process_
    return {
      container,
      codec,
      decoder: 'ffmpeg',
      sampleRate,
      channels,
      close,
      blocks: (async function* () {
        try {
          yield* blocks
          return false
        } catch (error) {
          throw failed(error)
        }
      })(),
    }
  } catch (error) {
    throw failed(error)
  }
}
